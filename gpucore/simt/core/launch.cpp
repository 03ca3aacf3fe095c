// A launch from beginning to end: limits and workers.
#include "launch.h"

#include <algorithm>
#include <memory>

#include "worker.h"

namespace simt {

static u32 divide_up(u64 a, u64 b) { return u32((a + b - 1) / b); }

Launch::Launch(const KernelEntry& the_kernel, const Request& the_request)
    : kernel(the_kernel),
      request(the_request),
      policy(Policy(request.policy)),
      grid{request.grid[0], request.grid[1], request.grid[2]},
      block{request.block[0], request.block[1], request.block[2]},
      blocks(u64(grid.x) * grid.y * grid.z),
      block_threads(block.x * block.y * block.z),
      warps_per_block(divide_up(block_threads, 32)),
      cooperative(request.cooperative != 0)
{
    workers = u32(std::min<u64>(u64(std::max(1, request.threads)), blocks));
    const u64 per_worker = (blocks + workers - 1) / workers;
    resident = u32(std::min<u64>(
        cooperative ? per_worker : u64(std::max(1, request.resident)), per_worker));
}

void Launch::fail(const std::string& text)
{
    const Lock lock(mutex);
    if (error.empty()) error = text;
    stop = true;
}

void Launch::poll()
{
    if (request.poll == nullptr || stop) return;
    if (request.poll(blocks_done.load(std::memory_order_relaxed)) != 0) {
        cancelled = true;
        stop = true;
    }
}

// Workers keep their stacks from launch to launch; a free one is taken by whoever needs it.
static Mutex pool_mutex;
static std::vector<std::unique_ptr<Worker>> pool;

static std::unique_ptr<Worker> take_worker()
{
    const Lock lock(pool_mutex);
    if (pool.empty()) return std::make_unique<Worker>();
    std::unique_ptr<Worker> worker = std::move(pool.back());
    pool.pop_back();
    return worker;
}

static void give_back(std::unique_ptr<Worker> worker)
{
    const Lock lock(pool_mutex);
    pool.push_back(std::move(worker));
}

void run_worker(Launch& launch, u32 index)
{
    std::unique_ptr<Worker> worker = take_worker();
    worker->run(launch, index);
    give_back(std::move(worker));
}

static std::string refuse(const Launch& launch)
{
    const u64 at_once = launch.cooperative ? launch.blocks : u64(launch.workers) * launch.resident;
    const u64 lanes = at_once * launch.warps_per_block * 32;
    if (lanes <= max_lanes) return "";
    const std::string text = std::to_string(lanes) + " lanes at once; the host executor runs " +
                             std::to_string(max_lanes) + " at most: ";
    return text + (launch.cooperative ? "launch a smaller grid, since all blocks of a cooperative "
                                        "launch are resident"
                                      : "use fewer resident blocks or OS threads");
}

Outcome run(const KernelEntry& kernel, const Request& request, Stats& stats, std::string& error)
{
    Launch launch(kernel, request);
    last_output() = Output();
    error = refuse(launch);
    if (!error.empty()) return Outcome::failed;
    work_together(launch);
    stats = launch.stats;
    last_output() = std::move(launch.output);
    error = launch.error;
    if (!error.empty()) return Outcome::failed;
    return launch.cancelled ? Outcome::cancelled : Outcome::done;
}

}  // namespace simt
