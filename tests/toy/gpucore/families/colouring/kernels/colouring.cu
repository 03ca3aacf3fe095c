// Greedy colouring in rounds: the first of its uncoloured neighbours takes the smallest colour.
//
// Source: Jones, Plassmann, "A parallel graph coloring heuristic", SIAM J. Scientific Computing 14
// (1993).  A thread for each vertex, one launch a round.  A round reads the colours in `before` and
// writes all of them to `after`: no word is read and written in one launch, and every word has one
// writer, so the result depends on no schedule.  Atomics only count.
#include "simt.h"

#include "record.cuh"
#include "scatter.cuh"

#define ALL_LANES 0xffffffffu
#define NONE -1

enum ColouringEvent : unsigned {
    NO_EVENT = 0,
    TAKE = 1                    // vertex, colour
};

// Whether vertex v comes before another one: by a hash, then by their numbers.
__device__ inline bool comes_first(int v, int other, unsigned seed)
{
    const unsigned mine = scatter((unsigned)v, seed), its = scatter((unsigned)other, seed);
    return mine > its || (mine == its && v > other);
}

// The smallest colour that no neighbour has, looked for among 64 colours at a time.
__device__ inline int smallest_free(const int* neighbours, int degree, const int* colours,
                                    unsigned& edges)
{
    for (int base = 0;; base += 64) {
        unsigned long long taken = 0;
        for (int i = 0; i < degree; ++i) {
            const int place = colours[neighbours[i]] - base;
            if (place >= 0 && place < 64) taken |= 1ull << place;
        }
        edges += degree;
        if (~taken) return base + __ffsll((long long)~taken) - 1;
    }
}

// `counts`: vertices that took a colour in this round, and colours in use after it.
SIMT_KERNEL(colouring_round)
(int n, const long long* indptr, const int* indices, const int* before, int* after, int* counts,
 unsigned seed, int round RECORD_PARAMS)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    const bool there = v < n;
    const bool open = there && before[v] == NONE;
    int colour = there ? before[v] : NONE;
    unsigned edges = 0;
    bool takes = open;
    if (open) {
        const int* neighbours = indices + indptr[v];
        const int degree = (int)(indptr[v + 1] - indptr[v]);
        for (int i = 0; takes && i < degree; ++i) {
            const int other = neighbours[i];
            edges += 1;
            takes = other == v || before[other] != NONE || comes_first(v, other, seed);
        }
        if (takes) colour = smallest_free(neighbours, degree, before, edges);
    }
    if (there) after[v] = colour;
    const unsigned who = __ballot_sync(ALL_LANES, takes);
    if (threadIdx.x % 32 == 0 && who) atomicAdd(counts, __popc(who));
    if (takes) atomicMax(counts + 1, colour + 1);
    // All lanes of a warp record together; those without an event pass NO_EVENT.
    RECORD_EVENTS(record_events(rec, round, v / 32, takes ? TAKE : NO_EVENT, v, colour, NONE, 0.0f,
                                0);)
    RECORD_COUNTERS(
        const unsigned row[8] = {warp_sum((unsigned)there), warp_sum((unsigned)open),
                                 warp_sum(edges), 32 * warp_largest(edges),
                                 warp_sum((unsigned)takes)};
        if (threadIdx.x % 32 == 0) add_words_to_row(rec, v / 32, round, row);)
}

SIMT_EXPORT(colouring_round)
