// Reductions, scans and copies by a cooperative group (cooperative_groups/reduce.h, scan.h and
// memcpy_async.h).
#pragma once

#include "groups.h"

namespace cooperative_groups {

#define SIMT_OPERATION(name, result)                                       \
    template <class T> struct name {                                       \
        T operator()(T a, T b) const { return result; }                    \
    };
SIMT_OPERATION(plus, a + b)
SIMT_OPERATION(less, b < a ? b : a)
SIMT_OPERATION(greater, a < b ? b : a)
SIMT_OPERATION(bit_and, a & b)
SIMT_OPERATION(bit_or, a | b)
SIMT_OPERATION(bit_xor, a ^ b)
#undef SIMT_OPERATION

// A butterfly; every thread gets the result.
template <class T, class F> inline T reduce(const tile_of_lanes& tile, T value, F f, SIMT_HERE)
{
    for (unsigned step = tile.size() / 2; step > 0; step /= 2)
        value = f(value, tile.shfl_xor(value, int(step), SIMT_AT));
    return value;
}

template <class T, class F = plus<T>>
inline T inclusive_scan(const tile_of_lanes& tile, T value, F f = {}, SIMT_HERE)
{
    for (unsigned step = 1; step < tile.size(); step *= 2) {
        const T before = tile.shfl_up(value, step, SIMT_AT);
        if (tile.thread_rank() >= step) value = f(before, value);
    }
    return value;
}

template <class T, class F = plus<T>>
inline T exclusive_scan(const tile_of_lanes& tile, T value, F f = {}, SIMT_HERE)
{
    const T before = tile.shfl_up(inclusive_scan(tile, value, f, SIMT_AT), 1, SIMT_AT);
    return tile.thread_rank() == 0 ? T() : before;
}

// Copies that the group's threads make at once: they end at wait() at the latest, and what they
// wrote may be read only after that.  First with the lengths of both in elements, of which the
// smaller counts, then with a length in bytes.
template <class Group, class T>
SIMT_UNSEEN void copy_by(const Group& group, T* to, const T* from, std::size_t count,
                         simt::Place place)
{
    for (std::size_t i = group.thread_rank(); i < count; i += group.size()) {
        simt::observe_access(from + i, sizeof(T), simt::Access::read, place);
        simt::plain_store(to + i, from[i], place);
    }
}
template <class Group, class T>
SIMT_OBSERVED void memcpy_async(const Group& group, T* to, std::size_t room, const T* from,
                                std::size_t count)
{
    copy_by(group, to, from, room < count ? room : count, SIMT_CALLED_FROM);
}
template <class Group, class T>
SIMT_OBSERVED void memcpy_async(const Group& group, T* to, const T* from, std::size_t bytes)
{
    copy_by(group, to, from, bytes / sizeof(T), SIMT_CALLED_FROM);
}
template <class Group> inline void wait(const Group& group, SIMT_HERE) { group.sync(SIMT_AT); }
template <unsigned, class Group> inline void wait_prior(const Group& group, SIMT_HERE)
{
    group.sync(SIMT_AT);
}

}  // namespace cooperative_groups

namespace cuda {

// A length in bytes, of memory with this alignment.
template <::std::size_t alignment> struct aligned_size_t {
    ::std::size_t value;
    explicit constexpr aligned_size_t(::std::size_t bytes) : value(bytes) {}
    constexpr operator ::std::size_t() const { return value; }
};

}  // namespace cuda
