// Atomic functions beyond those of host/atomics.h: of any type of up to eight bytes, and CUDA's
// names with the scope of a block.
#pragma once

#include "../host/atomics.h"
#include "../host/memory.h"

namespace simt {

// Around an atomic read-modify-write: lets others go first, counts it, reports it to the observer.
void atomic_begins(const void* address, std::size_t size, Place place);
void compare_failed(const void* address, Place place);

// Replaces the value by f(value), and returns the old one.
template <class T, class F> SIMT_UNSEEN inline T update(T* address, F f, Place place)
{
    atomic_begins(address, sizeof(T), place);
    T old;
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    for (;;) {
        T wanted = f(old);
        if (__atomic_compare_exchange(address, &old, &wanted, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
            return old;
    }
}

// Compares bits, as a GPU does.  `compare` becomes the value found.
template <class T> SIMT_UNSEEN inline bool swap_if(T* address, T& compare, T value, Place place)
{
    atomic_begins(address, sizeof(T), place);
    const bool swapped = __atomic_compare_exchange(address, &compare, &value, false,
                                                   __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    if (!swapped) compare_failed(address, place);
    return swapped;
}

}  // namespace simt

// What is atomic for all blocks is so for one.
#define atomicAdd_block atomicAdd
#define atomicSub_block atomicSub
#define atomicMin_block atomicMin
#define atomicMax_block atomicMax
#define atomicAnd_block atomicAnd
#define atomicOr_block atomicOr
#define atomicXor_block atomicXor
#define atomicExch_block atomicExch
#define atomicInc_block atomicInc
#define atomicDec_block atomicDec
#define atomicCAS_block atomicCAS

namespace {
using ::atomicAdd;
using ::atomicAnd;
using ::atomicCAS;
using ::atomicDec;
using ::atomicExch;
using ::atomicInc;
using ::atomicMax;
using ::atomicMin;
using ::atomicOr;
using ::atomicSub;
using ::atomicXor;
}  // namespace
