// The stacks of the lanes of one worker: one mapping, a guard below every stack.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt {

class Stacks {
public:
    static constexpr std::size_t slot_bytes = 64 << 10;
    static constexpr std::size_t guard_bytes = 16 << 10;
    static constexpr std::size_t stack_bytes = slot_bytes - guard_bytes;
    static constexpr const char* overflow = "stack overflow (a lane has 48 KiB)";
    static_assert(stack_bytes == 48 << 10, "as the text says");

    Stacks() = default;
    Stacks(const Stacks&) = delete;
    Stacks& operator=(const Stacks&) = delete;
    ~Stacks() { release(); }

    // Makes room for `count` lanes; false if the system has no memory or mappings left.
    bool reserve(std::size_t count);
    void release();

    std::size_t count() const { return count_; }
    char* low(std::size_t lane) const { return base_ + lane * slot_bytes + guard_bytes; }
    std::size_t usable(std::size_t lane) const;

    bool contains(const void* address) const
    {
        return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(base_) <
               count_ * slot_bytes;
    }
    // Whether the address lies in a guard: the lane above it has run out of stack.
    bool in_guard(const void* address) const;

private:
    char* base_ = nullptr;
    std::size_t count_ = 0;
};

}  // namespace simt
