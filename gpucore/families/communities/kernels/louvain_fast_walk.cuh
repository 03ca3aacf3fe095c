// Louvain, tuned: walks over all edges; the modularity of communities.
#pragma once

#include "deal.cuh"
#include "louvain.cuh"

// Edges of a lane, and of a warp, which goes over them in the order of the lists.
#define WALK_ENTRIES 16
#define WARP_ENTRIES (32 * WALK_ENTRIES)

// Warps that go over the edges of `n` vertices.
__device__ inline long long walks_of(const long long* indptr, int n)
{
    return (indptr[n] - indptr[0] + WARP_ENTRIES - 1) / WARP_ENTRIES;
}

// The last vertex from `low` to `high` whose list begins by an edge, as that of `low` does.  The lanes of a warp
// compare 32 vertices at a time; all call.
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

// Edges of a lane that are read at the same time: one after the other, each would wait for memory.
#define AT_A_TIME 4

// Call `f(vertices, edges)` for the edges of walk `number` of the vertices 0 to `n` - 1, AT_A_TIME for each lane,
// adjacent ones for adjacent lanes; where there is none, for vertex and edge -1.  All lanes of the warp call, and
// meet after every call of f.
template <class F>
__device__ inline void for_each_edges(const long long* indptr, int n, long long number, F f)
{
    const int lane = threadIdx.x % 32;
    long long begin = indptr[0] + number * WARP_ENTRIES;
    const long long end = min(indptr[n], begin + WARP_ENTRIES);
    if (begin >= end) return;
    int base = last_of_warp(indptr, 0, n - 1, begin);       // of 32 vertices, whose lists begin at `low`
    long long low = indptr[min((long long)n, base + (long long)lane)];
    while (begin < end) {
        const long long after = indptr[min((long long)n, base + 32ll + lane)];
        const long long below = __shfl_down_sync(ALL_LANES, low, 1), first = __shfl_sync(ALL_LANES, after, 0);
        const long long high = lane < 31 ? below : first;
        int total;
        const int place = places_of((int)max(0ll, min(end, high) - max(begin, low)), total);
#pragma unroll 1
        for (int done = 0; done < total; done += 32 * AT_A_TIME) {
            int vertices[AT_A_TIME];
            long long edges[AT_A_TIME];
#pragma unroll
            for (int i = 0; i < AT_A_TIME; ++i) {
                const int k = done + 32 * i + lane, owner = lane_of(place, k);
                vertices[i] = k < total ? base + owner : -1;
                edges[i] = k < total ? begin + k : -1;
            }
            f(vertices, edges);
            __syncwarp();
        }
        begin += total;
        low = after;
        base += 32;
        if (total > 0 || begin >= end) continue;
        base = last_of_warp(indptr, base, n - 1, begin);    // many vertices without edges
        low = indptr[min((long long)n, base + (long long)lane)];
    }
}

// The same for one edge of a lane at a time.
template <class F>
__device__ inline void for_each_edge(const long long* indptr, int n, long long number, F f)
{
    for_each_edges(indptr, n, number, [&](const int (&vertices)[AT_A_TIME], const long long (&edges)[AT_A_TIME]) {
#pragma unroll
        for (int i = 0; i < AT_A_TIME; ++i) {
            f(vertices[i], edges[i]);
            __syncwarp();
        }
    });
}

// The weight inside the communities, both ends of every edge, of `n` vertices from `begin` on: the share of
// one of so many `threads`, whole warps.
__device__ inline Weight inside_of(Level level, int begin, int n, const int* community, long long thread,
                                   long long threads)
{
    const long long* const indptr = level.indptr + begin;
    Weight mine = 0;
    for (long long walk = thread / 32; walk < walks_of(indptr, n); walk += threads / 32)
        for_each_edges(indptr, n, walk, [&](const int (&vertices)[AT_A_TIME], const long long (&edges)[AT_A_TIME]) {
            int others[AT_A_TIME], homes[AT_A_TIME];
#pragma unroll
            for (int i = 0; i < AT_A_TIME; ++i) others[i] = edges[i] < 0 ? -1 : level.indices[edges[i]];
#pragma unroll
            for (int i = 0; i < AT_A_TIME; ++i) homes[i] = edges[i] < 0 ? -1 : community[begin + vertices[i]];
#pragma unroll
            for (int i = 0; i < AT_A_TIME; ++i) others[i] = edges[i] < 0 ? -2 : community[others[i]];
#pragma unroll
            for (int i = 0; i < AT_A_TIME; ++i)
                if (homes[i] == others[i]) mine += weight_of(level, edges[i]);
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
