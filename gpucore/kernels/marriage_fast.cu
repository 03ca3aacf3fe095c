// Stable marriage, tuned, for lists of everyone's own.  The method, and so the marriages, are those
// of McVitie and Wilson (marriage.cu); what is ours, and why:
//   * A woman's word holds her rank of the man, the man, and his place in his list.  An atomic
//     minimum makes the proposal and returns whoever has to go on, and from where: nothing is tried
//     twice, and no second array has to be written, fenced and read.
//   * One byte a woman, the best rank so far rounded up, tells almost always whether a proposal is
//     hopeless.  Bytes fit the cache where words do not.  Stores to a byte may pass each other, so
//     it can be out of date, but never promises less than she would take.
//   * A lane that is done takes the next man from a pool, so that none waits for the longest chain.
//   * In the end few men are left, and each warp has lanes to spare: then all of them read the list
//     of one man.
#include "simt.h"

#include "marriage.cuh"

// Idle lanes of a warp that make it worth the while to fetch new men.
#ifndef REFILL
#define REFILL 8
#endif
// Busy lanes up to which a warp reads the list of one man at a time, once the pool is empty.
#ifndef TOGETHER
#define TOGETHER 4
#endif
// Places that a lane looks at before its warp looks for idle ones.
#ifndef LOOKS
#define LOOKS 4
#endif
#ifndef RESIDENT
#define RESIDENT 4
#endif

#define NO_HINT 255

// How a word is made: from the lowest bit on the man's place, divided by a power of two where there
// are not bits enough, then the man, then the rank.
struct Format {
    int man_bits, place_bits, place_shift, hint_shift;
};

__device__ inline Offer pack(Format f, Choice choice, int man, int place)
{
    return ((Offer)(unsigned)choice.rank << f.man_bits | (unsigned)man) << f.place_bits |
           (unsigned)(place >> f.place_shift);
}

__device__ inline int man_of(Format f, Offer offer)
{
    if (offer == NO_OFFER) return NONE;
    return (int)(offer >> f.place_bits & ((1ull << f.man_bits) - 1));
}

// The place after the one he proposed from.  If it was rounded he meets some women again, who have
// had better ones since.
__device__ inline int resume_at(Format f, Offer offer)
{
    const int place = (int)(offer & ((1ull << f.place_bits) - 1)) << f.place_shift;
    return place + (f.place_shift == 0);
}

struct Women {
    Offer* offers;
    unsigned char* hints;
};

// A man and the part of his list that is ahead: places count from `begin` in `choices`.
struct Turn {
    int man, place, length;
    long long begin;
};

__device__ inline void take_over(Turn& turn, const long long* indptr, int man, int place)
{
    turn.man = man;
    turn.place = place;
    if (man == NONE) return;
    turn.begin = indptr[man];
    turn.length = (int)(indptr[man + 1] - turn.begin);
}

// What a lane did since the last row.
struct Tally {
    unsigned busy, considered, skipped, engaged, displaced, refused;
};

struct Desk {
    const long long* indptr;
    const Choice* choices;
    Women women;
    Format format;
    int men, step, warp;
};

__device__ inline bool is_hopeless(Desk d, Choice choice)
{
    return choice.rank >> d.format.hint_shift > simt_load(d.women.hints + choice.woman);
}

// The man of this turn proposes; the lane goes on with whomever that leaves free.
__device__ inline void propose(Turn& turn, Choice choice, int place, Desk d,
                               Tally& tally RECORD_PARAMS)
{
    RECORD_EVENTS(const int warp = d.warp, step = d.step, men = d.men;)
    const Offer mine = pack(d.format, choice, turn.man, place);
    const Offer held = atomicMin(d.women.offers + choice.woman, mine);
    if (held < mine) {
        RECORD_COUNTERS(tally.refused += 1;)
        TELL(REFUSE, turn.man, choice.woman, man_of(d.format, held), place, choice.rank);
        return;
    }
    const int left = man_of(d.format, held);
    const int hint = choice.rank >> d.format.hint_shift;
    if (hint < NO_HINT) simt_store(d.women.hints + choice.woman, (unsigned char)hint);
    RECORD_COUNTERS(tally.engaged += 1; tally.displaced += left != NONE;)
    TELL(ENGAGE, turn.man, choice.woman, left, place, choice.rank);
    take_over(turn, d.indptr, left, left == NONE ? 0 : resume_at(d.format, held));
}

// One place of the list of the lane's own man.
__device__ inline void look(Turn& turn, Desk d, Tally& tally RECORD_PARAMS)
{
    RECORD_EVENTS(const int warp = d.warp, step = d.step, men = d.men;)
    RECORD_COUNTERS(tally.busy += 1;)
    if (turn.place >= turn.length) {
        TELL_ALONE(turn.man);
        turn.man = NONE;
        return;
    }
    const int place = turn.place++;
    const Choice choice = d.choices[turn.begin + place];
    RECORD_COUNTERS(tally.considered += 1;)
    if (is_hopeless(d, choice)) {
        RECORD_COUNTERS(tally.skipped += 1;)
        TELL(SKIP, turn.man, choice.woman, NONE, place, choice.rank);
        return;
    }
    propose(turn, choice, place, d, tally RECORD_COUNTERS(, rec));
}

