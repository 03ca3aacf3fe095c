// What a lane can see of itself and of its block: threadIdx, blockIdx and their kin.
//
// This is the part of the executor's state that kernels may read; core/state.h extends it.
#pragma once

// Room for "initial-exec" is reserved when a process starts, and is small.  Who loads many libraries,
// such as a reader's kernels, defines SIMT_TLS as plain __thread.
#ifndef SIMT_TLS
#define SIMT_TLS __thread __attribute__((tls_model("initial-exec")))
#endif

namespace simt {

struct Dim {
    unsigned x = 1, y = 1, z = 1;
};

struct BlockView {
    Dim index;                // blockIdx
    Dim threads;              // blockDim
    Dim grid;                 // gridDim
    unsigned char* dynamic;   // dynamic shared memory
};

struct LaneView {
    BlockView* block;
    Dim thread;               // threadIdx
    unsigned char id;         // lane of its warp, 0 to 31
};

// The lane that runs on this OS thread, null while none does.  `__thread` and not `thread_local`:
// a kernel then reads it in one instruction instead of calling a wrapper.
extern SIMT_TLS LaneView* current;

}  // namespace simt

#define threadIdx (::simt::current->thread)
#define blockIdx (::simt::current->block->index)
#define blockDim (::simt::current->block->threads)
#define gridDim (::simt::current->block->grid)
#define warpSize 32

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
