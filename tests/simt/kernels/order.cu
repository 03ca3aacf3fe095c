// In which order threads get their turn: each takes tickets, one after every meeting.
#include "simt.h"

SIMT_KERNEL(order)(int turns, int* ticket, int* out)
{
    const int t = int(blockIdx.x * blockDim.x + threadIdx.x);
    for (int i = 0; i < turns; ++i) {
        out[t * turns + i] = atomicAdd(ticket, 1);
        __syncwarp();
    }
}
SIMT_EXPORT(order)

// The identity of every thread, in three dimensions.
SIMT_KERNEL(identity)(int* out)
{
    const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int* mine = out + (block * blockDim.x * blockDim.y * blockDim.z + thread) * 8;
    mine[0] = int(blockIdx.x);
    mine[1] = int(blockIdx.y);
    mine[2] = int(blockIdx.z);
    mine[3] = int(threadIdx.x);
    mine[4] = int(threadIdx.y);
    mine[5] = int(threadIdx.z);
    mine[6] = int(__ffs(int(__activemask())) - 1);
    mine[7] = warpSize;
}
SIMT_EXPORT(identity)
