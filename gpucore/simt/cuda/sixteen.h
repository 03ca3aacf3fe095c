// A floating-point number of 16 bits and a pair of them, with CUDA's operators and functions.
//
// Sums, products and quotients are computed with 53 bits and rounded once more, which gives the
// same bits as one rounding, since 53 is more than twice 11 and 2 (Figueroa 1995).
#pragma once

#include "atomics.h"
#include "functions.h"
#include "sixteen_bits.h"
#include "words.h"

#define SIMT_SHUFFLES(T)                                                                        \
    SIMT_SHUFFLE(T, __shfl_sync, int) SIMT_SHUFFLE(T, __shfl_up_sync, unsigned)                 \
    SIMT_SHUFFLE(T, __shfl_down_sync, unsigned) SIMT_SHUFFLE(T, __shfl_xor_sync, int)
#define SIMT_SHUFFLE(T, name, Distance)                                                         \
    friend T name(unsigned mask, T value, Distance distance, int width = 32, SIMT_HERE)         \
    {                                                                                           \
        return by_words(value, [&](unsigned word) {                                             \
            return ::name(mask, word, distance, width, SIMT_AT);                                \
        });                                                                                     \
    }

// X(operator, function): arithmetic and comparisons
#define SIMT_FOUR(X) X(+, add) X(-, sub) X(*, mul) X(/, div)
#define SIMT_COMPARISONS(X) X(==, eq) X(<, lt) X(<=, le) X(>, gt) X(>=, ge)
// X(function, its result for a double x)
#define SIMT_MATHEMATICS(X)                                                                     \
    X(sqrt, std::sqrt(x)) X(rsqrt, 1 / std::sqrt(x)) X(rcp, 1 / x) X(exp, std::exp(x))          \
    X(exp2, std::exp2(x)) X(exp10, std::pow(10.0, x)) X(log, std::log(x)) X(log2, std::log2(x)) \
    X(log10, std::log10(x)) X(sin, std::sin(x)) X(cos, std::cos(x)) X(tanh, std::tanh(x))       \
    X(floor, std::floor(x)) X(ceil, std::ceil(x)) X(trunc, std::trunc(x))                       \
    X(rint, std::nearbyint(x))

