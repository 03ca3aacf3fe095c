// Correct kernels that need every one of their synchronisations; test_planted.py takes them out.
#include "simt.h"

// Sum of a block's elements by a tree in shared memory, then one add for the whole grid.
SIMT_KERNEL(tree_sum)(const int* in, int* total)
{
    SIMT_SHARED(int[256], part);
    part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();                                     // loaded
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();                                 // added
    }
    if (threadIdx.x == 0) atomicAdd(total, part[0]);     // total
}

// Every warp turns its 32 elements around `turns` times, through its piece of shared memory.
SIMT_KERNEL(turn_around)(int turns, int* values)
{
    SIMT_SHARED(int[256], box);
    int* mine = box + threadIdx.x / 32 * 32;
    const int lane = threadIdx.x % 32;
    int value = values[blockIdx.x * blockDim.x + threadIdx.x];
    for (int i = 0; i < turns; ++i) {
        mine[lane] = value;
        __syncwarp();                                    // written
        value = mine[(lane + 1) % 32];
        __syncwarp();                                    // read
    }
    values[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// The two halves of a warp work apart, each with barriers of its own.
SIMT_KERNEL(halves)(int* values)
{
    SIMT_SHARED(int[32], box);
    const int lane = threadIdx.x % 32;
    const unsigned half = lane < 16 ? 0x0000ffffu : 0xffff0000u;
    box[lane] = values[lane];
    __syncwarp(half);                                    // half
    values[lane] = box[lane ^ 1];
}

SIMT_KERNEL(histogram)(int n, const int* in, int* bins)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(bins + in[i], 1);               // count
}

// The smallest element, kept by compare-and-swap.
SIMT_KERNEL(smallest)(int n, const int* in, int* least)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int seen = simt_load(least);                         // look
    while (in[i] < seen) {
        const int found = atomicCAS(least, seen, in[i]);
        if (found == seen) break;
        seen = found;
    }
}

// Every block reads what all of them wrote before the barrier of the grid.
SIMT_KERNEL(all_blocks)(int rounds, int* now, int* before, unsigned* state)
{
    for (int r = 0; r < rounds; ++r) {
        if (threadIdx.x == 0) before[blockIdx.x] = now[blockIdx.x];
        simt_grid_sync(state);                           // kept
        if (threadIdx.x == 0) now[blockIdx.x] += before[(blockIdx.x + 1) % gridDim.x];
        simt_grid_sync(state);                           // moved
    }
}

// The same where the blocks keep their caches.
SIMT_KERNEL(all_blocks_meet)(int rounds, int* now, int* before, unsigned* state)
{
    for (int r = 0; r < rounds; ++r) {
        if (threadIdx.x == 0) simt_store(before + blockIdx.x, now[blockIdx.x]);
        simt_grid_meet(state);
        if (threadIdx.x == 0) now[blockIdx.x] += simt_load(before + (blockIdx.x + 1) % gridDim.x);
        simt_grid_meet(state);
    }
}

// Any lane may win, but all write the same flag.
SIMT_KERNEL(any_above)(int n, const int* in, int limit, int* flag)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > limit) simt_store(flag, 1);     // flag
}

SIMT_EXPORT(tree_sum)
SIMT_EXPORT(turn_around)
SIMT_EXPORT(halves)
SIMT_EXPORT(histogram)
SIMT_EXPORT(all_blocks_meet)
SIMT_EXPORT(smallest)
SIMT_EXPORT(all_blocks)
SIMT_EXPORT(any_above)
