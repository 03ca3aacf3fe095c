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

#include "vectors.h"

#include "atomic_types.h"
#include "constants.h"
#include "conversions.h"
#include "functions.h"
#include "group_algorithms.h"
#include "half.h"
#include "integers.h"
#include "output.h"

// Sources add overloads of these, as in CUDA, where all of them are in one namespace.
namespace {
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
