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
    __syncthreads();                                        // nobody reads the last ones any more
    if (threadIdx.x == 0) {
        first[0] = 0;
        for (int k = 0; k < CLASSES; ++k) first[k + 1] = first[k] + simt_load(classes + k);
    }
    __syncthreads();
}

// The steps are functions of their own here: all in one would take a compiler many times as long.
__device__ SIMT_APART void sweep_small(Partition p, Level level, const int* order, Ranges ranges,
                                         Progress progress, Ends ends, int parts, int apart, Room room,
                                         Desk desk, Weight* shares, int* counts, unsigned* barrier,
                                         [[maybe_unused]] int step RECORD_PARAMS)
{
    sweep_together(p, level, order, ranges, progress, ends, parts, apart ? apart : parts, 0, room, desk,
                   shares, counts, barrier, step RECORD_COUNTERS(, rec));
}

__device__ SIMT_APART void contract_small(int n, const int* order, Ranges ranges, Level level,
                                            const int* community, const Weight* total, double two_m,
                                            Numbers to, Pairs table, Counts found, Room room,
                                            Sums sums, unsigned* barrier,
                                            [[maybe_unused]] int step RECORD_PARAMS)
{
    contract_together(n, order, ranges, level, community, total, two_m, to, table, found, room.near,
                      room.near_slots, sums, barrier, step RECORD_COUNTERS(, rec));
}

__device__ SIMT_APART LastFound last_of_small(int n, int entries, const int* live, int* number_of,
                                                Level given, const Weight* strength, double two_m,
                                                double resolution, LastEnds ends, int parts,
                                                LastDesk desk, unsigned char* far, int* maps, int* whole,
                                                double* log, [[maybe_unused]] int step RECORD_PARAMS)
{
    return last_stages(n, entries, live, number_of, given, strength, two_m, resolution, ends, parts, desk,
                       far, maps, whole, log, step RECORD_COUNTERS(, rec));
}
