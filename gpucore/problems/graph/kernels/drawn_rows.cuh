// Rows of graphs whose edges are drawn one by one, each a hash of its number: count the entries of
// every row, then write those of some rows.
//
// Rows of a rank: those from `first` to `last` - 1.  Every rank draws every edge, and keeps the
// entries of its rows; nothing is sent.  Loops have no entry.  Entries of a row are in no order, and
// may be there twice.
#pragma once

#include "rows.cuh"

#define ROUNDS 4

// A permutation of the numbers of `bits` bits: each round can be undone.
struct Numbering {
    unsigned factors[ROUNDS], terms[ROUNDS], mask;
    int shift;
};

__device__ inline Numbering numbering(int bits, Word key)
{
    Numbering made;
    for (int round = 0; round < ROUNDS; ++round) {
        const Word number = drawn(key, round);
        made.factors[round] = (unsigned)number | 1u;
        made.terms[round] = (unsigned)(number >> 32);
    }
    made.mask = (1u << bits) - 1;
    made.shift = (bits + 1) / 2;
    return made;
}

__device__ inline int renumbered(unsigned x, const Numbering& by)
{
    for (int round = 0; round < ROUNDS; ++round) {
        x = (x * by.factors[round] + by.terms[round]) & by.mask;
        x ^= x >> by.shift;
    }
    return (int)x;
}

// The same for the numbers below `n`, at least half of 2^bits: numbers outside go round again.
__device__ inline int renumbered_below(unsigned x, const Numbering& by, unsigned n)
{
    do x = (unsigned)renumbered(x, by);
    while (x >= n);
    return (int)x;
}

struct Ends {
    int u, v;
};

// Add the entries of edges `begin` to `end` - 1 to `counts`.
template <class Draw>
__device__ inline void count_entries(const Draw& draw, long long begin, long long end, Word* counts)
{
    for (long long edge = begin + thread_number(); edge < end; edge += thread_count()) {
        const Ends e = draw(edge);
        if (e.u == e.v) continue;
        atomicAdd(counts + e.u, 1ull);
        atomicAdd(counts + e.v, 1ull);
    }
}

// `places` has the next free entry of each row of the rank.
template <class Draw>
__device__ inline void fill_entries(const Draw& draw, long long begin, long long end, int first,
                                    int last, Word* places, int* indices)
{
    for (long long edge = begin + thread_number(); edge < end; edge += thread_count()) {
        const Ends e = draw(edge);
        if (e.u == e.v) continue;
        if (first <= e.u && e.u < last) indices[atomicAdd(places + (e.u - first), 1ull)] = e.v;
        if (first <= e.v && e.v < last) indices[atomicAdd(places + (e.v - first), 1ull)] = e.u;
    }
}
