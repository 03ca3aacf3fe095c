// The partners that women hold, and proposals: one partner each on one thread or on several, or
// several partners each. All have the same interface, which the orders of proposals use
// (marriage_orders.h).
//
//   seats(man)       how many partners a man looks for
//   find(seeker)     the next woman of his list who prefers him; false at its end
//   propose(seeker)  he proposes there; true if a man is free after it: `seeker` is then that man
//   prepare(share), finish(share, tally)  a thread's part of what comes before and after
//
// Both write events. A woman's offer changes before its event is written, so that the events of
// several threads may come in another order; her ranks of the men say which it was.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "marriage_lists.h"

namespace cpu {

// Prefetch data of the men behind a man in the queue: less for nearer men.
template <class Lists, class Cell>
void expect(const Lists& lists, const Cell* held, const std::vector<Seeker>& queue,
            std::size_t turn) {
    constexpr std::size_t kStep = 4;
    if (turn + 3 * kStep >= queue.size()) return;
    lists.expect_much_later(queue[turn + 3 * kStep]);
    lists.expect_later(queue[turn + 2 * kStep]);
    lists.expect_soon(queue[turn + kStep], held);
    lists.expect_next(queue[turn + kStep / 2], held);
}

// The numbers of people in the record: men come before women.
template <class Lists>
class Names {
public:
    Names(const Lists& lists, const MarriageTask& task) : lists_(lists), men_(task.num_men) {}

    // What happens to a man at a place of his list; `third` is another man's number, or none.
    template <class Log>
    void event(Log& log, unsigned kind, Seeker at, int third = kSingle) const {
        const int cell = lists_.cell(at);
        log.event(kind, lists_.man(at.man), men_ + lists_.woman(cell),
                  third == kSingle ? kSingle : lists_.man(third), static_cast<float>(at.place + 1),
                  Lists::her_rank(lists_.offer(at)));
    }

    // A man has read his list from a place on, up to a woman who prefers him, or to its end.
    template <class Log>
    void looked(Log& log, Seeker at, int end, bool found) const {
        if (!Log::kOn) return;
        log.count(kBusy, 1);
        log.count(kLaneSlots, 1);
        log.count(kConsidered, end - at.place + found);
        log.count(kSkipped, end - at.place);
        for (; at.place < end; ++at.place) event(log, SKIP, at);
        if (!found)
            log.event(ALONE, lists_.man(at.man), kSingle, kSingle, static_cast<float>(end));
    }

    // He is engaged, and the woman leaves another man, or kSingle.
    template <class Log>
    void engaged(Log& log, Seeker at, int left) const {
        if (!Log::kOn) return;
        event(log, ENGAGE, at, left);
        log.count(kEngaged, 1);
        log.count(kDisplaced, left != kSingle);
    }

    // Another man loses his seat to him; `held` was his offer.
    template <class Log>
    void left(Log& log, Seeker at, typename Lists::Offer held) const {
        if (!Log::kOn) return;
        log.event(LEAVE, lists_.man(at.man), men_ + lists_.woman(lists_.cell(at)),
                  lists_.man(Lists::who(held)), 0.0f, Lists::her_rank(held));
        log.count(kDisplaced, 1);
    }

    template <class Log>
    void refused(Log& log, Seeker at, int kept) const {
        if (!Log::kOn) return;
        event(log, REFUSE, at, kept);
        log.count(kRefused, 1);
    }

private:
    const Lists& lists_;
    const int men_;
};

// Each person has at most one partner. `Cell` is an offer, or an atomic one for several threads.
template <class Lists, class Cell>
class Couples {
public:
    static constexpr int kStacks = Lists::kStacks;
    using Offer = typename Lists::Offer;

    explicit Couples(const MarriageTask& task)
        : task_(task),
          lists_(task),
          names_(lists_, task_),
          held_(new Cell[static_cast<std::size_t>(task.num_women)]) {}

