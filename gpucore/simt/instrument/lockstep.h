// Puts the separate walks of a warp's lanes back together, as a GPU would have executed them.
//
// The executor runs each lane by itself, so a lane's accesses come in a row.  A GPU issues one
// instruction for all lanes that are at it.  Which lanes those are depends on where diverged lanes
// meet again; we take the rule of Collange, "Stack-less SIMT reconvergence at low cost", 2011
// (HAL hal-00622654), section 3: always serve the deepest call, and in it the smallest program
// counter, for all lanes that are there.  In code laid out in source order a lane that left a
// loop, or skipped a branch, then waits for the others where their ways join.
//
// The lanes' walks are kept until all of them met in a collective; then they are replayed.  If they
// become too long before, they are replayed as far as it is known what every lane does next.
#pragma once

#include <cstdint>
#include <vector>

#include "memory_model.h"
#include "requests.h"
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
        const std::uint64_t order = turn << 48 | reinterpret_cast<std::uint64_t>(pc);
        walk_[lane].push_back({order, address, site, detail});
        busy_ |= 1u << lane;
        if (walk_[lane].size() >= long_walk) full_ |= 1u << lane;
    }
    void append_meeting(int lane, std::uint32_t site, const void* pc, std::uint64_t depth,
                        std::uint32_t mask)
    {
        append(lane, site, pc, depth, 0, mask);
        meetings_ = true;
    }

    // The lanes that have done something that is not replayed yet.
    std::uint32_t busy() const { return busy_; }
    // The lanes whose walks are so long that something should be replayed.
    std::uint32_t full() const { return full_; }
    bool overfull(int lane) const { return walk_[lane].size() >= 4 * long_walk; }

    // Replays the walks and adds what was found to the sites.  Lanes in `open` may still go on from
    // where their walk ends; the replay stops as soon as it would have to know how.
    void replay(Sites& sites, RequestLog& log, std::uint32_t open);
    void clear();

private:
    static constexpr std::size_t long_walk = 1 << 12;
    static constexpr std::uint64_t ended = ~std::uint64_t(0);

    const Step& next(int lane) const { return walk_[lane][at_[lane]]; }
    void advance(int lane);
    void forget_replayed(int lane);
    std::uint32_t first_in_order(std::uint32_t held) const;
    std::uint32_t held_back(const Sites& sites) const;
    bool waits(int lane, const Sites& sites) const;
    void issue(std::uint32_t active, Sites& sites, RequestLog& log);

    std::vector<Step> walk_[lanes];
    std::size_t at_[lanes] = {};
    std::uint64_t order_[lanes];      // of the lane's next step
    std::uint32_t ended_lanes_ = 0;   // whose walk is replayed to its end
    std::uint32_t busy_ = 0, full_ = 0;
    bool meetings_ = false;           // some lane met only some of the others
};

}  // namespace simt::instrument
