// Floating-point numbers of 16 bits as bits: to them with the wanted rounding, and back.
#pragma once

#include <algorithm>

#include "conversions.h"

namespace simt {

// With so many bits of mantissa, and an exponent with this bias.
template <int mantissa, int bias> unsigned short encode(double value, int direction = FE_TONEAREST)
{
    constexpr unsigned infinity = unsigned(2 * bias + 1) << mantissa;
    const unsigned sign = std::signbit(value) ? 0x8000u : 0;
    if (value != value) return 0x7fff;
    if (std::isinf(value)) return static_cast<unsigned short>(sign | infinity);
    const double size = std::fabs(value);
    const int exponent = std::max(std::ilogb(size), 1 - bias);   // the same for all subnormal ones
    const double scaled = std::ldexp(size, mantissa - exponent);
    const bool away = direction == (sign != 0 ? FE_DOWNWARD : FE_UPWARD);
    const double whole = direction == FE_TONEAREST ? std::nearbyint(scaled)
                         : away                    ? std::ceil(scaled)
                                                   : std::floor(scaled);
    // A mantissa that is rounded up to the next power of two carries into the exponent.
    const long long code = (long long)whole + ((exponent + bias - 1ll) << mantissa);
    if (code < infinity) return static_cast<unsigned short>(sign | unsigned(code));
    const bool stays = direction != FE_TONEAREST && !away;
    return static_cast<unsigned short>(sign | (stays ? infinity - 1 : infinity));
}

template <int mantissa, int bias> float decode(unsigned short code)
{
    const int exponent = code >> mantissa & (2 * bias + 1);
    const int fraction = code & ((1 << mantissa) - 1);
    const float size = exponent == 2 * bias + 1 ? (fraction != 0 ? NAN : INFINITY)
                       : exponent == 0
                           ? std::ldexp(float(fraction), 1 - bias - mantissa)
                           : std::ldexp(float(fraction + (1 << mantissa)),
                                        exponent - bias - mantissa);
    return code & 0x8000 ? -size : size;
}

// a + b, where an inexact sum gets an odd last bit.  Rounding it to fewer bits then gives what
// rounding the exact sum would: 53 bits alone could hide on which side of a tie it lies.
inline double odd_sum(double a, double b)
{
    const double sum = a + b;
    if (!std::isfinite(sum)) return sum;
    const double part = sum - a, error = (a - (sum - part)) + (b - part);
    const unsigned long long bits = bit_cast<unsigned long long>(sum);
    if (error == 0 || (bits & 1) != 0) return sum;
    return bit_cast<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

}  // namespace simt
