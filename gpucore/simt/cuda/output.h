// printf in a kernel, and assert (the headers assert.h and cassert).
#pragma once

#include "../host/observe.h"

namespace simt {

void print(const char* format, ...) __attribute__((format(printf, 1, 2)));
[[noreturn]] void assertion_failed(const char* text, const char* file, int line);

}  // namespace simt

// In the namespace of the source, where it hides the C library's.  Returns the number of arguments.
namespace {
template <class... T> SIMT_UNSEEN inline int printf(const char* format, T... values)
{
    simt::print(format, values...);
    return int(sizeof...(values));
}
}  // namespace

#include "include/assert.h"
