// Kernels that break the rules on purpose; the executor has to name the mistake.
#include "simt.h"

constexpr unsigned EVERYONE = 0xffffffffu;

SIMT_KERNEL(missing_from_own_mask)()
{
    if (threadIdx.x == 6) __syncwarp(1u << 7);
}
SIMT_EXPORT(missing_from_own_mask)

SIMT_KERNEL(mask_names_returned_lane)()
{
    if (threadIdx.x % 32 < 4) return;
    __syncwarp();
}
SIMT_EXPORT(mask_names_returned_lane)

SIMT_KERNEL(returns_while_others_wait)()
{
    if (threadIdx.x == 31) return;
    __syncwarp();
}
SIMT_EXPORT(returns_while_others_wait)

SIMT_KERNEL(shuffle_from_outside)(int* out)
{
    if (threadIdx.x % 2 == 1) out[threadIdx.x] = __shfl_sync(0xaaaaaaaau, int(threadIdx.x), 4);
}
SIMT_EXPORT(shuffle_from_outside)

SIMT_KERNEL(odd_width)(int* out) { out[threadIdx.x] = __shfl_sync(EVERYONE, 1, 0, 12); }
SIMT_EXPORT(odd_width)

SIMT_KERNEL(different_barriers)(int* out)
{
    if (threadIdx.x < 32) __syncthreads();
    else out[threadIdx.x] = __syncthreads_count(1);
}
SIMT_EXPORT(different_barriers)

SIMT_KERNEL(different_calls)(int* out)
{
    if (threadIdx.x % 2 == 1) out[threadIdx.x] = int(__ballot_sync(EVERYONE, 1));
    else out[threadIdx.x] = __shfl_sync(EVERYONE, 1, 0);
}
SIMT_EXPORT(different_calls)

SIMT_KERNEL(barrier_against_collective)()
{
    if (threadIdx.x < 20) __syncthreads();
    else __syncwarp();
}
SIMT_EXPORT(barrier_against_collective)

SIMT_KERNEL(writes_far_away)(int* out, long long offset)
{
    __syncwarp();
    if (threadIdx.x == 5 && blockIdx.x == 2) out[offset] = 1;
}
SIMT_EXPORT(writes_far_away)

SIMT_KERNEL(reads_at_once)(const int* in, int* out) { out[0] = in[1ll << 40]; }
SIMT_EXPORT(reads_at_once)

SIMT_KERNEL(divides)(int divisor, int* out) { out[threadIdx.x] = 100 / divisor; }
SIMT_EXPORT(divides)

SIMT_KERNEL(gives_up)() { __trap(); }
SIMT_EXPORT(gives_up)

__device__ int descend(int depth, volatile int* out)
{
    volatile int frame[64];
    frame[depth % 64] = depth;
    out[0] = frame[depth % 64];
    return depth == 0 ? 0 : descend(depth - 1, out) + frame[depth % 64];
}

SIMT_KERNEL(recurses)(int depth, int* out) { out[1] = descend(depth, out); }
SIMT_EXPORT(recurses)

SIMT_KERNEL(grid_barrier_alone)(unsigned* state) { simt_grid_sync(state); }
SIMT_EXPORT(grid_barrier_alone)
