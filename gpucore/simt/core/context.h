// A context is the point at which a fiber stopped; switching to it goes on from there.
//
// On x86-64 and aarch64 a hand-written function saves the registers that a call preserves and
// changes the stack: a few nanoseconds.  Elsewhere, or with -DSIMT_UCONTEXT, it is swapcontext,
// which also saves the signal mask and costs a system call.  In WebAssembly it is Asyncify.
#pragma once

#include <cstddef>

#if defined(__wasm__)
#include "../wasm/context.h"
#else

#if !defined(SIMT_UCONTEXT) && !defined(__x86_64__) && !defined(__aarch64__)
#define SIMT_UCONTEXT
#endif
#if defined(SIMT_UCONTEXT)
#include <ucontext.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define SIMT_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SIMT_ASAN 1
#endif
#endif

namespace simt {

struct Context {
#if defined(SIMT_UCONTEXT)
    ucontext_t state;
#else
    void* stack_pointer = nullptr;
#endif
#if defined(SIMT_ASAN)
    // AddressSanitizer needs to know which stack is in use.
    const void* bottom = nullptr;
    std::size_t size = 0;
    void* fake_stack = nullptr;
#endif
};

// Makes a context that starts `entry` on the stack [low, low + size); `entry` never returns.
void prepare_context(Context& context, char* low, std::size_t size, void (*entry)());

// Stops here, goes on at `to`; returns when someone switches back to `from`.
#if !defined(SIMT_UCONTEXT)
extern "C" void simt_switch_stack(void** save, void* load);
#endif

#if defined(SIMT_UCONTEXT) || defined(SIMT_ASAN)
void switch_context(Context& from, Context& to);
#else
inline void switch_context(Context& from, Context& to)
{
    simt_switch_stack(&from.stack_pointer, to.stack_pointer);
}
#endif

// The first thing a new fiber does.
void context_started();

}  // namespace simt

#endif
