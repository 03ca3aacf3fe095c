#include "context.h"

#include <cstdint>
#include <cstring>

#include "../core/api.h"
#include "../core/stacks.h"
#include "crash.h"

#define ASYNCIFY(name) extern "C" __attribute__((import_module("asyncify"), import_name(#name)))

ASYNCIFY(start_unwind) void asyncify_start_unwind(simt::Context* context);
ASYNCIFY(stop_unwind) void asyncify_stop_unwind();
ASYNCIFY(start_rewind) void asyncify_start_rewind(simt::Context* context);
ASYNCIFY(stop_rewind) void asyncify_stop_rewind();

// The compiler's stack of what has an address; C++ has no name for its pointer.
extern "C" char* simt_stack_pointer();
extern "C" void simt_set_stack_pointer(char* to);
asm(".globaltype __stack_pointer, i32\n"
    ".globl simt_stack_pointer\n"
    ".type simt_stack_pointer,@function\n"
    "simt_stack_pointer:\n"
    "    .functype simt_stack_pointer () -> (i32)\n"
    "    global.get __stack_pointer\n"
    "    end_function\n"
    ".globl simt_set_stack_pointer\n"
    ".type simt_set_stack_pointer,@function\n"
    "simt_set_stack_pointer:\n"
    "    .functype simt_set_stack_pointer (i32) -> ()\n"
    "    local.get 0\n"
    "    global.set __stack_pointer\n"
    "    end_function\n");

namespace simt {

// Between a lane's buffer, which grows upwards, and its stack, which grows down to it.
static constexpr std::size_t canary_bytes = 64;
static constexpr unsigned char canary = 0xa5;

static Context* running = nullptr;      // the lane's context; null on the main context
static Context* next = nullptr;         // the context that goes on next
static bool rewinding = false;
static const Context* overflowed = nullptr;   // its stack or its buffer
static char nowhere[Stacks::guard_bytes];   // takes the frames of lanes that never go on

static char* aligned(char* address)
{
    return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(address) & ~std::uintptr_t(15));
}

void prepare_context(Context& context, char* low, std::size_t size, void (*entry)())
{
    // The buffers are staggered as the stacks are; see core/stacks.cpp.
    context.begin = aligned(low - Stacks::guard_bytes + (Stacks::stack_bytes - size));
    context.end = low - canary_bytes;
    context.stack_pointer = aligned(low + size);
    context.entry = entry;
    context.started = false;
    std::memset(context.end, canary, canary_bytes);
}

// Below a stack, or below address 0 and so at the other end of memory.
static bool outside(const char* stack_pointer, const Context& context)
{
    const char* const low = context.end + canary_bytes;
    return std::size_t(stack_pointer - low) > Stacks::stack_bytes;
}

static bool intact(const Context& context)
{
    if (outside(context.stack_pointer, context)) return false;
    static_assert(canary_bytes % sizeof(std::uint64_t) == 0, "compared word by word");
    std::uint64_t expected, found;
    std::memset(&expected, canary, sizeof expected);
    for (std::size_t at = 0; at < canary_bytes; at += sizeof found) {
        std::memcpy(&found, context.end + at, sizeof found);
        if (found != expected) return false;
    }
    return true;
}

// From the main context, until something switches back to it.
__attribute__((noinline)) static void run_lanes(const Context& main)
{
    char* const stack_pointer = simt_stack_pointer();
    while (next != &main) {
        running = next;
        simt_set_stack_pointer(running->stack_pointer);
        if (running->started) {
            rewinding = true;
            asyncify_start_rewind(running);
        }
        running->started = true;
        running->entry();
        if (!intact(*running)) {
            overflowed = running;
            __builtin_trap();
        }
        asyncify_stop_unwind();
    }
    running = nullptr;
    simt_set_stack_pointer(stack_pointer);
}

// Comes twice: to unwind, and again at the end of rewinding.
__attribute__((noinline)) static void leave(Context& from)
{
    if (rewinding) {
        rewinding = false;
        asyncify_stop_rewind();
        return;
    }
    from.stack_pointer = simt_stack_pointer();
    from.next = from.begin != nullptr ? from.begin : nowhere;
    if (from.begin == nullptr) from.end = nowhere + sizeof nowhere;
    asyncify_start_unwind(&from);
}

void switch_context(Context& from, Context& to)
{
    if (!rewinding) next = &to;
    if (running == nullptr) run_lanes(from);
    else leave(from);
}

}  // namespace simt

// Here and not in crash.cpp: Asyncify leaves a function alone that ends a switch, and would skip
// any other as long as a lane is half unwound.
SIMT_API void simt_crash(const char* what, char* error, int error_bytes)
{
    using namespace simt;
    alignas(16) static char stack[16 << 10];
    if (running != nullptr && outside(simt_stack_pointer(), *running)) overflowed = running;
    simt_set_stack_pointer(stack + sizeof stack);
    if (rewinding) asyncify_stop_rewind();
    if (overflowed != nullptr) {
        running->next = running->begin;   // else it refuses
        asyncify_stop_unwind();
    }
    report_crash(what, overflowed, error, error_bytes);
}
