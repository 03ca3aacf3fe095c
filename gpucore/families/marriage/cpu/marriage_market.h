// The partners that women hold, and proposals: one partner each on one thread or on several, or
// several partners each. All have the same interface, which the orders of proposals use
// (marriage_orders.h).
//
//   seats(man)       how many partners a man looks for
//   find(seeker)     the next woman of his list who prefers him; false at its end
//   propose(seeker)  he proposes there; true if a man is free after it: `seeker` is then that man
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

#include "marriage_lists.h"

namespace cpu {

// Prefetch data of the men behind a man in the queue: less for nearer men.
template <class Lists, class Cell>
void expect(const Lists& lists, const std::vector<Cell>& held, const std::vector<Seeker>& queue,
            std::size_t turn) {
    constexpr std::size_t kStep = 4;
    if (turn + 3 * kStep >= queue.size()) return;
    lists.expect_much_later(queue[turn + 3 * kStep]);
    lists.expect_later(queue[turn + 2 * kStep]);
    lists.expect_soon(queue[turn + kStep], held);
}

// Each person has at most one partner. `Cell` is an offer, or an atomic one for several threads.
template <class Lists, class Cell>
class Couples {
public:
    using Offer = typename Lists::Offer;

    explicit Couples(const MarriageTask& task)
        : task_(task), lists_(task), held_(static_cast<std::size_t>(task.num_women)) {
        for (Cell& cell : held_) cell = Lists::kNobody;
    }

    const Lists& lists() const { return lists_; }
    int seats(int) const { return 1; }
    void expect(const std::vector<Seeker>& queue, std::size_t turn) const {
        cpu::expect(lists_, held_, queue, turn);
    }

    bool find(Seeker* seeker, Tally* tally) const {
        const int place = lists_.find(*seeker, held_);
        const bool found = place < lists_.length(seeker->man);
        tally->considered += place - seeker->place + found;
        seeker->place = place;
        return found;
    }

    bool propose(Seeker* seeker, Tally* tally) {
        lists_.note(*seeker);
        const int cell = lists_.cell(*seeker);
        Offer held = Lists::kNobody;
        if (!replace(held_[static_cast<std::size_t>(cell)], lists_.offer(*seeker), &held, tally)) {
            ++seeker->place;
            return true;
        }
        if (held == Lists::kNobody) return false;
        *seeker = lists_.displaced(held, cell);
        return true;
    }

    void finish() const {
        MarriageWork& work = *task_.work;
        std::fill_n(task_.wife, task_.num_men, kSingle);
        for (int cell = 0; cell < task_.num_women; ++cell) {
            const Offer held = held_in(held_[static_cast<std::size_t>(cell)]);
            if (held == Lists::kNobody) continue;
            const Seeker at = lists_.displaced(held, cell);
            task_.wife[lists_.man(at.man)] = lists_.woman(cell);
            ++work.pairs;
            work.men_ranks += at.place;
            work.women_ranks += Lists::her_rank(held);
        }
    }

private:
    // A proposal counts even if she refuses it: in rounds she may have got a better man since he
    // found her.
    static bool replace(Offer& cell, Offer offer, Offer* held, Tally* tally) {
        ++tally->proposals;
        *held = cell;
        if (offer >= *held) return false;
        cell = offer;
        return true;
    }

    // Section 4: after a failed CAS he tries again while he can beat the new offer. Acquire and
    // release order publishes, with an offer, the place that its man stored before.
    static bool replace(std::atomic<Offer>& cell, Offer offer, Offer* held, Tally* tally) {
        *held = cell.load(std::memory_order_relaxed);
        while (offer < *held) {
            if (cell.compare_exchange_strong(*held, offer, std::memory_order_acq_rel,
                                             std::memory_order_relaxed)) {
                ++tally->proposals;
                return true;
            }
            ++tally->failed;
        }
        return false;
    }

    const MarriageTask task_;
    Lists lists_;
    std::vector<Cell> held_;
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
          finger_(static_cast<std::size_t>(task.num_men)),
          partners_(static_cast<std::size_t>(task.num_women)),
          held_(static_cast<std::size_t>(task.num_women), Lists::kNobody) {}

    const Lists& lists() const { return lists_; }
    int seats(int man) const {
        const int wanted = task_.man_capacity == nullptr ? 1 : task_.man_capacity[man];
        return std::min(wanted, lists_.length(lists_.number(man)));
    }
    void expect(const std::vector<Seeker>&, std::size_t) const {}

    bool find(Seeker* seeker, Tally* tally) {
        int& finger = finger_[static_cast<std::size_t>(seeker->man)];
        seeker->place = lists_.find({seeker->man, finger}, held_);
        const bool found = seeker->place < lists_.length(seeker->man);
        tally->considered += seeker->place - finger + found;
        finger = seeker->place + found;
        return found;
    }

    bool propose(Seeker* seeker, Tally* tally) {
        const auto cell = static_cast<std::size_t>(lists_.cell(*seeker));
        const Offer offer = lists_.offer(*seeker);
        ++tally->proposals;
        if (offer >= held_[cell]) return true;
        std::vector<Partner>& partners = partners_[cell];
        partners.push_back({offer, seeker->place});
        std::push_heap(partners.begin(), partners.end());
        const int room = capacity(lists_.woman(static_cast<int>(cell)));
        const bool crowded = partners.size() > static_cast<std::size_t>(room);
        if (crowded) {
            std::pop_heap(partners.begin(), partners.end());
            *seeker = {Lists::who(partners.back().offer), partners.back().place};
            partners.pop_back();
        }
        if (partners.size() == static_cast<std::size_t>(room)) held_[cell] = partners.front().offer;
        return crowded;
    }

    void finish() const {
        MarriageWork& work = *task_.work;
        for (int cell = 0; cell < task_.num_women; ++cell)
            for (const Partner& partner : partners_[static_cast<std::size_t>(cell)]) {
                task_.married_men[work.pairs] = lists_.man(Lists::who(partner.offer));
                task_.married_women[work.pairs++] = lists_.woman(cell);
                work.men_ranks += partner.place + 1;
                work.women_ranks += Lists::her_rank(partner.offer);
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
    std::vector<int> finger_;
    std::vector<std::vector<Partner>> partners_;  // of every cell the worst comes first
    std::vector<Offer> held_;                     // of every full cell: its worst
};

}  // namespace cpu
