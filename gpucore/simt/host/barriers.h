// Barriers of a block and of the grid.
#pragma once

#include "calls.h"

namespace simt {

// Waits for every live lane of the block; the result depends on which call it is.
int block_barrier(Call call, bool predicate, const char* file, int line);

// Waits for every live lane of every block; only in a cooperative launch.
void grid_barrier(Call call, bool orders, const char* file, int line);

}  // namespace simt

inline void __syncthreads(SIMT_HERE)
{
    simt::block_barrier(simt::Call::syncthreads, false, SIMT_AT);
}

inline int __syncthreads_count(int predicate, SIMT_HERE)
{
    return simt::block_barrier(simt::Call::syncthreads_count, predicate != 0, SIMT_AT);
}

inline int __syncthreads_and(int predicate, SIMT_HERE)
{
    return simt::block_barrier(simt::Call::syncthreads_and, predicate != 0, SIMT_AT);
}

inline int __syncthreads_or(int predicate, SIMT_HERE)
{
    return simt::block_barrier(simt::Call::syncthreads_or, predicate != 0, SIMT_AT);
}

// The state words are for the GPU; the executor counts for itself, and so finds deadlocks.
inline void simt_grid_sync(unsigned*, SIMT_HERE)
{
    simt::grid_barrier(simt::Call::grid_sync, true, SIMT_AT);
}

inline void simt_grid_meet(unsigned*, SIMT_HERE)
{
    simt::grid_barrier(simt::Call::grid_meet, false, SIMT_AT);
}
