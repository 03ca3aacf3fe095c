// When a phase of the tuned search ends.
#pragma once

#include "louvain_fast_sweep.cuh"

// Where moves at the same time lost modularity there are so many times as many parts; where vertices traded
// places, so many.
#define MORE_PARTS 2
#define FINER_PARTS 4
// The modularity of a partition differs by less from sum to sum: the terms' order is another.
#define ROUNDING 1e-12

// What the blocks have added: gain in modularity, moves.
struct Tally {
    double gain;
    int moves;
};

__device__ inline double modularity_of(Weight gain) { return (double)gain / GAIN_UNITS; }

// Sum up and empty the places that the blocks of a launch use; thread 0 of the block gets the sums.  All
// threads call.
__device__ inline Tally collect(Weight* gained, int* moved, int blocks, Weight* sums, int* counts)
{
    Weight gain = 0;
    int moves = 0;
    for (int i = threadIdx.x; i < blocks && i < TALLIES; i += blockDim.x) {
        gain += simt_load(gained + i * TALLY_STRIDE);
        moves += simt_load(moved + i * TALLY_STRIDE);
        gained[i * TALLY_STRIDE] = 0;
        moved[i * TALLY_STRIDE] = 0;
    }
    return {modularity_of(block_sum(gain, sums)), block_sum(moves, counts)};
}

// One thread, at the end of a sweep.  It gains little if it adds less than `threshold`; or, if
// `relative`, less than `threshold` times the stage's gain so far, which is `gain`, or less than
// `least` times the modularity, which was `start`.
__device__ inline void judge(Tally sweep, double* gain, double start, double threshold, double least,
                             int relative, int parts, int patience, int max_sweeps, int* state)
{
    const double so_far = *gain + sweep.gain;
    *gain = so_far;
    const double wanted =
        relative ? max(threshold * so_far, least * (start + so_far)) : threshold;
    const int idle = sweep.moves == 0 || sweep.gain < wanted ? state[IDLE] + 1 : 0;
    const int launches = state[LAUNCHES] / parts * parts + parts;
    state[IDLE] = idle;
    state[LAUNCHES] = launches;
    state[MOVES] += sweep.moves;
    if (idle >= patience || launches / parts >= max_sweeps) state[DONE] = 1;
}

// Whether a stage that began with the modularity `before` has lost so much by moves at the same time that it is swept
// again in more parts.  One that lost less than `least`, by which a last stage has to gain, would hardly gain then.
__device__ inline bool has_lost(double now, double before, double least, int relative)
{
    return now < before - max(ROUNDING, relative ? least * fabs(now) : least);
}
