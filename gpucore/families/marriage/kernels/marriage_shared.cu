// Stable marriage, tuned, where all men have one list and all women rank the men alike: the hard
// instances of section 4, two vectors instead of two square matrices.
//
// Source: Manne, Naim, Lerring, Halappanavar, "On stable marriages and greedy matchings", CSC 2016,
// section 4.  The method is that of McVitie and Wilson.  Our changes, and why:
//   * Men are numbered by their rank and women by their place in the list, both from 0.  A woman's
//     offer is then one word of 32 bits; it gives the displaced man and his place, the one after
//     hers.
//   * Warps take the men in the order of their ranks: early men are seldom displaced.  Few warps
//     are best, since all of them propose to women at the frontier between those who have good men
//     and those who have none.
//   * A man skips all women whom the previous man of the same warp skipped: women only improve, and
//     he is the worse of the two.  So a warp begins at the first proposal of its previous man, and
//     reads on from there a cache line at a time.
#include "simt.h"

#include "marriage.cuh"

// Most places that a warp reads in one step.
#ifndef BLOCK
#define BLOCK 1024
#endif

#define NOBODY 0xffffffffu

// A warp's counters since the last row; its first lane counts.
struct Tally {
    unsigned slots, busy, considered, skipped, engaged, displaced, refused;
};

struct Pen {
    int women, men, warp, step;
    unsigned* held;
};

// The man of a warp, NOBODY for none, and his current place in the list.  The warp's next man
// begins at `start`; `first`: this man has not proposed yet.
struct Turn {
    unsigned rank;
    int place, start;
    bool first;
};

// A new man: he skips all women before `start`.
__device__ inline void begin_with(Turn& turn, unsigned rank, Pen pen, Tally& tally RECORD_PARAMS)
{
    RECORD_EVENTS(const int warp = pen.warp, step = pen.step, men = pen.men;)
    turn = {rank, turn.start, turn.start, true};
    RECORD_COUNTERS(tally.considered += turn.start; tally.skipped += turn.start;)
    RECORD_EVENTS(for (int passed = threadIdx.x % 32; passed < turn.start; passed += 32)
                      TELL(SKIP, rank, passed, NONE, passed, rank + 1);)
}

// The first woman from his place on, up to `end`, who prefers him; `end` if there is none.
__device__ inline int search(Turn turn, int end, Pen pen, Tally& tally RECORD_PARAMS)
{
    RECORD_EVENTS(const int warp = pen.warp, step = pen.step, men = pen.men;)
    const int lane = threadIdx.x % 32;
    for (int base = turn.place; base < end; base += 32) {
        const int mine = base + lane;
        const unsigned held = mine < end ? simt_load(pen.held + mine) : 0;
        const unsigned who = __ballot_sync(ALL_LANES, held > turn.rank);
        const int found = who ? __ffs(who) - 1 : min(32, end - base);
        RECORD_COUNTERS(tally.slots += 1; tally.busy += found; tally.considered += found;
                        tally.skipped += found;)
        RECORD_EVENTS(if (lane < found) TELL(SKIP, turn.rank, mine, NONE, mine, turn.rank + 1);)
        if (who) return base + found;
    }
    return end;
}

// He proposes; the warp goes on with the man who is free after it, if any.
__device__ inline void propose(Turn& turn, Pen pen, Tally& tally RECORD_PARAMS)
{
    RECORD_EVENTS(const int warp = pen.warp, step = pen.step, men = pen.men;)
    const int lane = threadIdx.x % 32;
    unsigned held = 0;
    if (lane == 0) held = atomicMin(pen.held + turn.place, turn.rank);
    held = __shfl_sync(ALL_LANES, held, 0);
    const bool refused = held < turn.rank;
    RECORD_EVENTS(if (lane == 0) TELL(refused ? REFUSE : ENGAGE, turn.rank, turn.place, (int)held,
                                      turn.place, turn.rank + 1);)
    RECORD_COUNTERS(
        tally.busy += 1;
        tally.considered += 1;
        tally.engaged += !refused;
        tally.displaced += !refused && held != NOBODY;
        tally.refused += refused;)
    if (turn.first) turn.start = turn.place;
    turn.first = false;
    turn.place += 1;
    if (!refused) turn.rank = held;
}

// At most BLOCK places of the list, up to the first proposal: a step of a warp's chain, in which a
// man is followed by the man he displaces, until no man is displaced or the list ends.
__device__ inline void step_on(Turn& turn, Pen pen, Tally& tally RECORD_PARAMS)
{
    const int end = min(turn.place + BLOCK, pen.women);
    turn.place = search(turn, end, pen, tally RECORD_COUNTERS(, rec));
    if (turn.place < end) {
        propose(turn, pen, tally RECORD_COUNTERS(, rec));
    } else if (turn.place == pen.women) {
        RECORD_EVENTS(const int warp = pen.warp, step = pen.step;
                      if (threadIdx.x % 32 == 0) TELL_ALONE(turn.rank);)
        if (turn.first) turn.start = turn.place;
        turn.rank = NOBODY;
    }
}

// Steps `first` to `last` - 1 of every warp.  `held` begins with NOBODY everywhere.  `turns` keeps
// three words of every warp from launch to launch: the man, NOBODY at first, his place, and where
// the next one begins, 0 at first; `unfinished` becomes 1 if work is left.
SIMT_KERNEL(marriage_shared)
(int women, int men, unsigned* held, int* pool, unsigned* turns, int first, int last,
 int* unfinished RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32;
    Pen pen = {women, men, (int)(blockIdx.x * blockDim.x + threadIdx.x) / 32, first, held};
    // One lane reads the words that it will write.  An interrupted man counts as one who proposed.
    const unsigned kept = lane < 3 ? turns[3 * pen.warp + lane] : 0;
    Turn turn = {__shfl_sync(ALL_LANES, kept, 0), (int)__shfl_sync(ALL_LANES, kept, 1),
                 (int)__shfl_sync(ALL_LANES, kept, 2), false};
    for (; pen.step < last; ++pen.step) {
        Tally tally = {};
        if (turn.rank == NOBODY) {
            int next = 0;
            if (lane == 0) next = simt_load(pool) < men ? atomicAdd(pool, 1) : men;
            next = __shfl_sync(ALL_LANES, next, 0);
            if (next >= men) break;
            begin_with(turn, next, pen, tally RECORD_COUNTERS(, rec));
        }
        step_on(turn, pen, tally RECORD_COUNTERS(, rec));
        RECORD_COUNTERS(
            const unsigned slots = tally.slots;     // of every lane; the first counts the rest
            if (lane != 0) tally = {};
            record_effort(rec, pen.warp, pen.step,
                          {tally.busy, slots, tally.considered, tally.skipped, tally.engaged,
                           tally.displaced, tally.refused, 0});)
    }
    const int words = lane == 1 ? turn.place : turn.start;
    if (lane < 3) turns[3 * pen.warp + lane] = lane == 0 ? turn.rank : (unsigned)words;
    if (lane == 0 && pen.step == last) simt_store(unfinished, 1);
}

SIMT_EXPORT(marriage_shared)
