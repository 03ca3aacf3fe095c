// Louvain, tuned: walks over all edges; the modularity of communities.
#pragma once

#include "louvain.cuh"

// A thread's edges in the order of the lists, and the vertex whose list each is in.
#define WALK_ENTRIES 16

struct Walk {
    long long edge, end;
    int vertex, last;           // of all vertices
};

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

__device__ inline Walk walk_from(const long long* indptr, int n, long long first)
{
    const long long entries = indptr[n];
    if (first >= entries) return {0, 0, 0, 0};
    return {first, first + WALK_ENTRIES < entries ? first + WALK_ENTRIES : entries,
            last_by(indptr, 0, n - 1, first), n - 1};
}

// A million vertices without edges may come between two with edges.
__device__ inline void step(Walk& walk, const long long* indptr)
{
    walk.edge += 1;
    if (walk.edge >= walk.end || indptr[walk.vertex + 1] > walk.edge) return;
    int low = walk.vertex + 1, ahead = 1;
    while (low + ahead <= walk.last && indptr[low + ahead] <= walk.edge) {
        low += ahead;
        ahead *= 2;
    }
    walk.vertex = last_by(indptr, low, min(low + ahead - 1, walk.last), walk.edge);
}

// The weight inside the communities, both ends of every edge, of `n` vertices from `begin` on: the share of
// one of so many `threads`.
__device__ inline Weight inside_of(Level level, int begin, int n, const int* community, long long thread,
                                   long long threads)
{
    const long long* const indptr = level.indptr + begin;
    Weight mine = 0;
    for (long long first = indptr[0] + thread * WALK_ENTRIES; first < indptr[n];
         first += threads * WALK_ENTRIES)
        for (Walk walk = walk_from(indptr, n, first); walk.edge < walk.end; step(walk, indptr))
            if (community[begin + walk.vertex] == community[level.indices[walk.edge]])
                mine += weight_of(level, walk.edge);
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
