// Conversions between numbers, and arithmetic, with a given rounding: _rn to the nearest (of two
// the even one), _rz towards zero, _ru up, _rd down.
#pragma once

#include <cfenv>
#include <cmath>
#include <limits>

#include "../host/builtins.h"
#include "../host/observe.h"

// WebAssembly rounds to the nearest only: there the numbers are for half.h, which rounds by itself, and
// functions of float and double with another rounding are left out.
#if defined(__wasm__)
#define FE_TOWARDZERO 1
#define FE_UPWARD 2
#define FE_DOWNWARD 3
#endif

namespace simt {

// Keeps the compiler from computing with a value before the rounding is set.
template <class T> inline T opaque(T value)
{
    __asm__ volatile("" : "+m"(value) : : "memory");
    return value;
}

// Calls `compute` with the processor set to a rounding.
template <class F> SIMT_UNSEEN inline auto rounded(int direction, F compute)
{
    const int before = std::fegetround();
    std::fesetround(direction);
    const auto result = opaque(compute());
    std::fesetround(before);
    return result;
}

// An integral number as a type: what does not fit becomes the nearest that does.  NaN is 0, and
// with 64 bits on either side the highest bit alone (PTX ISA, "cvt").
template <class To, class From> inline To to_integer(From value)
{
    typedef std::numeric_limits<To> Limits;
    const int digits = Limits::digits;
    if (value != value)
        return sizeof(To) == 8 || sizeof(From) == 8 ? To(1ull << (8 * sizeof(To) - 1)) : To(0);
    if (value >= std::ldexp(From(1), digits)) return Limits::max();
    if (value < From(Limits::min())) return Limits::min();
    return To(value);
}

}  // namespace simt

#define SIMT_TO_INTEGER(from, From, to, To)                                                       \
    inline To __##from##2##to##_rz(From x) { return simt::to_integer<To>(std::trunc(x)); }        \
    inline To __##from##2##to##_ru(From x) { return simt::to_integer<To>(std::ceil(x)); }         \
    inline To __##from##2##to##_rd(From x) { return simt::to_integer<To>(std::floor(x)); }
#define SIMT_TO_NEAREST(from, From, to, To) \
    inline To __##from##2##to##_rn(From x) { return simt::to_integer<To>(std::nearbyint(x)); }
#define SIMT_BOTH(from, From, to, To) \
    SIMT_TO_INTEGER(from, From, to, To) SIMT_TO_NEAREST(from, From, to, To)
SIMT_TO_INTEGER(float, float, int, int)   // to the nearest: host/builtins.h
SIMT_BOTH(float, float, uint, unsigned)
SIMT_BOTH(float, float, ll, long long)
SIMT_BOTH(float, float, ull, unsigned long long)
SIMT_BOTH(double, double, int, int)
SIMT_BOTH(double, double, uint, unsigned)
SIMT_BOTH(double, double, ll, long long)
SIMT_BOTH(double, double, ull, unsigned long long)
#undef SIMT_BOTH
#undef SIMT_TO_NEAREST
#undef SIMT_TO_INTEGER

// X(suffix, direction)
#if defined(__wasm__)
#define SIMT_DIRECTED(X, ...)
#else
#define SIMT_DIRECTED(X, ...)                                       \
    X(_rz, FE_TOWARDZERO, __VA_ARGS__) X(_ru, FE_UPWARD, __VA_ARGS__) \
    X(_rd, FE_DOWNWARD, __VA_ARGS__)
#endif

#define SIMT_TO_REAL(suffix, direction, from, From, to, To)                          \
    inline To __##from##2##to##suffix(From x)                                        \
    {                                                                                \
        return simt::rounded(direction, [x] { return To(simt::opaque(x)); });        \
    }
#define SIMT_ALL(...) \
    SIMT_DIRECTED(SIMT_TO_REAL, __VA_ARGS__) SIMT_TO_REAL(_rn, FE_TONEAREST, __VA_ARGS__)
SIMT_DIRECTED(SIMT_TO_REAL, int, int, float, float)   // to the nearest: host/builtins.h
SIMT_ALL(uint, unsigned, float, float)
SIMT_ALL(ll, long long, float, float)
SIMT_ALL(ull, unsigned long long, float, float)
SIMT_ALL(double, double, float, float)
SIMT_ALL(ll, long long, double, double)
SIMT_ALL(ull, unsigned long long, double, double)
#undef SIMT_ALL
#undef SIMT_TO_REAL
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }

#define SIMT_ARITHMETIC(suffix, direction, letter, T, fused)                                       \
    inline T __##letter##add##suffix(T a, T b)                                                     \
    {                                                                                              \
        return simt::rounded(direction, [=] { return simt::opaque(a) + simt::opaque(b); });        \
    }                                                                                              \
    inline T __##letter##sub##suffix(T a, T b)                                                     \
    {                                                                                              \
        return simt::rounded(direction, [=] { return simt::opaque(a) - simt::opaque(b); });        \
    }                                                                                              \
    inline T __##letter##mul##suffix(T a, T b)                                                     \
    {                                                                                              \
        return simt::rounded(direction, [=] { return simt::opaque(a) * simt::opaque(b); });        \
    }                                                                                              \
    inline T __##letter##div##suffix(T a, T b)                                                     \
    {                                                                                              \
        return simt::rounded(direction, [=] { return simt::opaque(a) / simt::opaque(b); });        \
    }                                                                                              \
    inline T __##letter##sqrt##suffix(T a)                                                         \
    {                                                                                              \
        return simt::rounded(direction, [=] { return std::sqrt(simt::opaque(a)); });               \
    }                                                                                              \
    inline T __##letter##rcp##suffix(T a) { return __##letter##div##suffix(T(1), a); }             \
    inline T fused##suffix(T a, T b, T c)                                                          \
    {                                                                                              \
        return simt::rounded(direction, [=] {                                                      \
            return std::fma(simt::opaque(a), simt::opaque(b), simt::opaque(c));                    \
        });                                                                                        \
    }
SIMT_DIRECTED(SIMT_ARITHMETIC, f, float, __fmaf)
SIMT_DIRECTED(SIMT_ARITHMETIC, d, double, __fma)
#undef SIMT_ARITHMETIC
#undef SIMT_DIRECTED
inline float __fsqrt_rn(float x) { return std::sqrt(x); }
inline float __frcp_rn(float x) { return 1.0f / x; }
inline float __frsqrt_rn(float x) { return float(1.0 / std::sqrt(double(x))); }
inline double __dsqrt_rn(double x) { return std::sqrt(x); }
inline double __drcp_rn(double x) { return 1.0 / x; }

inline double __hiloint2double(int high, int low)
{
    return simt::bit_cast<double>((unsigned long long)unsigned(high) << 32 | unsigned(low));
}
inline int __double2hiint(double x) { return int(simt::bit_cast<unsigned long long>(x) >> 32); }
inline int __double2loint(double x) { return int(simt::bit_cast<unsigned long long>(x)); }
