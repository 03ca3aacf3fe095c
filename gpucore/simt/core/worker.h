// A worker runs blocks on one OS thread: it owns the lanes, their stacks and shared memory.
//
// Its members are spread over files by idea: worker.cpp makes ready and drives, schedule.cpp
// chooses who goes next, block.cpp begins and ends blocks, report.cpp reports errors.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "launch.h"
#include "stacks.h"

namespace simt {

// Why a lane switched back to the worker's own stack.
enum class Reason { idle, poll, failed, crashed, interrupted };

struct Crash {
    const char* what = nullptr;
    bool at_address = false;                  // an address was at fault
    const void* address = nullptr;
    const Lane* lane = nullptr;
    bool address_known = false;
};

class Worker {
public:
    // --- worker.cpp
    void run(Launch& launch, u32 index);      // on the OS thread that owns it for this launch
    Launch* launch = nullptr;
    Stats stats{};
    bool strict = false;
    bool alone = true;                        // no other OS thread runs this launch
    bool in_order = true;                     // the policy is not random
    u32 static_bytes = 0;                     // of static shared memory in use, in every block
    std::vector<Block> blocks;
    std::vector<Warp> warps;
    std::vector<Lane> lanes;
    Stacks stacks;
    // Shared memory of all blocks, `shared_stride` bytes for each; gaps are around it.
    const unsigned char* shared_begin() const { return shared_.data(); }
    std::size_t shared_bytes() const { return shared_.size(); }
    std::size_t shared_stride() const;

    // --- schedule.cpp
    // Gives the processor to another lane; returns when this one is chosen again.
    void suspend(Lane& lane, bool leave_warp, u32 weight = 1);
    // The same for a lane that cannot go on; made for the usual case that the next one of its
    // warp can.
    void wait(Lane& lane);
    // A meeting of lanes is complete: go on, or let others go first, as the policy has it.
    void after_meeting(Lane& lane);
    void quantum_ended(Lane& lane);           // see host/memory.h
    bool chance(u32 of_65536);
    // Ends the launch with an error; of an instrumented build.
    [[noreturn]] void give_up(const char* text);
    // Back to the worker's stack, for good.
    [[noreturn]] void abandon(Reason reason);

    // --- block.cpp
    bool start_block(Block& block);
    void lane_returned(Lane& lane);
    void block_at_grid();                     // all live lanes of a block are at the grid's barrier
    bool grid_orders = false;                 // all accesses; else only racy ones may follow
    void release_grid();
    void* shared_slot(const void* key, std::size_t size, std::size_t align, const char* name,
                      Location at);

    // --- report.cpp
    [[noreturn]] void fail(const Lane& lane, Location at, const char* format, ...)
        __attribute__((format(printf, 4, 5), cold));
    std::string crash_report() const;
    std::string deadlock_report() const;

    Crash crash;
    volatile int shielded = 0;                // see hooks.h

private:
    static constexpr std::size_t max_statics = 64;
    static constexpr std::size_t signal_stack_bytes = 64 << 10;

    struct StaticVariable {
        const void* key;
        u32 offset;
    };

    bool make_ready();
    bool allocate();
    void make_blocks();
    void drive();
    Reason enter(Lane& lane);
    bool idle();
    bool wait_for_grid();
    void finish();
    std::string place(const Block& block) const;

    Lane* pick(Warp& from, bool leave_warp);
    Lane* pick_random();
    Warp* next_runnable_warp(u32 after);
    u32 random();
    void start_quantum();

    u32 index_ = 0;
    u32 blocks_live_ = 0, blocks_at_grid_ = 0, blocks_started_ = 0;
    Context main_;
    Reason reason_ = Reason::idle;
    Lane* stopped_ = nullptr;                 // the lane that switched back last
    int steps_to_poll_ = 0, atomics_to_yield_ = 0;
    u64 random_ = 0;
    std::chrono::steady_clock::time_point last_poll_;
    std::vector<unsigned char> shared_;
    std::unique_ptr<char[]> signal_stack_;
    std::vector<StaticVariable> statics_;
    std::string error_;
    char failure_[512];
};

// ", 8 past the 256 bytes of argument 2", if the address is close to one.
std::string near_argument(const Launch& launch, const void* address);

inline Lane& current_lane() { return *static_cast<Lane*>(current); }

inline void Worker::wait(Lane& lane)
{
    const Warp& warp = *lane.warp;
    if (__builtin_expect(!in_order || warp.runnable == 0, 0)) return suspend(lane, false);
    const u32 above = warp.runnable & ~((2u << lane.id) - 1);
    Lane& next = warp.lanes[__builtin_ctz(above != 0 ? above : warp.runnable)];
    ++stats.switches;
    current = &next;
    switch_context(lane.context, next.context);
}

}  // namespace simt
