// In an instrumented build the functions of this folder report their accesses to a kernel's memory
// themselves: instrumented by the compiler, the accesses would count for a line of a header.
#pragma once

#include <cstddef>

#include "place.h"

namespace simt {

// Racy: by simt_load and simt_store, which other threads race with on purpose.
enum class Access { read, write, volatile_read, volatile_write, racy_read, racy_write };

#if defined(SIMT_INSTRUMENT)
void observe_access(const void* address, std::size_t size, Access access, Place place);
#else
inline void observe_access(const void*, std::size_t, Access, Place) {}
#endif

}  // namespace simt

//   SIMT_OBSERVED   a function that calls observe_access: not inlined, so that it knows where it
//                   was called from, and left alone by the compiler
//   SIMT_UNSEEN     a function whose accesses are none of the kernel's
//   SIMT_APART      a kernel is not inlined into what calls it, whose lines are not the kernel's
#if defined(SIMT_INSTRUMENT)
#if defined(__clang__)
#define SIMT_UNSEEN __attribute__((no_sanitize("thread"), no_sanitize("coverage")))
#elif __has_attribute(no_sanitize_coverage)
#define SIMT_UNSEEN __attribute__((no_sanitize("thread"), no_sanitize_coverage))
#else
#define SIMT_UNSEEN __attribute__((no_sanitize("thread")))
#endif
#define SIMT_OBSERVED SIMT_UNSEEN __attribute__((noinline))
#define SIMT_APART __attribute__((noinline))
#else
#define SIMT_UNSEEN
#define SIMT_OBSERVED inline
#define SIMT_APART
#endif
