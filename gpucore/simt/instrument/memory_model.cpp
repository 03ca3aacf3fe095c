#include "memory_model.h"

#include <algorithm>

namespace simt::instrument {

static constexpr std::uint32_t sector_bytes = 32;
static constexpr std::uint32_t banks = 32;
static constexpr std::uint32_t bank_bytes = 4;
static constexpr int lanes_per_warp = 32;
static constexpr std::uint32_t widest = 16;   // bytes of the widest access

// Number of distinct values; most requests come in order already.
static std::uint64_t distinct(std::uint64_t* values, int count)
{
    if (!std::is_sorted(values, values + count)) std::sort(values, values + count);
    return std::uint64_t(std::unique(values, values + count) - values);
}

GlobalCost global_cost(const LaneAccess* access, int count)
{
    std::uint64_t starts[lanes_per_warp], touched[2 * lanes_per_warp];
    int sectors = 0;
    std::uint64_t widest_size = 0;
    for (int i = 0; i < count; ++i) {
        const std::uint64_t first = access[i].address / sector_bytes;
        const std::uint64_t last = (access[i].address + access[i].size - 1) / sector_bytes;
        starts[i] = access[i].address;
        touched[sectors++] = first;
        if (last != first) touched[sectors++] = last;   // an access over the edge of a sector
        widest_size = std::max<std::uint64_t>(widest_size, access[i].size);
    }
    const std::uint64_t bytes = distinct(starts, count) * widest_size;
    return {std::uint32_t(distinct(touched, sectors)),
            std::uint32_t((bytes + sector_bytes - 1) / sector_bytes)};
}

// Passes that one group of lanes needs: the most distinct words wanted from one bank.
static std::uint32_t passes(const std::uint64_t* words, int count)
{
    std::uint32_t wanted[banks] = {}, most = 0;
    for (int i = 0; i < count; ++i) most = std::max(most, ++wanted[words[i] % banks]);
    return most;
}

std::uint32_t bank_conflicts(const LaneAccess* access, int count, bool atomic)
{
    if (count == 0) return 0;
    const std::uint32_t size = std::min(access[0].size, widest);
    // lanes that are served together
    const std::uint32_t group = size <= bank_bytes ? lanes_per_warp : lanes_per_warp * bank_bytes / size;
    std::uint32_t extra = 0;
    for (int begin = 0, end = 0; begin < count; begin = end) {
        std::uint64_t words[lanes_per_warp * widest / bank_bytes];
        int used = 0;
        for (; end < count && access[end].lane / group == access[begin].lane / group; ++end) {
            const std::uint64_t last = (access[end].address + size - 1) / bank_bytes;
            for (std::uint64_t word = access[end].address / bank_bytes; word <= last; ++word)
                words[used++] = word;
        }
        if (!atomic) used = int(distinct(words, used));
        extra += passes(words, used) - 1;
    }
    return extra;
}

}  // namespace simt::instrument
