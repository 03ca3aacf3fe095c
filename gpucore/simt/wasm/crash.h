// A crash of a kernel is a trap, which ends the instance: the caller of simt_launch catches it, asks
// simt_crash for the report and makes a new instance.
#pragma once

#include <cstddef>

namespace simt {

// There is nothing to guard against: a trap leads to the caller, and no signal comes.
struct CrashGuard {
    CrashGuard(char*, std::size_t) {}
    ~CrashGuard() {}
};

inline const void* stopped_at() { return nullptr; }
inline void forget_stop() {}

struct Context;

// Writes where the kernel was, with `what` as the cause unless the stack of a context overflowed.
void report_crash(const char* what, const Context* overflowed, char* error, int error_bytes);

}  // namespace simt
