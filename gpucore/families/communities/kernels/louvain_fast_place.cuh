// Louvain, tuned: the vertices by class of degree.
#pragma once

#include "louvain_fast_number.cuh"

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

// The same, each class in ascending order, by the blocks of a cooperative launch.  `parts`: CLASSES for each block;
// `counts`, CLASSES for each warp, and `first` are shared memory.  All threads of all blocks call.
__device__ inline void place_in_order(int n, const long long* indptr, const int* begins, int* parts, int* order,
                                      int* counts, int* first, unsigned* barrier)
{
    const int warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const Chunk chunk = chunk_of_block(n, (n + (int)gridDim.x - 1) / (int)gridDim.x);
    const auto class_at = [&](long long v) { return v < chunk.end ? class_of(indptr[v + 1] - indptr[v]) : -1; };
    if (threadIdx.x < CLASSES) first[threadIdx.x] = 0;
    __syncthreads();
    for (long long v = chunk.begin + threadIdx.x; v < chunk.end; v += blockDim.x) atomicAdd(first + class_at(v), 1);
    __syncthreads();
    if (threadIdx.x < CLASSES) parts[threadIdx.x * gridDim.x + blockIdx.x] = first[threadIdx.x];
    simt_grid_sync(barrier);
    for (int k = warp; k < CLASSES; k += warps) {           // those of the blocks before
        int before = 0;
        for (int b = lane; b < (int)blockIdx.x; b += 32) before += parts[k * gridDim.x + b];
        for (int d = 16; d > 0; d /= 2) before += __shfl_xor_sync(ALL_LANES, before, d);
        if (lane == 0) first[k] = begins[k] + before;
    }
    __syncthreads();
    for (long long tile = chunk.begin; tile < chunk.end; tile += blockDim.x) {
        const long long v = tile + threadIdx.x;
        const int own = class_at(v);
        const unsigned peers = __match_any_sync(ALL_LANES, own);
        const int rank = __popc(peers & ((1u << lane) - 1));
        if (lane < CLASSES) counts[warp * CLASSES + lane] = 0;
        __syncwarp();
        if (own >= 0 && rank == 0) counts[warp * CLASSES + own] = __popc(peers);
        __syncthreads();
        if (own >= 0) {
            int place = first[own] + rank;
            for (int w = 0; w < warp; ++w) place += counts[w * CLASSES + own];
            order[place] = (int)v;
        }
        __syncthreads();
        if (threadIdx.x < CLASSES)
            for (int w = 0; w < warps; ++w) first[threadIdx.x] += counts[w * CLASSES + threadIdx.x];
        __syncthreads();
    }
}
