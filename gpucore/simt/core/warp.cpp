// Warp collectives: lanes bring values, the last one to arrive computes all results.
//
// Lanes form a group if they wait in the same call with the same mask; several groups of one warp
// can wait side by side.  As in CUDA, lanes of the mask that have returned are not waited for.
#include "../host/collectives.h"
#include "hooks.h"
#include "worker.h"

namespace simt {

static u32 first_lane(u32 lanes) { return u32(__builtin_ctz(lanes)); }

template <class F> static void for_each_lane(Warp& warp, u32 lanes, F f)
{
    if (lanes == ~0u) {    // the usual case, without the search for the next bit
        for (int i = 0; i < 32; ++i) f(warp.lanes[i]);
    } else {
        for (; lanes != 0; lanes &= lanes - 1) f(warp.lanes[first_lane(lanes)]);
    }
}

// Reading from a lane that takes no part is undefined in CUDA; here it is the own value.
static void shuffle_values(Warp& warp, u32 group)
{
    u64 brought[32];
    for_each_lane(warp, group, [&](Lane& lane) { brought[lane.id] = lane.value; });
    for_each_lane(warp, group, [&](Lane& lane) {
        if (group >> lane.source & 1) lane.value = brought[lane.source];
    });
}

static u32 lanes_with(Warp& warp, u32 group, u64 value)
{
    u32 found = 0;
    for_each_lane(warp, group, [&](Lane& lane) {
        if (lane.value == value) found |= lane.bit();
    });
    return found;
}

static void give(Warp& warp, u32 group, u64 result)
{
    for_each_lane(warp, group, [&](Lane& lane) { lane.value = result; });
}

static void match(Warp& warp, u32 group)
{
    for (u32 rest = group; rest != 0;) {
        const u32 equal = lanes_with(warp, rest, warp.lanes[first_lane(rest)].value);
        give(warp, equal, equal);
        rest &= ~equal;
    }
}

template <class T, class F> static void reduce(Warp& warp, u32 group, F f)
{
    T total = T(warp.lanes[first_lane(group)].value);
    for_each_lane(warp, group & (group - 1), [&](Lane& lane) { total = f(total, T(lane.value)); });
    give(warp, group, u32(total));
}

template <class T> static T smaller(T a, T b) { return b < a ? b : a; }
template <class T> static T larger(T a, T b) { return a < b ? b : a; }

static void combine(Warp& warp, u32 group, Call call)
{
    switch (call) {
    case Call::shuffle:
    case Call::shuffle_up:
    case Call::shuffle_down:
    case Call::shuffle_xor: return shuffle_values(warp, group);
    case Call::ballot: return give(warp, group, lanes_with(warp, group, 1));
    case Call::any: return give(warp, group, lanes_with(warp, group, 1) != 0);
    case Call::all: return give(warp, group, lanes_with(warp, group, 1) == group);
    case Call::match_any: return match(warp, group);
    case Call::match_all: {
        const u64 value = warp.lanes[first_lane(group)].value;
        return give(warp, group, lanes_with(warp, group, value) == group ? group : 0);
    }
    case Call::reduce_add: return reduce<u32>(warp, group, [](u32 a, u32 b) { return a + b; });
    case Call::reduce_and: return reduce<u32>(warp, group, [](u32 a, u32 b) { return a & b; });
    case Call::reduce_or: return reduce<u32>(warp, group, [](u32 a, u32 b) { return a | b; });
    case Call::reduce_xor: return reduce<u32>(warp, group, [](u32 a, u32 b) { return a ^ b; });
    case Call::reduce_min_int: return reduce<int>(warp, group, smaller<int>);
    case Call::reduce_max_int: return reduce<int>(warp, group, larger<int>);
    case Call::reduce_min_unsigned: return reduce<u32>(warp, group, smaller<u32>);
    case Call::reduce_max_unsigned: return reduce<u32>(warp, group, larger<u32>);
    default: return;    // __syncwarp brings nothing
    }
}

static u32 group_of(const Warp& warp, const Lane& lane)
{
    return (lane.mask & warp.live) | lane.bit();
}

// Lets the lane's group go on if all of it is there.
static bool complete_group(Warp& warp, const Lane& lane)
{
    const u32 group = group_of(warp, lane), mask = lane.mask;
    const Call call = lane.call;
    if ((warp.waiting & group) != group) return false;
    bool agreed = true;
    for_each_lane(warp, group, [&](Lane& other) {
        agreed &= (other.mask == mask) & (other.call == call);
    });
    if (!agreed) return false;
    combine(warp, group, call);
    warp.waiting &= ~group;
    warp.runnable |= group;
    Stats& stats = warp.worker->stats;
    ++stats.collectives;
    stats.lane_steps += u32(__builtin_popcount(group));
    hook::lanes_met(warp, group, call);
    return true;
}

static bool is_shuffle(Call call) { return call >= Call::shuffle && call <= Call::shuffle_xor; }

static void check_rules(Worker& worker, const Warp& warp, const Lane& lane)
{
    if ((lane.mask & lane.bit()) == 0) {
        if (hook::broke_rule(lane, Rule::not_in_mask, lane.mask)) return;
        worker.fail(lane, lane.at(), "a lane is missing from its own mask 0x%08x", lane.mask);
    }
    const u32 gone = lane.mask & ~warp.live;
    if (gone != 0 && !hook::broke_rule(lane, Rule::absent, gone))
        worker.fail(lane, lane.at(), "the mask 0x%08x names lanes that have returned (0x%08x)",
                    lane.mask, gone);
    if (is_shuffle(lane.call) && (lane.mask >> lane.source & 1) == 0 &&
        !hook::broke_rule(lane, Rule::from_outside, 1u << lane.source))
        worker.fail(lane, lane.at(), "a shuffle reads from lane %u, which is not in the mask 0x%08x",
                    lane.source, lane.mask);
}

// The last lane to arrive, or one that came in vain: kept out of meet(), which is short so that
// the usual case needs no register saved.
__attribute__((noinline)) static void meet_others(Worker& worker, Warp& warp, Lane& lane)
{
    if (complete_group(warp, lane)) worker.after_meeting(lane);
    else worker.suspend(lane, false);
}

unsigned long long meet(Call call, unsigned mask, unsigned long long value, unsigned source,
                        const char* file, int line)
{
    Lane& lane = current_lane();
    Warp& warp = *lane.warp;
    Worker& worker = *warp.worker;
    lane.call = call;
    lane.mask = mask;
    lane.value = value;
    lane.source = static_cast<unsigned char>(source);
    lane.file = file;
    lane.line = line;
    hook::lane_arrived(lane, SIMT_CALLED_FROM);
    if (__builtin_expect(worker.strict, 0)) check_rules(worker, warp, lane);
    warp.runnable &= ~lane.bit();
    warp.waiting |= lane.bit();
    const u32 group = group_of(warp, lane);
    if ((warp.waiting & group) != group) worker.wait(lane);
    else meet_others(worker, warp, lane);
    return current_lane().value;    // not `lane`, which would have to survive the switch
}

void check_width(int width, const char* file, int line)
{
    Lane& lane = current_lane();
    Worker& worker = *lane.warp->worker;
    lane.file = file;
    lane.line = line;
    if (!worker.strict || (width >= 1 && width <= 32 && (width & (width - 1)) == 0)) return;
    if (!hook::broke_rule(lane, Rule::width, u32(width)))
        worker.fail(lane, {file, line}, "a shuffle of width %d; it must be 1, 2, 4, 8, 16 or 32",
                    width);
}

// A lane of the warp has returned: groups that waited for it may be complete now.
void complete_without(Worker& worker, Warp& warp, u32 returned)
{
    for (u32 rest = warp.waiting; rest != 0; rest &= rest - 1) {
        const Lane& lane = warp.lanes[first_lane(rest)];
        if ((warp.waiting & lane.bit()) == 0 || (lane.mask & returned) == 0) continue;
        const bool of_group = (lane.mask & lane.bit()) != 0;
        if (worker.strict && of_group && !hook::broke_rule(lane, Rule::absent, returned))
            worker.fail(lane, lane.at(), "lane %u returned while others wait for it",
                        first_lane(returned));
        complete_group(warp, lane);
    }
}

}  // namespace simt
