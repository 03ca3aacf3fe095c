// Who goes next.
//
// sequential    a warp keeps the processor until none of its lanes can go on
// round_robin   after every meeting of lanes the next warp goes
// random        at every switch any lane that can go on may be the next, drawn from the seed
//
// Whatever the policy, a lane that polls cannot starve the others: every 1,024th atomic, racy load
// or collective lets another warp go, and within a warp the lane after the last one goes first.
#include <cstdio>

#include "../host/memory.h"
#include "hooks.h"
#include "worker.h"

namespace simt {

static constexpr int quantum_length = 1024;

// Steps between two looks at the clock and at the launch's stop flag: less than a millisecond.
// A switch within a warp costs none, since there can only be 31 of them until the next that does;
// the end of a quantum costs many, because a thousand meetings of lanes may lie behind it.
static constexpr int poll_steps = 1 << 13;
static constexpr u32 quantum_weight = 1 << 10;

SIMT_TLS int quantum = quantum_length;

u32 Worker::random()    // xorshift64 (Marsaglia, "Xorshift RNGs", 2003), upper half
{
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return u32(random_ >> 32);
}

static u32 below(u32 limit, u32 random) { return u32(u64(random) * limit >> 32); }

bool Worker::chance(u32 of_65536) { return (random() & 0xffff) < of_65536; }

static u32 nth_bit(u32 bits, u32 n)
{
    while (n-- > 0) bits &= bits - 1;
    return u32(__builtin_ctz(bits));
}

Warp* Worker::next_runnable_warp(u32 after)
{
    const u32 count = u32(warps.size());
    for (u32 i = 1; i <= count; ++i) {
        u32 k = after + i;
        if (k >= count) k -= count;
        if (warps[k].runnable != 0) return &warps[k];
    }
    return nullptr;
}

Lane* Worker::pick_random()
{
    Warp* warp = next_runnable_warp(below(u32(warps.size()), random()));
    if (warp == nullptr) return nullptr;
    const u32 choices = u32(__builtin_popcount(warp->runnable));
    return &warp->lanes[nth_bit(warp->runnable, below(choices, random()))];
}

Lane* Worker::pick(Warp& from, bool leave_warp)
{
    if (launch->policy == Policy::random) return pick_random();
    Warp* warp = &from;
    if (leave_warp || from.runnable == 0) warp = next_runnable_warp(from.index);
    if (warp == nullptr) return nullptr;
    const u32 above = warp->runnable & ~((2u << warp->last) - 1);
    return &warp->lanes[__builtin_ctz(above != 0 ? above : warp->runnable)];
}

void Worker::suspend(Lane& lane, bool leave_warp, u32 weight)
{
    stopped_ = &lane;
    lane.warp->last = lane.id;
    steps_to_poll_ -= int(weight);
    if (steps_to_poll_ < 0) {
        steps_to_poll_ = poll_steps;
        reason_ = Reason::poll;
        current = nullptr;
        switch_context(lane.context, main_);
    }
    Lane* next = pick(*lane.warp, leave_warp);
    if (next == &lane) return;
    ++stats.switches;
    reason_ = Reason::idle;
    current = next;
    switch_context(lane.context, next == nullptr ? main_ : next->context);
}

void Worker::after_meeting(Lane& lane)
{
    if (launch->policy != Policy::sequential) return suspend(lane, true);
    spend_quantum();
}

void Worker::start_quantum()
{
    atomics_to_yield_ = quantum_length;
    quantum = launch->request.yield_atomic != 0 ? 1 : quantum_length;
}

void Worker::quantum_ended(Lane& lane)
{
    const u32 yield = launch->request.yield_atomic;
    if (yield == 0) {
        quantum = quantum_length;
        return suspend(lane, true, quantum_weight);
    }
    quantum = 1;    // every atomic and racy load comes here, to draw whether it gives way
    if (--atomics_to_yield_ == 0) {
        atomics_to_yield_ = quantum_length;
        return suspend(lane, true);
    }
    if (chance(yield)) suspend(lane, true);
}

void Worker::give_up(const char* text)
{
    std::snprintf(failure_, sizeof failure_, "%s", text);
    abandon(Reason::failed);
}

void Worker::abandon(Reason reason)
{
    // Nothing switches back to this context, so a scratch one suffices: the lane's own may be
    // half written if a signal brought us here.
    Context scratch;
    reason_ = reason;
    current = nullptr;
    switch_context(scratch, main_);
    __builtin_unreachable();
}

static Worker& current_worker() { return *current_lane().warp->worker; }

void quantum_ended()
{
    if (current == nullptr) {   // host code of a watched program uses an atomic
        quantum = quantum_length;
        return;
    }
    Lane& lane = current_lane();
    lane.warp->worker->quantum_ended(lane);
}

void give_way()
{
    Lane& lane = current_lane();
    lane.warp->worker->suspend(lane, true);
}

void yield_at_access()
{
    Worker& worker = current_worker();
    const u32 yield = worker.launch->request.yield_access;
    if (yield != 0 && worker.chance(yield)) worker.suspend(current_lane(), true);
}

long long steps()
{
    Stats& stats = current_worker().stats;
    return (long long)(stats.lane_steps + stats.switches + stats.atomics);
}

unsigned long long time()
{
    Launch& launch = *current_worker().launch;
    u64 now = launch.request.steps_before + u64(steps());
    if (launch.workers == 1) return now;
    // OS threads count for themselves; none of them may fall behind what another one has seen.
    u64 seen = launch.latest.load(std::memory_order_relaxed);
    while (seen < now && !launch.latest.compare_exchange_weak(seen, now)) {
    }
    return seen < now ? now : seen;
}

void fence(bool of_block)
{
    hook::fenced(of_block);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    spend_quantum();
}

Shield::Shield()
{
    if (current != nullptr) current_worker().shielded = current_worker().shielded + 1;
}

Shield::~Shield()
{
    if (current != nullptr) current_worker().shielded = current_worker().shielded - 1;
}

}  // namespace simt
