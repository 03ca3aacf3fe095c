// CUDA's functions of integers beyond those of host/builtins.h.
#pragma once

#include "vectors.h"

inline int __mulhi(int x, int y) { return int((long long)x * y >> 32); }
inline unsigned __umulhi(unsigned x, unsigned y)
{
    return unsigned((unsigned long long)x * y >> 32);
}
inline long long __mul64hi(long long x, long long y) { return (long long)((__int128)x * y >> 64); }
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}

// The lower 32 bits of the product of the lower 24 bits.
inline unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffffu) * (y & 0xffffffu); }
inline int __mul24(int x, int y)
{
    return int(unsigned(int(unsigned(x) << 8) >> 8) * unsigned(int(unsigned(y) << 8) >> 8));
}

// |x - y| + z
inline unsigned __sad(int x, int y, unsigned z)
{
    return (x < y ? unsigned(y) - unsigned(x) : unsigned(x) - unsigned(y)) + z;
}
inline unsigned __usad(unsigned x, unsigned y, unsigned z) { return (x < y ? y - x : x - y) + z; }

// Averages, rounded down and up, without an overflow.
inline int __hadd(int x, int y) { return int(((long long)x + y) >> 1); }
inline int __rhadd(int x, int y) { return int(((long long)x + y + 1) >> 1); }
inline unsigned __uhadd(unsigned x, unsigned y)
{
    return unsigned(((unsigned long long)x + y) >> 1);
}
inline unsigned __urhadd(unsigned x, unsigned y)
{
    return unsigned(((unsigned long long)x + y + 1) >> 1);
}

// Four of the eight bytes of y:x, chosen by the lower three bits of each digit of `selector`.
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector)
{
    const unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i)
        result |= unsigned(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
    return result;
}

// Shifts of high:low; "c" clamps the distance to 32, the others take it modulo 32.
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
    return unsigned(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return unsigned(((unsigned long long)high << 32 | low) >> (shift & 31));
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift)
{
    return shift < 32 ? __funnelshift_l(low, high, shift) : low;
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift)
{
    return shift < 32 ? __funnelshift_r(low, high, shift) : high;
}

namespace simt {

// The sum of four products of bytes, and c.
template <class Byte, class T> inline T dot_of_bytes(T a, T b, T c)
{
    unsigned sum = unsigned(c);
    for (int i = 0; i < 32; i += 8)
        sum += unsigned(int(Byte(unsigned(a) >> i)) * int(Byte(unsigned(b) >> i)));
    return T(sum);
}

}  // namespace simt

inline int __dp4a(int a, int b, int c) { return simt::dot_of_bytes<signed char>(a, b, c); }
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    return simt::dot_of_bytes<unsigned char>(a, b, c);
}
inline int __dp4a(char4 a, char4 b, int c)
{
    return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
