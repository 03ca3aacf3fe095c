// Turns a crash of a kernel into a report, and tears off a lane that spins for ever.
#pragma once

#if defined(__wasm__)
#include "../wasm/crash.h"
#else

#include <signal.h>

#include <cfenv>
#include <cstddef>

#include "threads.h"

namespace simt {

// While one is alive, SIGSEGV, SIGBUS, SIGFPE and the interrupt signal of lanes on this OS thread
// lead back to the worker's stack.  Signals from elsewhere go to whoever handled them before.
// A lane that is torn off may have set another rounding, which ends with the guard.
class CrashGuard {
public:
    // The handlers run on the given stack.
    CrashGuard(char* stack, std::size_t size);
    ~CrashGuard();
    CrashGuard(const CrashGuard&) = delete;
    CrashGuard& operator=(const CrashGuard&) = delete;

private:
    stack_t previous_;
    int rounding_ = std::fegetround();
};

// Where in the code the last launch of this OS thread was ended by a signal; null if it was not.
const void* stopped_at();
void forget_stop();

// Makes another OS thread look whether the lane on it has to be torn off.
void send_interrupt(Thread thread);

}  // namespace simt

#endif
