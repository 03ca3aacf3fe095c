// Stable marriage on several threads (Manne, Naim, Lerring and Halappanavar, CSC 2016, section 4):
// each runs an algorithm of its own on its men and on the men whom they displace, and offers change
// by compare-and-swap. Women only get better partners, so a woman whom a man skips would also
// refuse him later, and the marriage is the same for any schedule.
#pragma once

#include <atomic>

#include "marriage_orders.h"
#include "team.h"

namespace cpu {

template <class Lists, class Member>
int solve_in_team(const MarriageTask& task, Member&& member) {
    using Cell = std::atomic<typename Lists::Offer>;
    Couples<Lists, Cell> market(task);
    std::vector<Tally> tallies(static_cast<std::size_t>(task.threads));
    std::atomic<int> status{kDone};
    Barrier all(task.threads);
    const auto work = [&](int rank, auto log) {
        const Share share{rank, task.threads};
        Tally tally;
        market.prepare(share);
        all.wait([] {});
        const int ended = guarded([&] {
            return member(market, share, Watch(task.cancel), &tally, log) ? kDone : kCancelled;
        });
        if (ended != kDone) status.store(ended, std::memory_order_relaxed);
        all.wait([] {});
        if (status.load(std::memory_order_relaxed) == kDone) market.finish(share, &tally);
        tallies[static_cast<std::size_t>(rank)] = tally;
    };
    with_logs(task.recording, [&](auto logs) {
        run_team(task.threads, [&](int rank) { work(rank, logs.of(rank)); });
        return kDone;
    });
    for (const Tally& tally : tallies) tally.add_to(task.work);
    return status.load();
}

// Run `member(market, share, watch, tally, log)` on every thread, with the codes of the C interface.
template <class Member>
int solve_marriage_in_team(const MarriageTask& task, Member&& member) {
    return guarded([&] {
        *task.work = MarriageWork{};
        return task.order != nullptr ? solve_in_team<SharedList>(task, member)
                                     : solve_in_team<OwnLists>(task, member);
    });
}

}  // namespace cpu
