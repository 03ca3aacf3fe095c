// Puts the separate walks of a warp's lanes back together, as a GPU would have executed them.
//
// The executor runs each lane by itself, so a lane's accesses come in a row.  A GPU issues one
// instruction for all lanes that are at it.  Which lanes those are depends on where diverged lanes
// meet again; we take the rule of Collange, "Stack-less SIMT reconvergence at low cost", 2011
// (HAL hal-00622654), section 3: always serve the deepest call, and in it the smallest program
// counter, for all lanes that are there.  In code laid out in source order a lane that left a
// loop, or skipped a branch, then waits for the others where their ways join.
//
// The lanes' walks are kept until all of them met in a collective; then they are replayed.
#pragma once

#include <cstdint>
#include <vector>

#include "memory_model.h"
#include "sites.h"

namespace simt::instrument {

// One thing a lane did.
struct Step {
    std::uint64_t order;     // calls before callers, then by program counter: smaller goes first
    std::uint64_t address;   // of an access
    std::uint32_t site;
    std::uint32_t detail;    // bytes of an access; lanes of a meeting
};

class Lockstep {
public:
    static constexpr int lanes = 32;

    // Appends to a lane's walk.  `depth` is how far its stack reaches down, in bytes.
    void append(int lane, std::uint32_t site, const void* pc, std::uint64_t depth,
                std::uint64_t address, std::uint32_t detail)
    {
        const std::uint64_t turn = ~(depth >> 4) & 0xffff;
        walk_[lane].push_back({turn << 48 | reinterpret_cast<std::uint64_t>(pc), address, site, detail});
    }

    // The walks have become so long that they have to be replayed before the lanes meet.
    bool full(int lane) const { return walk_[lane].size() >= longest_walk; }

    // Replays the walks, adds what was found to the sites, and forgets them.
    void replay(Sites& sites);
    void clear();

private:
    static constexpr std::size_t longest_walk = 1 << 15;

    const Step& next(int lane) const { return walk_[lane][at_[lane]]; }
    bool waits(int lane, const Sites& sites, std::uint32_t unfinished) const;
    void issue(std::uint32_t active, Sites& sites);

    std::vector<Step> walk_[lanes];
    std::size_t at_[lanes] = {};
};

}  // namespace simt::instrument
