// There are no pages to protect: context.cpp finds an overflow after it has happened.
#include "../core/stacks.h"

#include <cstdlib>

namespace simt {

// Below the first stack lies a slot that no lane has, for the first lane's overflow.
bool Stacks::reserve(std::size_t count)
{
    if (count <= count_) return true;
    release();
    char* const memory = static_cast<char*>(std::aligned_alloc(64, (count + 1) * slot_bytes));
    if (memory == nullptr) return false;
    base_ = memory + slot_bytes;
    count_ = count;
    return true;
}

void Stacks::release()
{
    if (base_ != nullptr) std::free(base_ - slot_bytes);
    base_ = nullptr;
    count_ = 0;
}

// Stacks at equal distances would share a few sets of the cache; see core/stacks.cpp.
std::size_t Stacks::usable(std::size_t lane) const { return stack_bytes - lane % 16 * 192; }

}  // namespace simt
