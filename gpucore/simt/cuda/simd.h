// Two numbers of 16 bits, or four of 8, in one word: functions of each by itself.
#pragma once

namespace simt {

template <class Part, class F> inline unsigned part_by_part(unsigned a, unsigned b, F f)
{
    constexpr int bits = 8 * sizeof(Part);
    unsigned result = 0;
    for (int at = 0; at < 32; at += bits)
        result |= ((unsigned)f(int(Part(a >> at)), int(Part(b >> at))) & ((1u << bits) - 1)) << at;
    return result;
}

template <class Part> inline int saturated(int value)
{
    constexpr int most = Part(-1) < 0 ? (1 << (8 * sizeof(Part) - 1)) - 1
                                      : (1 << 8 * sizeof(Part)) - 1;
    constexpr int least = Part(-1) < 0 ? -most - 1 : 0;
    return value < least ? least : value > most ? most : value;
}

}  // namespace simt

#define SIMT_SIMD(name, Part, result)                                                          \
    inline unsigned name(unsigned a, unsigned b)                                               \
    {                                                                                          \
        return simt::part_by_part<Part>(a, b, [](int x, int y) { (void)y; return result; });   \
    }
#define SIMT_COMPARISON(name, parts, Part, test)                                               \
    SIMT_SIMD(__vcmp##name##parts, Part, test ? -1 : 0)                                        \
    SIMT_SIMD(__vset##name##parts, Part, test)
#define SIMT_BOTH(s, parts, Part)                                                              \
    SIMT_SIMD(__vmax##s##parts, Part, x < y ? y : x)                                           \
    SIMT_SIMD(__vmin##s##parts, Part, x < y ? x : y)                                           \
    SIMT_SIMD(__vabsdiff##s##parts, Part, x < y ? y - x : x - y)                               \
    SIMT_COMPARISON(lt##s, parts, Part, x < y) SIMT_COMPARISON(le##s, parts, Part, x <= y)     \
    SIMT_COMPARISON(gt##s, parts, Part, x > y) SIMT_COMPARISON(ge##s, parts, Part, x >= y)     \
    inline unsigned __vsad##s##parts(unsigned a, unsigned b)                                   \
    {                                                                                          \
        unsigned sum = 0;                                                                      \
        simt::part_by_part<Part>(a, b, [&](int x, int y) {                                     \
            sum += unsigned(x < y ? y - x : x - y);                                            \
            return 0;                                                                          \
        });                                                                                    \
        return sum;                                                                            \
    }
#define SIMT_PARTS(parts, Signed, Unsigned)                                                    \
    SIMT_BOTH(s, parts, Signed) SIMT_BOTH(u, parts, Unsigned)                                  \
    SIMT_COMPARISON(eq, parts, Unsigned, x == y) SIMT_COMPARISON(ne, parts, Unsigned, x != y)  \
    SIMT_SIMD(__vadd##parts, Unsigned, x + y) SIMT_SIMD(__vsub##parts, Unsigned, x - y)        \
    SIMT_SIMD(__vaddss##parts, Signed, simt::saturated<Signed>(x + y))                         \
    SIMT_SIMD(__vaddus##parts, Unsigned, simt::saturated<Unsigned>(x + y))                     \
    SIMT_SIMD(__vsubss##parts, Signed, simt::saturated<Signed>(x - y))                         \
    SIMT_SIMD(__vsubus##parts, Unsigned, simt::saturated<Unsigned>(x - y))                     \
    SIMT_SIMD(__vavgu##parts, Unsigned, (x + y + 1) >> 1)                                      \
    SIMT_SIMD(__vhaddu##parts, Unsigned, (x + y) >> 1)                                         \
    inline unsigned __vneg##parts(unsigned a) { return __vsub##parts(0, a); }                  \
    inline unsigned __vabs##parts(unsigned a)                                                  \
    {                                                                                          \
        return simt::part_by_part<Signed>(a, 0, [](int x, int) { return x < 0 ? -x : x; });    \
    }
SIMT_PARTS(2, short, unsigned short)
SIMT_PARTS(4, signed char, unsigned char)
#undef SIMT_PARTS
#undef SIMT_BOTH
#undef SIMT_COMPARISON
#undef SIMT_SIMD
