// Communities of a partition, numbered from 0 in the tuned search: running sums over blocks, and the steps.
#pragma once

#include "louvain_fast_tables.cuh"

// Whether a community has members: it is as strong as they are, and a vertex without strength stays alone.
__device__ inline bool is_used(const int* community, const Weight* total, long long c)
{
    return total[c] != 0 || community[c] == c;
}

// Exclusive sum over the block, and the sum of all in `total`; `warps` is shared memory for 33 values.
template <class T> __device__ inline T block_scan(T mine, T& total, T* warps)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, count = blockDim.x / 32;
    T sum = mine;
    for (int d = 1; d < 32; d *= 2) {
        const T other = __shfl_up_sync(ALL_LANES, sum, d);
        if (lane >= d) sum += other;
    }
    if (lane == 31) warps[warp] = sum;
    __syncthreads();
    T before = 0;
    total = 0;
#pragma unroll 1
    for (int w = 0; w < count; ++w) {
        if (w < warp) before += warps[w];
        total += warps[w];
    }
    __syncthreads();                                        // the memory is free again
    return before + sum - mine;
}

// A block's share of n numbers.
struct Chunk {
    long long begin, end;
};

__device__ inline Chunk chunk_of_block(int n, int chunk)
{
    const long long begin = min((long long)n, (long long)blockIdx.x * chunk);
    return {begin, begin + chunk < n ? begin + chunk : n};
}

#define UNBOUNDED 0x7fffffff

// Sum of `number` of all in the block's chunk, into its place of `parts`.  `lanes` is for 32 values.
template <class F> __device__ inline void add_chunk(Chunk chunk, long long* parts, long long* lanes, F number)
{
    long long mine = 0;
    for (long long c = chunk.begin + threadIdx.x; c < chunk.end; c += blockDim.x) mine += number(c);
    mine = block_sum(mine, lanes);
    if (threadIdx.x == 0) parts[blockIdx.x] = mine;
}

// Sum of the block's numbers, each `most` at most.
__device__ inline void sum_chunk(Chunk chunk, const int* numbers, long long* parts, long long* lanes,
                                 int most = UNBOUNDED)
{
    add_chunk(chunk, parts, lanes, [&](long long c) { return min(numbers[c], most); });
}

// How many of the block's communities are used.
__device__ inline void count_chunk(Chunk chunk, const int* community, const Weight* total, long long* parts,
                                   long long* lanes)
{
    add_chunk(chunk, parts, lanes, [&](long long c) { return (int)is_used(community, total, c); });
}

// Sum of the parts before this block's; all threads get it.  `memory` is for 33 values.
__device__ inline long long before_block(const long long* parts, long long* memory)
{
    long long mine = 0;
#pragma unroll 1
    for (int b = threadIdx.x; b < (int)blockIdx.x; b += blockDim.x) mine += parts[b];
    mine = block_sum(mine, memory);
    if (threadIdx.x == 0) memory[32] = mine;
    __syncthreads();
    return memory[32];
}

// Shared memory of a block for running sums.
struct Sums {
    long long* memory;          // 33
    long long* warps;           // 33, of long sums
    int* counts;                // 33, of counts
    Weight* shares;             // 32
};

// Number the communities of the block's chunk that are used.  The numbers do not depend on the schedule,
// and what was near stays near.  `parts`: communities of every block's chunk; `squares`: sum of the
// squared shares of all strength, in SQUARE_UNITS.
__device__ inline void number_chunk(int n, Chunk chunk, const int* community, const Weight* total,
                                    const long long* parts, double two_m, int* number,
                                    Weight* new_total, int* communities, Weight* squares, Sums room)
{
    int before = (int)before_block(parts, room.memory);
    Weight share = 0;
#pragma unroll 1
    for (long long tile = chunk.begin; tile < chunk.end; tile += blockDim.x) {
        const long long v = tile + threadIdx.x;
        const bool real = v < chunk.end && is_used(community, total, v);
        int count = 0;
        const int mine = before + block_scan((int)real, count, room.counts);
        before += count;
        if (!real) continue;
        number[v] = mine;
        new_total[mine] = total[v];
        share += squared_share(total[v], two_m);
    }
    share = block_sum(share, room.shares);
    if (threadIdx.x != 0) return;
    if (share) atomicAdd(squares, share);
    if (chunk.end == n && chunk.begin < n) *communities = before;
}

// Arrays of a contraction: entries of every community, where these have shares of a table; its number, every
// vertex's new number, the new vertices' strengths and where their lists begin, and a sum for each block.
struct Numbers {
    int* entries;
    int* number;
    int* mapping;
    Weight* total;
    long long* indptr;
    long long* parts;
};

// Number the communities that have members, write the number of every vertex's, and call `f(v, number)` for all
// lanes' vertices (no vertex: number -1).  The blocks meet between the steps and in the end; all threads of all
// blocks call.
template <class F>
__device__ inline void number_together(int n, const int* community, const Weight* total, double two_m,
                                       Numbers to, int* communities, Weight* squares, Sums room,
                                       unsigned* barrier, F f)
{
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long stride = (long long)gridDim.x * blockDim.x;
    const Chunk chunk = chunk_of_block(n, (n + (int)gridDim.x - 1) / (int)gridDim.x);
    count_chunk(chunk, community, total, to.parts, room.memory);
    simt_grid_sync(barrier);
    number_chunk(n, chunk, community, total, to.parts, two_m, to.number, to.total, communities, squares, room);
    simt_grid_sync(barrier);
    for (long long v = thread; v - threadIdx.x % 32 < n; v += stride) {
        const int number = v < n ? to.number[community[v]] : -1;
        if (v < n) to.mapping[v] = number;
        f(v, number);
    }
    simt_grid_sync(barrier);
}

__device__ inline void number_together(int n, const int* community, const Weight* total, double two_m,
                                       Numbers to, int* communities, Weight* squares, Sums room,
                                       unsigned* barrier)
{
    number_together(n, community, total, two_m, to, communities, squares, room, barrier, [](long long, int) {});
}
