// Louvain, tuned: what the search of a small graph in one launch writes, and its steps (see
// louvain_fast_small.cu).
#pragma once

#include "louvain_fast_contract.cuh"
#include "louvain_fast_last.cuh"
#include "louvain_fast_phase.cuh"

// How the search ended.
enum Outcome { FOUND, HUB, LOST, RESTLESS, MANY_STAGES, NO_WEIGHT };

// The log: this, then rows of WIDTH numbers of the stages that all blocks share, then those of one
// block's.  Times are in nanoseconds on a GPU.
enum {
    OUTCOME, STAGES, ROWS, CONTRACTIONS, ALONE, REACHED, KNOWN, FINAL, FINAL_COMMUNITIES, FINAL_SWEEPS,
    FINAL_MOVES, BEGAN, ENDED_LAST, ENDED_ALL, TWO_M, HEADER = 16
};
enum { THRESHOLD = COLUMNS, BEGIN_TIME, SWEPT_TIME, END_TIME, WIDTH };

// What the blocks add up in a stage; zero before.
struct StageFacts {
    Weight squares, inside;
    long long entries;
    double gain;
    int state[4];
    int communities, longest, overflowed, unused;
    int classes[CLASSES], cursors[CLASSES + 4];
};
#define FACT_WORDS 18           // of 8 bytes
static_assert(sizeof(StageFacts) == 8 * FACT_WORDS, "the host allocates as many");

// Parts of a sweep, by the vertices with edges; see sizes.py.
struct PartRule {
    int tiny;                   // 0: the graph is not tiny
    int few, parts, more_parts; // fewer than `few` vertices: `parts`, else `more_parts`
    int neighbours, most;
};

__device__ inline int parts_of(PartRule rule, long long live, long long entries)
{
    if (rule.tiny) return rule.tiny;
    int parts = live < rule.few ? rule.parts : rule.more_parts;
    while (parts < rule.most && entries > rule.neighbours * parts * live) parts *= 2;
    return parts;
}

// Where the classes begin, from their sizes.  All threads of the block call.
__device__ inline void begin_classes(const int* classes, int* first)
{
    __syncthreads();                                        // no thread reads the last ones any more
    if (threadIdx.x == 0) {
        first[0] = 0;
        for (int k = 0; k < CLASSES; ++k) first[k + 1] = first[k] + simt_load(classes + k);
    }
    __syncthreads();
}

// The arrays of a search; in shared memory, since there are more of them than registers.
struct Arrays {
    Weight* strength;
    Weight* total;
    Weight* of_community;
    Weight* inner;
    Lists graphs[2];
    long long* parts;
    int* community;
    int* whole;                 // where every vertex of the given graph is
    int* used;
    int* number;
    int* length;
    int* order;
    int* member;
    int* last_whole;
    unsigned char* rested;
    Slot* pairs;
};

__device__ inline Arrays arrays_in(unsigned char* far, int n, int entries, int blocks)
{
    Pool pool = {nullptr, 0, far};
    Arrays a = {take<Weight>(pool, n),
                take<Weight>(pool, n),
                take<Weight>(pool, n),
                take<Weight>(pool, n),
                {lists_in(pool, n, entries), lists_in(pool, n, entries)},
                take<long long>(pool, blocks),
                take<int>(pool, n),
                take<int>(pool, n),
                take<int>(pool, n),
                take<int>(pool, n + 1),
                take<int>(pool, n),
                take<int>(pool, n),
                take<int>(pool, n),
                take<int>(pool, n),
                take<unsigned char>(pool, n),
                nullptr};
    a.pairs = (Slot*)(((unsigned long long)pool.far + 15) / 16 * 16);
    return a;
}
