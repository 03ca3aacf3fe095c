// Louvain, tuned: refinement (see refinement.py).  The moves are those of louvain_fast.cu, on the given
// graph, from the partition that the stages found; here is what that needs before and after.
//   fast_total      strength of every community
//   fast_inside     weight inside all communities, both ends of every edge
#include "simt.h"

#include "louvain_fast.cuh"

#define LANES 4

// Lanes of a warp whose vertices are in one community add only once: communities are few.
SIMT_KERNEL(fast_total)(int n, const int* community, const Weight* strength, Weight* total)
{
    const long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const int mine = v < n ? community[v] : -1;
    Weight sum = v < n ? strength[v] : 0;
    const int first = __shfl_sync(ALL_LANES, mine, 0);
    if (__all_sync(ALL_LANES, mine == first || mine < 0)) {
        for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(ALL_LANES, sum, d);
        if (threadIdx.x % 32 != 0) return;
    }
    if (mine >= 0 && sum) atomicAdd(total + mine, sum);
}

// LANES lanes for each of the vertices `begin` to `middle` of the order, in the first `blocks`
// blocks; a block for each vertex after them.
SIMT_KERNEL(fast_inside)
(const int* order, int begin, int middle, int blocks, const long long* indptr, const int* indices,
 const float* weights, const Weight* sums, double unit, int kind, const int* community,
 Weight* inside)
{
    SIMT_SHARED(Weight[32], lanes);
    const Level level = {indptr, indices, weights, sums, unit, kind};
    const bool alone = (int)blockIdx.x >= blocks;
    const int width = alone ? (int)blockDim.x : LANES, member = threadIdx.x % width;
    const long long place =
        alone ? middle + (long long)(blockIdx.x - blocks)
              : begin + ((long long)blockIdx.x * blockDim.x + threadIdx.x) / width;
    Weight sum = 0;
    if (alone || place < middle) {
        const int vertex = order[place], home = community[vertex];
        const long long last = indptr[vertex + 1];
        for (long long first = indptr[vertex] + member; first < last; first += AHEAD * width) {
            int other[AHEAD];
            for (int i = 0; i < AHEAD; ++i)
                other[i] = first + i * width < last ? indices[first + i * width] : -1;
            for (int i = 0; i < AHEAD; ++i)
                if (other[i] >= 0 && community[other[i]] == home)
                    sum += weight_of(level, first + i * width);
        }
    }
    sum = block_sum(sum, lanes);
    if (threadIdx.x == 0 && sum) atomicAdd(inside, sum);
}

SIMT_EXPORT(fast_total)
SIMT_EXPORT(fast_inside)
