// Stable assignment: men and women may have several partners each (hospitals and residents,
// many-to-many).
//
// Source: Manne, Naim, Lerring, Halappanavar, "On stable marriages and greedy matchings", CSC 2016,
// section 2.1 (the problem: Baiou, Balinski, "Many-to-many matching", Discrete Applied Mathematics
// 101, 2000).  The method is that of McVitie and Wilson with a token for every partner that a man
// may have: a token proposes to the next woman of his list that none of his tokens has tried.
//
// A woman's seats are adjacent words.  A proposal goes along them with an atomic minimum at each:
// the better one stays, the worse one goes on, and the one left after the last seat is refused.  It
// has met a better man at every seat, and seats only improve, so no man is refused too early; at
// the end the seats hold the best proposals she ever had.  No lock is needed.
#include "simt.h"

#include "marriage.cuh"

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

// Steps `first` to `last` - 1 of every token; `owner` holds the man of each token, -1 for none.
// `unfinished` becomes 1 if work is left.
SIMT_KERNEL(marriage_seats)
(int tokens, int men, int* owner, const long long* indptr, const Choice* choices,
 const int* order, const int* standing, int length, const long long* seat_indptr, Offer* seats,
 int* next, int first, int last, int* unfinished RECORD_PARAMS)
{
    const Lists lists = {indptr, choices, order, standing, length};
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    RECORD_COUNTERS(const int warp = thread / 32;)
    (void)men;                                              // for the record only
    int man = thread < tokens ? owner[thread] : NONE;
    for (int step = first; step < last && ANY_LANE(man != NONE); ++step) {
        const bool busy = man != NONE;
        Look seen = {};
        if (busy) {
            const int place = atomicAdd(next + man, 1);
            seen.considered = place < length_of(lists, man);
            if (!seen.considered) {
                TELL_ALONE(man);
                man = NONE;
            } else {
                const Choice choice = choice_at(lists, man, place);
                const Offer mine = offer_of(choice.rank, man);
                const long long end = seat_indptr[choice.woman + 1];
                const long long begin = seat_indptr[choice.woman];
                seen.skipped = begin == end || simt_load(seats + end - 1) < mine;
                if (seen.skipped) {
                    TELL(SKIP, man, choice.woman, NONE, place, choice.rank);
                } else {
                    const Offer left = seat(seats, begin, end, mine);
                    seen.refused = left == mine;
                    seen.engaged = !seen.refused;
                    seen.displaced = seen.engaged && left != NO_OFFER;
                    TELL(seen.engaged ? ENGAGE : REFUSE, man, choice.woman, NONE, place,
                         choice.rank);
                    if (seen.displaced) TELL_LEAVE(man, choice.woman, left);
                    man = suitor_of(left);
                }
            }
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
