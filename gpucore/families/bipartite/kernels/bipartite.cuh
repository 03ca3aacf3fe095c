// Shared by the kernels of bipartite matching: the matrix and recording.
//
// Rows and columns are numbered separately, from 0.  Events use the numbers of the graph: a row has
// its own number, a column its own plus the number of rows.
#pragma once

#include "record.cuh"
#include "scatter.cuh"

#define ALL_LANES 0xffffffffu
#define NONE -1

// The lists of one side of the matrix: those of the columns hold rows, those of the rows hold
// `shift` + columns.
struct Lists {
    int count;
    const long long* indptr;
    const int* indices;
    int shift;
};

// The places of a list, each once, from a place of its own upwards or downwards and round.
struct Round {
    int place, length, step;

    __device__ inline int next()
    {
        const int now = place;
        place += step;
        if (place >= length) place -= length;
        return now;
    }
};

__device__ inline Round round_of(unsigned hash, int length)
{
    return {(int)((hash >> 1) % length), length, hash & 1 ? length - 1 : 1};
}

enum BipartiteEvent : unsigned {
    NO_EVENT = 0,
    PHASE = 1,                  // phase, unmatched columns or -1, whether the forest is kept
    REACH = 2,                  // column, row, column matched to the row; level of the latter
    PATH = 3,                   // column, unmatched row, root or -1; level
    FLIP = 4,                   // column, its new row, its old row or -1
    STOP = 5,                   // row, column that it did not take, row matched to that column
    FIX = 6,                    // row, column that it named or -1, row of that column or -1
    GRAFT = 7,                  // column, row, column matched to the row or -1
    FREE = 8,                   // row, column matched to it or -1
    MATCH = 9,                  // column, row
    RUNAWAY = 10                // row
};

// A warp's row of the record for one launch or level.
struct Effort {
    unsigned looked, frontier, edges, lane_slots, reached, paths, flips, conflicts;
};

#if RECORD >= 1
// All lanes of the warp call, each with its own counters.
__device__ inline void record_effort(Recorder* rec, int warp, int step, Effort e)
{
    const unsigned words[8] = {warp_sum(e.looked),     warp_sum(e.frontier), warp_sum(e.edges),
                               warp_sum(e.lane_slots), warp_sum(e.reached),  warp_sum(e.paths),
                               warp_sum(e.flips),      warp_sum(e.conflicts)};
    if (threadIdx.x % 32 == 0) add_words_to_row(rec, warp, step, words);
}
#endif

// One lane records one event.
#if RECORD >= 2
#define TELL(kind, a, b, c, value) record_event(rec, step, warp, kind, a, b, c, value, 0)
#else
#define TELL(kind, a, b, c, value)
#endif
