// CUDA's small device functions: bits, casts, minima, rounding, clocks.
#pragma once

#include <cmath>
#include <cstring>
#include <type_traits>

#include "calls.h"

namespace simt {

void give_way();                          // lets another warp go first
long long steps();                        // a clock that counts the executor's steps
unsigned long long time();                // the same, going on from launch to launch
[[noreturn]] void trap(const char* file, int line);

template <class To, class From> inline To bit_cast(From value)
{
    static_assert(sizeof(To) == sizeof(From), "a bit cast keeps the size");
    To result;
    std::memcpy(&result, &value, sizeof result);
    return result;
}

}  // namespace simt

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }

inline unsigned __brev(unsigned x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}

inline unsigned long long __brevll(unsigned long long x)
{
    return (unsigned long long)__brev(unsigned(x)) << 32 | __brev(unsigned(x >> 32));
}

inline unsigned __float_as_uint(float x) { return simt::bit_cast<unsigned>(x); }
inline int __float_as_int(float x) { return simt::bit_cast<int>(x); }
inline float __uint_as_float(unsigned x) { return simt::bit_cast<float>(x); }
inline float __int_as_float(int x) { return simt::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return simt::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return simt::bit_cast<double>(x); }

// As in CUDA, two types give their common type: min(int, unsigned) is unsigned.
template <class A, class B> constexpr typename std::common_type<A, B>::type min(A a, B b)
{
    typedef typename std::common_type<A, B>::type T;
    return T(b) < T(a) ? T(b) : T(a);
}

template <class A, class B> constexpr typename std::common_type<A, B>::type max(A a, B b)
{
    typedef typename std::common_type<A, B>::type T;
    return T(a) < T(b) ? T(b) : T(a);
}

// Rounded operations that are never contracted into a fused one; kernels are compiled with
// -ffp-contract=off, so the plain operators are just that.
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline float __int2float_rn(int x) { return float(x); }

// To the nearest, of two the even one; what does not fit becomes the nearest that does, NaN 0.
inline int __float2int_rn(float x)
{
    if (x != x) return 0;
    if (x >= 2147483648.0f) return 2147483647;
    if (x < -2147483648.0f) return -2147483647 - 1;
    return int(std::nearbyint(x));
}

inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }

inline void __nanosleep(unsigned) { simt::give_way(); }
inline long long clock64() { return simt::steps(); }
inline unsigned long long simt_time() { return simt::time(); }
inline void __trap(SIMT_HERE) { simt::trap(SIMT_AT); }
