// printf and assert (the headers assert.h and cassert), in a kernel and in host code around it.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "../host/observe.h"
#include "../host/view.h"

namespace simt {

void print(const char* format, ...) __attribute__((format(printf, 1, 2)));
[[noreturn]] void assertion_failed(const char* text, const char* file, int line);

[[noreturn]] SIMT_UNSEEN inline void assertion_failed_here(const char* text, const char* file, int line)
{
    if (current != nullptr) assertion_failed(text, file, line);
    std::fprintf(stderr, "%s:%d: the assertion `%s` failed\n", file, line, text);
    std::abort();
}

}  // namespace simt

// In the namespace of the source, where it hides the C library's.  Returns the number of arguments.
namespace {
template <class... T> SIMT_UNSEEN inline int printf(const char* format, T... values)
{
    if (simt::current == nullptr) return std::printf(format, values...);
    simt::print(format, values...);
    return int(sizeof...(values));
}
}  // namespace

#include "include/assert.h"
