// R-MAT edges, each a hash of its number: count the entries of every row, then write those of some
// rows.
//
// Source: Chakrabarti, Zhan, Faloutsos, "R-MAT: a recursive model for graph mining", SIAM Data
// Mining 2004, section 3.  An edge descends `scale` levels of quadrants; a level takes 32 random
// bits, which are compared with the sums of the quadrants' probabilities in units of 2^-32.
//
// Rows of a rank: those from `first` to `last` - 1.  Every rank draws every edge, and keeps the
// entries of its rows; nothing is sent.  Entries of a row are in no order, and may be there twice.
#include "simt.h"

#include "rows.cuh"

#define LEVELS 16               // pairs of levels that an edge may have, a power of two
#define ROUNDS 4

struct Quadrants {
    Word a, ab, abc;
};

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

__device__ inline void draw_edge(Word key, Word edge, int scale, Quadrants q, const Numbering& by,
                                 int* u, int* v)
{
    unsigned row = 0, column = 0;
    for (int level = 0; level < scale; level += 2) {
        Word bits = drawn(key, edge * LEVELS + level / 2);
        for (int half = level; half < min(level + 2, scale); ++half, bits >>= 32) {
            const Word number = bits & 0xffffffffu;
            const bool down = number >= q.ab;
            row = 2 * row + down;
            column = 2 * column + (number >= (down ? q.abc : q.a));
        }
    }
    *u = renumbered(row, by);
    *v = renumbered(column, by);
}

// Add the entries of edges `begin` to `end` - 1 to `counts`; loops have none.
SIMT_KERNEL(rmat_count)
(long long begin, long long end, int scale, Word a, Word ab, Word abc, Word key, Word* counts)
{
    const Numbering by = numbering(scale, ~key);
    for (long long edge = begin + thread_number(); edge < end; edge += thread_count()) {
        int u, v;
        draw_edge(key, edge, scale, Quadrants{a, ab, abc}, by, &u, &v);
        if (u == v) continue;
        atomicAdd(counts + u, 1ull);
        atomicAdd(counts + v, 1ull);
    }
}

SIMT_EXPORT(rmat_count)

// `places` has the next free entry of each row of the rank.
SIMT_KERNEL(rmat_fill)
(long long begin, long long end, int scale, Word a, Word ab, Word abc, Word key, int first,
 int last, Word* places, int* indices)
{
    const Numbering by = numbering(scale, ~key);
    for (long long edge = begin + thread_number(); edge < end; edge += thread_count()) {
        int u, v;
        draw_edge(key, edge, scale, Quadrants{a, ab, abc}, by, &u, &v);
        if (u == v) continue;
        if (first <= u && u < last) indices[atomicAdd(places + (u - first), 1ull)] = v;
        if (first <= v && v < last) indices[atomicAdd(places + (v - first), 1ull)] = u;
    }
}

SIMT_EXPORT(rmat_fill)
