#include "lockstep.h"

namespace simt::instrument {

void Lockstep::clear()
{
    for (auto& walk : walk_) walk.clear();
}

// A lane at a collective of some lanes waits until the others of them are at it as well.
bool Lockstep::waits(int lane, const Sites& sites, std::uint32_t unfinished) const
{
    const Step& step = next(lane);
    if (Kind(sites[step.site].kind) != Kind::meeting) return false;
    for (std::uint32_t rest = step.detail & unfinished; rest != 0; rest &= rest - 1) {
        const Step& other = next(__builtin_ctz(rest));
        if (Kind(sites[other.site].kind) != Kind::meeting || other.detail != step.detail) return true;
    }
    return false;
}

void Lockstep::replay(Sites& sites)
{
    std::uint32_t unfinished = 0;
    for (int lane = 0; lane < lanes; ++lane) {
        at_[lane] = 0;
        if (!walk_[lane].empty()) unfinished |= 1u << lane;
    }
    while (unfinished != 0) {
        // Lanes that wait for each other in different meetings must not stop the replay: the
        // first of them then goes on alone.
        std::uint64_t first = ~std::uint64_t(0);
        std::uint32_t active = 0, stuck = 0;
        for (std::uint32_t rest = unfinished; rest != 0; rest &= rest - 1) {
            const int lane = __builtin_ctz(rest);
            if (waits(lane, sites, unfinished)) {
                if (stuck == 0) stuck = 1u << lane;
                continue;
            }
            const std::uint64_t order = next(lane).order;
            if (order < first) {
                first = order;
                active = 0;
            }
            if (order == first) active |= 1u << lane;
        }
        if (active == 0) active = stuck;
        issue(active, sites);
        for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
            const int lane = __builtin_ctz(rest);
            if (++at_[lane] == walk_[lane].size()) unfinished &= ~(1u << lane);
        }
    }
    clear();
}

// One instruction of the active lanes.  One place in the code can be two sites, when a pointer is
// to shared memory for some lanes and to global memory for others.
void Lockstep::issue(std::uint32_t active, Sites& sites)
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
