// Stable assignment: men and women may have several partners each (hospitals and residents,
// many-to-many).
//
// Source: Manne, Naim, Lerring, Halappanavar, "On stable marriages and greedy matchings", CSC 2016,
// section 2.1 (the problem: Baiou, Balinski, "Many-to-many matching", Discrete Applied Mathematics
// 101, 2000).  The method is that of McVitie and Wilson with a token for every partner that a man
// may have: a token proposes to the next woman of his list that none of his tokens has tried.
//
// A woman's seats are adjacent words, which only improve.  If they are few, a proposal goes along
// them with an atomic minimum at each: the better one stays, the worse one goes on, and the one left
// after the last seat is refused.  It has met a better man at every seat, so no man is refused too
// early; at the end the seats hold the best proposals she ever had.  No lock is needed.
//
// If they are many, as those of a hospital, the lanes of a warp read them together, for one proposal
// after the other, and find the worst.  If that is better than the proposal, it is refused: every
// seat was better when it was read, and still is.  Else an atomic minimum takes that seat.  If it
// returns what was read, that was her worst offer, for all other seats were no worse when they were
// read; if not, the worse of the two searches again.  A bound for every woman, which her worst offer
// does not exceed, lets lanes skip her without reading seats.
#include "simt.h"

#include "marriage.cuh"

// Seats from which on a warp reads them together.
#ifndef MANY
#define MANY 16
#endif

// A lane's counters at one place of a list.
struct Look {
    bool considered, skipped, engaged, displaced, refused;
};

// The offer that leaves a woman's seats when `mine` comes; NO_OFFER if a seat was empty.
__device__ inline Offer seat(Offer* seats, long long begin, long long end, Offer mine)
{
    for (long long s = begin; s < end && mine != NO_OFFER; ++s) {
        if (simt_load(seats + s) < mine) continue;
        const Offer held = atomicMin(seats + s, mine);
        if (held > mine) mine = held;
    }
    return mine;
}

__device__ inline Offer warp_worst(Offer offer)
{
    for (int d = 16; d > 0; d /= 2) {
        const Offer other = __shfl_xor_sync(ALL_LANES, offer, d);
        if (other > offer) offer = other;
    }
    return offer;
}

// A woman's worst offer, where it is, and her next worse one (0: she has one seat).
struct Worst {
    Offer offer, next;
    long long place;
};

// All lanes of the warp call, with the same seats.  Of empty seats they take any, by `salt`.
__device__ inline Worst find_worst(const Offer* seats, long long begin, long long end, unsigned salt)
{
    const int lane = threadIdx.x % 32, turn = salt % 32;
    Worst own = {0, 0, begin};
    for (long long s = begin + lane; s < end; s += 32) {
        const Offer offer = simt_load(seats + s);
        if (offer >= own.offer) own = {offer, own.offer, s};
        else if (offer > own.next) own.next = offer;
    }
    const Offer worst = warp_worst(own.offer);
    const unsigned who = __ballot_sync(ALL_LANES, own.offer == worst);
    const unsigned later = who >> turn << turn;
    const int lane_of = __ffs(later ? later : who) - 1;
    const Offer next = warp_worst(lane == lane_of ? own.next : own.offer);
    return {worst, next, __shfl_sync(ALL_LANES, own.place, lane_of)};
}

// As `seat`, by all lanes of the warp.
__device__ inline Offer seat_together(Offer* seats, long long begin, long long end, Offer* bound,
                                      Offer mine)
{
    const int lane = threadIdx.x % 32;
    for (;;) {
        const Worst worst = find_worst(seats, begin, end, (unsigned)mine);
        if (worst.offer < mine) {
            if (lane == 0) atomicMin(bound, worst.offer);
            return mine;
        }
        Offer held = 0;
        if (lane == 0) held = atomicMin(seats + worst.place, mine);
        held = __shfl_sync(ALL_LANES, held, 0);
        if (held == worst.offer) {
            const Offer rest = worst.next > mine ? worst.next : mine;
            if (lane == 0 && rest != NO_OFFER) atomicMin(bound, rest);
            return held;
        }
        if (held > mine) mine = held;
    }
}

