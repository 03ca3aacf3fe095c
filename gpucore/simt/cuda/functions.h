// Mathematical functions that the C library lacks, CUDA's fast ones, loads and stores with a cache
// hint, and clocks.
//
// The fast functions are as exact here as the others: on a GPU the last bits differ from card to
// card.  In an unnamed namespace, since newer C libraries declare some of these names.
#pragma once


#include <cmath>

#include "../host/memory.h"
#include "conversions.h"

namespace {

inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
inline float rsqrtf(float x) { return __frsqrt_rn(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline double rcbrt(double x) { return 1.0 / std::cbrt(x); }
inline float rcbrtf(float x) { return float(rcbrt(double(x))); }

// Of pi times x; the remainder is exact, so that sinpi(1e15) is.
inline double sinpi(double x)
{
    const double part = std::remainder(x, 2.0), within = std::fabs(part);
    if (within == 0 || within == 1) return std::copysign(0.0, x);
    return std::copysign(within <= 0.25   ? std::sin(M_PI * within)
                         : within <= 0.75 ? std::cos(M_PI * (0.5 - within))
                                          : std::sin(M_PI * (1.0 - within)), part);
}
inline double cospi(double x)
{
    const double within = std::fabs(std::remainder(x, 2.0));
    if (within == 0.5) return 0.0;
    return within <= 0.25   ? std::cos(M_PI * within)
           : within <= 0.75 ? std::sin(M_PI * (0.5 - within))
                            : -std::cos(M_PI * (1.0 - within));
}
inline float sinpif(float x) { return float(sinpi(double(x))); }
inline float cospif(float x) { return float(cospi(double(x))); }

inline double normcdf(double x) { return 0.5 * std::erfc(-x * M_SQRT1_2); }
inline float normcdff(float x) { return float(normcdf(double(x))); }

// Winitzki's approximation, then Newton's method (Halley's step) to the last bits.
inline double erfinv(double x)
{
    if (!(std::fabs(x) < 1)) return std::fabs(x) == 1 ? std::copysign(HUGE_VAL, x) : NAN;
    const double log = std::log1p(-x * x), half = 2 / (M_PI * 0.147) + log / 2;
    double y = std::copysign(std::sqrt(std::sqrt(half * half - log / 0.147) - half), x);
    for (int i = 0; i < 3; ++i) {
        const double error = x < 0 ? std::erfc(-y) - (1 + x) : (1 - x) - std::erfc(y);
        const double step = error / (M_2_SQRTPI * std::exp(-y * y));
        y -= step / (1 + y * step);
    }
    return y;
}
inline float erfinvf(float x) { return float(erfinv(double(x))); }

inline float norm3df(float x, float y, float z) { return std::hypot(x, y, z); }
inline double norm3d(double x, double y, double z) { return std::hypot(x, y, z); }
inline double rhypot(double x, double y) { return 1.0 / std::hypot(x, y); }
inline float rhypotf(float x, float y) { return float(rhypot(double(x), double(y))); }

inline float __fdividef(float x, float y)
{
    const float size = std::fabs(y);
    if (size > 0x1p126f && std::isfinite(y)) return std::isinf(x) ? NAN : 0.0f;
    return x / y;
}
inline float fdividef(float x, float y) { return x / y; }
inline float __expf(float x) { return std::exp(x); }
inline float __exp10f(float x) { return float(std::pow(10.0, double(x))); }
inline float __logf(float x) { return std::log(x); }
inline float __log2f(float x) { return std::log2(x); }
inline float __log10f(float x) { return std::log10(x); }
inline float __powf(float x, float y) { return std::pow(x, y); }
inline float __sinf(float x) { return std::sin(x); }
inline float __cosf(float x) { return std::cos(x); }
inline float __tanf(float x) { return std::tan(x); }
inline float __saturatef(float x) { return x > 0 ? x < 1 ? x : 1.0f : 0.0f; }


inline unsigned umin(unsigned x, unsigned y) { return x < y ? x : y; }
inline unsigned umax(unsigned x, unsigned y) { return x < y ? y : x; }
inline unsigned long long ullmin(unsigned long long x, unsigned long long y)
{
    return x < y ? x : y;
}
inline unsigned long long ullmax(unsigned long long x, unsigned long long y)
{
    return x < y ? y : x;
}
inline long long llmin(long long x, long long y) { return x < y ? x : y; }
inline long long llmax(long long x, long long y) { return x < y ? y : x; }

inline clock_t clock()
{
    return simt::current == nullptr ? ::clock() : clock_t(clock64());   // in host code the C library's
}

}  // namespace

namespace simt {

template <class T> SIMT_UNSEEN inline void plain_store(T* address, T value, Place place)
{
    observe_access(address, sizeof(T), Access::write, place);
    *address = value;
}

}  // namespace simt

#define SIMT_SINCOS(name, T, sine, cosine)                     \
    SIMT_OBSERVED static void name(T x, T* sin_x, T* cos_x)    \
    {                                                          \
        simt::plain_store(sin_x, sine(x), SIMT_CALLED_FROM);   \
        simt::plain_store(cos_x, cosine(x), SIMT_CALLED_FROM); \
    }
namespace {
SIMT_SINCOS(sincos, double, std::sin, std::cos)
SIMT_SINCOS(sincosf, float, std::sin, std::cos)
SIMT_SINCOS(__sincosf, float, std::sin, std::cos)
SIMT_SINCOS(sincospi, double, sinpi, cospi)
SIMT_SINCOS(sincospif, float, sinpif, cospif)
}  // namespace
#undef SIMT_SINCOS

// Hints that keep the meaning of a load or a store.  __ldcv and __stwt go to memory each time, as
// volatile accesses do; __ldcg (host/memory.h) and __stcg meet in the cache that all blocks share.
#define SIMT_HINT(name)                                           \
    template <class T> SIMT_OBSERVED T name(const T* address)     \
    {                                                             \
        return simt::plain_load(address, SIMT_CALLED_FROM);       \
    }
SIMT_HINT(__ldca)
SIMT_HINT(__ldlu)
#undef SIMT_HINT

template <class T> SIMT_OBSERVED T __ldcv(const T* address)
{
    return simt::racy_load(address, SIMT_CALLED_FROM);
}

#define SIMT_HINT(name, access)                                                                 \
    template <class T>                                                                          \
    SIMT_OBSERVED void name(T* address, typename simt::Identity<T>::type value)                 \
    {                                                                                           \
        simt::observe_access(address, sizeof(T), simt::Access::access, SIMT_CALLED_FROM);       \
        *address = value;                                                                       \
    }
SIMT_HINT(__stwb, write)
SIMT_HINT(__stcs, write)
SIMT_HINT(__stcg, racy_write)
SIMT_HINT(__stwt, racy_write)
#undef SIMT_HINT
