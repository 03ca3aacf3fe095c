// Louvain, tuned: the vertices by class of degree.
#pragma once

#include "louvain_fast.cuh"

// Vertices of every class, and the most edges of one, by all blocks.  `mine` is shared memory.  All threads of
// all blocks call.
__device__ inline void count_classes(int n, const long long* indptr, int* counts, int* longest, int* mine)
{
    if (threadIdx.x < CLASSES) mine[threadIdx.x] = 0;
    __syncthreads();
    const long long stride = (long long)gridDim.x * blockDim.x;
    int most = 0;
    for (long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x; v < n; v += stride) {
        const int degree = (int)(indptr[v + 1] - indptr[v]);
        atomicAdd(mine + class_of(degree), 1);
        most = max(most, degree);
    }
    for (int d = 16; d > 0; d /= 2) most = max(most, __shfl_xor_sync(ALL_LANES, most, d));
    if (threadIdx.x % 32 == 0 && most > simt_load(longest)) atomicMax(longest, most);
    __syncthreads();
    if (threadIdx.x < CLASSES && mine[threadIdx.x])
        atomicAdd(counts + threadIdx.x, mine[threadIdx.x]);
}

// Place the vertices class by class; class k begins at `begins[k]`, and `cursors` are zero.  A block's
// vertices stay together, so that neighbours in the order are near each other in memory.  The hubs that
// are not huge, a class of their own here, are placed from the end.  `mine` and `first` are shared
// memory.  All threads of the block call.
__device__ inline void place_by_class(int n, const long long* indptr, int block, const int* begins,
                                      int* cursors, int* order, int* mine, int* first)
{
    if (threadIdx.x <= CLASSES) mine[threadIdx.x] = 0;
    __syncthreads();
    const long long v = (long long)block * blockDim.x + threadIdx.x;
    const long long degree = v < n ? indptr[v + 1] - indptr[v] : 0;
    int own = class_of(degree);
    if (own == CLASSES - 1 && degree <= HUGE_DEGREE) own = CLASSES;
    int place = 0;
    if (v < n) place = atomicAdd(mine + own, 1);
    __syncthreads();
    if (threadIdx.x <= CLASSES && mine[threadIdx.x])
        first[threadIdx.x] = atomicAdd(cursors + threadIdx.x, mine[threadIdx.x]);
    __syncthreads();
    if (v >= n) return;
    place += first[own];
    order[own < CLASSES ? begins[own] + place : n - 1 - place] = (int)v;
}
