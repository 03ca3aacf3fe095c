// The requests of a launch one by one, lane by lane: for pictures of small kernels.  A profile only
// needs their sums, so nothing is kept unless someone asks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "memory_model.h"
#include "sites.h"

namespace simt::instrument {

// One instruction of a warp; gpucore/counts.py has this layout as REQUEST.
struct WarpRequest {
    std::uint64_t pc;
    std::uint32_t kind, space;
    std::uint32_t active;         // the lanes that took part
    std::uint32_t size;           // bytes a lane
    std::uint32_t block, warp;    // in the grid, and in the block
    std::uint64_t address[32];    // of the active lanes; an array's number + 1 is in the upper half
};

// The first requests, as many as wanted.
struct RequestLog {
    std::vector<WarpRequest> kept;
    std::size_t most = 0;
    std::uint32_t block = 0, warp = 0;   // whose requests come now

    bool wants_more() const { return kept.size() < most; }
    void keep(const Site& site, const LaneAccess* access, int count);
};

}  // namespace simt::instrument
