// The best 32 edges of a list, found by a warp.
//
// A warp keeps the best in falling order, one a lane.  A chunk of 32 edges is sorted the other way
// round, the larger of each pair of lanes stays, and five steps of a bitonic merge restore the order.
// Most chunks of a long list have no edge above the worst of the 32, and cost only their reads.
#pragma once

#include "bid.cuh"

// One step of a bitonic network: lanes `distance` apart keep the larger or the smaller edge.
__device__ inline Bid keep(Bid edge, int distance, bool larger)
{
    const Bid other = __shfl_xor_sync(ALL_LANES, edge, distance);
    return (other > edge) == larger ? other : edge;
}

// Sort the warp's edges, one a lane, in rising order.
__device__ inline Bid sort_rising(Bid edge, int lane)
{
    for (int size = 2; size <= 32; size *= 2)
        for (int d = size / 2; d > 0; d /= 2)
            edge = keep(edge, d, ((lane & d) != 0) == ((lane & size) == 0));
    return edge;
}

// Merge a rising chunk into the falling best: the best 32 of both, falling.
__device__ inline Bid merge_best(Bid best, Bid chunk, int lane)
{
    if (chunk > best) best = chunk;
    for (int d = 16; d > 0; d /= 2) best = keep(best, d, (lane & d) == 0);
    return best;
}

// The best 32 of the edges at places `begin` to `end` - 1 that are smaller than `below`, falling;
// `edge_at(e, least)` returns one, or anything up to `least` if it does not count.  STEP edges a lane
// are read together.
template <int STEP, class EdgeAt>
__device__ inline Bid best_of_warp(long long begin, long long end, Bid below, int lane,
                                   EdgeAt edge_at)
{
    Bid best = 0, least = 0;
    for (long long base = begin; base < end; base += 32 * STEP) {
        Bid edge[STEP];
#pragma unroll
        for (int j = 0; j < STEP; ++j) {
            const long long e = base + 32 * j + lane;
            edge[j] = e < end ? edge_at(e, least) : 0;
        }
#pragma unroll
        for (int j = 0; j < STEP; ++j) {
            if (edge[j] >= below || edge[j] <= least) edge[j] = 0;
            if (!__any_sync(ALL_LANES, edge[j] != 0)) continue;
            best = merge_best(best, sort_rising(edge[j], lane), lane);
            least = __shfl_sync(ALL_LANES, best, 31);
        }
    }
    return best;
}
