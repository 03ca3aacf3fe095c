#include "order.h"

#include <algorithm>

namespace simt::instrument {

static std::uint64_t key_of(std::uint32_t block, std::uint32_t thread)
{
    return std::uint64_t(block) << 32 | thread;
}

void Order::start(std::uint32_t blocks, std::uint32_t warps_per_block)
{
    warps_per_block_ = warps_per_block;
    first_epoch_ = ++grid_epoch_;
    tick_ = 0;
    block_epoch_.assign(blocks, 0);
    warps_.assign(std::size_t(blocks) * warps_per_block, WarpClocks{});
    states_.assign(warps_.size() * lanes, State{});
    flags_.clear();
    for (std::uint32_t block = 0; block < blocks; ++block) block_started(block);
}

void Order::block_started(std::uint32_t block_slot)
{
    for (std::uint32_t w = 0; w < warps_per_block_; ++w) {
        const std::size_t slot = std::size_t(block_slot) * warps_per_block_ + w;
        warps_[slot] = WarpClocks{};
        std::fill(warps_[slot].now, warps_[slot].now + lanes, 1u);
        std::fill_n(states_.begin() + std::ptrdiff_t(slot * lanes), lanes, State{});
    }
}

const Order::State& Order::state(const Thread& who) const
{
    return states_[std::size_t(who.warp_slot) * lanes + who.thread % lanes];
}

Order::State& Order::state(const Thread& who)
{
    return states_[std::size_t(who.warp_slot) * lanes + who.thread % lanes];
}

const Order::Part* Order::find(const std::vector<Part>& parts, std::uint64_t key)
{
    const auto at = std::lower_bound(parts.begin(), parts.end(), key,
                                     [](const Part& part, std::uint64_t k) { return part.key < k; });
    return at != parts.end() && at->key == key ? &*at : nullptr;
}

void Order::join(std::vector<Part>& into, const std::vector<Part>& from)
{
    std::vector<Part> all;
    all.reserve(into.size() + from.size());
    auto a = into.begin();
    auto b = from.begin();
    while (a != into.end() || b != from.end()) {
        if (b == from.end() || (a != into.end() && a->key < b->key)) {
            all.push_back(*a++);
        } else if (a == into.end() || b->key < a->key) {
            all.push_back(*b++);
        } else {
            all.push_back({a->key, std::max(a->value, b->value), std::max(a->tick, b->tick)});
            ++a, ++b;
        }
    }
    into.swap(all);
}

// Forgets the oldest half; what was before the last of them then counts as known.
void Order::shorten(std::vector<Part>& parts, std::uint32_t& before_tick)
{
    if (parts.size() <= most_parts) return;
    std::vector<std::uint32_t> ticks;
    for (const Part& part : parts) ticks.push_back(part.tick);
    const auto middle = ticks.begin() + std::ptrdiff_t(ticks.size() / 2);
    std::nth_element(ticks.begin(), middle, ticks.end());
    const std::uint32_t limit = *middle;
    before_tick = std::max(before_tick, limit);
    parts.erase(std::remove_if(parts.begin(), parts.end(),
                               [limit](const Part& part) { return part.tick <= limit; }),
                parts.end());
}

Order::Known Order::join(const Known& a, const Known& b)
{
    if (a == b || b == nullptr) return a;
    if (a == nullptr) return b;
    auto both = std::make_shared<Knowledge>(*a);
    join(both->threads, b->threads);
    join(both->blocks, b->blocks);
    both->before_tick = std::max(a->before_tick, b->before_tick);
    shorten(both->threads, both->before_tick);
    shorten(both->blocks, both->before_tick);
    return both;
}

void Order::acquire(State& state)
{
    state.known = join(state.known, state.pending);
    state.pending = nullptr;
}

// Each lane that met now knows everything that any of them knew, and their own accesses.
void Order::warp_synchronised(std::uint32_t warp_slot, std::uint32_t met)
{
    WarpClocks& warp = warps_[warp_slot];
    State* const states = &states_[std::size_t(warp_slot) * lanes];
    std::uint32_t joined[lanes] = {};
    Known known;
    for (int lane = 0; lane < lanes; ++lane) {
        if ((met >> lane & 1) == 0) continue;
        for (int k = 0; k < lanes; ++k) joined[k] = std::max(joined[k], warp.seen[lane][k]);
        joined[lane] = std::max(joined[lane], warp.now[lane]);
        acquire(states[lane]);
        known = join(known, states[lane].known);
    }
    for (int lane = 0; lane < lanes; ++lane) {
        if ((met >> lane & 1) == 0) continue;
        std::copy(joined, joined + lanes, warp.seen[lane]);
        ++warp.now[lane];
        states[lane].known = known;
    }
}

void Order::block_synchronised(std::uint32_t block_slot)
{
    ++block_epoch_[block_slot];
    const std::size_t count = std::size_t(warps_per_block_) * lanes;
    State* const states = &states_[block_slot * count];
    Known known;
    for (std::size_t i = 0; i < count; ++i) {
        acquire(states[i]);
        known = join(known, states[i].known);
    }
    if (known == nullptr) return;
    for (std::size_t i = 0; i < count; ++i) states[i].known = known;
}

void Order::fenced(const Thread& who, bool of_block)
{
    State& mine = state(who);
    acquire(mine);
    std::uint32_t& clock = warps_[who.warp_slot].now[who.thread % lanes];
    mine.released = nullptr;
    mine.fence_clock = clock++;
    mine.fence_epoch = block_epoch_[who.block_slot];
    mine.fence_tick = tick_;
    mine.fenced = mine.just_fenced = true;
    mine.fence_of_block = of_block;
}

// What was before the thread's last fence: its own accesses, those of its block before the last
// barrier, those of its warp that it had seen, and what it had acquired.
const Order::Known& Order::released(const Thread& who, State& mine)
{
    if (mine.released != nullptr) return mine.released;
    auto known = mine.known ? std::make_shared<Knowledge>(*mine.known) : std::make_shared<Knowledge>();
    const std::uint32_t first = who.thread / lanes * lanes;
    const std::uint32_t* const seen = warps_[who.warp_slot].seen[who.thread % lanes];
    std::vector<Part> own;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const std::uint32_t clock = first + lane == who.thread ? mine.fence_clock : seen[lane];
        if (clock != 0) own.push_back({key_of(who.block, first + lane), clock, mine.fence_tick});
    }
    join(known->threads, own);
    if (mine.fence_epoch != 0) join(known->blocks, {{who.block, mine.fence_epoch, mine.fence_tick}});
    shorten(known->threads, known->before_tick);
    shorten(known->blocks, known->before_tick);
    mine.released = known;
    return mine.released;
}

