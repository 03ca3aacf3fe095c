#include "lockstep.h"

#include <algorithm>

namespace simt::instrument {

void Lockstep::clear()
{
    for (auto& walk : walk_) walk.clear();
    busy_ = full_ = 0;
    meetings_ = false;
}

void Lockstep::advance(int lane)
{
    if (++at_[lane] < walk_[lane].size()) {
        order_[lane] = next(lane).order;
    } else {
        order_[lane] = ended;
        ended_lanes_ |= 1u << lane;
    }
}

void Lockstep::forget_replayed(int lane)
{
    auto& walk = walk_[lane];
    walk.erase(walk.begin(), walk.begin() + std::ptrdiff_t(at_[lane]));
    if (walk.empty()) busy_ &= ~(1u << lane);
    if (walk.size() < long_walk) full_ &= ~(1u << lane);
}

// A lane at a collective of some lanes waits until the others of them are at it as well.
bool Lockstep::waits(int lane, const Sites& sites) const
{
    const Step& step = next(lane);
    if (Kind(sites[step.site].kind) != Kind::meeting) return false;
    for (std::uint32_t rest = step.detail; rest != 0; rest &= rest - 1) {
        const int partner = __builtin_ctz(rest);
        if (order_[partner] == ended) continue;
        const Step& other = next(partner);
        if (other.site != step.site) return true;
    }
    return false;
}

std::uint32_t Lockstep::held_back(const Sites& sites) const
{
    std::uint32_t held = 0;
    for (int lane = 0; lane < lanes; ++lane)
        if (order_[lane] != ended && waits(lane, sites)) held |= 1u << lane;
    return held;
}

std::uint32_t Lockstep::first_in_order(std::uint32_t held) const
{
    std::uint64_t first = ended;
    for (int lane = 0; lane < lanes; ++lane)
        if ((held >> lane & 1) == 0) first = std::min(first, order_[lane]);
    std::uint32_t active = 0;
    if (first == ended) return active;
    for (int lane = 0; lane < lanes; ++lane)
        active |= std::uint32_t(order_[lane] == first && (held >> lane & 1) == 0) << lane;
    return active;
}

void Lockstep::replay(Sites& sites, RequestLog& log, std::uint32_t open)
{
    ended_lanes_ = 0;
    for (int lane = 0; lane < lanes; ++lane) {
        at_[lane] = 0;
        order_[lane] = walk_[lane].empty() ? ended : next(lane).order;
        if (walk_[lane].empty()) ended_lanes_ |= 1u << lane;
    }
    while ((ended_lanes_ & open) == 0) {
        const std::uint32_t held = meetings_ ? held_back(sites) : 0;
        std::uint32_t active = first_in_order(held);
        // Lanes that wait for each other in different meetings must not stop the replay: the first
        // of them then goes on alone.
        if (active == 0) active = held & (~held + 1);
        if (active == 0) break;
        issue(active, sites, log);
        for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) advance(__builtin_ctz(rest));
    }
    if (open == 0) return clear();
    for (int lane = 0; lane < lanes; ++lane) forget_replayed(lane);
}

// One instruction of the active lanes.  One place in the code can be two sites, when a pointer is
// to shared memory for some lanes and to global memory for others.
void Lockstep::issue(std::uint32_t active, Sites& sites, RequestLog& log)
{
    while (active != 0) {
        const std::uint32_t number = next(__builtin_ctz(active)).site;
        Site& site = sites[number];
        LaneAccess access[lanes];
        int count = 0;
        for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
            const int lane = __builtin_ctz(rest);
            const Step& step = next(lane);
            if (step.site != number) continue;
            access[count++] = {step.address, step.detail, std::uint32_t(lane)};
            active &= ~(1u << lane);
        }
        site.requests += 1;
        site.lanes += std::uint64_t(count);
        if (log.wants_more()) log.keep(site, access, count);
        if (Space(site.space) == Space::shared) {
            site.bank_conflicts += bank_conflicts(access, count, Kind(site.kind) == Kind::atomic);
        } else if (Space(site.space) == Space::global) {
            const GlobalCost cost = global_cost(access, count);
            site.sectors += cost.sectors;
            site.ideal_sectors += cost.ideal;
        }
    }
}

}  // namespace simt::instrument
