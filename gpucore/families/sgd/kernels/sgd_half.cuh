// Numbers of half precision (IEEE binary16) as 16 bits, with the same bits on both machines.
#pragma once

#include "simt.h"

typedef unsigned short Half;

#if defined(__CUDACC__)

__device__ __forceinline__ float single_of(Half half)
{
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(half));
    return value;
}

// The nearest number of half precision, of two equally near ones the even one.
__device__ __forceinline__ Half half_of(float value)
{
    Half half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(value));
    return half;
}

#else

__device__ inline float single_of(Half half)
{
    const unsigned sign = (half & 0x8000u) << 16, exponent = half >> 10 & 31, bits = half & 1023;
    if (exponent == 31) return __uint_as_float(sign | 0x7f800000u | bits << 13);
    // A power of two scales normal and subnormal numbers without rounding.
    const float size = exponent ? __uint_as_float((exponent + 112) << 23 | bits << 13)
                                : __fmul_rn((float)bits, 5.9604644775390625e-8f);
    return __uint_as_float(sign | __float_as_uint(size));
}

__device__ inline Half half_of(float value)
{
    const unsigned all = __float_as_uint(value), sign = all >> 16 & 0x8000u;
    const unsigned size = all & 0x7fffffffu;
    if (size > 0x7f800000u) return (Half)0x7fffu;
    if (size >= 0x477ff000u) return (Half)(sign | 0x7c00u);     // 65520 and above
    if (size < 0x38800000u) {                                   // subnormal: units of 2^-24
        // The addition of 0.5 rounds to those units, since that is the unit of its own last place.
        const unsigned sum = __float_as_uint(__fadd_rn(__uint_as_float(size), 0.5f));
        return (Half)(sign | (sum - 0x3f000000u));
    }
    return (Half)(sign | (size - 0x38000000u + 0xfffu + (size >> 13 & 1)) >> 13);
}

#endif
