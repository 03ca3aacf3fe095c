// Barriers of the block with predicates, and of the grid.
#include "simt.h"

// Threads with leaves[i] != 0 return before the barriers.
SIMT_KERNEL(predicates)(const int* leaves, const int* values, int* count, int* all, int* some)
{
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (leaves[t]) return;
    count[t] = __syncthreads_count(values[t]);
    all[t] = __syncthreads_and(values[t]);
    some[t] = __syncthreads_or(values[t]);
}
SIMT_EXPORT(predicates)

// Inclusive prefix sum over the whole grid (Hillis and Steele, 1986), one grid barrier a step:
// wrong unless all threads of all blocks are through a step before the next one begins.
SIMT_KERNEL(grid_prefix_sum)(unsigned* values, unsigned* other, unsigned* state)
{
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    unsigned* from = values;
    unsigned* to = other;
    for (unsigned step = 1; step < n; step *= 2) {
        to[t] = from[t] + (t >= step ? from[t - step] : 0);
        simt_grid_sync(state);
        unsigned* const swap = from;
        from = to;
        to = swap;
    }
    if (from != values) values[t] = from[t];
}
SIMT_EXPORT(grid_prefix_sum)

// One block returns, the others wait for it.
SIMT_KERNEL(grid_without_one)(unsigned* state)
{
    if (blockIdx.x == 1) return;
    simt_grid_sync(state);
}
SIMT_EXPORT(grid_without_one)

// Threads that returned are not waited for, at either barrier.
SIMT_KERNEL(grid_with_returned_threads)(unsigned* state, int* out)
{
    if (threadIdx.x % 2 == 1) return;
    simt_grid_sync(state);
    __syncthreads();
    atomicAdd(out, 1);
}
SIMT_EXPORT(grid_with_returned_threads)
