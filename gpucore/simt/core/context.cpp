#include "context.h"

#include <cstdint>

#if defined(SIMT_ASAN)
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace simt {

#if defined(SIMT_UCONTEXT)

static void prepare(Context& context, char* low, std::size_t size, void (*entry)())
{
    getcontext(&context.state);
    context.state.uc_stack.ss_sp = low;
    context.state.uc_stack.ss_size = size;
    context.state.uc_link = nullptr;
    makecontext(&context.state, entry, 0);
}

#else

#if defined(__APPLE__)
#define SIMT_SYMBOL "_simt_switch_stack"
#define SIMT_HIDE ".private_extern _simt_switch_stack\n"
#else
#define SIMT_SYMBOL "simt_switch_stack"
#define SIMT_HIDE ".hidden simt_switch_stack\n"
#endif

// It ends in `ret` on purpose: a jump would leave the processor's prediction of return addresses
// one entry off, and every later return would be mispredicted.
#if defined(__x86_64__)
constexpr int saved_words = 7;    // r15 r14 r13 r12 rbx rbp, return address
constexpr int entry_word = 6;
asm(".text\n"
    ".globl " SIMT_SYMBOL "\n" SIMT_HIDE
    ".p2align 4\n" SIMT_SYMBOL ":\n"
    "    pushq %rbp\n"
    "    pushq %rbx\n"
    "    pushq %r12\n"
    "    pushq %r13\n"
    "    pushq %r14\n"
    "    pushq %r15\n"
    "    movq %rsp, (%rdi)\n"
    "    movq %rsi, %rsp\n"
    "    popq %r15\n"
    "    popq %r14\n"
    "    popq %r13\n"
    "    popq %r12\n"
    "    popq %rbx\n"
    "    popq %rbp\n"
    "    ret\n");
// A function starts with its stack 8 bytes off a multiple of 16: the call pushed an address.
constexpr int padding_words = 1;
#else
constexpr int saved_words = 20;   // x19-x30, d8-d15
constexpr int entry_word = 11;    // x30, the link register
asm(".text\n"
    ".globl " SIMT_SYMBOL "\n" SIMT_HIDE
    ".p2align 4\n" SIMT_SYMBOL ":\n"
    "    sub sp, sp, #160\n"
    "    stp x19, x20, [sp]\n"
    "    stp x21, x22, [sp, #16]\n"
    "    stp x23, x24, [sp, #32]\n"
    "    stp x25, x26, [sp, #48]\n"
    "    stp x27, x28, [sp, #64]\n"
    "    stp x29, x30, [sp, #80]\n"
    "    stp d8, d9, [sp, #96]\n"
    "    stp d10, d11, [sp, #112]\n"
    "    stp d12, d13, [sp, #128]\n"
    "    stp d14, d15, [sp, #144]\n"
    "    mov x9, sp\n"
    "    str x9, [x0]\n"
    "    mov sp, x1\n"
    "    ldp x19, x20, [sp]\n"
    "    ldp x21, x22, [sp, #16]\n"
    "    ldp x23, x24, [sp, #32]\n"
    "    ldp x25, x26, [sp, #48]\n"
    "    ldp x27, x28, [sp, #64]\n"
    "    ldp x29, x30, [sp, #80]\n"
    "    ldp d8, d9, [sp, #96]\n"
    "    ldp d10, d11, [sp, #112]\n"
    "    ldp d12, d13, [sp, #128]\n"
    "    ldp d14, d15, [sp, #144]\n"
    "    add sp, sp, #160\n"
    "    ret\n");
constexpr int padding_words = 0;
#endif

static void prepare(Context& context, char* low, std::size_t size, void (*entry)())
{
    const std::uintptr_t top = reinterpret_cast<std::uintptr_t>(low + size) & ~std::uintptr_t(15);
    void** frame = reinterpret_cast<void**>(top) - padding_words - saved_words;
    for (int i = 0; i < saved_words + padding_words; ++i) frame[i] = nullptr;
    frame[entry_word] = reinterpret_cast<void*>(entry);
    context.stack_pointer = frame;
}

#endif

void prepare_context(Context& context, char* low, std::size_t size, void (*entry)())
{
    prepare(context, low, size, entry);
#if defined(SIMT_ASAN)
    context.bottom = low;
    context.size = size;
    context.fake_stack = nullptr;
#endif
}

#if defined(SIMT_UCONTEXT)
static void jump(Context& from, Context& to) { swapcontext(&from.state, &to.state); }
#elif defined(SIMT_ASAN)
static void jump(Context& from, Context& to)
{
    simt_switch_stack(&from.stack_pointer, to.stack_pointer);
}
#endif

#if defined(SIMT_ASAN)

static __thread Context* came_from;

static void arrived(void* fake_stack)
{
    // What the switch came from is the OS thread's own stack the first time: learn its bounds.
    __sanitizer_finish_switch_fiber(fake_stack, &came_from->bottom, &came_from->size);
}

void switch_context(Context& from, Context& to)
{
    came_from = &from;
    __sanitizer_start_switch_fiber(&from.fake_stack, to.bottom, to.size);
    jump(from, to);
    arrived(from.fake_stack);
}

void context_started() { arrived(nullptr); }

#else

#if defined(SIMT_UCONTEXT)
void switch_context(Context& from, Context& to) { jump(from, to); }
#endif

void context_started() {}

#endif

}  // namespace simt
