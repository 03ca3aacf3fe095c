// When a phase of the tuned search ends.
#pragma once

#include "louvain_fast_moves.cuh"

// A sweep gains little if it adds less than `threshold`; or, if `relative`, less than `threshold`
// times the stage's gain so far, or less than `least` times the modularity.  `reached` holds the
// modularity, and its value at the beginning.
__device__ inline void judge(double* gained, int* moved, double* reached, double threshold,
                             double least, int relative, int parts, int patience, int max_sweeps,
                             int* state)
{
    state[LAUNCHES] += 1;
    if (state[LAUNCHES] % parts) return;
    const double gain = *gained;
    const int moves = *moved;
    reached[0] += gain;
    const double wanted =
        relative ? max(threshold * (reached[0] - reached[1]), least * reached[0]) : threshold;
    state[IDLE] = moves == 0 || gain < wanted ? state[IDLE] + 1 : 0;
    state[MOVES] += moves;
    *gained = 0.0;
    *moved = 0;
    if (state[IDLE] >= patience || state[LAUNCHES] / parts >= max_sweeps) state[DONE] = 1;
}
