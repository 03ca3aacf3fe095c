// The functions that GCC calls from kernels compiled with -fsanitize=thread and
// -fsanitize-coverage=trace-pc.  The sanitizer's own run time is not linked: only the compiler's
// part is used, which calls one of these before every access that may reach shared data, and at
// the start of every basic block.
#include <cstring>

#include "../core/hooks.h"
#include "../host/observe.h"
#include "instrument.h"

using simt::Access;
using simt::observe_access;

#define ON_ACCESS(name, bytes, access)                                  \
    extern "C" void __tsan_##name##bytes(void* address)                 \
    {                                                                   \
        observe_access(address, bytes, Access::access, SIMT_CALLED_FROM); \
    }

#define ON_SIZE(bytes)                                       \
    ON_ACCESS(read, bytes, read)                             \
    ON_ACCESS(write, bytes, write)                           \
    ON_ACCESS(volatile_read, bytes, volatile_read)               \
    ON_ACCESS(volatile_write, bytes, volatile_write)             \
    ON_ACCESS(unaligned_read, bytes, read)                   \
    ON_ACCESS(unaligned_write, bytes, write)                 \
    ON_ACCESS(unaligned_volatile_read, bytes, volatile_read)     \
    ON_ACCESS(unaligned_volatile_write, bytes, volatile_write)

ON_SIZE(1)
ON_SIZE(2)
ON_SIZE(4)
ON_SIZE(8)
ON_SIZE(16)

extern "C" {

void __tsan_read_range(void* address, unsigned long size)
{
    observe_access(address, size, Access::read, SIMT_CALLED_FROM);
}

void __tsan_write_range(void* address, unsigned long size)
{
    observe_access(address, size, Access::write, SIMT_CALLED_FROM);
}

#if defined(__clang__)
// Clang calls these in place of the functions, GCC beside them.
void* __tsan_memcpy(void* to, const void* from, std::size_t size)
{
    observe_access(from, size, Access::read, SIMT_CALLED_FROM);
    observe_access(to, size, Access::write, SIMT_CALLED_FROM);
    return std::memcpy(to, from, size);
}

void* __tsan_memmove(void* to, const void* from, std::size_t size)
{
    observe_access(from, size, Access::read, SIMT_CALLED_FROM);
    observe_access(to, size, Access::write, SIMT_CALLED_FROM);
    return std::memmove(to, from, size);
}

void* __tsan_memset(void* to, int value, std::size_t size)
{
    observe_access(to, size, Access::write, SIMT_CALLED_FROM);
    return std::memset(to, value, size);
}
#endif

void __sanitizer_cov_trace_pc()
{
    using simt::instrument::active;
    if (active == nullptr || simt::current == nullptr) return;
    active->step(simt::current_lane(), SIMT_CALLED_FROM);
    if (!active->looks_for_lines()) return;
    {
        const simt::Shield shield;
        active->block_entered(simt::current_lane(), SIMT_CALLED_FROM);
    }
    active->keep_step(simt::current_lane());
}

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}

}  // extern "C"
