// What single steps of the executor cost; `measure.py` times them.
#include "simt.h"

SIMT_KERNEL(nothing)() {}
SIMT_EXPORT(nothing)

SIMT_KERNEL(sync_warps)(int steps)
{
    for (int i = 0; i < steps; ++i) __syncwarp();
}
SIMT_EXPORT(sync_warps)

SIMT_KERNEL(shuffle_values)(int steps, unsigned long long* out)
{
    unsigned long long x = threadIdx.x;
    for (int i = 0; i < steps; ++i) x += __shfl_xor_sync(0xffffffffu, x, i & 31);
    out[threadIdx.x] = x;
}
SIMT_EXPORT(shuffle_values)

SIMT_KERNEL(sync_block)(int steps)
{
    for (int i = 0; i < steps; ++i) __syncthreads();
}
SIMT_EXPORT(sync_block)

SIMT_KERNEL(add_atomically)(int steps, int* out)
{
    for (int i = 0; i < steps; ++i) atomicAdd(out, 1);
}
SIMT_EXPORT(add_atomically)
