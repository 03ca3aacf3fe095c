// Stable marriage, tuned, where all men have one list and all women rank the men alike: the hard
// instances of section 4, two vectors instead of two square matrices.
//
// Source: Manne, Naim, Lerring, Halappanavar, "On stable marriages and greedy matchings", CSC 2016,
// section 4.  The method is that of McVitie and Wilson; what is ours, and why:
//   * Men are called by their rank and women by their place in the list, both from 0.  What a woman
//     holds is then one word of 32 bits, and says who goes on and from where: the place after hers.
//   * Lists are read by warps, a cache line at a time.
//   * For each BLOCK women a word says that no rank held there is worse; a man passes by a whole
//     block at once, and 32 blocks at a time, if none of them would have him.  Ranks only get
//     better, so that a word which is out of date passes by too little, never too much.
//   * Warps take the men in the order of their ranks: who comes first is seldom displaced.
#include "simt.h"

#include "marriage.cuh"

#ifndef BLOCK
#define BLOCK 1024
#endif
#ifndef RESIDENT
#define RESIDENT 4
#endif

#define NOBODY 0xffffffffu

// What the women hold, and the bounds of their blocks.
struct Women {
    int count;
    unsigned* held;
    unsigned* bounds;
};

// What a warp did since the last row; counted by its first lane.
struct Tally {
    unsigned slots, considered, skipped, engaged, displaced, refused;
};

struct Pen {
    int men, warp, step;
};

// The first place from `place` on that is not in a block passed by.
__device__ inline int pass_blocks(Women w, unsigned rank, int place, Tally& tally)
{
    const int lane = threadIdx.x % 32, blocks = (w.count + BLOCK - 1) / BLOCK;
    for (int base = place / BLOCK; base < blocks; base += 32) {
        const int block = base + lane;
        const bool hope = block < blocks && simt_load(w.bounds + block) > rank;
        const unsigned who = __ballot_sync(ALL_LANES, hope);
        RECORD_COUNTERS(tally.slots += 1;)
        if (who == 0) continue;
        const int begin = (base + __ffs(who) - 1) * BLOCK;
        return begin > place ? begin : place;
    }
    return w.count;
}

// The first woman of the block of `place`, from there on, who would have him; `count` if none.  A
// block that was read from its beginning to its end gets a new bound.
__device__ inline int search_block(Women w, unsigned rank, int place, Pen pen,
                                   Tally& tally RECORD_PARAMS)
{
    RECORD_EVENTS(const int warp = pen.warp, step = pen.step, men = pen.men;)
    const int lane = threadIdx.x % 32, block = place / BLOCK;
    const int end = min((block + 1) * BLOCK, w.count);
    unsigned worst = 0;
    for (int base = place; base < end; base += 32) {
        const int mine = base + lane;
        const unsigned held = mine < end ? simt_load(w.held + mine) : 0;
        const unsigned who = __ballot_sync(ALL_LANES, held > rank);
        const int first = who ? __ffs(who) - 1 : 32;
        RECORD_COUNTERS(
            const unsigned passed = min(first, end - base);
            tally.slots += 1;
            tally.considered += passed;
            tally.skipped += passed;)
        RECORD_EVENTS(if (mine < end && lane < first) TELL(SKIP, rank, mine, NONE, mine, rank + 1);)
        if (who) return base + first;
        worst = max(worst, held);
    }
    if (place == block * BLOCK) {
        for (int d = 16; d > 0; d /= 2) worst = max(worst, __shfl_xor_sync(ALL_LANES, worst, d));
        if (lane == 0) simt_store(w.bounds + block, worst);
    }
    return w.count;
}

// Whom a warp is at work for, and where in the list; NOBODY for none.
struct Turn {
    unsigned rank;
    int place;
};

// One block of the list, or as far as the first proposal in it: a step of a warp's chain, in which
// a man is followed by whomever he displaces until somebody is not missed or a list ends.
__device__ inline void step_on(Women w, Turn& turn, Pen pen RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32;
    RECORD_EVENTS(const int warp = pen.warp, step = pen.step, men = pen.men;)
    Tally tally = {};
    turn.place = pass_blocks(w, turn.rank, turn.place, tally);
    const int found = turn.place == w.count
                          ? w.count
                          : search_block(w, turn.rank, turn.place, pen,
                                         tally RECORD_COUNTERS(, rec));
    if (turn.place == w.count) {
        RECORD_EVENTS(if (lane == 0) TELL_ALONE(turn.rank);)
        turn.rank = NOBODY;
    } else if (found == w.count) {
        turn.place = min((turn.place / BLOCK + 1) * BLOCK, w.count);
    } else {
        unsigned held = 0;
        if (lane == 0) held = atomicMin(w.held + found, turn.rank);
        held = __shfl_sync(ALL_LANES, held, 0);
        const bool refused = held < turn.rank;
        RECORD_EVENTS(if (lane == 0) TELL(refused ? REFUSE : ENGAGE, turn.rank, found, (int)held,
                                          found, turn.rank + 1);)
        RECORD_COUNTERS(
            tally.considered += 1;
            tally.engaged += !refused;
            tally.displaced += !refused && held != NOBODY;
            tally.refused += refused;)
        if (!refused) turn.rank = held;
        turn.place = found + 1;
    }
    RECORD_COUNTERS(
        const unsigned slots = tally.slots;     // of every lane; the rest the first one tells
        if (lane != 0) tally = {};
        record_effort(rec, pen.warp, pen.step,
                      {tally.considered, slots, tally.considered, tally.skipped, tally.engaged,
                       tally.displaced, tally.refused, 0});)
}

// Steps `first` to `last` - 1 of every warp.  `held` and `bounds` begin with NOBODY everywhere, and
// so does `turns`, which keeps the man and the place of every warp from launch to launch;
// `unfinished` becomes 1 if there is more to do.
SIMT_KERNEL(marriage_shared, __launch_bounds__(256, RESIDENT))
(int women, int men, unsigned* held, unsigned* bounds, int* pool, unsigned* turns, int first,
 int last, int* unfinished RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32;
    Pen pen = {men, (int)(blockIdx.x * blockDim.x + threadIdx.x) / 32, first};
    // One lane reads what it will write.
    const unsigned kept = lane == 0 ? turns[2 * pen.warp] : 0;
    const int place = lane == 0 ? (int)turns[2 * pen.warp + 1] : 0;
    Turn turn = {__shfl_sync(ALL_LANES, kept, 0), __shfl_sync(ALL_LANES, place, 0)};
    for (; pen.step < last; ++pen.step) {
        if (turn.rank == NOBODY) {
            int next = 0;
            if (lane == 0) next = simt_load(pool) < men ? atomicAdd(pool, 1) : men;
            next = __shfl_sync(ALL_LANES, next, 0);
            if (next >= men) break;
            turn = {(unsigned)next, 0};
        }
        step_on({women, held, bounds}, turn, pen RECORD_COUNTERS(, rec));
    }
    if (lane != 0) return;
    turns[2 * pen.warp] = turn.rank;
    turns[2 * pen.warp + 1] = (unsigned)turn.place;
    if (pen.step == last) simt_store(unfinished, 1);
}

SIMT_EXPORT(marriage_shared)
