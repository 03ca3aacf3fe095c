// Louvain, tuned: walks over all edges; the modularity of communities.
#pragma once

#include "louvain.cuh"

// Edges of a lane, and of a warp, which goes over them in the order of the lists.
#define WALK_ENTRIES 16
#define WARP_ENTRIES (32 * WALK_ENTRIES)

// Warps that go over the edges of `n` vertices.
__device__ inline long long walks_of(const long long* indptr, int n)
{
    return (indptr[n] - indptr[0] + WARP_ENTRIES - 1) / WARP_ENTRIES;
}

// The last vertex from `low` to `high` whose list begins by an edge, as that of `low` does.
__device__ inline int last_by(const long long* indptr, int low, int high, long long edge)
{
    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        if (indptr[middle] <= edge) low = middle;
        else high = middle - 1;
    }
    return low;
}

// The same for all lanes of a warp, which compare 32 vertices at a time.
__device__ inline int last_of_warp(const long long* indptr, int low, int high, long long edge)
{
    while (low < high) {
        const int step = (high - low) / 32 + 1;
        const long long mine = low + (threadIdx.x % 32 + 1ll) * step;
        const unsigned begun = __ballot_sync(ALL_LANES, mine <= high && indptr[mine] <= edge);
        low += __popc(begun) * step;
        high = (int)min((long long)high, low + step - 1ll);
    }
    return low;
}

// Call `f(vertex, edge)` for the edges of walk `number` of the vertices 0 to `n` - 1, adjacent ones for adjacent
// lanes; where there is none, for edge -1.  All lanes of the warp call, and meet after every call of f.
template <class F>
__device__ inline void for_each_edge(const long long* indptr, int n, long long number, F f)
{
    const long long begin = indptr[0] + number * WARP_ENTRIES, end = min(indptr[n], begin + WARP_ENTRIES);
    if (begin >= end) return;
    const int first = last_of_warp(indptr, 0, n - 1, begin), last = last_of_warp(indptr, first, n - 1, end - 1);
#pragma unroll 1
    for (long long edge = begin + threadIdx.x % 32; edge - threadIdx.x % 32 < end; edge += 32) {
        const bool real = edge < end;
        f(real ? last_by(indptr, first, last, edge) : -1, real ? edge : -1);
        __syncwarp();
    }
}

// The weight inside the communities, both ends of every edge, of `n` vertices from `begin` on: the share of
// one of so many `threads`, whole warps.
__device__ inline Weight inside_of(Level level, int begin, int n, const int* community, long long thread,
                                   long long threads)
{
    const long long* const indptr = level.indptr + begin;
    Weight mine = 0;
    for (long long walk = thread / 32; walk < walks_of(indptr, n); walk += threads / 32)
        for_each_edge(indptr, n, walk, [&](int vertex, long long edge) {
            if (edge >= 0 && community[begin + vertex] == community[level.indices[edge]])
                mine += weight_of(level, edge);
        });
    return mine;
}

// Add up that of all `n` vertices.  All threads of all blocks call; `shares` is shared memory for one value
// a warp.
__device__ inline void add_inside(Level level, int n, const int* community, Weight* inside,
                                  Weight* shares)
{
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    Weight mine = inside_of(level, 0, n, community, thread, (long long)gridDim.x * blockDim.x);
    mine = block_sum(mine, shares);
    if (threadIdx.x == 0 && mine) atomicAdd(inside, mine);
}

// Add the squared shares of all strength, in SQUARE_UNITS; as add_inside().
__device__ inline void add_squares(int n, const Weight* total, double two_m, Weight* squares,
                                   Weight* shares)
{
    const long long stride = (long long)gridDim.x * blockDim.x;
    Weight mine = 0;
    for (long long c = (long long)blockIdx.x * blockDim.x + threadIdx.x; c < n; c += stride)
        mine += squared_share(total[c], two_m);
    mine = block_sum(mine, shares);
    if (threadIdx.x == 0 && mine) atomicAdd(squares, mine);
}
