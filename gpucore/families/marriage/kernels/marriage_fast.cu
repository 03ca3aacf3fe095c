// Stable marriage, tuned, for instances in which every man has his own list.  The method, and so
// the marriage, is that of McVitie and Wilson (marriage.cu).  Our changes, and why:
//   * A woman's word holds her rank of the man, the man, and his place in his list.  An atomic
//     minimum makes the proposal and returns the man who has to go on, and his place: there are no
//     retries, and no second array has to be written, fenced and read.
//   * The start of a list need not be read either: places are counted from the start of a group of
//     men, whose table fits the cache, and the last place of a list has a mark.
//   * Warps take men from a pool, many at a time, and every lane that is done gets the next of them,
//     so that no lane waits for the longest chain.
//   * At the end few men are left, and each warp has idle lanes: then all lanes read the list of
//     one man.
// Nearly every access is to another cache line, and these accesses determine the time: fewer
// threads, whose lists stay in the L1 cache, are faster than the largest number, and even a small
// table of bounds for hopeless proposals costs more than it saves.
#include "simt.h"

#include "marriage.cuh"

// Most men that a warp takes from the pool at a time; at least one for every lane.
#ifndef CHUNK
#define CHUNK 256
#endif
// Number of idle lanes from which on a warp hands out men.
#ifndef REFILL
#define REFILL 8
#endif
// Busy lanes up to which a warp reads the list of one man at a time, once the pool is empty.
#ifndef TOGETHER
#define TOGETHER 4
#endif
#ifndef RESIDENT
#define RESIDENT 3
#endif

// Format of a word: from the lowest bit on the man's place, then the man, then the rank.  Places
// are counted from the first of his group of 2^group_shift men; without enough bits they are
// divided by 2^place_shift.
struct Format {
    int man_bits, place_bits, place_shift, group_shift;
};

// Stands for a man's place if it is the last one of his list.
__device__ inline unsigned no_place(Format f)
{
    return (1u << f.place_bits) - 1;
}

__device__ inline int man_of(Format f, Offer offer)
{
    if (offer == NO_OFFER) return NONE;
    return (int)(offer >> f.place_bits & ((1ull << f.man_bits) - 1));
}

// A man, the first place of his group, and the current place, counted from there.
struct Turn {
    int man;
    unsigned place;
    long long group;
};

// A lane's counters since the last row.
struct Tally {
    unsigned busy, considered, skipped, engaged, displaced, refused;
};

struct Desk {
    const long long* indptr;
    const long long* groups;
    const Choice* choices;
    Offer* offers;
    Format format;
    int men, step, warp;
};

// The place in a man's own list of a place in his group; for events.
__device__ inline int own_place(Desk d, int man, long long group, unsigned place)
{
    return (int)(group + place - d.indptr[man]);
}

// Whether she holds a better man than one of this rank.
__device__ inline bool is_hopeless(Desk d, int woman, int rank)
{
    return simt_load(d.offers + woman) >> (d.format.man_bits + d.format.place_bits) < (Offer)rank;
}

// The lane goes on with this man, or none.
__device__ inline void take_over(Turn& turn, int man, unsigned place, Desk d)
{
    turn.man = man;
    turn.place = place;
    if (man != NONE) turn.group = d.groups[man >> d.format.group_shift];
}

// The man of this turn has come to the end of his list.
__device__ inline void stay_alone(Turn& turn, Desk d RECORD_PARAMS)
{
    RECORD_EVENTS(const int warp = d.warp, step = d.step;)
    TELL_ALONE(turn.man);
    turn.man = NONE;
}

// He goes on to the next place of his list, unless this was the last.
__device__ inline void move_on(Turn& turn, bool last, Desk d RECORD_PARAMS)
{
    turn.place += 1;
    if (last) stay_alone(turn, d RECORD_COUNTERS(, rec));
}

