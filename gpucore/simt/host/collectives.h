// Warp collectives under CUDA's names.  A lane brings its value to core/warp.cpp and waits there
// until every live lane of the mask has brought one to the same call.
//
// Shuffles follow the PTX definition of `shfl.sync` to the letter (PTX ISA, "shfl.sync"): the lane
// offset counts modulo 32, and a butterfly may read from an earlier segment but not a later one.
#pragma once

#include <cstring>
#include <type_traits>

#include "calls.h"
#include "view.h"

namespace simt {

// Brings `value` to the lanes of `mask` and returns this lane's result once all of them are there.
// For a shuffle, `source` is the lane to read from.
unsigned long long meet(Call call, unsigned mask, unsigned long long value, unsigned source,
                        const char* file, int line);

// Strict mode refuses a width that is no power of two up to 32.
void check_width(int width, const char* file, int line);

template <class T> inline unsigned long long to_bits(T value)
{
    static_assert(std::is_arithmetic<T>::value && sizeof(T) <= 8,
                  "a collective takes a number of at most 64 bits");
    unsigned long long bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}

template <class T> inline T from_bits(unsigned long long bits)
{
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// First lane of the caller's segment of `width` lanes, and the last.
inline unsigned segment_first(int width) { return current->id & ~(unsigned(width) - 1); }
inline unsigned segment_last(int width) { return current->id | (unsigned(width) - 1); }

template <class T>
inline T shuffle(Call call, unsigned mask, T value, unsigned source, int width, const char* file,
                 int line)
{
    if (__builtin_expect(width != 32, 0)) check_width(width, file, line);
    return from_bits<T>(meet(call, mask, to_bits(value), source, file, line));
}

}  // namespace simt

inline void __syncwarp(unsigned mask = 0xffffffffu, SIMT_HERE)
{
    simt::meet(simt::Call::syncwarp, mask, 0, 0, SIMT_AT);
}

inline unsigned __ballot_sync(unsigned mask, int predicate, SIMT_HERE)
{
    return unsigned(simt::meet(simt::Call::ballot, mask, predicate != 0, 0, SIMT_AT));
}

inline int __any_sync(unsigned mask, int predicate, SIMT_HERE)
{
    return int(simt::meet(simt::Call::any, mask, predicate != 0, 0, SIMT_AT));
}

inline int __all_sync(unsigned mask, int predicate, SIMT_HERE)
{
    return int(simt::meet(simt::Call::all, mask, predicate != 0, 0, SIMT_AT));
}

// No promise of convergence is made: a lane knows only of itself.
inline unsigned __activemask() { return 1u << simt::current->id; }

template <class T> inline unsigned __match_any_sync(unsigned mask, T value, SIMT_HERE)
{
    return unsigned(simt::meet(simt::Call::match_any, mask, simt::to_bits(value), 0, SIMT_AT));
}

template <class T>
inline unsigned __match_all_sync(unsigned mask, T value, int* equal, SIMT_HERE)
{
    const unsigned lanes =
        unsigned(simt::meet(simt::Call::match_all, mask, simt::to_bits(value), 0, SIMT_AT));
    *equal = lanes != 0;
    return lanes;
}

template <class T>
inline T __shfl_sync(unsigned mask, T value, int source, int width = 32, SIMT_HERE)
{
    const unsigned within = unsigned(source) & (unsigned(width) - 1);
    return simt::shuffle(simt::Call::shuffle, mask, value, simt::segment_first(width) | within,
                         width, SIMT_AT);
}

template <class T>
inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, SIMT_HERE)
{
    const unsigned lane = simt::current->id, d = delta & 31;
    const unsigned source = lane >= simt::segment_first(width) + d ? lane - d : lane;
    return simt::shuffle(simt::Call::shuffle_up, mask, value, source, width, SIMT_AT);
}

template <class T>
inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, SIMT_HERE)
{
    const unsigned lane = simt::current->id, d = delta & 31;
    const unsigned source = lane + d <= simt::segment_last(width) ? lane + d : lane;
    return simt::shuffle(simt::Call::shuffle_down, mask, value, source, width, SIMT_AT);
}

template <class T>
inline T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32, SIMT_HERE)
{
    const unsigned lane = simt::current->id, other = lane ^ (unsigned(lane_mask) & 31);
    const unsigned source = other <= simt::segment_last(width) ? other : lane;
    return simt::shuffle(simt::Call::shuffle_xor, mask, value, source, width, SIMT_AT);
}

#define SIMT_REDUCE(name, T, call)                                                       \
    inline T name(unsigned mask, T value, SIMT_HERE)                                     \
    {                                                                                    \
        return T(simt::meet(simt::Call::call, mask, unsigned(value), 0, SIMT_AT));       \
    }
SIMT_REDUCE(__reduce_add_sync, int, reduce_add)
SIMT_REDUCE(__reduce_add_sync, unsigned, reduce_add)
SIMT_REDUCE(__reduce_min_sync, int, reduce_min_int)
SIMT_REDUCE(__reduce_min_sync, unsigned, reduce_min_unsigned)
SIMT_REDUCE(__reduce_max_sync, int, reduce_max_int)
SIMT_REDUCE(__reduce_max_sync, unsigned, reduce_max_unsigned)
SIMT_REDUCE(__reduce_and_sync, unsigned, reduce_and)
SIMT_REDUCE(__reduce_or_sync, unsigned, reduce_or)
SIMT_REDUCE(__reduce_xor_sync, unsigned, reduce_xor)
#undef SIMT_REDUCE