// A lane's proposal: the offer, the woman's seats, and her bound; no seats: nothing is proposed.
struct Proposal {
    Offer offer;
    long long begin, end;
    Offer* bound;
};

// What leaves the seats of each lane's woman; all lanes of the warp call.
__device__ inline Offer seat_lanes(Offer* seats, Proposal mine)
{
    const bool many = mine.end - mine.begin >= MANY;
    Offer left = mine.offer;
    if (!many) left = seat(seats, mine.begin, mine.end, mine.offer);
    for (unsigned who = __ballot_sync(ALL_LANES, many); who != 0; who &= who - 1) {
        const int owner = __ffs(who) - 1;
        const Offer out = seat_together(seats, __shfl_sync(ALL_LANES, mine.begin, owner),
                                        __shfl_sync(ALL_LANES, mine.end, owner),
                                        (Offer*)__shfl_sync(ALL_LANES,
                                                            (unsigned long long)mine.bound, owner),
                                        __shfl_sync(ALL_LANES, mine.offer, owner));
        if (threadIdx.x % 32 == owner) left = out;
    }
    return left;
}

// Steps `first` to `last` - 1 of every token; `owner` holds the man of each token, -1 for none.
// `bounds` holds a word a woman, NO_OFFER at first.  `unfinished` becomes 1 if work is left.
SIMT_KERNEL(marriage_seats)
(int tokens, int men, int* owner, const long long* indptr, const Choice* choices,
 const int* order, const int* standing, int length, const long long* seat_indptr, Offer* seats,
 Offer* bounds, int* next, int first, int last, int* unfinished RECORD_PARAMS)
{
    const Lists lists = {indptr, choices, order, standing, length};
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    RECORD_COUNTERS(const int warp = thread / 32;)
    (void)men;                                              // for the record only
    int man = thread < tokens ? owner[thread] : NONE;
    for (int step = first; step < last && __any_sync(ALL_LANES, man != NONE); ++step) {
        const bool busy = man != NONE;
        Look seen = {};
        Choice choice = {0, 0};
        Proposal mine = {NO_OFFER, 0, 0, bounds};
        int place = 0;
        if (busy) {
            place = atomicAdd(next + man, 1);
            seen.considered = place < length_of(lists, man);
            if (!seen.considered) {
                TELL_ALONE(man);
                man = NONE;
            } else {
                choice = choice_at(lists, man, place);
                const Offer offer = offer_of(choice.rank, man);
                const long long begin = seat_indptr[choice.woman];
                const long long end = seat_indptr[choice.woman + 1];
                const bool many = end - begin >= MANY;
                Offer* bound = many ? bounds + choice.woman : seats + end - 1;
                seen.skipped = begin == end || simt_load(bound) < offer;
                if (seen.skipped) {
                    TELL(SKIP, man, choice.woman, NONE, place, choice.rank);
                } else {
                    mine = {offer, begin, end, bound};
                }
            }
        }
        const Offer left = seat_lanes(seats, mine);
        if (mine.begin < mine.end) {
            seen.refused = left == mine.offer;
            seen.engaged = !seen.refused;
            seen.displaced = seen.engaged && left != NO_OFFER;
            TELL(seen.engaged ? ENGAGE : REFUSE, man, choice.woman, NONE, place, choice.rank);
            if (seen.displaced) TELL_LEAVE(man, choice.woman, left);
            man = suitor_of(left);
        }
        RECORD_COUNTERS(
            record_effort(rec, warp, step, {busy, 1, seen.considered, seen.skipped, seen.engaged,
                                            seen.displaced, seen.refused, 0});)
    }
    if (thread >= tokens) return;
    owner[thread] = man;
    if (man != NONE) simt_store(unfinished, 1);
}

SIMT_EXPORT(marriage_seats)
