// What a watched launch does that CUDA leaves undefined, and launches that do not end.
#include <algorithm>
#include <cstdio>

#include "instrument.h"

namespace simt::instrument {

// Steps between two times at which a lane lets others go, and the launch looks for a cancel.
static constexpr std::uint64_t turn_steps = 1 << 10;
static constexpr u32 turn_weight = 1 << 10;
// Part of all steps after which a launch without progress is ended.
static constexpr std::uint64_t patience_part = 20;

Finding Instrument::finding(Fault fault, const Lane& lane) const
{
    const Thread who = thread_of(lane);
    Finding found{};
    found.fault = std::uint32_t(fault);
    found.site = found.region = ~0u;
    found.block = who.block;
    found.thread = who.thread;
    found.count = 1;
    found.line = lane.file != nullptr ? u32(lane.line) : 0;
    if (lane.file != nullptr) std::snprintf(found.file, sizeof found.file, "%s", lane.file);
    std::snprintf(found.name, sizeof found.name, "%s", name_of(lane.call));
    return found;
}

// Lanes that the launch never had are not missed: a full mask is usual in a block of 20 threads.
static u32 lanes_of(const Warp& warp)
{
    const Block& block = *warp.block;
    const u32 threads = block.threads.x * block.threads.y * block.threads.z;
    const u32 first = u32(&warp - block.warps) * 32;
    return threads - first >= 32 ? ~0u : (1u << (threads - first)) - 1;
}

bool Instrument::broke_rule(const Lane& lane, Rule rule, u32 lanes)
{
    if (!bounds.on()) return false;
    static constexpr Fault faults[] = {Fault::barrier_kinds, Fault::not_in_mask, Fault::absent,
                                       Fault::from_outside, Fault::width};
    if (rule == Rule::absent) {
        lanes &= lanes_of(*lane.warp);
        if (lanes == 0) return true;
    }
    Finding found = finding(faults[int(rule)], lane);
    found.lanes = lanes;
    found.bytes = lane.mask;
    findings_.add(found);
    return true;
}

// All lanes that have not returned wait in a barrier; so should those that have.
void Instrument::barrier_complete(const Block& block)
{
    if (!bounds.on()) return;
    const Lane* first = nullptr;
    const Lane* gone = nullptr;
    const Lane* apart = nullptr;
    for (u32 w = 0; w < block.warp_count; ++w) {
        const Warp& warp = block.warps[w];
        for (u32 lanes = lanes_of(warp); lanes != 0; lanes &= lanes - 1) {
            const Lane& lane = warp.lanes[__builtin_ctz(lanes)];
            if ((warp.live & lane.bit()) == 0) {
                if (gone == nullptr) gone = &lane;
            } else if (first == nullptr) {
                first = &lane;
            } else if (apart == nullptr && (lane.line != first->line || lane.file != first->file)) {
                apart = &lane;
            }
        }
    }
    if (first == nullptr) return;
    if (apart != nullptr) {
        Finding found = finding(Fault::barrier_apart, *apart);
        found.line = u32(std::min(first->line, apart->line));
        found.other_line = u32(std::max(first->line, apart->line));
        findings_.add(found);
    }
    if (gone == nullptr) return;
    Finding found = finding(Fault::barrier_left, *first);
    found.thread = thread_of(*gone).thread;
    found.lanes = block.live;
    findings_.add(found);
}

void Instrument::step(Lane& lane, Place place)
{
    if (!bounds.on()) return;
    last_pc_[number_of(lane)] = place.pc;
    passed.note(place.pc);
    if (++steps_ % turn_steps != 0) return;
    if (steps_ - last_progress_ > most_steps / patience_part) end_endless(0);
    if (steps_ > most_steps) end_endless(most_steps);
    lane.warp->worker->suspend(lane, true, turn_weight);
}

// Where the lanes of the launch are: a finding for each place. The bound is the number of steps after
// which a launch is ended that still changes memory.
void Instrument::end_endless(std::uint64_t bound)
{
    {
        const Shield shield;
        for (const Warp& warp : worker_->warps) {
            for (u32 live = warp.live; live != 0; live &= live - 1) {
                const Lane& lane = warp.lanes[__builtin_ctz(live)];
                Finding found = finding(Fault::endless, lane);
                found.bytes = bound;
                const void* const pc = last_pc_[number_of(lane)];
                const u32 waiting = warp.waiting | warp.at_barrier | warp.at_grid;
                if (pc != nullptr && (waiting & lane.bit()) == 0) {
                    found.site = sites_.find(pc, Kind::block, Space::none);
                    found.line = 0;
                    found.name[0] = 0;
                }
                findings_.add(found);
            }
        }
    }
    worker_->give_up("the launch does not end");
}

}  // namespace simt::instrument
