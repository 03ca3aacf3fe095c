// Shared by the kernels of stable marriage: lists, offers, recording.
//
// Source: Manne, Naim, Lerring, Halappanavar, "On stable marriages and greedy matchings", CSC 2016.
// The proposing side is called men.  Ranks begin at 1, the best; places in a list at 0.
#pragma once

#include "record.cuh"

#define ALL_LANES 0xffffffffu
#define NONE -1

// A place in a man's list: the woman, and her rank of him, adjacent, so that one read fetches both
// (section 2).  The sign bit of the rank marks the last place of a list, so that a kernel finds the
// end without another read.
struct __align__(8) Choice {
    int woman, rank;
};
#define RANK_BITS 0x7fffffff

// The lists of all men.  Hard instances have one list for all (`length` women in `order`), and all
// women rank the men alike (`standing`); else `length` is 0 and every man has a row of his own.
struct Lists {
    const long long* indptr;
    const Choice* choices;
    const int* order;
    const int* standing;
    int length;
};

__device__ inline int length_of(Lists lists, int man)
{
    return lists.length ? lists.length : (int)(lists.indptr[man + 1] - lists.indptr[man]);
}

__device__ inline Choice choice_at(Lists lists, int man, int place)
{
    if (lists.length) return {lists.order[place], lists.standing[man]};
    const Choice choice = lists.choices[lists.indptr[man] + place];
    return {choice.woman, choice.rank & RANK_BITS};
}

// The offer that a woman holds: her rank of the man in the upper half, the man in the lower.
// Smaller is better; NO_OFFER is worse than every proposal, ranking(r, NULL) = n + 1.
typedef unsigned long long Offer;
#define NO_OFFER 0xffffffffffffffffull

__device__ inline Offer offer_of(int rank, int man)
{
    return (Offer)(unsigned)rank << 32 | (unsigned)man;
}

__device__ inline int suitor_of(Offer offer)
{
    return offer == NO_OFFER ? NONE : (int)(unsigned)offer;
}

enum MarriageEvent : unsigned {
    NO_EVENT = 0,
    ENGAGE = 1,                 // man, woman, the man she leaves or -1
    REFUSE = 2,                 // man, woman, the man she keeps or -1 if that is not known
    SKIP = 3,                   // man, woman: he skips her, since she holds a better one
    ALONE = 4,                  // man: at the end of his list
    FAILED = 5,                 // man, woman: the compare-and-swap failed
    PROPOSE = 6,                // man, woman: the answer comes later in the round
    LEAVE = 7                   // man, woman, the man who loses his seat: she has several partners
};

// A warp's row of the record for one iteration.
struct Effort {
    unsigned busy, lane_slots, considered, skipped, engaged, displaced, refused, failed;
};

#if RECORD >= 1
// All lanes of the warp call, each with its own counters.
__device__ inline void record_effort(Recorder* rec, int warp, int step, Effort e)
{
    const unsigned words[8] = {warp_sum(e.busy),    warp_sum(e.lane_slots), warp_sum(e.considered),
                               warp_sum(e.skipped), warp_sum(e.engaged),    warp_sum(e.displaced),
                               warp_sum(e.refused), warp_sum(e.failed)};
    if (threadIdx.x % 32 == 0) add_words_to_row(rec, warp, step, words);
}
#endif

// One lane records one event; women come after the men in the numbers of the graph.  The event also
// holds his rank of her (the place, counted from 1) and her rank of him.
#if RECORD >= 2
#define TELL(kind, man, woman, third, place, rank) \
    record_event(rec, step, warp, kind, man, men + (woman), third, (place) + 1.0f, rank)
#define TELL_ALONE(man) record_event(rec, step, warp, ALONE, man, NONE, NONE, 0.0f, 0)
#define TELL_LEAVE(man, woman, offer) \
    record_event(rec, step, warp, LEAVE, man, men + (woman), suitor_of(offer), 0.0f, \
                 (int)((offer) >> 32))
#else
#define TELL_LEAVE(man, woman, offer)
#define TELL(kind, man, woman, third, place, rank)
#define TELL_ALONE(man)
#endif

// Diverged lanes have to meet only to write a row of the record: a lane of a recorded warp goes on
// until all are done.
#if RECORD >= 1
#define ANY_LANE(busy) __any_sync(ALL_LANES, busy)
#else
#define ANY_LANE(busy) (busy)
#endif
