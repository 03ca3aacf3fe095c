// Stable marriage: the McVitie-Wilson algorithm, a thread for each man, and Gale-Shapley in rounds.
//
// Source: Manne, Naim, Lerring, Halappanavar, "On stable marriages and greedy matchings", CSC 2016,
// algorithm 1 and section 4.  Men propose in the order of their lists and skip women who hold a
// better man; a woman keeps the best.  Every order of proposals ends in the same marriage, the best
// for all men, so the result does not depend on the schedule.
//
//   marriage_mw       a thread takes its man, then the man he displaces, then the man whom that one
//                     displaces, until no man is displaced or a list ends.  Offers change by
//                     compare-and-swap.  The steps of a launch are limited, so a run can be
//                     cancelled.
//   marriage_rounds   all free men propose at once, then all women answer; refused men are in the
//                     queue of the next round.  The paper leaves it out on the GPU, since the queue
//                     has to be shared: here all blocks meet between steps, and warps append to it
//                     by one atomic each.  Many rounds a launch.
//   marriage_couples  the marriage, from the final offers of the women.
//   marriage_ranks    the ranks of partners in the lists; for figures, not part of a method.
#include "simt.h"

#include "marriage.cuh"

// A lane's counters at one place of a list.
struct Look {
    bool considered, skipped, engaged, displaced, refused;
    unsigned failed;
};

// A man and his place in his list; `man` is NONE for a lane that is done.
struct Turn {
    int man, place, length;
};

__device__ inline void take_over(Turn& turn, Lists lists, int man, int place)
{
    turn = {man, place, man == NONE ? 0 : length_of(lists, man)};
}

// Lines 3 to 9 of algorithm 1 for one woman of the list.  `next` holds the place where a
// displaced man continues; it is written before he becomes visible as a suitor.
__device__ inline Look look(Turn& turn, Lists lists, Offer* suitor, int* next, int men, int step,
                            int warp RECORD_PARAMS)
{
    Look seen = {};
    if (turn.place == turn.length) {
        TELL_ALONE(turn.man);
        turn.man = NONE;
        return seen;
    }
    const int place = turn.place++;
    const Choice choice = choice_at(lists, turn.man, place);
    const Offer mine = offer_of(choice.rank, turn.man);
    Offer held = simt_load(suitor + choice.woman);
    seen.considered = true;
    if (mine > held) {
        seen.skipped = true;
        TELL(SKIP, turn.man, choice.woman, NONE, place, choice.rank);
        return seen;
    }
    simt_store(next + turn.man, turn.place);
    __threadfence();
    for (;;) {
        const Offer found = atomicCAS(suitor + choice.woman, held, mine);
        if (found == held) break;
        seen.failed += 1;
        TELL(FAILED, turn.man, choice.woman, NONE, place, choice.rank);
        held = found;
        if (mine > held) {
            seen.refused = true;
            TELL(REFUSE, turn.man, choice.woman, suitor_of(held), place, choice.rank);
            return seen;
        }
    }
    const int left = suitor_of(held);
    TELL(ENGAGE, turn.man, choice.woman, left, place, choice.rank);
    seen.engaged = true;
    seen.displaced = left != NONE;
    __threadfence();
    take_over(turn, lists, left, left == NONE ? 0 : simt_load(next + left));
    return seen;
}

// Steps `first` to `last` - 1 of every thread.  `current` has the man of each thread, `next` his
// place; `unfinished` becomes 1 if there is more to do.
SIMT_KERNEL(marriage_mw)
(int men, const long long* indptr, const Choice* choices, const int* order,
 const int* standing, int length, Offer* suitor, int* next, int* current, int first, int last,
 int* unfinished RECORD_PARAMS)
{
    const Lists lists = {indptr, choices, order, standing, length};
    const int thread = blockIdx.x * blockDim.x + threadIdx.x, warp = thread / 32;
    const int begun = thread < men ? current[thread] : NONE;
    Turn turn;
    take_over(turn, lists, begun, begun == NONE ? 0 : simt_load(next + begun));
    for (int step = first; step < last && ANY_LANE(turn.man != NONE); ++step) {
        const bool busy = turn.man != NONE;
        [[maybe_unused]] Look seen = {};
        if (busy) seen = look(turn, lists, suitor, next, men, step, warp RECORD_COUNTERS(, rec));
        RECORD_COUNTERS(
            record_effort(rec, warp, step, {busy, 1, seen.considered, seen.skipped, seen.engaged,
                                            seen.displaced, seen.refused, seen.failed});)
    }
    if (begun == NONE) return;
    current[thread] = turn.man;
    if (turn.man == NONE) return;
    simt_store(next + turn.man, turn.place);
    simt_store(unfinished, 1);
}

