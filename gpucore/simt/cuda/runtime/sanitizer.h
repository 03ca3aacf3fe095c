// What the compiler calls in place of atomic operations of host code, and in constructors of classes
// with virtual functions.  Kernels have neither: CUDA's atomics are functions of host/ and cuda/.
#pragma once

#include <cstdint>

#include "../../host/observe.h"

// X(function, operation)
#define SIMT_FETCHES(X, bits, T)                                                               \
    X(fetch_add, bits, T) X(fetch_sub, bits, T) X(fetch_and, bits, T) X(fetch_or, bits, T)     \
    X(fetch_xor, bits, T) X(fetch_nand, bits, T)
#define SIMT_FETCH(name, bits, T)                                                              \
    SIMT_UNSEEN inline __attribute__((used)) T __tsan_atomic##bits##_##name(                   \
        volatile void* at, T value, int)                                                       \
    { return __atomic_##name(static_cast<volatile T*>(at), value, __ATOMIC_SEQ_CST); }
#define SIMT_SWAP(bits, T, strength, is_weak)                                                  \
    SIMT_UNSEEN inline __attribute__((used)) bool                                              \
    __tsan_atomic##bits##_compare_exchange_##strength(volatile void* at, void* old, T value,   \
                                                      int, int)                                \
    {                                                                                          \
        return __atomic_compare_exchange_n(static_cast<volatile T*>(at), static_cast<T*>(old), \
                                           value, is_weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }
#define SIMT_HOST_ATOMICS(bits, T)                                                             \
    SIMT_UNSEEN inline __attribute__((used)) T __tsan_atomic##bits##_load(                     \
        const volatile void* at, int)                                                          \
    { return __atomic_load_n(static_cast<const volatile T*>(at), __ATOMIC_SEQ_CST); }          \
    SIMT_UNSEEN inline __attribute__((used)) void __tsan_atomic##bits##_store(                 \
        volatile void* at, T value, int)                                                       \
    { __atomic_store_n(static_cast<volatile T*>(at), value, __ATOMIC_SEQ_CST); }               \
    SIMT_UNSEEN inline __attribute__((used)) T __tsan_atomic##bits##_exchange(                 \
        volatile void* at, T value, int)                                                       \
    { return __atomic_exchange_n(static_cast<volatile T*>(at), value, __ATOMIC_SEQ_CST); }     \
    SIMT_SWAP(bits, T, strong, false)                                                          \
    SIMT_SWAP(bits, T, weak, true)                                                             \
    SIMT_FETCHES(SIMT_FETCH, bits, T)

extern "C" {
SIMT_HOST_ATOMICS(8, std::uint8_t)
SIMT_HOST_ATOMICS(16, std::uint16_t)
SIMT_HOST_ATOMICS(32, std::uint32_t)
SIMT_HOST_ATOMICS(64, std::uint64_t)
SIMT_UNSEEN inline __attribute__((used)) void __tsan_atomic_thread_fence(int)
{ __atomic_thread_fence(__ATOMIC_SEQ_CST); }
SIMT_UNSEEN inline __attribute__((used)) void __tsan_atomic_signal_fence(int) {}
SIMT_UNSEEN inline __attribute__((used)) void __tsan_vptr_update(void*, void*) {}
SIMT_UNSEEN inline __attribute__((used)) void __tsan_vptr_read(void*) {}
}
