// Barriers of a block and of the grid.  Lanes that have returned are not waited for.
#include "../host/barriers.h"

#include "hooks.h"
#include "worker.h"

namespace simt {

// All live lanes of the block are there: keep what they brought, let them go on.  What is kept
// stays until the next barrier, at which every one of them has to arrive again.
void release_barrier(Block& block)
{
    hook::barrier_complete(block);
    hook::barrier_passed(block);
    block.worker->stats.lane_steps += block.arrived;
    block.last_arrived = block.arrived;
    block.last_predicates = block.predicates;
    block.arrived = block.predicates = 0;
    for (u32 w = 0; w < block.warp_count; ++w) {
        Warp& warp = block.warps[w];
        warp.runnable |= warp.at_barrier;
        warp.at_barrier = 0;
    }
    ++block.worker->stats.barriers;
}

int block_barrier(Call call, bool predicate, const char* file, int line)
{
    Lane& lane = current_lane();
    Warp& warp = *lane.warp;
    Block& block = *warp.block;
    Worker& worker = *warp.worker;
    lane.call = call;
    lane.file = file;
    lane.line = line;
    if (worker.strict && block.arrived != 0 && block.barrier != call &&
        !hook::broke_rule(lane, Rule::barrier_kinds, block.arrived))
        worker.fail(lane, lane.at(), "lanes of one block are in different kinds of __syncthreads");
    block.barrier = call;
    block.predicates += predicate;
    warp.runnable &= ~lane.bit();
    warp.at_barrier |= lane.bit();
    if (++block.arrived == block.live) {
        release_barrier(block);
        worker.after_meeting(lane);
    } else {
        worker.wait(lane);
    }
    switch (call) {
    case Call::syncthreads_count: return int(block.last_predicates);
    case Call::syncthreads_and: return block.last_predicates == block.last_arrived;
    case Call::syncthreads_or: return block.last_predicates != 0;
    default: return 0;
    }
}

void Worker::block_at_grid() { ++blocks_at_grid_; }

void Worker::release_grid()
{
    for (Block& block : blocks) {
        if (block.at_grid == 0) continue;
        hook::barrier_passed(block);
        block.at_grid = 0;
        for (u32 w = 0; w < block.warp_count; ++w) {
            Warp& warp = block.warps[w];
            warp.runnable |= warp.at_grid;
            warp.at_grid = 0;
        }
    }
    blocks_at_grid_ = 0;
    if (grid_orders) hook::grid_passed();
    grid_orders = false;
    if (index_ == 0) ++stats.grid_barriers;
}

// The lane waits until none of this worker can go on; Worker::idle then meets the other workers.  `orders`: what
// was written before may be read after it by any access, not only by racy ones.
void grid_barrier(Call call, bool orders, const char* file, int line)
{
    Lane& lane = current_lane();
    Warp& warp = *lane.warp;
    Block& block = *warp.block;
    Worker& worker = *block.worker;
    lane.call = call;
    lane.file = file;
    lane.line = line;
    ++worker.stats.lane_steps;
    if (!worker.launch->cooperative)
        worker.fail(lane, lane.at(), "a barrier of the grid needs a cooperative launch");
    warp.runnable &= ~lane.bit();
    warp.at_grid |= lane.bit();
    worker.grid_orders |= orders;
    if (++block.at_grid == block.live) worker.block_at_grid();
    worker.wait(lane);
}

}  // namespace simt
