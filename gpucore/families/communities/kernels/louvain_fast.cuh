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
// Edges that a lane of a group holds in registers: few instructions for many vertices.  Where warps have no
// more to do each lane has one edge: then fewer instructions of a vertex follow one another.
#define LANE_EDGES 4
// The classes' lanes are more by this power of two then.
#define SPREAD_BITS 2
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

// Of the units of `size` threads that `c.block` counts, thread `thread` of number `unit`.  Class k has
// 1 << k + `more` lanes a vertex.
__device__ inline Place place_in(Classes c, const int* order, int unit, int size, int thread,
                                 Visit visit, int more = 0)
{
    int bits = 0, first = 0, begin = c.begin[0], end = c.begin[1];
    for (int k = 1; k < 4; ++k)                             // unrolled: the arrays are arguments
        if (unit >= c.block[k]) {
            bits = k;
            first = c.block[k];
            begin = c.begin[k];
            end = c.begin[k + 1];
        }
    bits += more;
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
template <int EDGES> struct Edges {
    int other[EDGES];           // -1: no edge
    int community[EDGES];       // of the other end; -1: no edge
    bool first[EDGES];          // the group's first edge to this community, if that was asked for
    Weight sum[EDGES];          // the edge's weight; then that of the group's edges to this community
};

// Weights of so many edges from `first` on, `stride` apart, 0 from `end` on.  The kind is asked once, so that the
// reads overlap.
template <int COUNT>
__device__ inline void weights_of(Level level, long long first, long long end, int stride, Weight* weight)
{
    if (level.kind == SUMS) {
        for (int i = 0; i < COUNT; ++i)
            weight[i] = first + i * stride < end ? level.sums[first + i * stride] : 0;
    } else if (level.kind == FLOATS) {
        for (int i = 0; i < COUNT; ++i)
            weight[i] = first + i * stride < end ? weight_of(level, first + i * stride) : 0;
    } else {
        for (int i = 0; i < COUNT; ++i) weight[i] = first + i * stride < end;
    }
}

// Sum up the weights over aligned groups of `width` lanes, by comparing all edges with all.  Where several
// edges of the same community do no harm, none need be the first.
template <class Sum, bool FIRST>
__device__ inline void sum_by_pairs(Edges<LANE_EDGES>& mine, int width)
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
template <int EDGES>
__device__ inline Edges<EDGES> edges_of_lane(const int* communities, Level level, int vertex,
                                             long long begin, long long end, int width, bool loops)
{
    Edges<EDGES> edges;
    for (int i = 0; i < EDGES; ++i)
        edges.other[i] = begin + i * width < end ? level.indices[begin + i * width] : -1;
    weights_of<EDGES>(level, begin, end, width, edges.sum);
    for (int i = 0; i < EDGES; ++i) {
        if (!loops && edges.other[i] == vertex) edges.other[i] = -1;
        edges.community[i] = edges.other[i] < 0 ? -1 : simt_load(communities + edges.other[i]);
    }
    return edges;
}

// Sum up the edges' weights by community.  `most`: no sum is larger, if it is known; for small ones 32 bits
// are enough.
template <bool FIRST>
__device__ inline void sum_up(Edges<LANE_EDGES>& edges, Level level, int width, double most = 1e300)
{
    if (level.kind == ONES || most <= 4294967295.0) sum_by_pairs<unsigned, FIRST>(edges, width);
    else sum_by_pairs<Weight, FIRST>(edges, width);
}

// The same for one edge a lane, of groups of at most a warp.
template <bool FIRST>
__device__ inline void sum_up(Edges<1>& edges, Level level, int width, double)
{
    const int lane = threadIdx.x % 32;
    const unsigned group = (ALL_LANES >> (32 - width)) << (lane & ~(width - 1));
    const unsigned peers = __match_any_sync(ALL_LANES, edges.community[0]) & group;
    if (FIRST) edges.first[0] = edges.community[0] >= 0 && (peers & ((1u << lane) - 1)) == 0;
    if (level.kind == ONES) {
        edges.sum[0] = edges.community[0] < 0 ? 0 : __popc(peers);
    } else {
        const Weight sum = sum_of_peers(peers, edges.sum[0]);
        edges.sum[0] = __shfl_sync(ALL_LANES, sum, __ffs(peers) - 1);
    }
}

#if RECORD >= 1
// A lane's edges for the record; without the vertex.
template <int EDGES>
__device__ inline Effort effort_of_lane(long long begin, long long end, int width)
{
    Effort effort = {0, 0, EDGES, 0, 0, 0, 0, 0};
    for (int i = 0; i < EDGES; ++i) effort.edges += begin + i * width < end;
    return effort;
}
#endif
