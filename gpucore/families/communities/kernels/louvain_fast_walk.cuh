// Louvain, tuned: walks over all edges; the modularity of communities.
#pragma once

#include "deal.cuh"
#include "louvain.cuh"

// Edges of a lane, and of a warp, which goes over them in the order of the lists.
#define WALK_ENTRIES 16
#define WARP_ENTRIES (32 * WALK_ENTRIES)

// Warps that go over the edges of `n` vertices, each over `entries`.
__device__ inline long long walks_of(const long long* indptr, int n, int entries = WARP_ENTRIES)
{
    return (indptr[n] - indptr[0] + entries - 1) / entries;
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

// Edges of a lane that are read at the same time: one after the other, each would wait for memory.  Where vertices
// have at most SHORT_LISTS in the mean, WALK_VERTICES of each lane, so that a warp's have edges for all its lanes.
#define AT_A_TIME 4
#define WALK_VERTICES 4
#define SHORT_LISTS 16

// Entries of a walk where `warps` warps share so many evenly, in whole steps.
__device__ inline int entries_of_walk(long long entries, int warps)
{
    const int step = 32 * AT_A_TIME;
    return step * max(1, (int)((entries + (long long)warps * step - 1) / ((long long)warps * step)));
}

// Call `f(vertices, edges)` for the edges of walk `number` of the vertices 0 to `n` - 1, AT_A_TIME for each lane,
// adjacent ones for adjacent lanes; where there is none, for vertex and edge -1.  All lanes of the warp call, and
// meet after every call of f.
template <class F>
__device__ inline void for_each_edges(const long long* indptr, int n, long long number, F f,
                                      int entries = WARP_ENTRIES)
{
    const int lane = threadIdx.x % 32;
    long long begin = indptr[0] + number * entries;
    const long long end = min(indptr[n], begin + entries);
    if (begin >= end) return;
    const int own = indptr[n] - indptr[0] > (long long)SHORT_LISTS * n ? 1 : WALK_VERTICES;
    int base = last_of_warp(indptr, 0, n - 1, begin);
    while (begin < end) {
        int first[WALK_VERTICES + 1];                       // where a lane's lists begin, from `begin` on, and end
        for (int j = 0; j <= WALK_VERTICES; ++j) {
            const long long at = indptr[min((long long)n, base + (long long)own * lane + min(j, own))];
            first[j] = (int)(min(max(at, begin), end) - begin);
        }
        const int total = __shfl_sync(ALL_LANES, first[WALK_VERTICES], 31);
#pragma unroll 1
        for (int done = 0; done < total; done += 32 * AT_A_TIME) {
            int vertices[AT_A_TIME];
            long long edges[AT_A_TIME];
#pragma unroll
            for (int i = 0; i < AT_A_TIME; ++i) {
                const int k = done + 32 * i + lane, owner = lane_of(first[0], k);
                int vertex = base + own * owner;
                for (int j = 1; own > 1 && j < WALK_VERTICES; ++j)
                    vertex += __shfl_sync(ALL_LANES, first[j], owner) <= k;
                vertices[i] = k < total ? vertex : -1;
                edges[i] = k < total ? begin + k : -1;
            }
            f(vertices, edges);
            __syncwarp();
        }
        begin += total;
        base += 32 * own;
        if (total == 0) base = last_of_warp(indptr, base, n - 1, begin);    // many vertices without edges
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
