// One launch: the request, and what its workers share.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "../host/export.h"
#include "output.h"
#include "state.h"
#include "threads.h"

namespace simt {

enum class Policy : int { sequential, round_robin, random };

typedef int (*Poll)(u64 blocks_done);

// What the caller asks for; native.py mirrors this layout.
struct Request {
    u32 grid[3], block[3];
    u32 shared_bytes;        // dynamic shared memory of a block
    u32 shared_limit;        // static and dynamic together
    int cooperative;
    int policy;
    u64 seed;
    int resident;            // blocks that share an OS thread
    int threads;             // OS threads
    u32 yield_atomic;        // chance of a switch at an atomic, in 65,536ths
    u32 yield_access;        // the same at any access, in the instrumented build
    int strict, poison;
    u64 token;               // names the launch for simt_interrupt
    u64 steps_before;        // of the caller's earlier launches: where the clock begins
    void** arguments;        // addresses of the arguments
    const u64* sizes;        // bytes behind each argument that is a pointer, else 0
    Poll poll;               // called now and then; not zero: stop
};

enum class Outcome : int { done, failed, cancelled };

constexpr u32 max_lanes = 16384;     // of one launch at a time: bounds stacks and mappings

class Worker;

struct Launch {
    Launch(const KernelEntry& kernel, const Request& request);

    const KernelEntry& kernel;
    const Request& request;
    Policy policy;
    Dim grid, block;
    u64 blocks;                          // in the grid
    u32 block_threads, warps_per_block;
    u32 workers, resident;               // OS threads; blocks on each at once
    bool cooperative;

    std::atomic<u64> next_block{0};
    std::atomic<u64> blocks_done{0};
    std::atomic<u64> latest{0};          // time that any OS thread has seen
    std::atomic<bool> stop{false};       // someone failed, or the caller cancelled
    std::atomic<bool> cancelled{false};

    // Guarded by `mutex`; `changed` is signalled when any of it changes.
    Mutex mutex;
    Condition changed;
    u32 finished_workers = 0;
    u32 grid_arrived = 0;                // workers whose blocks are all at the grid's barrier
    u64 grid_generation = 0;
    Stats stats{};
    std::string error;
    Output output;
    std::vector<Thread> threads;

    void fail(const std::string& text);  // the first failure is reported
    void poll();                         // ask the caller; only on its own OS thread
    void interrupt_workers();            // tear off lanes that do not hear of `stop`
};

// On the calling OS thread, with a worker that may have run another launch before.
void run_worker(Launch& launch, u32 index);

// Runs all workers of the launch, each on an OS thread.
void work_together(Launch& launch);

// Runs the launch to its end.  `error` is set if it failed.
Outcome run(const KernelEntry& kernel, const Request& request, Stats& stats, std::string& error);

// Sends every OS thread of a launch that was asked to stop a signal, in case a lane spins without
// ever calling the executor.
void interrupt(u64 token);

}  // namespace simt