    // The first thread to write a page of memory also has it cleared.
    void prepare(Share share) {
        for (int cell = share.begin(task_.num_women); cell < share.end(task_.num_women); ++cell)
            held_[static_cast<std::size_t>(cell)] = Lists::kNobody;
        std::fill(task_.wife + share.begin(task_.num_men), task_.wife + share.end(task_.num_men),
                  kSingle);
    }

    const Lists& lists() const { return lists_; }
    int seats(int) const { return 1; }
    void expect(const std::vector<Seeker>& queue, std::size_t turn) const {
        cpu::expect(lists_, held_.get(), queue, turn);
    }
    // Prefetch data of the men who propose next, in steps that read what the one before fetched.
    void expect(const Seeker* next, int count) const {
        for (int i = 0; i < count; ++i) lists_.expect_much_later(next[i]);
        for (int i = 0; i < count; ++i) lists_.expect_later(next[i]);
        for (int i = 0; i < count; ++i) lists_.expect_soon(next[i], held_.get());
        for (int i = 0; i < count; ++i) lists_.expect_next(next[i], held_.get());
    }

    template <class Log>
    bool find(Seeker* seeker, Tally* tally, Log& log) const {
        const int place = lists_.find(*seeker, held_.get());
        const bool found = place < lists_.length(seeker->man);
        tally->considered += place - seeker->place + found;
        names_.looked(log, *seeker, place, found);
        seeker->place = place;
        return found;
    }

    template <class Log>
    void log_proposal(Seeker seeker, Log& log) const {
        if (Log::kOn) names_.event(log, PROPOSE, seeker);
    }

    template <class Log>
    bool propose(Seeker* seeker, Tally* tally, Log& log) {
        lists_.note(*seeker);
        const int cell = lists_.cell(*seeker);
        Offer held = Lists::kNobody;
        if (!replace(held_[static_cast<std::size_t>(cell)], *seeker, &held, tally, log)) {
            ++seeker->place;
            return true;
        }
        names_.engaged(log, *seeker, held == Lists::kNobody ? kSingle : Lists::who(held));
        if (held == Lists::kNobody) return false;
        *seeker = lists_.displaced(held, cell);
        return true;
    }

    void finish(Share share, Tally* tally) const {
        Tally mine;
        for (int cell = share.begin(task_.num_women); cell < share.end(task_.num_women); ++cell) {
            const Offer held = held_in(held_[static_cast<std::size_t>(cell)]);
            if (held == Lists::kNobody) continue;
            const Seeker at = lists_.displaced(held, cell);
            task_.wife[lists_.man(at.man)] = lists_.woman(cell);
            ++mine.pairs;
            mine.men_ranks += at.place;
            mine.women_ranks += Lists::her_rank(held);
        }
        tally->add(mine);
    }

private:
    // A proposal counts even if she refuses it: in rounds she may have got a better man since he
    // found her.
    template <class Log>
    bool replace(Offer& cell, Seeker seeker, Offer* held, Tally* tally, Log& log) {
        const Offer offer = lists_.offer(seeker);
        ++tally->proposals;
        *held = cell;
        if (offer >= *held) {
            names_.refused(log, seeker, Lists::who(*held));
            return false;
        }
        cell = offer;
        return true;
    }

    // Section 4: after a failed CAS he tries again while he can beat the new offer. Acquire and
    // release order publishes, with an offer, the place that its man stored before.
    template <class Log>
    bool replace(std::atomic<Offer>& cell, Seeker seeker, Offer* held, Tally* tally, Log& log) {
        const Offer offer = lists_.offer(seeker);
        *held = cell.load(std::memory_order_relaxed);
        while (offer < *held) {
            if (cell.compare_exchange_strong(*held, offer, std::memory_order_acq_rel,
                                             std::memory_order_relaxed)) {
                ++tally->proposals;
                return true;
            }
            ++tally->failed;
            names_.event(log, FAILED, seeker);
            log.count(kFailed, 1);
        }
        if (Log::kOn) {
            names_.event(log, SKIP, seeker);
            log.count(kSkipped, 1);
        }
        return false;
    }

