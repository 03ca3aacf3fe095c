// Blocks begin, share memory and end.
#include <algorithm>
#include <cstring>

#include "../host/memory.h"
#include "hooks.h"
#include "worker.h"

namespace simt {

void complete_without(Worker& worker, Warp& warp, u32 returned);   // warp.cpp
void release_barrier(Block& block);                                // barrier.cpp

static constexpr unsigned char poison_byte = 0xcd;

// Puts the next block of the grid into this place; false if none is left.  In a cooperative launch
// every worker has its blocks from the start, since they all have to be there at once.
bool Worker::start_block(Block& block)
{
    const u64 number = launch->cooperative
                           ? u64(index_) + u64(blocks_started_) * launch->workers
                           : launch->next_block.fetch_add(1, std::memory_order_relaxed);
    if (number >= launch->blocks) return false;
    const Dim grid = block.grid;
    block.index = {u32(number % grid.x), u32(number / grid.x % grid.y),
                   u32(number / grid.x / grid.y)};
    block.live = launch->block_threads;
    block.arrived = block.at_grid = block.predicates = 0;
    for (u32 w = 0; w < block.warp_count; ++w) {
        Warp& warp = block.warps[w];
        const u32 threads = std::min(32u, launch->block_threads - w * 32);
        warp.live = warp.runnable = threads == 32 ? ~0u : (1u << threads) - 1;
        warp.waiting = warp.at_barrier = warp.at_grid = 0;
        warp.last = 31;
    }
    if (launch->request.poison) std::memset(block.dynamic, poison_byte, shared_stride() - hook::gap);
    ++blocks_live_;
    ++blocks_started_;
    ++stats.blocks;
    hook::block_started(block);
    return true;
}

void Worker::lane_returned(Lane& lane)
{
    Warp& warp = *lane.warp;
    Block& block = *warp.block;
    warp.live &= ~lane.bit();
    warp.runnable &= ~lane.bit();
    hook::lane_ended();
    if (warp.live == 0) hook::segment_ended(warp);
    if (warp.waiting != 0) complete_without(*this, warp, lane.bit());
    if (--block.live == 0) {
        --blocks_live_;
        launch->blocks_done.fetch_add(1, std::memory_order_relaxed);
        if (!launch->cooperative) start_block(block);
    } else if (block.arrived == block.live) {
        release_barrier(block);
    } else if (block.at_grid == block.live) {
        block_at_grid();
    }
    // In the next block the lane itself may be the only one to go on; wait() is not made for that.
    if ((warp.runnable & lane.bit()) != 0) suspend(lane, false);
    else wait(lane);
}

// Static shared variables get their place when a lane first comes past them; all blocks of the
// launch then have them at the same offset.
void* Worker::shared_slot(const void* key, std::size_t size, std::size_t align, const char* name,
                          Location at)
{
    unsigned char* const base = current_lane().warp->block->statics;
    for (const StaticVariable& variable : statics_)
        if (variable.key == key) return base + variable.offset;
    const std::size_t offset = (static_bytes + align - 1) / align * align;
    const std::size_t dynamic = launch->request.shared_bytes;
    const std::size_t limit = launch->request.shared_limit;
    if (offset + size + dynamic > limit || statics_.size() == max_statics)
        fail(current_lane(), at,
             "%zu bytes of static and %zu bytes of dynamic shared memory; a block has %zu",
             offset + size, dynamic, limit);
    static_bytes = u32(offset + size);
    // In an instrumented build each has a gap before it; the banks are as without.
    const u32 place = u32(offset) + hook::gap * u32(statics_.size() + 1);
    statics_.push_back({key, place});
    hook::shared_declared(*this, place, size, name);
    return base + place;
}

void* shared_slot(const void* key, std::size_t size, std::size_t align, const char* name,
                  const char* file, int line)
{
    return current_lane().warp->worker->shared_slot(key, size, align, name, {file, line});
}

}  // namespace simt
