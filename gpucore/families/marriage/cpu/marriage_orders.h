// Orders in which men propose. The marriage is the same in all of them (section 2 of the paper).
// Every function returns false if the caller wants it to stop.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "marriage_market.h"
#include "team.h"

namespace cpu {

// The men of a range, each as often as he looks for a partner.
template <class Market>
std::vector<Seeker> everybody(const Market& market, int begin, int end) {
    std::vector<Seeker> men;
    men.reserve(static_cast<std::size_t>(end - begin));
    for (int man = begin; man < end; ++man)
        men.insert(men.end(), static_cast<std::size_t>(market.seats(man)),
                   Seeker{market.lists().number(man), 0});
    return men;
}

// Algorithm 1 of the paper, Gale and Shapley's with a queue: displaced men go to its end. The queue
// is two lists that alternate; a round is the content of one of them.
template <class Market, class Log>
bool by_queue(Market& market, int begin, int end, Watch watch, Tally* tally, Log& log) {
    int round = 0;
    std::vector<Seeker> queue = everybody(market, begin, end), later;
    for (; !queue.empty(); queue.swap(later), later.clear()) {
        ++tally->rounds;
        log.begin(round++);
        for (std::size_t turn = 0; turn < queue.size(); ++turn) {
            if (watch.stopped()) return false;
            market.expect(queue, turn);
            Seeker seeker = queue[turn];
            if (market.find(&seeker, tally, log) && market.propose(&seeker, tally, log))
                later.push_back(seeker);
        }
    }
    return true;
}

// Gale and Shapley's rounds: all free men propose at the same time, to women who preferred them at
// the start of the round; then each woman refuses all but the best. In the record an iteration is
// one of these two steps.
template <class Market, class Log>
bool by_rounds(Market& market, int men, Watch watch, Tally* tally, Log& log) {
    std::vector<Seeker> free = everybody(market, 0, men);
    for (int step = 0;; step += 2) {
        log.begin(step);
        std::size_t proposing = 0;
        for (std::size_t turn = 0; turn < free.size(); ++turn) {
            if (watch.stopped()) return false;
            market.expect(free, turn);
            Seeker seeker = free[turn];
            if (!market.find(&seeker, tally, log)) continue;
            market.log_proposal(seeker, log);
            free[proposing++] = seeker;
        }
        if (proposing == 0) return true;
        ++tally->rounds;
        log.begin(step + 1);
        std::size_t refused = 0;
        for (std::size_t turn = 0; turn < proposing; ++turn) {
            Seeker seeker = free[turn];
            if (market.propose(&seeker, tally, log)) free[refused++] = seeker;
        }
        free.resize(refused);
    }
}

// McVitie and Wilson's: a displaced man continues at once, before the next man begins. On the stack
// of section 2 he is above all men who have not begun; here a loop replaces the stack.
template <class Market, class Log>
bool by_stack(Market& market, int begin, int end, Watch watch, Tally* tally, Log& log) {
    Tally mine;
    for (int man = begin; man < end; ++man)
        for (int seat = market.seats(man); seat > 0; --seat) {
            Seeker seeker{market.lists().number(man), 0};
            do {
                if (watch.stopped()) return false;
            } while (market.find(&seeker, &mine, log) && market.propose(&seeker, &mine, log));
        }
    tally->add(mine);
    return true;
}

// One of several threads: it has some men in turn, each with a stack of his own, and fetches a man's
// data before his turn to propose. In a record a thread has one stack.
template <class Market, class Log>
bool by_stacks(Market& market, Chunks& men, Watch watch, Tally* tally, Log& log) {
    constexpr int kStacks = Log::kOn ? 1 : Market::kStacks;
    int begin = 0, end = 0;
    if constexpr (kStacks == 1) {
        while (men.take(&begin, &end))
            if (!by_stack(market, begin, end, watch, tally, log)) return false;
        return true;
    }
    Seeker tops[kStacks];
    Tally mine;
    const auto refill = [&](Seeker* top) {
        if (begin == end && !men.take(&begin, &end)) return false;
        *top = {market.lists().number(begin++), 0};
        return true;
    };
    int count = 0;
    while (count < kStacks && refill(&tops[count])) ++count;
    while (count > 0) {
        if (watch.stopped()) return false;
        market.expect(tops, count);
        for (int i = 0; i < count; ++i) {
            if (market.find(&tops[i], &mine, log) && market.propose(&tops[i], &mine, log)) continue;
            if (!refill(&tops[i])) tops[i] = tops[--count];
        }
    }
    tally->add(mine);
    return true;
}

// Run `method` on a task with one thread, and store its counters.
template <class Market, class Method>
int solve_alone(const MarriageTask& task, Method&& method) {
    constexpr Share kAll{0, 1};
    Market market(task);
    Tally tally;
    return with_logs(task.recording, [&](auto logs) {
        auto log = logs.of(0);
        market.prepare(kAll);
        const bool done = method(market, Watch(task.cancel), &tally, log);
        if (done) market.finish(kAll, &tally);
        tally.add_to(task.work);
        return done ? kDone : kCancelled;
    });
}

template <class Lists, class Method>
int solve_with(const MarriageTask& task, Method&& method) {
    if (task.man_capacity != nullptr || task.woman_capacity != nullptr)
        return solve_alone<Seats<Lists>>(task, method);
    return solve_alone<Couples<Lists, typename Lists::Offer>>(task, method);
}

// Run a method of one thread, with the status codes of the C interface.
template <class Method>
int solve_marriage(const MarriageTask& task, Method&& method) {
    return guarded([&] {
        *task.work = MarriageWork{};
        return task.order != nullptr ? solve_with<SharedList>(task, method)
                                     : solve_with<OwnLists>(task, method);
    });
}

}  // namespace cpu
