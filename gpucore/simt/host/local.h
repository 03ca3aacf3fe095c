// Local arrays of a watched source; gpucore/watching/source/local_arrays.py writes their declarations.
#pragma once

#include <cstddef>
#include <type_traits>

#include "observe.h"

namespace simt {

// Bytes on either side of a local array that belong to nothing; a multiple of every alignment.
constexpr std::size_t local_guard = 512;

void local_declared(const void* array, std::size_t bytes, std::size_t element, const char* name,
                    bool is_written) noexcept;
void local_left() noexcept;

template <class T> struct Local {
    char before[local_guard];
    T value;
    char after[local_guard];
};

// Makes an array known while its scope lasts.
struct LocalArray {
    template <class T>
    SIMT_UNSEEN LocalArray(T& array, const char* name, bool is_written) noexcept
    {
        const void* const begin = const_cast<const void*>(static_cast<const volatile void*>(&array));
        local_declared(begin, sizeof array, sizeof(std::remove_all_extents_t<T>), name, is_written);
    }
    SIMT_UNSEEN ~LocalArray() noexcept { local_left(); }
    LocalArray(const LocalArray&) = delete;
    LocalArray& operator=(const LocalArray&) = delete;
};

}  // namespace simt