// One proposal a lane; if all lanes of a warp propose to one woman, only the best one does.
__device__ inline void propose_to(Offer* offers, bool proposes, int woman, Offer mine,
                                  int* proposals)
{
    const unsigned who = __ballot_sync(ALL_LANES, proposes);
    if (who == 0) return;
    if (threadIdx.x % 32 == 0) atomicAdd(proposals, __popc(who));
    const int first = __shfl_sync(ALL_LANES, woman, __ffs(who) - 1);
    if (!__all_sync(ALL_LANES, !proposes || woman == first)) {
        if (proposes) atomicMin(offers + woman, mine);
        return;
    }
    Offer best = proposes ? mine : NO_OFFER;
    for (int d = 16; d > 0; d /= 2) {
        const Offer other = __shfl_xor_sync(ALL_LANES, best, d);
        if (other < best) best = other;
    }
    if (threadIdx.x % 32 == 0) atomicMin(offers + first, best);
}

// The lanes that have a man append him to a queue, with one atomic; all lanes call.
__device__ inline void enqueue(int* queue, int* count, int man)
{
    const unsigned lane = threadIdx.x % 32, who = __ballot_sync(ALL_LANES, man != NONE);
    if (who == 0) return;
    int base = 0;
    if (lane == 0) base = atomicAdd(count, __popc(who));
    base = __shfl_sync(ALL_LANES, base, 0);
    if (man != NONE) queue[base + __popc(who & ((1u << lane) - 1))] = man;
}

// The queue of a round: the free men.
struct Free {
    int* men;
    int* count;
};

// The women's partners since the last round, their offers in this round, and the men's places.
struct Courtship {
    Offer* held;
    Offer* offers;
    int* place;
};

struct Team {
    int thread, threads, warp, men;
};

// First half of a round: every free man proposes to the first woman who prefers him to her partner
// since the last round.
__device__ inline void propose(Lists lists, const int* queue, int count, Courtship c,
                               int* proposals, Team t, int step RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32;
    RECORD_COUNTERS(const int warp = t.warp;)
    RECORD_EVENTS(const int men = t.men;)
    for (int base = t.thread - lane; base < count; base += t.threads) {
        const int man = base + lane < count ? queue[base + lane] : NONE;
        const int length = man == NONE ? 0 : length_of(lists, man);
        int place = man == NONE ? 0 : c.place[man];
        RECORD_COUNTERS(const int begun = place;)
        Choice choice = {0, 0};
        bool proposes = false;
        for (; place < length; ++place) {
            choice = choice_at(lists, man, place);
            if (offer_of(choice.rank, man) < c.held[choice.woman]) {
                proposes = true;
                break;
            }
            TELL(SKIP, man, choice.woman, NONE, place, choice.rank);
        }
        if (man != NONE) c.place[man] = place;
        if (proposes) TELL(PROPOSE, man, choice.woman, NONE, place, choice.rank);
        propose_to(c.offers, proposes, choice.woman, offer_of(choice.rank, man), proposals);
        RECORD_COUNTERS(
            const unsigned skipped = place - begun, looks = skipped + proposes;
            record_effort(rec, warp, step, {man != NONE, max(1u, warp_largest(looks)), looks,
                                            skipped, 0, 0, 0, 0});)
    }
}

