// Makes a worker ready for a launch and drives it: enters a lane, and looks after everything
// for which lanes switch back to the OS thread's own stack.
#include "worker.h"

#include <new>

#include "../host/memory.h"
#include "crash.h"
#include "hooks.h"

namespace simt {

SIMT_TLS LaneView* current = nullptr;

// What is kept for the next launch; more goes back to the system.
static constexpr std::size_t kept_stacks = 2048;

// The caller is asked so often; a block that only computes is not held up by it.
static constexpr std::chrono::milliseconds poll_interval(50);

static void lane_main()
{
    context_started();
    for (;;) {
        Lane& lane = current_lane();
        Worker& worker = *lane.warp->worker;
        const Launch& launch = *worker.launch;
        lane.file = nullptr;
        lane.call = Call::start;
        launch.kernel.thunk(launch.request.arguments);
        worker.lane_returned(lane);   // comes back in the worker's next block
    }
}

void Worker::run(Launch& the_launch, u32 index)
{
    launch = &the_launch;
    index_ = index;
    stats = Stats{};
    strict = launch->request.strict != 0;
    in_order = launch->policy != Policy::random;
    alone = launch->workers == 1;
    error_.clear();
    failure_[0] = 0;
    statics_.clear();
    statics_.reserve(max_statics);   // no allocation later, on a lane's stack
    static_bytes = 0;
    shielded = 0;
    random_ = (launch->request.seed + 1) * 0x9e3779b97f4a7c15ull ^ (u64(index) << 32);
    if (random_ == 0) random_ = 1;
    for (int i = 0; i < 8; ++i) random();
    last_poll_ = std::chrono::steady_clock::now();
    steps_to_poll_ = 0;
    if (make_ready()) {
        make_blocks();
        hook::launch_started(*this);
        for (Block& block : blocks) start_block(block);
        start_quantum();
        forget_stop();
        const CrashGuard guard(signal_stack_.get(), signal_stack_bytes);
        drive();
        hook::launch_ended(*this);
    }
    finish();
}

// Shared memory of a block: a multiple of 128 bytes, as many again between two blocks, and gaps.
std::size_t Worker::shared_stride() const
{
    return (std::size_t(launch->request.shared_limit) + 127) / 128 * 128 + 128 +
           std::size_t(hook::gap) * (max_statics + 2);
}

bool Worker::make_ready()
#if defined(__cpp_exceptions)
try {
    return allocate();
} catch (const std::bad_alloc&) {
    error_ = "there is no memory for the lanes of the resident blocks";
    return false;
}
#else
{
    return allocate();
}
#endif

bool Worker::allocate()
{
    if (signal_stack_ == nullptr) signal_stack_.reset(new char[signal_stack_bytes]);
    const std::size_t count = std::size_t(launch->resident) * launch->warps_per_block * 32;
    if (!stacks.reserve(count)) {
        error_ = "there is no memory for the stacks of " + std::to_string(count) +
                 " lanes; use smaller or fewer resident blocks";
        return false;
    }
    lanes.resize(count);
    warps.resize(count / 32);
    blocks.resize(launch->resident);
    shared_.resize(shared_stride() * launch->resident + 128 + hook::gap);
    return true;
}

void Worker::make_blocks()
{
    const u32 per_block = launch->warps_per_block;
    const std::size_t dynamic = (std::size_t(launch->request.shared_bytes) + 127) / 128 * 128;
    const auto base = reinterpret_cast<std::uintptr_t>(shared_.data());
    unsigned char* memory = shared_.data() + hook::gap + (128 - base % 128) % 128;
    for (u32 b = 0; b < launch->resident; ++b) {
        Block& block = blocks[b];
        block = Block{};
        block.threads = launch->block;
        block.grid = launch->grid;
        block.dynamic = memory + b * shared_stride();
        block.statics = block.dynamic + dynamic;
        block.worker = this;
        block.warps = &warps[b * per_block];
        block.warp_count = per_block;
        for (u32 w = 0; w < per_block; ++w) {
            Warp& warp = block.warps[w];
            warp = Warp{};
            warp.index = b * per_block + w;
            warp.lanes = &lanes[std::size_t(warp.index) * 32];
            warp.block = &block;
            warp.worker = this;
            for (u32 l = 0; l < 32 && w * 32 + l < launch->block_threads; ++l) {
                Lane& lane = warp.lanes[l];
                const u32 t = w * 32 + l, x = block.threads.x, y = block.threads.y;
                const std::size_t stack = std::size_t(warp.index) * 32 + l;
                lane.thread = {t % x, t / x % y, t / x / y};
                lane.id = static_cast<unsigned char>(l);
                lane.block = &block;
                lane.warp = &warp;
                prepare_context(lane.context, stacks.low(stack), stacks.usable(stack), lane_main);
            }
        }
    }
    blocks_live_ = blocks_at_grid_ = blocks_started_ = 0;
}

Reason Worker::enter(Lane& lane)
{
    current = &lane;
    switch_context(main_, lane.context);
    return reason_;
}

void Worker::drive()
{
    Warp* warp = next_runnable_warp(u32(warps.size()) - 1);
    Lane* next = warp == nullptr ? nullptr : pick(*warp, false);
    while (next != nullptr) {
        switch (enter(*next)) {
        case Reason::poll:
            if (index_ == 0) {
                const auto now = std::chrono::steady_clock::now();
                if (now - last_poll_ >= poll_interval) {
                    const int kept = quantum;   // the caller may launch something of its own
                    launch->poll();
                    quantum = kept;
                    last_poll_ = std::chrono::steady_clock::now();
                }
            }
            if (launch->stop.load(std::memory_order_relaxed)) return;
            next = stopped_;
            break;
        case Reason::idle:
            if (!idle()) return;
            warp = next_runnable_warp(u32(warps.size()) - 1);
            next = pick(*warp, false);
            break;
        case Reason::failed:
            error_ = failure_;
            return;
        case Reason::crashed:
            error_ = crash_report();
            return;
        case Reason::interrupted:
            return;
        }
    }
}

// No lane can go on.  True if they can after all, once the grid has met.
bool Worker::idle()
{
    if (blocks_live_ == 0) return false;
    if (launch->cooperative && blocks_at_grid_ == blocks_started_) {
        if (!wait_for_grid()) return false;
        release_grid();
        return true;
    }
    if (launch->stop.load()) return false;
    error_ = deadlock_report();
    return false;
}

// All lanes of this worker are at the grid's barrier: wait for the other workers.
bool Worker::wait_for_grid()
{
    Lock lock(launch->mutex);
    const u64 generation = launch->grid_generation;
    if (++launch->grid_arrived == launch->workers) {
        launch->grid_arrived = 0;
        ++launch->grid_generation;
        launch->changed.notify_all();
        return true;
    }
    while (launch->grid_generation == generation) {
        if (launch->stop) return false;
        if (launch->finished_workers > 0) {
            lock.unlock();
            error_ = deadlock_report();
            return false;
        }
        launch->changed.wait_for(lock, poll_interval);
        if (index_ == 0) {
            lock.unlock();
            launch->poll();
            lock.lock();
        }
    }
    return true;
}

void Worker::finish()
{
    if (!error_.empty()) launch->fail(error_);
    if (stacks.count() > kept_stacks) stacks.release();
    const Lock lock(launch->mutex);
    u64* total = reinterpret_cast<u64*>(&launch->stats);
    const u64* own = reinterpret_cast<const u64*>(&stats);
    for (std::size_t i = 0; i < sizeof(Stats) / sizeof(u64); ++i) total[i] += own[i];
    ++launch->finished_workers;
    launch->changed.notify_all();
}

}  // namespace simt
