// Vector types with CUDA's alignment, dim3, and the built-in variables as these types.
#pragma once

#include <cstddef>

#include "../host/view.h"

// X(name, type of a component, its alignment as a vector of four)
#define SIMT_VECTORS(X)                                                                       \
    X(char, signed char, 4) X(uchar, unsigned char, 4) X(short, short, 8)                     \
    X(ushort, unsigned short, 8) X(int, int, 16) X(uint, unsigned, 16) X(long, long, 16)      \
    X(ulong, unsigned long, 16) X(longlong, long long, 16)                                    \
    X(ulonglong, unsigned long long, 16) X(float, float, 16) X(double, double, 16)

#define SIMT_VECTOR(name, T, align4)                                                          \
    struct name##1 { T x; };                                                                  \
    struct alignas(2 * sizeof(T)) name##2 { T x, y; };                                        \
    struct name##3 { T x, y, z; };                                                            \
    struct alignas(align4) name##4 { T x, y, z, w; };                                         \
    constexpr name##1 make_##name##1(T x) { return {x}; }                                     \
    constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }                             \
    constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }                     \
    constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
SIMT_VECTORS(SIMT_VECTOR)
#undef SIMT_VECTOR

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 size) : x(size.x), y(size.y), z(size.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};

namespace simt {

// The executor's own triple is three unsigned numbers as well.
template <class T> inline const T& seen_as(const Dim& value)
{
    static_assert(sizeof(T) == sizeof(Dim), "three unsigned numbers");
    return reinterpret_cast<const T&>(value);
}

}  // namespace simt

#undef threadIdx
#undef blockIdx
#undef blockDim
#undef gridDim
#undef warpSize   // host code has members of this name
#define threadIdx (::simt::seen_as< ::uint3>(::simt::current->thread))
#define blockIdx (::simt::seen_as< ::uint3>(::simt::current->block->index))
#define blockDim (::simt::seen_as< ::dim3>(::simt::current->block->threads))
#define gridDim (::simt::seen_as< ::dim3>(::simt::current->block->grid))

constexpr int warpSize = 32;

#define __noinline__ __attribute__((noinline))
// Not always inlined: sources also call such functions through pointers.
#undef __forceinline__
#define __forceinline__ inline
#define __managed__
#define __grid_constant__
#define __builtin_align__(n) __align__(n)
#define __assume(x) ((x) ? (void)0 : __builtin_unreachable())
#define __builtin_assume(x) __assume(x)
