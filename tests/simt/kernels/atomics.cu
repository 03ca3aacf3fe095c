// Every atomic function: thread i applies it with values[i] to cells[where[i]] and keeps the old
// value.  One thread at a time, in order, it must agree with a sequential model.
#include "simt.h"

#define ATOMIC(function, T, name)                                                      \
    SIMT_KERNEL(name)(int count, T* cells, const int* where, const T* values, T* old)  \
    {                                                                                  \
        const int threads = int(gridDim.x * blockDim.x);                               \
        const int first = int(blockIdx.x * blockDim.x + threadIdx.x);                  \
        for (int i = first; i < count; i += threads)                                   \
            old[i] = function(&cells[where[i]], values[i]);                            \
    }                                                                                  \
    SIMT_EXPORT(name)

#define COMPARE_AND_SWAP(T, name)                                                      \
    SIMT_KERNEL(name)(int count, T* cells, const int* where, const T* expected,        \
                      const T* values, T* old)                                         \
    {                                                                                  \
        const int threads = int(gridDim.x * blockDim.x);                               \
        const int first = int(blockIdx.x * blockDim.x + threadIdx.x);                  \
        for (int i = first; i < count; i += threads)                                   \
            old[i] = atomicCAS(&cells[where[i]], expected[i], values[i]);              \
    }                                                                                  \
    SIMT_EXPORT(name)

ATOMIC(atomicAdd, int, add_int32)
ATOMIC(atomicAdd, unsigned, add_uint32)
ATOMIC(atomicAdd, unsigned long long, add_uint64)
ATOMIC(atomicAdd, float, add_float32)
ATOMIC(atomicAdd, double, add_float64)
ATOMIC(atomicSub, int, sub_int32)
ATOMIC(atomicSub, unsigned, sub_uint32)
ATOMIC(atomicMin, int, min_int32)
ATOMIC(atomicMin, unsigned, min_uint32)
ATOMIC(atomicMin, long long, min_int64)
ATOMIC(atomicMin, unsigned long long, min_uint64)
ATOMIC(atomicMax, int, max_int32)
ATOMIC(atomicMax, unsigned, max_uint32)
ATOMIC(atomicMax, long long, max_int64)
ATOMIC(atomicMax, unsigned long long, max_uint64)
ATOMIC(atomicAnd, int, and_int32)
ATOMIC(atomicAnd, unsigned, and_uint32)
ATOMIC(atomicAnd, unsigned long long, and_uint64)
ATOMIC(atomicOr, int, or_int32)
ATOMIC(atomicOr, unsigned, or_uint32)
ATOMIC(atomicOr, unsigned long long, or_uint64)
ATOMIC(atomicXor, int, xor_int32)
ATOMIC(atomicXor, unsigned, xor_uint32)
ATOMIC(atomicXor, unsigned long long, xor_uint64)
ATOMIC(atomicExch, int, exch_int32)
ATOMIC(atomicExch, unsigned, exch_uint32)
ATOMIC(atomicExch, unsigned long long, exch_uint64)
ATOMIC(atomicExch, float, exch_float32)
ATOMIC(atomicInc, unsigned, inc_uint32)
ATOMIC(atomicDec, unsigned, dec_uint32)
COMPARE_AND_SWAP(unsigned short, cas_uint16)
COMPARE_AND_SWAP(int, cas_int32)
COMPARE_AND_SWAP(unsigned, cas_uint32)
COMPARE_AND_SWAP(unsigned long long, cas_uint64)

// A sum by compare-and-swap, which has to be tried again when others come between.
SIMT_KERNEL(add_by_cas)(int count, float* total)
{
    for (int i = 0; i < count; ++i) {
        unsigned* bits = reinterpret_cast<unsigned*>(total);
        unsigned seen = simt_load(bits);
        for (;;) {
            const unsigned sum = __float_as_uint(__uint_as_float(seen) + 1.0f);
            const unsigned before = atomicCAS(bits, seen, sum);
            if (before == seen) break;
            seen = before;
        }
    }
}
SIMT_EXPORT(add_by_cas)

// Sums by all lanes of several launches at the same time, with the scope of the system.
SIMT_KERNEL(add_for_all)(int count, int* total, unsigned long long* swapped)
{
    for (int i = 0; i < count; ++i) {
        atomicAdd_system(total, 1);
        unsigned long long seen = simt_load(swapped);
        for (;;) {
            const unsigned long long before = atomicCAS_system(swapped, seen, seen + 1);
            if (before == seen) break;
            seen = before;
        }
    }
}
SIMT_EXPORT(add_for_all)
