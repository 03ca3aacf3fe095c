#include "memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "../core/api.h"
#include "../core/worker.h"

namespace simt {

static constexpr std::size_t canary_bytes = 256;
static constexpr unsigned char canary = 0xa5;

// The first bytes of a module's memory are the end of the main stack, which goes nowhere near: they
// are zero until a lane writes through a null pointer.
static constexpr std::size_t null_bytes = 1024;

struct Array {
    unsigned char* begin;
    std::size_t bytes;
};

static std::vector<Array> arrays;

// Makes all bytes `value`; returns the first that was not, or the end.
static unsigned char* repair(unsigned char* begin, unsigned char* end, unsigned char value)
{
    unsigned char* const found =
        std::find_if(begin, end, [value](unsigned char byte) { return byte != value; });
    std::fill(found, end, value);
    return found;
}

std::string written_outside(const Launch& launch)
{
    unsigned char* volatile null = nullptr;   // volatile: else the compiler knows what it points to
    unsigned char* const first = null;
    if (repair(first, first + null_bytes, 0) != first + null_bytes)
        return "a lane wrote to a null pointer";
    for (const Array& array : arrays) {
        unsigned char* const ends[] = {array.begin, array.begin + array.bytes + canary_bytes};
        for (unsigned char* const end : ends) {
            const unsigned char* const found = repair(end - canary_bytes, end, canary);
            if (found != end) return "a lane wrote outside of its arrays" + near_argument(launch, found);
        }
    }
    return "";
}

}  // namespace simt

// Memory for an array, which begins at a multiple of 256 bytes; null if there is none.
SIMT_API void* simt_allocate(std::size_t bytes)
{
    using namespace simt;
    const std::size_t whole = (bytes + 255) / 256 * 256 + 2 * canary_bytes;
    auto* const memory = static_cast<unsigned char*>(
        whole > bytes ? std::aligned_alloc(256, whole) : nullptr);
    if (memory == nullptr) return nullptr;
    std::memset(memory, canary, canary_bytes);
    std::memset(memory + canary_bytes + bytes, canary, canary_bytes);
    arrays.push_back({memory + canary_bytes, bytes});
    return memory + canary_bytes;
}

SIMT_API void simt_release(void* begin)
{
    using namespace simt;
    const auto of = [begin](const Array& array) { return array.begin == begin; };
    const auto found = std::find_if(arrays.begin(), arrays.end(), of);
    if (found == arrays.end()) return;
    std::free(found->begin - canary_bytes);
    arrays.erase(found);
}
