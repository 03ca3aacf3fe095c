// The requests of a launch one by one, lane by lane: for pictures of small kernels.  A profile only
// needs their sums, so nothing is kept unless someone asks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "memory_model.h"
#include "sites.h"

namespace simt::instrument {

// One instruction of a warp; labs/kit/trace.py reads it by this layout.
struct WarpRequest {
    std::uint64_t pc;
    std::uint32_t kind, space;
    std::uint32_t active;         // the lanes that took part
    std::uint32_t size;           // bytes a lane
    std::uint64_t address[32];    // of the active lanes; an array's number + 1 is in the upper half
};

// The first requests, as many as wanted; of one OS thread of a process at a time.
struct RequestLog {
    std::vector<WarpRequest> kept;
    std::size_t most = 0;

    bool wants_more() const { return kept.size() < most; }
    void keep(const Site& site, const LaneAccess* access, int count);
};

extern RequestLog request_log;

}  // namespace simt::instrument