namespace simt {

template <int mantissa, int bias> struct Sixteen {
    unsigned short bits;

    Sixteen() = default;
    template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
    Sixteen(T value, int direction = FE_TONEAREST)
        : bits(encode<mantissa, bias>(double(value), direction)) {}
    // Called for an element of an array, it reads memory.
    SIMT_OBSERVED operator float() const
    {
        return plain_load(this, SIMT_CALLED_FROM).real();
    }
    float real() const { return decode<mantissa, bias>(bits); }
    static Sixteen of(unsigned short bits) { Sixteen made; made.bits = bits; return made; }

#define SIMT_OPERATOR(symbol, name)                                                             \
    friend Sixteen operator symbol(Sixteen a, Sixteen b)                                        \
    {                                                                                           \
        return double(a.real()) symbol double(b.real());                                        \
    }                                                                                           \
    friend Sixteen __h##name(Sixteen a, Sixteen b) { return a symbol b; }                       \
    friend Sixteen __h##name##_rn(Sixteen a, Sixteen b) { return a symbol b; }                  \
    friend Sixteen __h##name##_sat(Sixteen a, Sixteen b)                                        \
    {                                                                                           \
        return __saturatef((a symbol b).real());                                                \
    }                                                                                           \
    SIMT_OBSERVED friend Sixteen& operator symbol##=(Sixteen& a, Sixteen b)                     \
    {                                                                                           \
        plain_store(&a, plain_load(&a, SIMT_CALLED_FROM) symbol b, SIMT_CALLED_FROM);           \
        return a;                                                                               \
    }
    SIMT_FOUR(SIMT_OPERATOR)
#undef SIMT_OPERATOR
    friend Sixteen operator-(Sixteen a) { return -a.real(); }   // of NaN: NaN
    friend Sixteen operator+(Sixteen a) { return a; }
    SIMT_UNSEEN static Sixteen step(Sixteen& a, Sixteen by, Place place)
    {
        const Sixteen old = plain_load(&a, place);
        plain_store(&a, old + by, place);
        return old;
    }
#define SIMT_OPERATOR(symbol, by)                                                               \
    SIMT_OBSERVED friend Sixteen operator symbol(Sixteen& a, int)                               \
    {                                                                                           \
        return step(a, by, SIMT_CALLED_FROM);                                                   \
    }                                                                                           \
    SIMT_OBSERVED friend Sixteen& operator symbol(Sixteen& a)                                   \
    {                                                                                           \
        step(a, by, SIMT_CALLED_FROM);                                                          \
        return a;                                                                               \
    }
    SIMT_OPERATOR(++, 1)
    SIMT_OPERATOR(--, -1)
#undef SIMT_OPERATOR
    friend Sixteen __hneg(Sixteen a) { return -a; }
    friend Sixteen __habs(Sixteen a) { return of(a.bits & 0x7fff); }
    friend Sixteen __hfma(Sixteen a, Sixteen b, Sixteen c)
    {
        return odd_sum(double(a.real()) * double(b.real()), c.real());
    }
    friend Sixteen __hfma_sat(Sixteen a, Sixteen b, Sixteen c)
    {
        return __saturatef(__hfma(a, b, c).real());
    }
    friend Sixteen __hfma_relu(Sixteen a, Sixteen b, Sixteen c)
    {
        return __hmax_nan(__hfma(a, b, c), Sixteen(0));
    }
    friend Sixteen __hmax_nan(Sixteen a, Sixteen b)
    {
        return __hisnan(a) || __hisnan(b) ? Sixteen(NAN) : __hmax(a, b);
    }
    friend Sixteen __hmin_nan(Sixteen a, Sixteen b)
    {
        return __hisnan(a) || __hisnan(b) ? Sixteen(NAN) : __hmin(a, b);
    }
    friend Sixteen __hmax(Sixteen a, Sixteen b) { return std::fmax(a.real(), b.real()); }
    friend Sixteen __hmin(Sixteen a, Sixteen b) { return std::fmin(a.real(), b.real()); }
    friend bool __hisnan(Sixteen a) { return std::isnan(a.real()); }
    friend int __hisinf(Sixteen a) { return std::isinf(a.real()) ? a.bits & 0x8000 ? -1 : 1 : 0; }

    // With a u at its end a comparison is true if one of the numbers is NaN.
#define SIMT_OPERATOR(symbol, name)                                                             \
    friend bool operator symbol(Sixteen a, Sixteen b) { return a.real() symbol b.real(); }      \
    friend bool __h##name(Sixteen a, Sixteen b) { return a.real() symbol b.real(); }            \
    friend bool __h##name##u(Sixteen a, Sixteen b)                                              \
    {                                                                                           \
        return __hisnan(a) || __hisnan(b) || a.real() symbol b.real();                          \
    }
    SIMT_COMPARISONS(SIMT_OPERATOR)
#undef SIMT_OPERATOR
    friend bool operator!=(Sixteen a, Sixteen b) { return !(a == b); }
    friend bool __hne(Sixteen a, Sixteen b) { return a < b || b < a; }
    friend bool __hneu(Sixteen a, Sixteen b) { return !(a == b); }

#define SIMT_FUNCTION(name, result) \
    friend Sixteen h##name(Sixteen a) { const double x = a.real(); return result; }
    SIMT_MATHEMATICS(SIMT_FUNCTION)
#undef SIMT_FUNCTION
    SIMT_SHUFFLES(Sixteen)

    SIMT_OBSERVED friend Sixteen atomicAdd(Sixteen* address, Sixteen value)
    {
        return update(address, [=](Sixteen old) { return old + value; }, SIMT_CALLED_FROM);
    }
};

template <class T> struct alignas(4) PairOf {
    T x, y;

    PairOf() = default;
    PairOf(T x, T y) : x(x), y(y) {}

#define SIMT_OPERATOR(symbol, name)                                                             \
    friend PairOf operator symbol(PairOf a, PairOf b) { return {a.x symbol b.x, a.y symbol b.y}; } \
    friend PairOf __h##name##2(PairOf a, PairOf b) { return a symbol b; }                       \
    friend PairOf __h##name##2_rn(PairOf a, PairOf b) { return a symbol b; }                    \
    friend PairOf __h##name##2_sat(PairOf a, PairOf b)                                          \
    {                                                                                           \
        return {__h##name##_sat(a.x, b.x), __h##name##_sat(a.y, b.y)};                          \
    }                                                                                           \
    SIMT_OBSERVED friend PairOf& operator symbol##=(PairOf& a, PairOf b)                        \
    {                                                                                           \
        plain_store(&a, plain_load(&a, SIMT_CALLED_FROM) symbol b, SIMT_CALLED_FROM);           \
        return a;                                                                               \
    }
    SIMT_FOUR(SIMT_OPERATOR)
#undef SIMT_OPERATOR
    friend PairOf __h2div(PairOf a, PairOf b) { return a / b; }
    friend PairOf operator-(PairOf a) { return {-a.x, -a.y}; }
    friend PairOf __hneg2(PairOf a) { return -a; }
    friend PairOf __habs2(PairOf a) { return {__habs(a.x), __habs(a.y)}; }
    friend PairOf __hfma2(PairOf a, PairOf b, PairOf c)
    {
        return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
    }
    friend PairOf __hfma2_relu(PairOf a, PairOf b, PairOf c)
    {
        return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)};
    }
    friend PairOf __hisnan2(PairOf a) { return {__hisnan(a.x), __hisnan(a.y)}; }
    friend PairOf __hmax2(PairOf a, PairOf b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
    friend PairOf __hmin2(PairOf a, PairOf b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }

    // One and zero for true and false; with a b in its name: whether both are.
#define SIMT_OPERATOR(symbol, name)                                                             \
    friend PairOf __h##name##2(PairOf a, PairOf b) { return {a.x symbol b.x, a.y symbol b.y}; } \
    friend bool __hb##name##2(PairOf a, PairOf b) { return a.x symbol b.x && a.y symbol b.y; }
    SIMT_COMPARISONS(SIMT_OPERATOR)
#undef SIMT_OPERATOR
    friend PairOf __hne2(PairOf a, PairOf b) { return {__hne(a.x, b.x), __hne(a.y, b.y)}; }
    friend bool __hbne2(PairOf a, PairOf b) { return __hne(a.x, b.x) && __hne(a.y, b.y); }
    friend bool operator==(PairOf a, PairOf b) { return __hbeq2(a, b); }
    friend bool operator!=(PairOf a, PairOf b) { return !__hbeq2(a, b); }

#define SIMT_FUNCTION(name, result) \
    friend PairOf h2##name(PairOf a) { return {h##name(a.x), h##name(a.y)}; }
    SIMT_MATHEMATICS(SIMT_FUNCTION)
#undef SIMT_FUNCTION
    SIMT_SHUFFLES(PairOf)

    // Each half by itself is atomic; here both are at once.
    SIMT_OBSERVED friend PairOf atomicAdd(PairOf* address, PairOf value)
    {
        return update(address, [=](PairOf old) { return old + value; }, SIMT_CALLED_FROM);
    }
};

}  // namespace simt

#undef SIMT_SHUFFLE
#undef SIMT_SHUFFLES
#undef SIMT_MATHEMATICS
#undef SIMT_COMPARISONS
#undef SIMT_FOUR
