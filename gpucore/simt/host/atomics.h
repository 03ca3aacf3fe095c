// Atomic functions, exactly the overloads CUDA has.  They live in core/atomics.cpp, so that an
// instrumented kernel does not instrument them and the hook sees one access with its address.
#pragma once

// X(name, type): read, modify, write; returns the old value
#define SIMT_ATOMICS(X)                                                                  \
    X(atomicAdd, int) X(atomicAdd, unsigned) X(atomicAdd, unsigned long long)            \
    X(atomicAdd, float) X(atomicAdd, double)                                             \
    X(atomicSub, int) X(atomicSub, unsigned)                                             \
    X(atomicMin, int) X(atomicMin, unsigned)                                             \
    X(atomicMin, long long) X(atomicMin, unsigned long long)                             \
    X(atomicMax, int) X(atomicMax, unsigned)                                             \
    X(atomicMax, long long) X(atomicMax, unsigned long long)                             \
    X(atomicAnd, int) X(atomicAnd, unsigned) X(atomicAnd, unsigned long long)            \
    X(atomicOr, int) X(atomicOr, unsigned) X(atomicOr, unsigned long long)               \
    X(atomicXor, int) X(atomicXor, unsigned) X(atomicXor, unsigned long long)            \
    X(atomicExch, int) X(atomicExch, unsigned) X(atomicExch, unsigned long long)         \
    X(atomicExch, float)                                                                 \
    X(atomicInc, unsigned) X(atomicDec, unsigned)

// X(type): compare and swap
#define SIMT_ATOMIC_CAS(X) X(unsigned short) X(int) X(unsigned) X(unsigned long long)

// The names with "_system" are for words that other launches update at the same time.
#define SIMT_DECLARE(name, T)     \
    T name(T* address, T value);  \
    T name##_system(T* address, T value);
SIMT_ATOMICS(SIMT_DECLARE)
#undef SIMT_DECLARE

#define SIMT_DECLARE(T)                          \
    T atomicCAS(T* address, T compare, T value); \
    T atomicCAS_system(T* address, T compare, T value);
SIMT_ATOMIC_CAS(SIMT_DECLARE)
#undef SIMT_DECLARE
