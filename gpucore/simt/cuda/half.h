// __half, __nv_bfloat16, their pairs and their conversions (cuda_fp16.h, cuda_bf16.h).
#pragma once

#include "sixteen.h"
#include "vectors.h"

typedef simt::Sixteen<10, 15> __half;
typedef simt::Sixteen<7, 127> __nv_bfloat16;
typedef simt::PairOf<__half> __half2;
typedef simt::PairOf<__nv_bfloat16> __nv_bfloat162;
typedef __half half;
typedef __half2 half2;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

// X(suffix, rounding)
#define SIMT_ROUNDINGS(X, ...)                                                        \
    X(_rn, FE_TONEAREST, __VA_ARGS__) X(_rz, FE_TOWARDZERO, __VA_ARGS__)              \
    X(_ru, FE_UPWARD, __VA_ARGS__) X(_rd, FE_DOWNWARD, __VA_ARGS__)
// X(name, type)
#define SIMT_INTEGERS(X, ...)                                                         \
    X(short, short, __VA_ARGS__) X(ushort, unsigned short, __VA_ARGS__)               \
    X(int, int, __VA_ARGS__) X(uint, unsigned, __VA_ARGS__)                           \
    X(ll, long long, __VA_ARGS__) X(ull, unsigned long long, __VA_ARGS__)

#define SIMT_FROM_FLOAT(suffix, direction, name, T) \
    inline T __float2##name##suffix(float x) { return T(x, direction); }
#define SIMT_INTEGER(integer, Integer, name, T)                                       \
    inline T __##integer##2##name##_rn(Integer x) { return x; }                       \
    inline Integer __##name##2##integer##_rn(T x)                                     \
    {                                                                                 \
        return simt::to_integer<Integer>(std::nearbyint(x.real()));                   \
    }                                                                                 \
    inline Integer __##name##2##integer##_rz(T x)                                     \
    {                                                                                 \
        return simt::to_integer<Integer>(std::trunc(x.real()));                       \
    }                                                                                 \
    inline Integer __##name##2##integer##_ru(T x)                                     \
    {                                                                                 \
        return simt::to_integer<Integer>(std::ceil(x.real()));                        \
    }                                                                                 \
    inline Integer __##name##2##integer##_rd(T x)                                     \
    {                                                                                 \
        return simt::to_integer<Integer>(std::floor(x.real()));                       \
    }

// `name` and `pair` as they are in the names of CUDA's functions, and their types.
#define SIMT_CONVERSIONS(name, T, pair, Pair)                                         \
    SIMT_ROUNDINGS(SIMT_FROM_FLOAT, name, T)                                          \
    SIMT_INTEGERS(SIMT_INTEGER, name, T)                                              \
    inline T __float2##name(float x) { return x; }                                    \
    inline T __double2##name(double x) { return x; }                                  \
    inline float __##name##2float(T x) { return x.real(); }                           \
    inline unsigned short __##name##_as_ushort(T x) { return x.bits; }                \
    inline short __##name##_as_short(T x) { return short(x.bits); }                   \
    inline T __ushort_as_##name(unsigned short bits) { return T::of(bits); }          \
    inline T __short_as_##name(short bits) { return T::of((unsigned short)bits); }    \
    inline Pair make_##pair(T x, T y) { return {x, y}; }                              \
    inline Pair __halves2##pair(T x, T y) { return {x, y}; }                          \
    inline Pair __##name##2##pair(T x) { return {x, x}; }                             \
    inline Pair __floats2##pair##_rn(float x, float y) { return {x, y}; }             \
    inline Pair __float2##pair##_rn(float x) { return {x, x}; }                       \
    inline Pair __float22##pair##_rn(float2 a) { return {a.x, a.y}; }                 \
    inline float2 __##pair##2float2(Pair a) { return {a.x.real(), a.y.real()}; }      \
    inline T __low2##name(Pair a) { return a.x; }                                     \
    inline T __high2##name(Pair a) { return a.y; }                                    \
    inline Pair __low2##pair(Pair a) { return {a.x, a.x}; }                           \
    inline Pair __high2##pair(Pair a) { return {a.y, a.y}; }                          \
    inline Pair __lows2##pair(Pair a, Pair b) { return {a.x, b.x}; }                  \
    inline Pair __highs2##pair(Pair a, Pair b) { return {a.y, b.y}; }                 \
    inline Pair __lowhigh2highlow(Pair a) { return {a.y, a.x}; }                      \
    inline float __low2float(Pair a) { return a.x.real(); }                           \
    inline float __high2float(Pair a) { return a.y.real(); }
SIMT_CONVERSIONS(half, __half, half2, __half2)
SIMT_CONVERSIONS(bfloat16, __nv_bfloat16, bfloat162, __nv_bfloat162)
#undef SIMT_CONVERSIONS
#undef SIMT_INTEGER
#undef SIMT_FROM_FLOAT
#undef SIMT_INTEGERS
#undef SIMT_ROUNDINGS

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
