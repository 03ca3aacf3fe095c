#include "stacks.h"

#include <sys/mman.h>

#include <cstdint>

namespace simt {

// Stacks at equal distances would begin in the same few sets of the first-level cache, and the
// lanes of a warp would throw each other out.  Staggered tops made lane switches half as dear.
static constexpr std::size_t stagger_bytes = 192;
static constexpr std::size_t stagger_steps = 16;

bool Stacks::reserve(std::size_t count)
{
    if (count <= count_) return true;
    release();
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#if defined(MAP_NORESERVE)
    flags |= MAP_NORESERVE;
#endif
    void* mapped = mmap(nullptr, count * slot_bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (mapped == MAP_FAILED) return false;
    base_ = static_cast<char*>(mapped);
    count_ = count;
    for (std::size_t i = 0; i < count; ++i) {
        if (mprotect(base_ + i * slot_bytes, guard_bytes, PROT_NONE) != 0) {
            release();
            return false;
        }
    }
    return true;
}

void Stacks::release()
{
    if (base_ != nullptr) munmap(base_, count_ * slot_bytes);
    base_ = nullptr;
    count_ = 0;
}

std::size_t Stacks::usable(std::size_t lane) const
{
    return stack_bytes - lane % stagger_steps * stagger_bytes;
}

bool Stacks::in_guard(const void* address) const
{
    const auto offset = reinterpret_cast<std::uintptr_t>(address) -
                        reinterpret_cast<std::uintptr_t>(base_);
    return contains(address) && offset % slot_bytes < guard_bytes;
}

}  // namespace simt
