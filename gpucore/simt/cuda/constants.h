// The constants of CUDA's math_constants.h.
#pragma once

#include <cmath>

#include "../host/builtins.h"

// X(name, single precision, double precision)
#define SIMT_CONSTANTS(X)                                                                     \
    X(INF, HUGE_VALF, HUGE_VAL) X(ZERO, 0.0f, 0.0) X(ONE, 1.0f, 1.0)                          \
    X(PI, float(M_PI), M_PI) X(PIO2, float(M_PI_2), M_PI_2) X(PIO4, float(M_PI_4), M_PI_4)    \
    X(2OVERPI, float(M_2_PI), M_2_PI) X(L2E, float(M_LOG2E), M_LOG2E)                         \
    X(L2T, 3.32192809f, 3.3219280948873623) X(LN2, float(M_LN2), M_LN2)                       \
    X(LG2, 0.301029996f, 0.3010299956639812) X(LGE, float(M_LOG10E), M_LOG10E)                \
    X(LNT, float(M_LN10), M_LN10) X(SQRT_TWO, float(M_SQRT2), M_SQRT2)                        \
    X(SQRT_HALF, float(M_SQRT1_2), M_SQRT1_2) X(THIRD, 0.333333333f, 0.3333333333333333)      \
    X(CBRT_TWO, 1.25992105f, 1.2599210498948732)

namespace {
#define SIMT_CONSTANT(name, single, twice) \
    constexpr float CUDART_##name##_F = single; constexpr double CUDART_##name = twice;
SIMT_CONSTANTS(SIMT_CONSTANT)
#undef SIMT_CONSTANT
const float CUDART_NAN_F = simt::bit_cast<float>(0x7fffffff);
const float CUDART_MIN_DENORM_F = 0x1p-149f, CUDART_MAX_NORMAL_F = 0x1.fffffep127f;
const float CUDART_NEG_ZERO_F = -0.0f, CUDART_TWO_TO_23_F = 0x1p23f;
const double CUDART_NAN = simt::bit_cast<double>(0xfff8000000000000ull);
const double CUDART_MIN_DENORM = 0x1p-1074, CUDART_MAX_NORMAL = 0x1.fffffffffffffp1023;
const double CUDART_NEG_ZERO = -0.0;
}  // namespace
