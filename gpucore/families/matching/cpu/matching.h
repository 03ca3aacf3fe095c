// Shared by the CPU methods for matching: their counters, and the order of edges.
#pragma once

#include "common.h"
#include "offers.h"
#include "record.h"

namespace cpu {

// Counters of a method.
struct Work {
    long long scans;   // walks over one vertex's neighbours
    long long rounds;  // synchronised rounds, for the methods that have them
};

// The events of the record, as kernels/matching.cuh numbers and describes them.
enum MatchingEvent : unsigned {
    PROPOSE_FREE = 1,
    DISPLACE = 2,
    OUTBID = 3,
    EXHAUSTED = 4,
    POINT = 6,
    MATCH = 7,
};

// The words of a thread's row in the record.
enum MatchingWord { kActive, kEdges, kLaneSlots, kProposals, kAccepted, kDisplaced, kExhausted,
                    kGain };

// A vertex looked at its neighbours; one thread has no idle lanes.
template <class Log>
void count_scan(Log& log, const Csr& graph, int v) {
    if (!Log::kOn) return;
    const long long degree = graph.indptr[v + 1] - graph.indptr[v];
    log.count(kActive, 1);
    log.count(kEdges, degree);
    log.count(kLaneSlots, degree);
}

// `a` is the suitor of `b` now, instead of the one whose offer `held` was.
template <class Log>
void log_suitor(Log& log, int a, int b, float weight, Offer held) {
    if (!Log::kOn) return;
    log.event(held == kNoOffer ? PROPOSE_FREE : DISPLACE, a, b, offer_from(held), weight);
    log.count(kProposals, 1);
    log.count(kAccepted, 1);
    log.count(kDisplaced, held != kNoOffer);
    log.count(kGain, weight - offer_weight(held));
}

template <class Log>
void log_exhausted(Log& log, int a) {
    log.event(EXHAUSTED, a);
    log.count(kExhausted, 1);
}

template <class Log>
void log_match(Log& log, int a, int b, float weight) {
    log.event(MATCH, a, b, -1, weight);
    log.count(kAccepted, 1);
    log.count(kGain, weight);
}

}  // namespace cpu
