// Louvain: the strength of every vertex, the sum of its weights.
#pragma once

#include "louvain.cuh"

// Entries that a thread reads before it adds the first of them, and most entries of a list that a
// group of lanes adds up alone.
#define STRENGTH_AHEAD 8
#define LONG_LIST 256

__device__ inline Weight sum_of_list(Level level, long long first, long long end, int width)
{
    Weight sum = 0;
    for (; first < end; first += STRENGTH_AHEAD * width) {
        Weight weight[STRENGTH_AHEAD];
        for (int i = 0; i < STRENGTH_AHEAD; ++i)
            weight[i] = first + i * width < end ? weight_of(level, first + i * width) : 0;
        for (int i = 0; i < STRENGTH_AHEAD; ++i) sum += weight[i];
    }
    for (int d = width / 2; d > 0; d /= 2) sum += __shfl_xor_sync(ALL_LANES, sum, d);
    return sum;
}

// A group of `width` lanes for a vertex, the whole warp for one with a long list; where all weights are 1 no
// list is read.  `thread` is this one's number.  All lanes of the warp call.
__device__ inline void sum_strength(Level level, int n, int width, long long thread, Weight* strength)
{
    const long long vertex = thread / width;
    const int lane = threadIdx.x % 32, member = threadIdx.x % width;
    const Weight begin = vertex < n ? level.indptr[vertex] : 0;
    const Weight end = vertex < n ? level.indptr[vertex + 1] : 0;
    if (level.kind == ONES) {
        if (vertex < n && member == 0) strength[vertex] = end - begin;
        return;
    }
    const bool alone = end - begin <= LONG_LIST;
    const Weight k = sum_of_list(level, begin + member, alone ? end : begin, width);
    if (vertex < n && alone && member == 0) strength[vertex] = k;
    unsigned rest = __ballot_sync(ALL_LANES, !alone && member == 0);
    for (; rest; rest &= rest - 1) {
        const int owner = __ffs(rest) - 1;
        const Weight from = __shfl_sync(ALL_LANES, begin, owner);
        const Weight all = sum_of_list(level, from + lane, __shfl_sync(ALL_LANES, end, owner), 32);
        if (lane == owner) strength[vertex] = all;
    }
}