// The next 32 places of one lane's man, a lane each; that lane proposes to the first woman with
// whom he has hope.
__device__ inline void look_together(Turn& turn, int leader, Desk d, Tally& tally RECORD_PARAMS)
{
    RECORD_EVENTS(const int warp = d.warp, step = d.step, men = d.men;)
    const int lane = threadIdx.x % 32;
    const int man = __shfl_sync(ALL_LANES, turn.man, leader);
    const int first = __shfl_sync(ALL_LANES, turn.place, leader);
    const int length = __shfl_sync(ALL_LANES, turn.length, leader);
    const long long begin = __shfl_sync(ALL_LANES, turn.begin, leader);
    const int place = first + lane;
    Choice choice = {0, 0};
    bool hope = false;
    if (place < length) {
        choice = d.choices[begin + place];
        hope = !is_hopeless(d, choice);
    }
    const unsigned who = __ballot_sync(ALL_LANES, hope);
    const int chosen = who ? __ffs(who) - 1 : 32;
    const int woman = __shfl_sync(ALL_LANES, choice.woman, chosen % 32);
    const int rank = __shfl_sync(ALL_LANES, choice.rank, chosen % 32);
    const bool passes = place < length && lane < chosen;
    if (passes) TELL(SKIP, man, choice.woman, NONE, place, choice.rank);
    RECORD_COUNTERS(tally.skipped += passes; tally.busy += place < length && lane <= chosen;
                    tally.considered += place < length && lane <= chosen;)
    if (lane != leader) return;
    turn.place = min(first + min(chosen + 1, 32), length);
    if (who) {
        propose(turn, {woman, rank}, first + chosen, d, tally RECORD_COUNTERS(, rec));
    } else if (turn.place == length) {
        TELL_ALONE(man);
        turn.man = NONE;
    }
}

// New men for the idle lanes, if there are any; returns whether the pool is empty.
__device__ inline bool refill(Turn& turn, const long long* indptr, int men, int* pool)
{
    const unsigned lane = threadIdx.x % 32;
    const unsigned idle = __ballot_sync(ALL_LANES, turn.man == NONE);
    int base = 0;
    if (lane == 0) base = simt_load(pool) < men ? atomicAdd(pool, __popc(idle)) : men;
    base = __shfl_sync(ALL_LANES, base, 0);
    const int man = base + __popc(idle & ((1u << lane) - 1));
    if (turn.man == NONE && man < men) take_over(turn, indptr, man, 0);
    return base + __popc(idle) >= men;
}

// Steps `first` to `last` - 1 of every warp.  `turns` keeps the man and the place of every thread
// from launch to launch, -1 for none; `unfinished` becomes 1 if there is more to do.
SIMT_KERNEL(marriage_fast, __launch_bounds__(256, RESIDENT))
(int men, const long long* indptr, const Choice* choices, Offer* offers,
 unsigned char* hints, int man_bits, int place_bits, int place_shift, int hint_shift, int* pool,
 int* turns, int first, int last, int* unfinished RECORD_PARAMS)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    Desk desk = {indptr, choices, {offers, hints},
                 {man_bits, place_bits, place_shift, hint_shift}, men, first, thread / 32};
    Turn turn = {NONE, 0, 0, 0};
    take_over(turn, indptr, turns[2 * thread], turns[2 * thread + 1]);
    bool empty = false;
    for (; desk.step < last; ++desk.step) {
        const int idle = __popc(__ballot_sync(ALL_LANES, turn.man == NONE));
        if (!empty && idle >= REFILL) empty = refill(turn, indptr, men, pool);
        unsigned busy = __ballot_sync(ALL_LANES, turn.man != NONE);
        if (busy == 0) break;
        Tally tally = {};
        RECORD_COUNTERS(unsigned slots = 0;)
        if (empty && __popc(busy) <= TOGETHER) {
            for (; busy; busy &= busy - 1) {
                look_together(turn, __ffs(busy) - 1, desk, tally RECORD_COUNTERS(, rec));
                RECORD_COUNTERS(slots += 1;)
            }
        } else {
            for (int i = 0; i < LOOKS; ++i) {
                if (turn.man != NONE) look(turn, desk, tally RECORD_COUNTERS(, rec));
                RECORD_COUNTERS(slots += 1;)
            }
        }
        RECORD_COUNTERS(
            record_effort(rec, desk.warp, desk.step,
                          {tally.busy, slots, tally.considered, tally.skipped, tally.engaged,
                           tally.displaced, tally.refused, 0});)
    }
    turns[2 * thread] = turn.man;
    turns[2 * thread + 1] = turn.place;
    if (turn.man != NONE || !empty) simt_store(unfinished, 1);
}

SIMT_EXPORT(marriage_fast)
