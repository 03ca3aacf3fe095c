// Work of the lanes of a warp, dealt out to all of them, so that no lane waits for a long list.
#pragma once

#include "simt.h"

// Where the items of the lanes begin among those of all lanes, and their sum.  All lanes call.
__device__ inline int places_of(int items, int& total)
{
    const int lane = threadIdx.x % 32;
    int sum = items;
    for (int d = 1; d < 32; d *= 2) {
        const int below = __shfl_up_sync(0xffffffffu, sum, d);
        if (lane >= d) sum += below;
    }
    total = __shfl_sync(0xffffffffu, sum, 31);
    return sum - items;
}

// The lane whose items include the `k`-th: the last one that begins at or before it.  All lanes call.
__device__ inline int lane_of(int place, int k)
{
    int lane = 0;
    for (int d = 16; d > 0; d /= 2)
        if (__shfl_sync(0xffffffffu, place, lane + d) <= k) lane += d;
    return lane;
}
