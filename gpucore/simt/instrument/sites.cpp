#include "sites.h"

namespace simt::instrument {

static constexpr std::size_t initial_slots = 1024;   // a power of two

static std::uint64_t key_of(std::uint64_t pc, Kind kind, Space space)
{
    return pc << 5 | std::uint64_t(kind) << 2 | std::uint64_t(space);
}

// Fibonacci hashing: the upper bits of the product are well mixed.
static std::size_t hash(std::uint64_t key)
{
    return std::size_t(key * 0x9e3779b97f4a7c15ull >> 32);
}

Sites::Sites() { clear(); }

void Sites::clear()
{
    sites_.clear();
    keys_.assign(initial_slots, 0);
    numbers_.assign(initial_slots, nothing);
}

std::uint32_t Sites::find(const void* pc, Kind kind, Space space)
{
    const std::uint64_t address = reinterpret_cast<std::uint64_t>(pc);
    const std::uint64_t key = key_of(address, kind, space);
    const std::size_t mask = numbers_.size() - 1;
    for (std::size_t slot = hash(key) & mask; numbers_[slot] != nothing; slot = (slot + 1) & mask)
        if (keys_[slot] == key) return numbers_[slot];

    const std::uint32_t number = std::uint32_t(sites_.size());
    sites_.push_back({address, std::uint32_t(kind), std::uint32_t(space), 0, 0, 0, 0, 0, 0});
    if (sites_.size() * 2 > numbers_.size()) grow();
    else insert(key, number);
    return number;
}

void Sites::insert(std::uint64_t key, std::uint32_t number)
{
    const std::size_t mask = numbers_.size() - 1;
    std::size_t slot = hash(key) & mask;
    while (numbers_[slot] != nothing) slot = (slot + 1) & mask;
    keys_[slot] = key;
    numbers_[slot] = number;
}

void Sites::grow()
{
    keys_.assign(2 * keys_.size(), 0);
    numbers_.assign(2 * numbers_.size(), nothing);
    for (std::uint32_t i = 0; i < sites_.size(); ++i)
        insert(key_of(sites_[i].pc, Kind(sites_[i].kind), Space(sites_[i].space)), i);
}

}  // namespace simt::instrument
