// What the CUDA samples' helper_math.h gives kernels: arithmetic of vectors, component by component.
// Templates, so that a source's own functions of these names are preferred.
#pragma once

#include <cmath>

#include "cuda/vectors.h"

typedef unsigned int uint;
typedef unsigned short ushort;

namespace simt {

template <class V> struct Parts {};
#define SIMT_PARTS(name, T, align)                                                   \
    template <> struct Parts<name##2> { typedef T type; static constexpr int count = 2; }; \
    template <> struct Parts<name##3> { typedef T type; static constexpr int count = 3; }; \
    template <> struct Parts<name##4> { typedef T type; static constexpr int count = 4; };
SIMT_VECTORS(SIMT_PARTS)
#undef SIMT_PARTS

template <class V> using Part = typename Parts<V>::type;

template <class V, class F> inline V each(V a, F of)
{
    for (int i = 0; i < Parts<V>::count; ++i) (&a.x)[i] = Part<V>(of(i));
    return a;
}

}  // namespace simt

// In the namespace of the source, as CUDA's functions that these overload.
namespace {

#define SIMT_OPERATOR(op)                                                            \
    template <class V, class T = simt::Part<V>> V operator op(V a, V b)              \
    { return simt::each(a, [&](int i) { return (&a.x)[i] op (&b.x)[i]; }); }         \
    template <class V> V operator op(V a, simt::Part<V> b)                           \
    { return simt::each(a, [&](int i) { return (&a.x)[i] op b; }); }                 \
    template <class V> V operator op(simt::Part<V> a, V b)                           \
    { return simt::each(b, [&](int i) { return a op (&b.x)[i]; }); }                 \
    template <class V, class T = simt::Part<V>> V& operator op##=(V& a, V b)         \
    { return a = a op b; }                                                           \
    template <class V> V& operator op##=(V& a, simt::Part<V> b) { return a = a op b; }
SIMT_OPERATOR(+)
SIMT_OPERATOR(-)
SIMT_OPERATOR(*)
SIMT_OPERATOR(/)
#undef SIMT_OPERATOR

template <class V, class T = simt::Part<V>> V operator-(V a)
{ return simt::each(a, [&](int i) { return -(&a.x)[i]; }); }

#define SIMT_FUNCTION(name)                                                          \
    template <class V, class T = simt::Part<V>> V name(V a, V b)                     \
    { return simt::each(a, [&](int i) { return ::name((&a.x)[i], (&b.x)[i]); }); }
SIMT_FUNCTION(fminf)
SIMT_FUNCTION(fmaxf)
SIMT_FUNCTION(fmodf)
SIMT_FUNCTION(min)
SIMT_FUNCTION(max)
#undef SIMT_FUNCTION

#define SIMT_FUNCTION(name)                                                          \
    template <class V, class T = simt::Part<V>> V name(V a)                          \
    { return simt::each(a, [&](int i) { return ::name((&a.x)[i]); }); }
SIMT_FUNCTION(floorf)
SIMT_FUNCTION(fabs)
SIMT_FUNCTION(abs)
#undef SIMT_FUNCTION

template <class V> simt::Part<V> dot(V a, V b)
{
    simt::Part<V> sum = a.x * b.x;
    for (int i = 1; i < simt::Parts<V>::count; ++i) sum += (&a.x)[i] * (&b.x)[i];
    return sum;
}

template <class V> simt::Part<V> length(V a) { return std::sqrt(dot(a, a)); }
template <class V, class T = simt::Part<V>> V normalize(V a) { return a * (1 / length(a)); }
template <class V, class T = simt::Part<V>> V reflect(V a, V n) { return a - T(2) * n * dot(n, a); }

inline float3 cross(float3 a, float3 b)
{ return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

inline float lerp(float a, float b, float t) { return a + t * (b - a); }
template <class V> V lerp(V a, V b, simt::Part<V> t) { return a + t * (b - a); }

inline float clamp(float x, float low, float high) { return std::fmin(std::fmax(x, low), high); }
inline int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
template <class V> V clamp(V a, simt::Part<V> low, simt::Part<V> high)
{ return simt::each(a, [&](int i) { return clamp((&a.x)[i], low, high); }); }
template <class V, class T = simt::Part<V>> V clamp(V a, V low, V high)
{ return simt::each(a, [&](int i) { return clamp((&a.x)[i], (&low.x)[i], (&high.x)[i]); }); }

// Vectors of one number, and of shorter and longer vectors.
#define SIMT_MAKE(name, T)                                                           \
    inline name##2 make_##name##2(T x) { return {x, x}; }                            \
    inline name##3 make_##name##3(T x) { return {x, x, x}; }                         \
    inline name##4 make_##name##4(T x) { return {x, x, x, x}; }                      \
    inline name##2 make_##name##2(name##3 a) { return {a.x, a.y}; }                  \
    inline name##3 make_##name##3(name##2 a) { return {a.x, a.y, 0}; }               \
    inline name##3 make_##name##3(name##2 a, T z) { return {a.x, a.y, z}; }          \
    inline name##3 make_##name##3(name##4 a) { return {a.x, a.y, a.z}; }             \
    inline name##4 make_##name##4(name##3 a) { return {a.x, a.y, a.z, 0}; }          \
    inline name##4 make_##name##4(name##3 a, T w) { return {a.x, a.y, a.z, w}; }
SIMT_MAKE(float, float)
SIMT_MAKE(int, int)
SIMT_MAKE(uint, unsigned)
#undef SIMT_MAKE

}  // namespace
