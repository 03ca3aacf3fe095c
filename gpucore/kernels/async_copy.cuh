// Copies from global to shared memory that a thread does not wait for.
#pragma once

#include "simt.h"

// Begin to copy a word; it is there after the thread's `copies_done`, for others after a barrier too.
__device__ __forceinline__ void copy_word(int* shared, const int* global)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(shared)),
                 "l"(global)
                 : "memory");
#else
    *shared = *global;
#endif
}

// The same of 16 bytes, with addresses that are multiples of 16.
template <class T> __device__ __forceinline__ void copy_16(T* shared, const T* global)
{
    static_assert(sizeof(T) == 16, "16 bytes are copied");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(shared)),
                 "l"(global)
                 : "memory");
#else
    *shared = *global;
#endif
}

__device__ __forceinline__ void copies_done()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