// Second half: the best of a woman's proposals is held, and she leaves whom she held before.
__device__ inline void answer(Lists lists, const int* queue, int count, Courtship c, Free next,
                              Team t, int step RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32;
    RECORD_COUNTERS(const int warp = t.warp;)
    RECORD_EVENTS(const int men = t.men;)
    for (int base = t.thread - lane; base < count; base += t.threads) {
        const int man = base + lane < count ? queue[base + lane] : NONE;
        const bool proposed = man != NONE && c.place[man] < length_of(lists, man);
        int free = NONE;
        RECORD_COUNTERS(bool engaged = false;)
        if (proposed) {
            const int place = c.place[man];
            const Choice choice = choice_at(lists, man, place);
            const Offer best = simt_load(c.offers + choice.woman);
            if (best == offer_of(choice.rank, man)) {
                free = suitor_of(c.held[choice.woman]);
                c.held[choice.woman] = best;
                RECORD_COUNTERS(engaged = true;)
                TELL(ENGAGE, man, choice.woman, free, place, choice.rank);
            } else {
                free = man;
                TELL(REFUSE, man, choice.woman, suitor_of(best), place, choice.rank);
            }
            if (free != NONE) c.place[free] += 1;
        } else if (man != NONE) {
            TELL_ALONE(man);
        }
        enqueue(next.men, next.count, free);
        RECORD_COUNTERS(record_effort(rec, warp, step, {man != NONE, 1, 0, 0, engaged,
                                                        engaged && free != NONE,
                                                        proposed && !engaged, 0});)
    }
}

// Rounds `first` to `last` - 1, or until no man is free; a launch in which all blocks meet.
// `queues` has 2 * men places, `counts` 3; the first queue and its count are there before round 0.
// `told` returns the free men of each round, and how many of them proposed.
SIMT_KERNEL(marriage_rounds, __launch_bounds__(256, 4))
(int men, const long long* indptr, const Choice* choices, const int* order,
 const int* standing, int length, Offer* held, Offer* offers, int* place, int* queues, int* counts,
 int first, int last, int* told, unsigned* barrier RECORD_PARAMS)
{
    const Lists lists = {indptr, choices, order, standing, length};
    const Courtship courtship = {held, offers, place};
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const Team team = {thread, (int)(gridDim.x * blockDim.x), thread / 32, men};
    for (int round = first; round < last; ++round) {
        const int count = simt_load(counts + round % 3);
        const int* queue = queues + (long long)(round % 2) * men;
        const Free next = {queues + (long long)((round + 1) % 2) * men, counts + (round + 1) % 3};
        if (thread == 0) {
            told[2 * (round - first)] = count;
            simt_store(counts + (round + 2) % 3, 0);
        }
        if (count == 0) return;
        propose(lists, queue, count, courtship, told + 2 * (round - first) + 1, team,
                2 * round RECORD_COUNTERS(, rec));
        simt_grid_sync(barrier);
        answer(lists, queue, count, courtship, next, team, 2 * round + 1 RECORD_COUNTERS(, rec));
        simt_grid_sync(barrier);
    }
}

// Mark the last place of every list: the sign bit of her rank of him.
SIMT_KERNEL(marriage_ends)(int men, const long long* indptr, Choice* choices)
{
    const int man = blockIdx.x * blockDim.x + threadIdx.x;
    if (man >= men || indptr[man] == indptr[man + 1]) return;
    choices[indptr[man + 1] - 1].rank |= ~RANK_BITS;
}

// The marriages: a thread for each woman.  Her word holds the man in the bits from `shift` on.
SIMT_KERNEL(marriage_couples)(int women, const Offer* held, int shift, Offer mask, int* wife)
{
    const unsigned woman = blockIdx.x * blockDim.x + threadIdx.x;
    if (woman >= (unsigned)women || held[woman] == NO_OFFER) return;
    wife[held[woman] >> shift & mask] = (int)woman;
}

// For every pair his rank of her and her rank of him, where men have lists of their own.
SIMT_KERNEL(marriage_ranks)
(int pairs, const int* husband, const int* wife, const long long* indptr, const Choice* choices,
 int* his, int* hers)
{
    const unsigned pair = blockIdx.x * blockDim.x + threadIdx.x;
    if (pair >= (unsigned)pairs) return;
    const long long begin = indptr[husband[pair]], end = indptr[husband[pair] + 1];
    for (long long e = begin; e < end; ++e) {
        if (choices[e].woman != wife[pair]) continue;
        his[pair] = (int)(e - begin) + 1;
        hers[pair] = choices[e].rank & RANK_BITS;
        return;
    }
}

SIMT_EXPORT(marriage_mw)
SIMT_EXPORT(marriage_rounds)
SIMT_EXPORT(marriage_ends)
SIMT_EXPORT(marriage_couples)
SIMT_EXPORT(marriage_ranks)
