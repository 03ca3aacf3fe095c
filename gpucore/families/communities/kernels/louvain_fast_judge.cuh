// When a phase of the tuned search ends.
#pragma once

#include "louvain_fast_moves.cuh"

// What the blocks have added: gain in modularity, moves.
struct Tally {
    double gain;
    int moves;
};

// Sum up and empty all places; thread 0 of the block gets the sums.  All threads call.
__device__ inline Tally collect(double* gained, int* moved, double* gains, int* counts)
{
    Tally mine = {0.0, 0};
    for (int i = threadIdx.x; i < TALLIES; i += blockDim.x) {
        mine.gain += simt_load(gained + i * TALLY_STRIDE);
        mine.moves += simt_load(moved + i * TALLY_STRIDE);
        gained[i * TALLY_STRIDE] = 0.0;
        moved[i * TALLY_STRIDE] = 0;
    }
    return {block_sum(mine.gain, gains), block_sum(mine.moves, counts)};
}

// One thread, after a launch.  A sweep gains little if it adds less than `threshold`; or, if
// `relative`, less than `threshold` times the stage's gain so far, or less than `least` times the
// modularity.  `reached` holds the modularity, and its value at the beginning, then the gain of the
// sweep.
__device__ inline void judge(Tally tally, double* reached, double threshold, double least,
                             int relative, int parts, int patience, int max_sweeps, int* state)
{
    state[LAUNCHES] += 1;
    state[MOVES] += tally.moves;
    reached[2] += tally.gain;
    state[MOVED] += tally.moves;
    if (state[LAUNCHES] % parts) return;
    const double gain = reached[2];
    reached[0] += gain;
    const double wanted =
        relative ? max(threshold * (reached[0] - reached[1]), least * reached[0]) : threshold;
    state[IDLE] = state[MOVED] == 0 || gain < wanted ? state[IDLE] + 1 : 0;
    reached[2] = 0.0;
    state[MOVED] = 0;
    if (state[IDLE] >= patience || state[LAUNCHES] / parts >= max_sweeps) state[DONE] = 1;
}
