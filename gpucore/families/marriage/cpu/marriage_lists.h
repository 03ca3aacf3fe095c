// The men's lists: one for each man, or a single one that all share, as in the paper's hard set.
//
// A woman holds an offer, which is a number: the smaller, the better. It is stored in a cell, and
// `find` returns the first cell from a place on whose offer a man can beat.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "marriage.h"

namespace cpu {

// Cells are women, and an offer is her rank of the man with his number.
class OwnLists {
public:
    using Offer = std::int64_t;
    static constexpr Offer kNobody = std::numeric_limits<Offer>::max();
    // Men whom a thread takes in turn, so that data of one comes from memory while others propose.
    static constexpr int kStacks = 12;

    explicit OwnLists(const MarriageTask& task)
        : indptr_(task.indptr),
          women_(task.women),
          her_rank_(task.her_rank),
          place_after_(new int[static_cast<std::size_t>(task.num_men)]) {}

    // Men have numbers of the list's own choice.
    int number(int man) const { return man; }
    int man(int number) const { return number; }
    int length(int man) const { return static_cast<int>(indptr_[man + 1] - indptr_[man]); }

    int cell(Seeker at) const { return women_[indptr_[at.man] + at.place]; }
    int woman(int cell) const { return cell; }
    Offer offer(Seeker at) const { return offer_of(her_rank_[indptr_[at.man] + at.place], at.man); }
    static int who(Offer held) { return static_cast<int>(held & 0x7fffffff); }
    static int her_rank(Offer held) { return static_cast<int>(held >> 32); }

    // The man who displaces him does not know her place in his list: he stores it beforehand.
    void note(Seeker at) { place_after_[static_cast<std::size_t>(at.man)] = at.place + 1; }
    Seeker displaced(Offer held, int) const {
        return {who(held), place_after_[static_cast<std::size_t>(who(held))]};
    }

    // Returns the list's length if there is none.
    template <class Cell>
    int find(Seeker from, const Cell* held) const {
        const int* const women = women_ + indptr_[from.man];
        const int* const ranks = her_rank_ + indptr_[from.man];
        const int end = length(from.man);
        for (int place = from.place; place < end; ++place) {
            if (place + 1 < end) fetch(held, women[place + 1]);
            if (offer_of(ranks[place], from.man) < held_in(held[at(women[place])])) return place;
        }
        return end;
    }

    // Nearly all data of a man is far away in memory: prefetch it before his turn, and at last that
    // of the man whom he may displace.
    template <class Cell>
    void expect_next(Seeker next, const Cell* held) const {
        if (next.place >= length(next.man)) return;
        const Offer offer = held_in(held[cell(next)]);
        if (offer == kNobody) return;
        fetch_to_read(&place_after_[at(who(offer))]);
        fetch_to_read(indptr_ + who(offer));
    }
    template <class Cell>
    void expect_soon(Seeker next, const Cell* held) const {
        if (next.place < length(next.man)) fetch(held, cell(next));
    }
    void expect_later(Seeker next) const {
        fetch_to_read(women_ + indptr_[next.man] + next.place);
        fetch_to_read(her_rank_ + indptr_[next.man] + next.place);
    }
    void expect_much_later(Seeker next) const { fetch_to_read(indptr_ + next.man); }

private:
    static std::size_t at(int cell) { return static_cast<std::size_t>(cell); }
    static Offer offer_of(int rank, int man) { return static_cast<Offer>(rank) << 32 | man; }
    template <class Cell>
    static void fetch(const Cell* held, int cell) {
        fetch_to_read(held + cell);
    }

    const long long* const indptr_;
    const int* const women_;
    const int* const her_rank_;
    const std::unique_ptr<int[]> place_after_;  // of every man who has proposed
};

// Cells are places, and a man's number is his rank with all women, which is an offer too: a search
// reads only neighbouring words, several of which processors compare at once.
class SharedList {
public:
    using Offer = std::int32_t;
    static constexpr Offer kNobody = std::numeric_limits<Offer>::max();
    static constexpr int kStacks = 1;  // a chain of displacements reads neighbouring words

    explicit SharedList(const MarriageTask& task)
        : order_(task.order),
          standing_(task.standing),
          length_(task.num_women),
          men_(static_cast<std::size_t>(task.num_men)) {
        for (int man = 0; man < task.num_men; ++man)
            men_[static_cast<std::size_t>(number(man))] = man;
    }

    int number(int man) const { return standing_[man] - 1; }
    int man(int number) const { return men_[static_cast<std::size_t>(number)]; }
    int length(int) const { return length_; }

    int cell(Seeker at) const { return at.place; }
    int woman(int cell) const { return order_[cell]; }
    Offer offer(Seeker at) const { return at.man; }
    static int who(Offer held) { return held; }
    static int her_rank(Offer held) { return held + 1; }

    void note(Seeker) {}
    Seeker displaced(Offer held, int cell) const { return {held, cell + 1}; }

    template <class Cell>
    int find(Seeker from, const Cell* held) const {
        const auto wins = [&](int place) { return from.man < held_in(held[place]); };
        int place = from.place;
        // In a chain of displacements it is the next place, else often one of the next few.
        if (place < length_ && wins(place)) return place;
        if (place + kNear <= length_) {
            unsigned near = 0;
            for (int i = 0; i < kNear; ++i) near |= static_cast<unsigned>(wins(place + i)) << i;
            if (near != 0) return place + __builtin_ctz(near);
            place += kNear;
        }
        // Blocks without a branch.
        for (; place + kBlock <= length_; place += kBlock) {
            Offer all = -1;  // stays below 0 if all differences are
            for (int i = 0; i < kBlock; ++i) all &= held_in(held[place + i]) - (from.man + 1);
            if (all >= 0) break;
        }
        while (place < length_ && !wins(place)) ++place;
        return place;
    }

    // Several threads write all cells. The processor prefetches words that are read in a row.
    void expect_soon(Seeker, const Offer*) const {}
    void expect_soon(Seeker next, const std::atomic<Offer>* held) const {
        if (next.place < length_) fetch_to_write(held + next.place);
    }
    template <class Cell>
    void expect_next(Seeker, const Cell*) const {}
    void expect_later(Seeker) const {}
    void expect_much_later(Seeker) const {}

private:
    static constexpr int kNear = 8;
    static constexpr int kBlock = 32;

    const int* const order_;
    const int* const standing_;
    const int length_;
    std::vector<int> men_;
};

}  // namespace cpu
