// Shared by the CPU methods for b-matching: the task, and the offers that a vertex holds.
//
// A vertex v has room for slots[v + 1] - slots[v] mates, the smaller of b(v) and its degree. Edges
// are in the strict order of offers.h, so a b-matching without blocking edge is unique: it is the
// one that greedy finds, and every method of this project gives its mates.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <vector>

#include "common.h"
#include "offers.h"
#include "record.h"

namespace cpu {

// Counters of a method.
struct BMatchingWork {
    long long scans;      // walks over one vertex's neighbours
    long long proposals;  // offers that a vertex accepted, if only for a while
    long long rounds;     // synchronised rounds, for the method that has them
};

struct BMatchingTask {
    Csr graph;
    const long long* slots;  // n + 1, where each vertex's mates begin
    int threads;
    int delayed;  // 1: displaced vertices wait for the next round
    const int* cancel;
    int* mates;  // slots[n]; those of v begin at slots[v], ascending
    int* count;  // n, how many mates v has
    BMatchingWork* work;
    const Recording* recording;  // null: nothing is recorded
};

// The events of the record, as kernels/bsuitor.cuh numbers and describes them.
enum BMatchingEvent : unsigned { PROPOSE = 1, DROP = 2, OUTBID = 3, EXHAUSTED = 4 };

// The words of a thread's row in the record.
enum BMatchingWord { kActive, kEdges, kLaneSlots, kProposals, kAccepted, kDisplaced, kExhausted,
                     kGain };

// u reads the next entry of its list.
template <class Log>
void count_entry(Log& log) {
    log.count(kEdges, 1);
    log.count(kLaneSlots, 1);
}

// `partner` takes the offer of u, and that of another vertex falls out, if any.
template <class Log>
void log_taken(Log& log, int u, int partner, float weight, Offer fallen) {
    if (!Log::kOn) return;
    log.event(PROPOSE, u, partner, -1, weight);
    if (fallen != kNoOffer) log.event(DROP, u, partner, offer_from(fallen), offer_weight(fallen));
    log.count(kProposals, 1);
    log.count(kAccepted, 1);
    log.count(kDisplaced, fallen != kNoOffer);
    log.count(kGain, weight - offer_weight(fallen));
}

template <class Log>
void log_exhausted(Log& log, int u) {
    log.event(EXHAUSTED, u);
    log.count(kExhausted, 1);
}

// The best offers made to each vertex, as many as it has room for, in a heap: the worst is on top.
class Suitors {
public:
    static constexpr Offer kFull = ~Offer{0};

    explicit Suitors(const BMatchingTask& task)
        : slots_(task.slots),
          offers_(static_cast<std::size_t>(task.slots[task.graph.n])),
          count_(static_cast<std::size_t>(task.graph.n)),
          threshold_(static_cast<std::size_t>(task.graph.n)) {
        for (int v = 0; v < task.graph.n; ++v) raise(v, room(v) == 0 ? kFull : kNoOffer);
    }

    long long room(int v) const { return slots_[v + 1] - slots_[v]; }

    // Whether v would accept an offer. It only rises, so a refusal is final.
    bool would_accept(int v, Offer offer) const {
        return offer > threshold_[v].load(std::memory_order_relaxed);
    }

    // Give v an offer that it would accept; returns the offer that this displaces, if any. Only one
    // thread at a time may do this for v.
    Offer accept(int v, Offer offer) {
        Offer* const begin = offers_.data() + slots_[v];
        Offer displaced = kNoOffer;
        if (count_[v] == room(v)) {
            displaced = *begin;
            std::pop_heap(begin, begin + count_[v], std::greater<>());
            begin[count_[v] - 1] = offer;
        } else {
            begin[count_[v]++] = offer;
        }
        std::push_heap(begin, begin + count_[v], std::greater<>());
        if (count_[v] == room(v)) raise(v, *begin);
        return displaced;
    }

    // Write the mates of every vertex.
    void write(const BMatchingTask& task) const {
        for (int v = 0; v < task.graph.n; ++v) {
            const Offer* const begin = offers_.data() + slots_[v];
            int* const mates = task.mates + slots_[v];
            std::transform(begin, begin + count_[v], mates, offer_from);
            std::sort(mates, mates + count_[v]);
            task.count[v] = count_[v];
        }
    }

private:
    void raise(int v, Offer worst) { threshold_[v].store(worst, std::memory_order_relaxed); }

    const long long* const slots_;
    std::vector<Offer> offers_;
    std::vector<int> count_;
    std::vector<std::atomic<Offer>> threshold_;  // the worst offer of a vertex without room, or 0
};

}  // namespace cpu
