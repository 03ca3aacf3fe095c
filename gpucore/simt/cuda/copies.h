// Copies and fills by the C library's functions, which the compiler does not observe.
#pragma once

#include <cstddef>
#include <cstring>

#include "../host/observe.h"

// In the namespace of the source, where they hide the C library's; templates, so that std's are
// preferred where both are found.
namespace {
template <int = 0> SIMT_OBSERVED void* memcpy(void* to, const void* from, std::size_t bytes)
{
    if (bytes == 0) return to;
    simt::observe_access(from, bytes, simt::Access::read, SIMT_CALLED_FROM);
    simt::observe_access(to, bytes, simt::Access::write, SIMT_CALLED_FROM);
    return std::memcpy(to, from, bytes);
}

template <int = 0> SIMT_OBSERVED void* memmove(void* to, const void* from, std::size_t bytes)
{
    if (bytes == 0) return to;
    simt::observe_access(from, bytes, simt::Access::read, SIMT_CALLED_FROM);
    simt::observe_access(to, bytes, simt::Access::write, SIMT_CALLED_FROM);
    return std::memmove(to, from, bytes);
}

template <int = 0> SIMT_OBSERVED void* memset(void* to, int value, std::size_t bytes)
{
    if (bytes == 0) return to;
    simt::observe_access(to, bytes, simt::Access::write, SIMT_CALLED_FROM);
    return std::memset(to, value, bytes);
}
}  // namespace
