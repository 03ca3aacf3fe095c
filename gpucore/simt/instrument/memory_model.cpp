#include "memory_model.h"

#include <algorithm>

namespace simt::instrument {

static constexpr std::uint32_t sector_bytes = 32;
static constexpr std::uint32_t banks = 32;
static constexpr std::uint32_t bank_bytes = 4;
static constexpr int lanes_per_warp = 32;
static constexpr std::uint32_t widest = 16;   // bytes of the widest access

// Keeps the distinct ones of at most 128 values, in the order they came, and returns how many they
// are.  A small hash table: sorting took most of the time of a replay.
static int keep_distinct(std::uint64_t* values, int count)
{
    constexpr unsigned bits = 8;
    std::uint8_t place[1 << bits] = {};    // 1 + index of a kept value; 0: free
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        const std::uint64_t value = values[i];
        unsigned slot = unsigned(value * 0x9e3779b97f4a7c15ull >> (64 - bits));
        while (place[slot] != 0 && values[place[slot] - 1] != value)
            slot = (slot + 1) & ((1 << bits) - 1);
        if (place[slot] != 0) continue;
        values[kept++] = value;
        place[slot] = std::uint8_t(kept);
    }
    return kept;
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
    const std::uint64_t bytes = std::uint64_t(keep_distinct(starts, count)) * widest_size;
    return {std::uint32_t(keep_distinct(touched, sectors)),
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
    const std::uint32_t group =
        size <= bank_bytes ? lanes_per_warp : lanes_per_warp * bank_bytes / size;
    std::uint32_t extra = 0;
    for (int begin = 0, end = 0; begin < count; begin = end) {
        std::uint64_t words[lanes_per_warp * widest / bank_bytes];
        int used = 0;
        for (; end < count && access[end].lane / group == access[begin].lane / group; ++end) {
            const std::uint64_t last = (access[end].address + size - 1) / bank_bytes;
            for (std::uint64_t word = access[end].address / bank_bytes; word <= last; ++word)
                words[used++] = word;
        }
        if (!atomic) used = keep_distinct(words, used);
        extra += passes(words, used) - 1;
    }
    return extra;
}

}  // namespace simt::instrument
