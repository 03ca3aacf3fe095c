// The program: its main function, how it ends, and what it asks its caller for.
#pragma once

#include <csetjmp>
#include <cstdint>
#include <cstdio>

#include "errors.h"

namespace simt::program {

// A launch, as the caller gets it; gpucore/watching/programs/calls.py mirrors these two.
struct LaunchCall {
    int kernel;                      // its number in the library
    int line;
    int cooperative, parameters;
    const char* name;
    std::uint32_t grid[3], block[3];
    std::uint64_t shared_bytes;
    void** arguments;
};

struct Calls {
    void* (*allocate)(std::uint64_t bytes, int written, int line);   // null: there is no room
    int (*release)(void* memory, int line);
    // Before a copy, or a fill if there is no source; returns an error code.
    int (*copied)(void* to, const void* from, std::uint64_t bytes, int line);
    int (*launch)(const LaunchCall* call);
    std::uint64_t (*left)();         // bytes that can be allocated
};

inline Calls calls;
inline std::jmp_buf way_out;
inline int exit_code = 0;

// In place of exit(): goes back to the caller, who has a report to write.
[[noreturn]] inline void leave(int code)
{
    exit_code = code;
    std::longjmp(way_out, 1);
}

// The program's main function in whatever form it has.
struct Main {
    static inline int (*plain)() = nullptr;
    static inline int (*usual)(int, char**) = nullptr;
    static inline int (*fixed)(int, const char**) = nullptr;
    static inline int (*whole)(int, char**, char**) = nullptr;

    explicit Main(int (*main)()) { plain = main; }
    explicit Main(int (*main)(int, char**)) { usual = main; }
    explicit Main(int (*main)(int, const char**)) { fixed = main; }
    explicit Main(int (*main)(int, char**, char**)) { whole = main; }

    static int run(int argc, char** argv)
    {
        if (plain != nullptr) return plain();
        if (fixed != nullptr) return fixed(argc, const_cast<const char**>(argv));
        return usual != nullptr ? usual(argc, argv) : whole(argc, argv, nullptr);
    }
};

}  // namespace simt::program

extern "C" __attribute__((visibility("default"))) int
simt_program(int argc, char** argv, const simt::program::Calls* given)
{
    simt::program::calls = *given;
    if (setjmp(simt::program::way_out) == 0)
        simt::program::exit_code = simt::program::Main::run(argc, argv);
    std::fflush(nullptr);
    return simt::program::exit_code;
}
