// Which places in the kernels' machine code watched launches have come past.
#pragma once

#include <cstdint>
#include <vector>

namespace simt::instrument {

class Passed {
public:
    // Notes places from now on, and forgets those so far.
    void forget();
    void note(const void* pc)
    {
        const std::uint64_t at = reinterpret_cast<std::uint64_t>(pc) - begin_;
        if (at < is_passed_.size()) is_passed_[at] = true;
    }
    std::vector<std::uint64_t> all() const;

private:
    std::uint64_t begin_ = 0;
    std::vector<unsigned char> is_passed_;    // a byte for each of the code
};

}  // namespace simt::instrument