// The man of this turn proposes; the lane goes on with the man who is free after it, if any.
__device__ inline void propose(Turn& turn, int woman, int rank, bool last, Desk d,
                               Tally& tally RECORD_PARAMS)
{
    RECORD_EVENTS(const int warp = d.warp, step = d.step, men = d.men;
                  const int own = own_place(d, turn.man, turn.group, turn.place);)
    const Format f = d.format;
    // If he is displaced, his turn goes on after this place; if it was rounded, he meets some
    // women again, who have better men by then.
    const unsigned place = last ? no_place(f) : turn.place >> f.place_shift;
    const Offer mine = ((Offer)(unsigned)rank << f.man_bits | (unsigned)turn.man) << f.place_bits |
                       place;
    const Offer held = atomicMin(d.offers + woman, mine);
    if (held < mine) {
        RECORD_COUNTERS(tally.refused += 1;)
        TELL(REFUSE, turn.man, woman, man_of(f, held), own, rank);
        move_on(turn, last, d RECORD_COUNTERS(, rec));
        return;
    }
    const int left = man_of(f, held);
    RECORD_COUNTERS(tally.engaged += 1; tally.displaced += left != NONE;)
    TELL(ENGAGE, turn.man, woman, left, own, rank);
    const unsigned told = (unsigned)held & no_place(f);
    take_over(turn, left, (told << f.place_shift) + (f.place_shift == 0), d);
    if (left != NONE && told == no_place(f)) stay_alone(turn, d RECORD_COUNTERS(, rec));
}

// One place of the list of the lane's own man.
__device__ inline void look(Turn& turn, Desk d, Tally& tally RECORD_PARAMS)
{
    RECORD_EVENTS(const int warp = d.warp, step = d.step, men = d.men;)
    const Choice choice = d.choices[turn.group + turn.place];
    const int woman = choice.woman, rank = choice.rank & RANK_BITS;
    const bool last = choice.rank < 0;
    RECORD_COUNTERS(tally.busy += 1; tally.considered += 1;)
    if (is_hopeless(d, woman, rank)) {
        RECORD_COUNTERS(tally.skipped += 1;)
        TELL(SKIP, turn.man, woman, NONE, own_place(d, turn.man, turn.group, turn.place), rank);
        move_on(turn, last, d RECORD_COUNTERS(, rec));
        return;
    }
    propose(turn, woman, rank, last, d, tally RECORD_COUNTERS(, rec));
}

// The next 32 places of one lane's man, a lane each; that lane proposes to the first woman who
// prefers him.
__device__ inline void look_together(Turn& turn, int leader, Desk d, Tally& tally RECORD_PARAMS)
{
    RECORD_EVENTS(const int warp = d.warp, step = d.step, men = d.men;)
    const int lane = threadIdx.x % 32;
    const long long at = __shfl_sync(ALL_LANES, turn.group + turn.place, leader) + lane;
    Choice choice = {0, 0};
    if (at < d.indptr[d.men]) choice = d.choices[at];
    const unsigned ends = __ballot_sync(ALL_LANES, choice.rank < 0);
    const int length = ends ? __ffs(ends) : 32;         // places of his among these
    const int rank = choice.rank & RANK_BITS;
    const bool hope = lane < length && !is_hopeless(d, choice.woman, rank);
    const unsigned who = __ballot_sync(ALL_LANES, hope);
    const int chosen = who ? __ffs(who) - 1 : 32;
    const int woman = __shfl_sync(ALL_LANES, choice.woman, chosen % 32);
    const int her_rank = __shfl_sync(ALL_LANES, choice.rank, chosen % 32);
    RECORD_EVENTS(const int man = __shfl_sync(ALL_LANES, turn.man, leader);)
    const bool passes = lane < length && lane < chosen;
    if (passes) TELL(SKIP, man, choice.woman, NONE, (int)(at - d.indptr[man]), rank);
    RECORD_COUNTERS(tally.skipped += passes; tally.busy += passes || lane == chosen;
                    tally.considered += passes || lane == chosen;)
    if (lane != leader) return;
    turn.place += who ? chosen : length - 1;
    if (who) {
        propose(turn, woman, her_rank & RANK_BITS, her_rank < 0, d, tally RECORD_COUNTERS(, rec));
    } else {
        move_on(turn, ends != 0, d RECORD_COUNTERS(, rec));
    }
}

