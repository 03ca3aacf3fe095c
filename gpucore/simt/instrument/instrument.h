// What an instrumented launch gathers.  One object for each OS thread, as a launch is instrumented
// only when it runs on one; it keeps its findings until the next launch on that thread.
#pragma once

#include <vector>

#include "../core/hooks.h"
#include "../core/worker.h"
#include "../host/place.h"
#include "bounds.h"
#include "findings.h"
#include "lockstep.h"
#include "passed.h"
#include "race.h"
#include "sites.h"

namespace simt::instrument {

class Instrument {
public:
    bool want_races = true, want_lines = true;   // for the next launch

    // A launch is watched if the caller named the memory that it may touch: then accesses are checked,
    // rules of CUDA that it breaks are findings, and it ends after so many steps (accesses and basic
    // blocks), or without progress after a twentieth of them.
    Bounds bounds;
    Passed passed;
    RequestLog requests;
    std::uint64_t most_steps = 0;
    bool arguments_only = false;      // the memory is what each launch has as arguments

    void start(Worker& worker);
    void stop();
    bool looks_for_anything() const { return races_on_ || lines_on_ || bounds.on(); }
    bool looks_for_lines() const { return lines_on_; }
    // Counts a step of a watched launch; may switch lanes, and ends a launch that does not end.
    void step(Lane& lane, Place place);

    // Space::local is the lanes' stacks (registers and local memory), none is the executor's state
    // (threadIdx and such).
    Space space_of(const void* address) const;

    // An access by a lane, before it happens.
    void access(Lane& lane, const void* address, std::size_t size, Space space, Kind kind,
                Strength strength, Place place);
    void local_access(Lane& lane, const void* address, std::size_t size, Kind kind, Place place);
    void fenced(Lane& lane, bool of_block);
    void compare_failed(const void* address, Place place);
    void block_entered(Lane& lane, Place place);      // a basic block
    // Holds a lane that has run far ahead of the others of its warp; may switch lanes.
    void keep_step(Lane& lane);

    void lane_arrived(Lane& lane, Place place);
    void lanes_met(Warp& warp, u32 group, Call call);
    void segment_ended(Warp& warp);
    void block_started(Block& block);
    void barrier_passed(Block& block);
    void barrier_complete(const Block& block);
    void grid_passed();
    bool broke_rule(const Lane& lane, Rule rule, u32 lanes);
    void progressed() { last_progress_ = steps_; }

    std::size_t number_of(const Lane& lane) const { return std::size_t(&lane - worker_->lanes.data()); }
    const Sites& sites() const { return sites_; }
    const std::vector<Race>& races() const { return races_.races(); }
    const std::vector<Finding>& findings() const { return findings_.all(); }

private:
    // An array argument, as the launch describes it.
    struct Array {
        std::uint64_t begin, bytes;
    };

    void find_arrays();
    void replay(Warp& warp, u32 open);
    Thread thread_of(const Lane& lane) const;
    Finding finding(Fault fault, const Lane& lane) const;
    [[noreturn]] void end_endless(std::uint64_t bound);
    std::uint64_t gpu_address(Space space, std::uint64_t address);
    std::uint64_t depth_of(const Lane& lane, Place place) const;
    void append(Lane& lane, std::uint32_t site, Place place, std::uint64_t address,
                std::uint32_t size);

    Worker* worker_ = nullptr;
    bool races_on_ = false, lines_on_ = false;
    Sites sites_;
    RaceDetector races_;
    std::vector<Lockstep> walks_;     // one a warp
    std::vector<Array> arrays_;
    std::size_t last_array_ = 0;
    Findings findings_;
    std::uint64_t steps_ = 0, last_progress_ = 0;
    std::vector<const void*> last_pc_;    // of each lane
};

Instrument& own_instrument();             // of this OS thread
extern SIMT_TLS Instrument* active;       // the same while it observes a launch, else null

}  // namespace simt::instrument
