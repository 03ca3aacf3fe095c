// What is ordered before what: happens-before as CUDA promises it.
//
//   __syncwarp               the lanes of its mask; shuffles and votes carry values but order no memory
//   __syncthreads            the threads of the block
//   the grid's barrier       all threads; so does the end of a launch
//   a fence, then an atomic  a thread passes a fence and then writes a flag (atomically or through a
//   or volatile write        volatile access); whoever reads that flag, and passes a fence or barrier
//                            itself, comes after all that was before the first fence
//
// (CUDA C++ Programming Guide, "Memory Fence Functions", "Synchronization Functions"; PTX ISA,
// "Memory Consistency Model", release and acquire patterns.)  __threadfence_block serves the threads
// of the own block only.  An atomic function that writes a flag keeps what earlier ones released
// there; a plain or volatile write ends it.
//
// Method: epochs as in Flanagan and Freund, "FastTrack", PLDI 2009.  A warp has vector clocks, a
// block and the grid have counters, and only what fences hand over is kept as a sparse clock.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace simt::instrument {

// A thread of the launch, as far as ordering is concerned.
struct Thread {
    std::uint32_t block;          // number of the block in the grid
    std::uint32_t thread;         // in its block
    std::uint32_t block_slot;     // place of the block, and of the warp, in the worker
    std::uint32_t warp_slot;
};

// When a thread did something.
struct Moment {
    std::uint32_t block, thread;
    std::uint32_t clock, block_epoch, grid_epoch;
    std::uint32_t tick;           // of all accesses of the launch
};

class Order {
public:
    static constexpr int lanes = 32;

    void start(std::uint32_t blocks, std::uint32_t warps_per_block);
    void block_started(std::uint32_t block_slot);
    void warp_synchronised(std::uint32_t warp_slot, std::uint32_t met);
    void block_synchronised(std::uint32_t block_slot);
    void grid_synchronised() { ++grid_epoch_; }
    void fenced(const Thread& who, bool of_block);

    // A thread reads a flag, or writes one; `keeps`: an atomic function, which does both.
    void flag_read(const Thread& who, std::uint64_t address);
    void flag_written(const Thread& who, std::uint64_t address, bool keeps);

    // Whether the thread's last deed was a fence.
    bool just_fenced(const Thread& who) const { return state(who).just_fenced; }
    void acted(const Thread& who) { state(who).just_fenced = false; }

    Moment now(const Thread& who);
    // Whether `before` is ordered before what the thread does now.  An atomic access counts with the
    // fence that it follows, as it is seen by whoever acquires from it.
    bool ordered(const Moment& before, bool atomic, const Thread& who, bool shared) const;
    // Whether it is of an earlier launch.
    bool is_old(const Moment& moment) const { return moment.grid_epoch < first_epoch_; }

private:
    // What fences have handed over: of some threads, all up to a clock; of some blocks, all before
    // an epoch; of all threads, all before a tick (where the list would grow too long, so that a
    // race may be missed but none is made up).
    struct Part {
        std::uint64_t key;        // block << 32 | thread, or block
        std::uint32_t value, tick;
    };
    struct Knowledge {
        std::vector<Part> threads, blocks;   // by key
        std::uint32_t before_tick = 0;
    };
    typedef std::shared_ptr<const Knowledge> Known;

    // What may be acquired at an address: by all, or by the threads of one block.
    struct Flag {
        Known all, of_block;
        std::uint32_t block = 0;
    };
    struct State {
        Known known;              // acquired
        Known pending;            // read from a flag, and acquired at the next fence or barrier
        Known released;           // what the last fence covers; made when a flag is written
        std::uint32_t fence_clock = 0, fence_epoch = 0, fence_tick = 0;
        bool fenced = false, fence_of_block = false, just_fenced = false;
    };
    // When a lane last synchronised, and what it knows of the others.
    struct WarpClocks {
        std::uint32_t now[lanes];
        std::uint32_t seen[lanes][lanes];
    };

    static constexpr std::size_t most_parts = 1024;

    static void join(std::vector<Part>& into, const std::vector<Part>& from);
    static void shorten(std::vector<Part>& parts, std::uint32_t& before_tick);
    static Known join(const Known& a, const Known& b);
    static const Part* find(const std::vector<Part>& parts, std::uint64_t key);
    const State& state(const Thread& who) const;
    State& state(const Thread& who);
    void acquire(State& state);
    const Known& released(const Thread& who, State& state);

    // Epochs of the grid go on from launch to launch, so that what an earlier launch left behind is
    // known to be old.
    std::uint32_t grid_epoch_ = 0, first_epoch_ = 0, tick_ = 0;
    std::uint32_t warps_per_block_ = 0;
    std::vector<std::uint32_t> block_epoch_;
    std::vector<WarpClocks> warps_;
    std::vector<State> states_;           // a lane each
    std::unordered_map<std::uint64_t, Flag> flags_;
};

}  // namespace simt::instrument
