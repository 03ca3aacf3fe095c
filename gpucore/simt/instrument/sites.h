// Places in a kernel's machine code, and what was counted there.
//
// A site is the return address of a hook's call together with the kind of access: an address is
// mapped to a source line only when someone reads the profile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace simt::instrument {

enum class Kind : std::uint8_t { load, store, atomic, block, meeting };
enum class Space : std::uint8_t { none, global, shared, local };

// What was counted at a site; profile.py reads it by this order.
struct Site {
    std::uint64_t pc;              // from the start of the library
    std::uint32_t kind, space;
    std::uint64_t requests;        // warp instructions issued (block: times entered by a warp)
    std::uint64_t lanes;           // active lanes, summed over the requests
    std::uint64_t sectors;         // 32-byte sectors touched in global memory
    std::uint64_t ideal_sectors;   // sectors that the same bytes would fill if they lay together
    std::uint64_t bank_conflicts;  // further passes over the banks of shared memory
    std::uint64_t cas_failed;      // compare-and-swaps that did not swap
};

// The sites met so far, numbered; an open-addressed hash table finds the number.
class Sites {
public:
    Sites();
    std::uint32_t find(const void* pc, Kind kind, Space space);
    Site& operator[](std::uint32_t number) { return sites_[number]; }
    const Site& operator[](std::uint32_t number) const { return sites_[number]; }
    std::size_t size() const { return sites_.size(); }
    void clear();

private:
    static constexpr std::uint32_t nothing = 0xffffffffu;
    void insert(std::uint64_t key, std::uint32_t number);
    void grow();

    std::vector<Site> sites_;
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> numbers_;
};

}  // namespace simt::instrument