void Order::flag_read(const Thread& who, std::uint64_t address)
{
    const auto found = flags_.find(address);
    if (found == flags_.end()) return;
    const Flag& flag = found->second;
    State& mine = state(who);
    mine.pending = join(mine.pending, flag.all);
    if (flag.block == who.block) mine.pending = join(mine.pending, flag.of_block);
}

void Order::flag_written(const Thread& who, std::uint64_t address, bool keeps)
{
    State& mine = state(who);
    if (!mine.fenced) {
        if (!keeps) flags_.erase(address);
        return;
    }
    Flag& flag = flags_[address];
    if (!keeps) flag = Flag{};
    const Known& known = released(who, mine);
    if (mine.fence_of_block) {
        flag.of_block = flag.block == who.block ? join(flag.of_block, known) : known;
        flag.block = who.block;
    } else {
        flag.all = join(flag.all, known);
    }
}

Moment Order::now(const Thread& who)
{
    return {who.block, who.thread, warps_[who.warp_slot].now[who.thread % lanes],
            block_epoch_[who.block_slot], grid_epoch_, ++tick_};
}

bool Order::ordered(const Moment& before, bool atomic, const Thread& who, bool shared) const
{
    if (before.grid_epoch != grid_epoch_) return true;
    if (before.block == who.block) {
        if (before.thread == who.thread || before.block_epoch != block_epoch_[who.block_slot])
            return true;
        if (before.thread / lanes == who.thread / lanes) {
            const WarpClocks& warp = warps_[who.warp_slot];
            if (warp.seen[who.thread % lanes][before.thread % lanes] >= before.clock) return true;
        }
    } else if (shared) {
        return true;
    }
    const Known& known = state(who).known;
    if (known == nullptr) return false;
    if (before.tick <= known->before_tick) return true;
    const Part* const thread = find(known->threads, key_of(before.block, before.thread));
    if (thread != nullptr && thread->value + (atomic ? 1 : 0) >= before.clock) return true;
    const Part* const block = find(known->blocks, before.block);
    return block != nullptr && block->value > before.block_epoch;
}

}  // namespace simt::instrument
