#include "passed.h"

#include "image.h"

namespace simt::instrument {

void Passed::forget()
{
    const Image code = code_image();
    begin_ = code.begin;
    is_passed_.assign(code.bytes, false);
}

std::vector<std::uint64_t> Passed::all() const
{
    std::vector<std::uint64_t> found;
    for (std::size_t at = 0; at < is_passed_.size(); ++at)
        if (is_passed_[at]) found.push_back(begin_ + at);
    return found;
}

}  // namespace simt::instrument
