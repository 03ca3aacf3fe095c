// CUDA's own names, for sources that are written for nvcc: what it declares without an include, and
// the headers of include/.  Only watched sources take it, after simt.h; our own kernels use what
// host/ has, so that they compile quickly.
//
// A watched source is compiled inside an unnamed namespace.  Standard headers must not be included
// there, so those that sources name are included here.
#pragma once

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#undef NDEBUG   // an option of this build, and no choice of the source

#include "../host/local.h"
#include "vectors.h"

#include "atomic_types.h"
#include "constants.h"
#include "conversions.h"
#include "copies.h"
#include "functions.h"
#include "group_algorithms.h"
#include "half.h"
#include "integers.h"
#include "output.h"
#include "simd.h"

// Sources add overloads of these, as in CUDA, where all of them are in one namespace.
#define SIMT_OVERLOADED_MATHEMATICS(X)                                                           \
    X(abs) X(fabs) X(fabsf) X(fmin) X(fminf) X(fmax) X(fmaxf) X(fmod) X(fmodf) X(floor)          \
    X(floorf) X(ceil) X(ceilf) X(round) X(roundf) X(trunc) X(truncf) X(rint) X(rintf) X(sqrt)    \
    X(sqrtf) X(exp) X(expf) X(exp2) X(exp2f) X(log) X(logf) X(log2) X(log2f) X(log10) X(log10f)  \
    X(pow) X(powf) X(sin) X(sinf) X(cos) X(cosf) X(tan) X(tanf) X(asin) X(asinf) X(acos)         \
    X(acosf) X(atan) X(atanf) X(atan2) X(atan2f) X(tanh) X(tanhf) X(isnan) X(isinf)
namespace {
#define SIMT_OVERLOADED(name) using ::name;
SIMT_OVERLOADED_MATHEMATICS(SIMT_OVERLOADED)
#undef SIMT_OVERLOADED
using ::max;
using ::min;
#define SIMT_OVERLOADED(name, T, U)                                              \
    using ::make_##name##1; using ::make_##name##2; using ::make_##name##3;      \
    using ::make_##name##4;
SIMT_VECTORS(SIMT_OVERLOADED)
#undef SIMT_OVERLOADED
}  // namespace

#define __CUDACC__ 1
#define __CUDA_ARCH__ 800
#define CUDART_VERSION 12000
