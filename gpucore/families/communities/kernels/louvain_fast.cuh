// Shared by the tuned kernels of the Louvain method: classes of degrees, and the weight that a
// vertex sends to every neighbouring community, summed up by a group of lanes.
#pragma once

#include "louvain.cuh"

// Degrees of a class: none; 1 to 4, 8, 16, 32 (one to eight lanes); 128 (a warp); SHARED_DEGREE (a
// block, shared memory); more (a block, global memory).
#ifndef WARP_DEGREE
#define WARP_DEGREE 128
#endif
#ifndef SHARED_DEGREE
#define SHARED_DEGREE 1536
#endif
#define CLASSES 8
// A hub of more edges is among the first, so that no block begins with it when others have ended.
#ifndef HUGE_DEGREE
#define HUGE_DEGREE 8192
#endif
// Edges that a lane of a group holds in registers.
#define LANE_EDGES 4
// Entries that a thread reads before it adds the first of them, so that their reads overlap.
#define AHEAD 4
#define WARP_SLOTS (2 * WARP_DEGREE)
#define SHARED_SLOTS 2048

__device__ inline int class_of(long long degree)
{
    return degree == 0               ? 0
           : degree <= 4             ? 1
           : degree <= 8             ? 2
           : degree <= 16            ? 3
           : degree <= 32            ? 4
           : degree <= WARP_DEGREE   ? 5
           : degree <= SHARED_DEGREE ? 6
                                     : 7;
}

// Number of the warp in the launch. Threads of a launch do not fit into 32 bits, warps do.
__device__ inline int warp_in_grid()
{
    return (int)(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32);
}

