// Input and output of the CPU methods for stable marriage.
//
// Source: F. Manne, Md. Naim, H. Lerring and M. Halappanavar, "On stable marriages and greedy
// matchings", CSC 2016, section 2. Men read their lists from the best woman down; a woman holds
// the best man who proposed. A man skips a woman who holds a better man, since she would refuse his
// proposal. Men, women and places are numbered from 0, ranks from 1.
#pragma once

#include <atomic>

#include "common.h"
#include "record.h"

namespace cpu {

constexpr int kSingle = -1;

// Counters of a run, and ranks of the married pairs; `native.py` has the same structure.
struct MarriageWork {
    long long considered;   // places read in the men's lists
    long long proposals;    // of these, the women who were asked; the others were skipped
    long long rounds;
    long long failed;       // compare-and-swaps that came too late
    long long pairs;
    long long men_ranks;    // the sum over all pairs of his rank of her
    long long women_ranks;  // and of hers of him
};

// A problem, and the places of its solution; `native.py` has the same structure.
struct MarriageTask {
    int num_men;
    int num_women;
    const long long* indptr;  // every man's own list with her rank of him, or null
    const int* women;
    const int* her_rank;
    const int* order;  // the list that all men have and each man's rank with all women, or null
    const int* standing;
    const int* man_capacity;  // how many partners each may have; both null: one
    const int* woman_capacity;
    int in_rounds;
    int threads;
    const int* cancel;
    int* wife;           // of every man, without capacities
    int* married_men;    // all pairs, with capacities
    int* married_women;
    MarriageWork* work;
    const Recording* recording;  // null: nothing is recorded
};

// The events of the record, as kernels/marriage.cuh numbers and describes them.
enum MarriageEvent : unsigned {
    ENGAGE = 1,
    REFUSE = 2,
    SKIP = 3,
    ALONE = 4,
    FAILED = 5,
    PROPOSE = 6,
    LEAVE = 7,
};

// The words of a thread's row in the record; a thread is always busy, and has no idle lanes.
enum MarriageWord { kBusy, kLaneSlots, kConsidered, kSkipped, kEngaged, kDisplaced, kRefused,
                    kFailed };

// A man who searches from a place of his list on, or proposes there.
struct Seeker {
    int man;
    int place;
};

// Counters of one thread. They are local to its loop, so that counting costs no memory access.
struct Tally {
    long long considered = 0;
    long long proposals = 0;
    long long rounds = 0;
    long long failed = 0;
    long long pairs = 0;
    long long men_ranks = 0;
    long long women_ranks = 0;

    void add(const Tally& other) {
        considered += other.considered;
        proposals += other.proposals;
        rounds += other.rounds;
        failed += other.failed;
        pairs += other.pairs;
        men_ranks += other.men_ranks;
        women_ranks += other.women_ranks;
    }
    void add_to(MarriageWork* work) const {
        work->considered += considered;
        work->proposals += proposals;
        work->rounds += rounds;
        work->failed += failed;
        work->pairs += pairs;
        work->men_ranks += men_ranks;
        work->women_ranks += women_ranks;
    }
};

// What one of several threads takes of 0..size-1.
struct Share {
    int rank;
    int of;

    int begin(int size) const { return static_cast<int>(1LL * size * rank / of); }
    int end(int size) const { return Share{rank + 1, of}.begin(size); }
};

// Checks the caller's flag now and then.
class Watch {
public:
    explicit Watch(const int* cancel) : cancel_(cancel) {}
    bool stopped() { return (++steps_ & 255u) == 0 && cancel_.raised(); }

private:
    const CancelFlag cancel_;
    unsigned steps_ = 0;
};

// GCC takes a function that only fetches for one without effect and drops its calls; not with `asm`.
inline void fetch_to_read(const void* word) {
    __builtin_prefetch(word);
    asm volatile("");
}

// Fetch a word for writing: a fetch for reading would leave a copy in another core's cache, which
// the write has to wait for.
inline void fetch_to_write(const void* word) {
#if defined(__x86_64__)
    // The builtin function fetches for reading, unless the whole file is compiled for prefetchw.
    asm volatile("prefetchw %0" ::"m"(*static_cast<const char*>(word)));
#else
    __builtin_prefetch(word, 1);
#endif
}

// The offer that a woman holds, atomic or not.
template <class Offer>
Offer held_in(const Offer& cell) {
    return cell;
}
template <class Offer>
Offer held_in(const std::atomic<Offer>& cell) {
    return cell.load(std::memory_order_relaxed);
}

}  // namespace cpu
