// Kernels that wait: for what comes if lanes are scheduled fairly, or for what never comes.
#include "simt.h"

// All lanes try for a lock which lane `first` takes first: it has to get its turn to give it back.
SIMT_KERNEL(locks)(int* lock, int* guarded)
{
    while (atomicCAS(lock, 0, 1) != 0) {}
    for (int i = 0; i < 10; ++i) __threadfence();
    simt_store(guarded, simt_load(guarded) + 1);
    atomicExch(lock, 0);
}
SIMT_EXPORT(locks)

// Thread 0 waits for the last thread of its block, by the kind of read given.
SIMT_KERNEL(waits_for_last)(int kind, int* flag)
{
    if (threadIdx.x == 0) {
        if (kind == 0) while (atomicAdd(flag, 0) == 0) {}
        if (kind == 1) while (simt_load(flag) == 0) {}
        if (kind == 2) while (__ldcg(flag) == 0) {}
        if (kind == 3) while (*static_cast<volatile int*>(flag) == 0) __nanosleep(20);
        if (kind == 4) while (*static_cast<volatile int*>(flag) == 0) __threadfence();
        if (kind == 5) while (*static_cast<volatile int*>(flag) == 0) __syncwarp(1);
    }
    if (threadIdx.x == blockDim.x - 1) atomicExch(flag, 1);
}
SIMT_EXPORT(waits_for_last)

// The same for whole warps that meet all the time.
SIMT_KERNEL(warp_waits)(int* flag)
{
    if (threadIdx.x < 32) {
        while (__any_sync(0xffffffffu, simt_load(flag) == 0)) {}
    } else {
        simt_store(flag, 1);
    }
}
SIMT_EXPORT(warp_waits)

// For ever, in the way given: 0 atomics, 1 collectives, 2 barriers, 3 racy loads, 4 nothing that
// the executor would notice.
SIMT_KERNEL(never_ends)(int kind, int* flag)
{
    if (kind == 0) while (atomicAdd(flag, 0) == 0) {}
    if (kind == 1) while (__ballot_sync(0xffffffffu, 1) != 0) {}
    if (kind == 2) while (__syncthreads_count(1) != 0) {}
    if (kind == 3) while (simt_load(flag) == 0) {}
    if (kind == 4) while (*static_cast<volatile int*>(flag) == 0) {}
}
SIMT_EXPORT(never_ends)

// The last block fails, the others spin without a call to the executor.
SIMT_KERNEL(one_fails)(int* flag)
{
    if (blockIdx.x == gridDim.x - 1) __trap();
    while (*static_cast<volatile int*>(flag) == 0) {}
}
SIMT_EXPORT(one_fails)