__device__ inline unsigned mixed(unsigned x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

// What a launch visits: one of `parts` equal parts of every class, a place in each group of `parts`
// adjacent ones.
struct Visit {
    int part, parts;
    unsigned turn;              // 0: the same parts in every sweep; else a number of the sweep
};

// The place in a group; after the end of the class if the last group has none for this part.
__device__ inline long long place_of(Visit visit, int begin, long long group)
{
    unsigned part = visit.part;
    if (visit.turn) part = (part + mixed((unsigned)group + visit.turn)) % visit.parts;
    return begin + group * visit.parts + part;
}

// A warp's place in a launch for the four classes of at most 32 edges: each class has its
// range of vertices in the order, and its range of blocks.
struct Classes {
    int begin[5];
    int block[4];
};

struct Place {
    int vertex;                 // -1: none
    int width, member;          // lanes of the vertex, and which of them this is
};

// Of the units of `size` threads that `c.block` counts, thread `thread` of number `unit`.
__device__ inline Place place_in(Classes c, const int* order, int unit, int size, int thread,
                                 Visit visit)
{
    int bits = 0, first = 0, begin = c.begin[0], end = c.begin[1];
    for (int k = 1; k < 4; ++k)                             // unrolled: the arrays are arguments
        if (unit >= c.block[k]) {
            bits = k;
            first = c.block[k];
            begin = c.begin[k];
            end = c.begin[k + 1];
        }
    const long long group = ((long long)(unit - first) * size + thread) >> bits;
    const long long place = place_of(visit, begin, group);
    return {place < end ? order[place] : -1, 1 << bits, thread & ((1 << bits) - 1)};
}

__device__ inline Place place_of_lane(Classes c, const int* order, int block, Visit visit)
{
    return place_in(c, order, block, blockDim.x, threadIdx.x, visit);
}

// Sum up `weight` over the lanes `peers`, which all bring the same bits.  The sum is that of the first
// of them; all lanes of the warp call.  A round halves the lanes that still hold a part of a sum.
__device__ inline Weight sum_of_peers(unsigned peers, Weight weight)
{
    const int lane = threadIdx.x % 32;
    const unsigned before = (1u << lane) - 1;
    unsigned above = peers & ~before & ~(1u << lane);
    for (int rank = __popc(peers & before); __any_sync(ALL_LANES, above != 0); rank /= 2) {
        const int next = above ? __ffs(above) - 1 : lane;
        const Weight theirs = __shfl_sync(ALL_LANES, weight, next);
        if (above) weight += theirs;
        above &= __ballot_sync(ALL_LANES, rank % 2 == 0);
    }
    return weight;
}

// A lane's edges.
struct Edges {
    int other[LANE_EDGES];      // -1: no edge
    int community[LANE_EDGES];  // of the other end; -1: no edge
    bool first[LANE_EDGES];     // the group's first edge to this community, if that was asked for
    Weight sum[LANE_EDGES];     // the edge's weight; then that of the group's edges to this community
};

// Sum up the weights over aligned groups of `width` lanes, by comparing all edges with all.  Where several
// edges of the same community do no harm, none need be the first.
template <class Sum, bool FIRST> __device__ inline void sum_by_pairs(Edges& mine, int width)
{
    Sum sum[LANE_EDGES], weight[LANE_EDGES];
    for (int i = 0; i < LANE_EDGES; ++i) {
        sum[i] = weight[i] = (Sum)mine.sum[i];
        if (FIRST) mine.first[i] = mine.community[i] >= 0;
        for (int j = 0; j < i; ++j) {
            const bool same = mine.community[i] == mine.community[j];
            sum[i] += same ? weight[j] : 0;
            sum[j] += same ? weight[i] : 0;
            if (FIRST) mine.first[i] &= !same;
        }
    }
    const int member = threadIdx.x & (width - 1);
#pragma unroll 1
    for (int d = 1; d < width; ++d) {
        const bool before = (member ^ d) < member;
        for (int j = 0; j < LANE_EDGES; ++j) {
            const int community = __shfl_xor_sync(ALL_LANES, mine.community[j], d);
            const Sum theirs = __shfl_xor_sync(ALL_LANES, weight[j], d);
            for (int i = 0; i < LANE_EDGES; ++i) {
                const bool same = mine.community[i] == community;
                sum[i] += same ? theirs : 0;
                if (FIRST) mine.first[i] &= !(same & before);
            }
        }
    }
    for (int i = 0; i < LANE_EDGES; ++i) mine.sum[i] = sum[i];
}

// A lane's edges: of those from `begin` to `end` - 1 every `width`-th; with `loops` a loop is an edge
// like others.
__device__ inline Edges edges_of_lane(const int* communities, Level level, int vertex,
                                      long long begin, long long end, int width, bool loops)
{
    Edges edges;
    for (int i = 0; i < LANE_EDGES; ++i) {
        const long long e = begin + i * width;
        const int other = e < end ? level.indices[e] : -1;
        edges.other[i] = loops || other != vertex ? other : -1;
        edges.sum[i] = edges.other[i] < 0 ? 0 : weight_of(level, e);
    }
    for (int i = 0; i < LANE_EDGES; ++i)
        edges.community[i] = edges.other[i] < 0 ? -1 : simt_load(communities + edges.other[i]);
    return edges;
}

// Sum up the edges' weights by community.  `most`: no sum is larger, if it is known; for small ones 32 bits
// are enough.
template <bool FIRST>
__device__ inline void sum_up(Edges& edges, Level level, int width, double most = 1e300)
{
    if (level.kind == ONES || most <= 4294967295.0) sum_by_pairs<unsigned, FIRST>(edges, width);
    else sum_by_pairs<Weight, FIRST>(edges, width);
}

#if RECORD >= 1
// A lane's edges for the record; without the vertex.
__device__ inline Effort effort_of_lane(long long begin, long long end, int width)
{
    Effort effort = {0, 0, LANE_EDGES, 0, 0, 0, 0, 0};
    for (int i = 0; i < LANE_EDGES; ++i) effort.edges += begin + i * width < end;
    return effort;
}
#endif