// Men taken from the pool by a warp and not handed out yet: `next` to `end` - 1.
struct Chunk {
    int next, end;
};

// New men for the idle lanes, if there are any; returns whether the pool is empty.
__device__ inline bool hand_out(Turn& turn, Chunk& chunk, int* pool, Desk d RECORD_PARAMS)
{
    const unsigned lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
    if (chunk.next == chunk.end) {
        const int size = min(CHUNK, max(32, (int)(d.men / (4 * warps))));
        int base = 0;
        if (lane == 0) base = simt_load(pool) < d.men ? atomicAdd(pool, size) : d.men;
        base = __shfl_sync(ALL_LANES, base, 0);
        if (base >= d.men) return true;
        chunk = {base, min(base + size, d.men)};
    }
    const unsigned idle = __ballot_sync(ALL_LANES, turn.man == NONE);
    const int man = chunk.next + __popc(idle & ((1u << lane) - 1));
    if (turn.man == NONE && man < chunk.end) {
        const long long group = d.groups[man >> d.format.group_shift], begin = d.indptr[man];
        turn = {man, (unsigned)(begin - group), group};
        if (d.indptr[man + 1] == begin) stay_alone(turn, d RECORD_COUNTERS(, rec));
    }
    chunk.next = min(chunk.next + __popc(idle), chunk.end);
    return false;
}

// Steps `first` to `last` - 1 of every warp.  `groups` has the first place of every group of men.
// `turns` keeps the man and the place of every thread from launch to launch, -1 for none, and
// `chunks` the men that its warp has taken from the pool; `unfinished` becomes 1 if work is left.
SIMT_KERNEL(marriage_fast, __launch_bounds__(256, RESIDENT))
(int men, const long long* indptr, const long long* groups, const Choice* choices, Offer* offers,
 int man_bits, int place_bits, int place_shift, int group_shift, int* pool, int* turns,
 int* chunks, int first, int last, int* unfinished RECORD_PARAMS)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    Desk desk = {indptr, groups, choices, offers, {man_bits, place_bits, place_shift, group_shift},
                 men, first, thread / 32};
    Turn turn = {NONE, 0, 0};
    take_over(turn, turns[2 * thread], (unsigned)turns[2 * thread + 1], desk);
    // One lane reads the words that it will write.
    const int kept = lane < 2 ? chunks[2 * desk.warp + lane] : 0;
    Chunk chunk = {__shfl_sync(ALL_LANES, kept, 0), __shfl_sync(ALL_LANES, kept, 1)};
    bool empty = false;
    for (; desk.step < last; ++desk.step) {
        const int idle = __popc(__ballot_sync(ALL_LANES, turn.man == NONE));
        if (!empty && idle >= REFILL) {
            empty = hand_out(turn, chunk, pool, desk RECORD_COUNTERS(, rec));
        }
        unsigned busy = __ballot_sync(ALL_LANES, turn.man != NONE);
        if (busy == 0 && empty) break;
        Tally tally = {};
        RECORD_COUNTERS(unsigned slots = 0;)
        if (empty && __popc(busy) <= TOGETHER) {
            for (; busy; busy &= busy - 1) {
                look_together(turn, __ffs(busy) - 1, desk, tally RECORD_COUNTERS(, rec));
                RECORD_COUNTERS(slots += 1;)
            }
        } else {
            if (turn.man != NONE) look(turn, desk, tally RECORD_COUNTERS(, rec));
            RECORD_COUNTERS(slots += 1;)
        }
        RECORD_COUNTERS(
            record_effort(rec, desk.warp, desk.step,
                          {tally.busy, slots, tally.considered, tally.skipped, tally.engaged,
                           tally.displaced, tally.refused, 0});)
    }
    turns[2 * thread] = turn.man;
    turns[2 * thread + 1] = (int)turn.place;
    if (turn.man != NONE || !empty) simt_store(unfinished, 1);
    if (lane < 2) chunks[2 * desk.warp + lane] = lane == 0 ? chunk.next : chunk.end;
}

SIMT_EXPORT(marriage_fast)