    const MarriageTask task_;
    Lists lists_;
    const Names<Lists> names_;
    const std::unique_ptr<Cell[]> held_;
};

// Men and women may have several partners (section 2.1): a man looks for one after the other down
// his list, and a woman holds as many as she may and refuses the worst. Each seat of a man searches
// on its own, but all share one position in his list.
template <class Lists>
class Seats {
public:
    using Offer = typename Lists::Offer;

    explicit Seats(const MarriageTask& task)
        : task_(task),
          lists_(task),
          names_(lists_, task_),
          finger_(static_cast<std::size_t>(task.num_men)),
          partners_(static_cast<std::size_t>(task.num_women)),
          held_(static_cast<std::size_t>(task.num_women), Lists::kNobody) {}

    const Lists& lists() const { return lists_; }
    int seats(int man) const {
        const int wanted = task_.man_capacity == nullptr ? 1 : task_.man_capacity[man];
        return std::min(wanted, lists_.length(lists_.number(man)));
    }
    void expect(const std::vector<Seeker>&, std::size_t) const {}
    void prepare(Share) const {}

    template <class Log>
    bool find(Seeker* seeker, Tally* tally, Log& log) {
        int& finger = finger_[static_cast<std::size_t>(seeker->man)];
        seeker->place = lists_.find({seeker->man, finger}, held_.data());
        const bool found = seeker->place < lists_.length(seeker->man);
        tally->considered += seeker->place - finger + found;
        names_.looked(log, {seeker->man, finger}, seeker->place, found);
        finger = seeker->place + found;
        return found;
    }

    template <class Log>
    void log_proposal(Seeker seeker, Log& log) const {
        if (Log::kOn) names_.event(log, PROPOSE, seeker);
    }

    template <class Log>
    bool propose(Seeker* seeker, Tally* tally, Log& log) {
        const Seeker suitor = *seeker;
        const auto cell = static_cast<std::size_t>(lists_.cell(*seeker));
        const Offer offer = lists_.offer(*seeker);
        ++tally->proposals;
        if (offer >= held_[cell]) {
            names_.refused(log, suitor, kSingle);
            return true;
        }
        std::vector<Partner>& partners = partners_[cell];
        partners.push_back({offer, seeker->place});
        std::push_heap(partners.begin(), partners.end());
        const int room = capacity(lists_.woman(static_cast<int>(cell)));
        const bool crowded = partners.size() > static_cast<std::size_t>(room);
        names_.engaged(log, suitor, kSingle);
        if (crowded) {
            std::pop_heap(partners.begin(), partners.end());
            names_.left(log, suitor, partners.back().offer);
            *seeker = {Lists::who(partners.back().offer), partners.back().place};
            partners.pop_back();
        }
        if (partners.size() == static_cast<std::size_t>(room)) held_[cell] = partners.front().offer;
        return crowded;
    }

    // All pairs are in one list, so one thread writes it.
    void finish(Share, Tally* tally) const {
        for (int cell = 0; cell < task_.num_women; ++cell)
            for (const Partner& partner : partners_[static_cast<std::size_t>(cell)]) {
                task_.married_men[tally->pairs] = lists_.man(Lists::who(partner.offer));
                task_.married_women[tally->pairs++] = lists_.woman(cell);
                tally->men_ranks += partner.place + 1;
                tally->women_ranks += Lists::her_rank(partner.offer);
            }
    }

private:
    struct Partner {
        Offer offer;
        int place;
        bool operator<(const Partner& other) const { return offer < other.offer; }
    };

    int capacity(int woman) const {
        return task_.woman_capacity == nullptr ? 1 : task_.woman_capacity[woman];
    }

    const MarriageTask task_;
    Lists lists_;
    const Names<Lists> names_;
    std::vector<int> finger_;
    std::vector<std::vector<Partner>> partners_;  // of every cell the worst comes first
    std::vector<Offer> held_;                     // of every full cell: its worst
};

}  // namespace cpu
