// Eight floats at a time, in the vector types of GCC and Clang.
//
// Values are passed by reference: how vectors are passed by value depends on the processor that
// code is compiled for, which differs from function to function here.
#pragma once

#if defined(__clang__) && defined(__has_builtin)
#if __has_builtin(__builtin_elementwise_fma)
#define SGD_HAS_FMA
#endif
#endif

#define SGD_INLINE __attribute__((always_inline)) inline

namespace cpu {

constexpr int kEight = 8;

using Eight = float __attribute__((vector_size(4 * kEight)));
using EightWords = int __attribute__((vector_size(4 * kEight)));
// Eight floats in memory, at any address of a float.
using EightInMemory = float __attribute__((vector_size(4 * kEight), aligned(4), may_alias));

// Where other threads write the same memory, the access is volatile: the compiler neither repeats
// nor leaves out one. What is read may be older or newer, component by component.
template <bool kRacy>
SGD_INLINE void load(Eight& to, const float* from) {
    if (kRacy)
        to = *reinterpret_cast<const volatile EightInMemory*>(from);
    else
        to = *reinterpret_cast<const EightInMemory*>(from);
}

template <bool kRacy>
SGD_INLINE void store(float* to, const Eight& from) {
    if (kRacy)
        *reinterpret_cast<volatile EightInMemory*>(to) = from;
    else
        *reinterpret_cast<EightInMemory*>(to) = from;
}

template <bool kRacy>
SGD_INLINE float load_one(const float* from) {
    return kRacy ? *static_cast<const volatile float*>(from) : *from;
}

template <bool kRacy>
SGD_INLINE void store_one(float* to, float value) {
    if (kRacy)
        *static_cast<volatile float*>(to) = value;
    else
        *to = value;
}

SGD_INLINE void fill(Eight& to, float value) {
    to = Eight{value, value, value, value, value, value, value, value};
}

// a b + c, rounded once. GCC makes one instruction of the loop where the processor has it; Clang
// would call the C library instead, which may set errno.
SGD_INLINE void multiply_add(Eight& to, const Eight& a, const Eight& b, const Eight& c) {
#if defined(SGD_HAS_FMA)
    to = __builtin_elementwise_fma(a, b, c);
#else
    const Eight left = a, right = b, addend = c;  // `to` may be one of these
    Eight sum;
    for (int i = 0; i < kEight; ++i) sum[i] = __builtin_fmaf(left[i], right[i], addend[i]);
    to = sum;
#endif
}

// Exchange neighbours: components 0 and 1, 2 and 3, ...
SGD_INLINE void exchange_neighbours(Eight& v) {
#if defined(__clang__)
    v = __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6);
#else
    v = __builtin_shuffle(v, EightWords{1, 0, 3, 2, 5, 4, 7, 6});
#endif
}

// Replace components below 0 by 0.
SGD_INLINE void raise_to_zero(Eight& v) {
    const Eight zeros = {};
    const EightWords below = v < zeros;  // -1 where it is so, else 0
    v = reinterpret_cast<Eight>(reinterpret_cast<EightWords>(v) & ~below);
}

}  // namespace cpu
