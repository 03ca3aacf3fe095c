// What the kernel of a launch prints.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <vector>

namespace simt {

// Keeps the first 64 KiB, and counts what comes later.
class Output {
public:
    void print(const char* format, va_list values);
    const std::vector<char>& text() const { return text_; }
    unsigned long long dropped() const { return dropped_; }

private:
    static constexpr std::size_t most = 64 << 10;

    std::vector<char> text_;
    unsigned long long dropped_ = 0;
};

Output& last_output();   // of the last launch that this OS thread began

}  // namespace simt
