#include "memory_model.h"

#include <algorithm>

namespace simt::instrument {

static constexpr std::uint32_t sector_bytes = 32;
static constexpr std::uint32_t banks = 32;
static constexpr std::uint32_t bank_bytes = 4;
static constexpr int lanes_per_warp = 32;
static constexpr int widest = 16;   // bytes of the widest access

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
    std::sort(touched, touched + sectors);
    std::sort(starts, starts + count);
    const auto distinct = std::unique(starts, starts + count) - starts;
    const std::uint64_t bytes = std::uint64_t(distinct) * widest_size;
    return {std::uint32_t(std::unique(touched, touched + sectors) - touched),
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
    std::uint32_t extra = 0;
    const std::uint32_t size = count ? access[0].size : 0;
    const std::uint32_t together =
        size <= bank_bytes ? lanes_per_warp : lanes_per_warp * bank_bytes / std::min<std::uint32_t>(size, widest);
    for (int begin = 0; begin < count;) {
        std::uint64_t words[lanes_per_warp * widest / bank_bytes];
        int used = 0, end = begin;
        for (; end < count && access[end].lane / together == access[begin].lane / together; ++end) {
            const std::uint64_t first = access[end].address / bank_bytes;
            const std::uint64_t last = (access[end].address + std::min<std::uint32_t>(access[end].size, widest) - 1) / bank_bytes;
            for (std::uint64_t word = first; word <= last; ++word) words[used++] = word;
        }
        if (!atomic) {
            std::sort(words, words + used);
            used = int(std::unique(words, words + used) - words);
        }
        const std::uint32_t needed = passes(words, used);
        if (needed > 1) extra += needed - 1;
        begin = end;
    }
    return extra;
}

}  // namespace simt::instrument
