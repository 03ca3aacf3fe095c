// What an instrumented launch gathers.  One object for each OS thread, as a launch is instrumented
// only when it runs on one; it keeps its findings until the next launch on that thread.
#pragma once

#include <vector>

#include "../core/worker.h"
#include "../host/place.h"
#include "lockstep.h"
#include "race.h"
#include "sites.h"

namespace simt::instrument {

class Instrument {
public:
    bool want_races = true, want_lines = true;   // for the next launch

    void start(Worker& worker);
    void stop();
    bool active() const { return worker_ != nullptr; }

    // An access by a lane, before it happens.  False if it is to no memory that a GPU has: the
    // lane's own stack (registers and local memory), or the executor's state (threadIdx and such).
    bool access(Lane& lane, const void* address, std::size_t size, Kind kind, bool synchronising,
                Place place);
    void compare_failed(Lane& lane, const void* address, Place place);
    void block_entered(Lane& lane, Place place);      // a basic block

    void lane_arrived(Lane& lane, Place place);
    void lanes_met(Warp& warp, u32 group, Call call);
    void segment_ended(Warp& warp);
    void block_started(Block& block);
    void barrier_passed(Block& block);
    void grid_passed();

    const Sites& sites() const { return sites_; }
    const std::vector<Race>& races() const { return races_.races(); }

private:
    // An argument that is an array, as the launch was told of it.
    struct Array {
        std::uint64_t begin, bytes;
    };

    void find_arrays();
    Space space_of(const Lane& lane, const void* address) const;
    std::uint64_t gpu_address(Space space, std::uint64_t address);
    void append(Lane& lane, std::uint32_t site, Place place, std::uint64_t address,
                std::uint32_t detail);

    Worker* worker_ = nullptr;
    bool races_on_ = false, lines_on_ = false;
    Sites sites_;
    RaceDetector races_;
    std::vector<Lockstep> walks_;     // one a warp
    std::vector<Array> arrays_;
    std::size_t last_array_ = 0;
};

Instrument& current_instrument();     // of this OS thread

}  // namespace simt::instrument
