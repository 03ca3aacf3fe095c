// Louvain, tuned: which vertices the lanes, warps and blocks of a launch visit, and in what order.
#pragma once

#include "louvain_fast_sweep.cuh"

// The threads that work on one vertex: a warp, or a block.
struct Team {
    int member, width;
    bool is_block;

    __device__ void meet() const
    {
        if (is_block) __syncthreads();
        else __syncwarp();
    }

    // The first member's number for all; they must meet before the next one.  `note` is for a block.
    __device__ int tell(int number, int* note) const
    {
        if (!is_block) return __shfl_sync(ALL_LANES, number, 0);
        if (member == 0) *note = number;
        __syncthreads();
        return *note;
    }
};

__device__ inline Team warp_team() { return {(int)threadIdx.x % 32, 32, false}; }
__device__ inline Team block_team() { return {(int)threadIdx.x, (int)blockDim.x, true}; }

// The vertices with edges by class of degree, for launches whose blocks go over all classes: those of
// at most 32 edges in `warps` warps (`lanes.block` counts these), then those for warps, then those from
// `blocks` to `end` - 1 for blocks.
struct Ranges {
    Classes lanes;
    int warps;
    int blocks, end;
    bool spread;                // adjacent warps are of different blocks: few do not crowd one
    bool alone;                 // one block works, whatever the launch has
    int more = 0;               // SPREAD_BITS: each lane has one edge
};

// Where the block begins, and how many work.
__device__ inline int first_block(const Ranges& r) { return r.alone ? 0 : (int)blockIdx.x; }
__device__ inline int blocks_of(const Ranges& r) { return r.alone ? 1 : (int)gridDim.x; }

// Warps for a part of so many vertices, each with 1 << `bits` lanes.
__device__ inline int warps_of_class(int vertices, int parts, int bits)
{
    return (int)((((long long)((vertices + parts - 1) / parts) << bits) + 31) / 32);
}

// The same ranges for a part of so many.
__device__ inline Ranges divided(Ranges r, int parts)
{
    r.warps = 0;
    for (int k = 0; k < 4; ++k) {
        r.lanes.block[k] = r.warps;
        r.warps += warps_of_class(r.lanes.begin[k + 1] - r.lanes.begin[k], parts, k + r.more);
    }
    return r;
}

// The ranges for a part, if class k begins at `first[k]`.
__device__ inline Ranges ranges_of(const int* first, int parts, bool spread)
{
    Ranges r = {{{first[1], first[2], first[3], first[4], first[5]}, {0, 0, 0, 0}}, 0, first[6],
                first[CLASSES], spread, false};
    return divided(r, parts);
}

// The same ranges with one edge a lane, if there are warps for it.
__device__ inline Ranges spread_if_few(Ranges r, int parts)
{
    if (r.warps << SPREAD_BITS > (int)(gridDim.x * (blockDim.x / 32))) return r;
    r.more = SPREAD_BITS;
    return divided(r, parts);
}

// The ranges for one block.
__device__ inline Ranges alone(Ranges r)
{
    r.alone = true;
    return r;
}

__device__ inline int first_warp(const Ranges& r)
{
    const int warp = threadIdx.x / 32;
    return r.spread ? warp * blocks_of(r) + first_block(r)
                    : first_block(r) * (int)(blockDim.x / 32) + warp;
}

// Call `f(place)` for the warp's vertices of at most 32 edges.  All lanes of the warp call.
template <class F>
__device__ inline void for_each_lane(const Ranges& ranges, const int* order, Visit visit, F f)
{
    const int step = blocks_of(ranges) * (int)(blockDim.x / 32);
    for (int warp = first_warp(ranges); warp < ranges.warps; warp += step)
        f(place_in(ranges.lanes, order, warp, 32, threadIdx.x % 32, visit, ranges.more));
}

// Call `f(place, team)` for the places of the others to visit; from one place: two would be twice the
// code, and this is in the kernels that take longest to compile.  All threads of all blocks call.
template <class F> __device__ inline void for_each_team(const Ranges& ranges, Visit visit, F f)
{
    const int warps = blockDim.x / 32;
    Team team = warp_team();
    int step = blocks_of(ranges) * warps;                   // begin with warps that have no lanes' work
    long long group = (first_warp(ranges) + step - ranges.warps % step) % step;
    int first = ranges.lanes.begin[4], last = ranges.blocks;
    for (;; group += step) {
        if (!team.is_block && first + group * visit.parts >= last) {
            if (ranges.blocks == ranges.end) return;
            __syncthreads();
            team = block_team();
            group = first_block(ranges);
            step = blocks_of(ranges);
            first = ranges.blocks;
            last = ranges.end;
        }
        if (first + group * visit.parts >= last) return;
        const long long place = place_of(visit, first, group);
        if (place < last) f((int)place, team);
    }
}

// The turns that a team has: numbers of places in a sweep, those of part after part.
struct Turns {
    int each;                   // places of a part
    int next, end;              // what the team has
    int part;                   // the only part where it has a turn, if it takes no more
    int more;                   // how many it takes at once when it has none

    __device__ bool has(int of_part) const { return more > 0 || of_part == part; }
};

// A warp takes more than one at once where it will have so many times as many.
#define TURNS_LEFT 4

// The turns of a sweep of team `number` of `teams`.  Where there are no more places than teams each has one,
// else they take turns, so that none waits for others that have more to do.  Where `few` places are due a team takes
// its share at once, at most a warp's lanes: to ask for each would take longer than what is found.
__device__ inline Turns turns_of(int places, int parts, int number, int teams, int most, bool few)
{
    const int each = (places + parts - 1) / parts;
    const int share = few ? (each + teams - 1) / teams : each / (TURNS_LEFT * teams);
    if (each > 0 && (long long)each * parts > teams)
        return {each, 0, 0, -1, min(few ? 32 : most, max(1, share))};
    return {each, number, number + 1, number < each * parts ? number / each : -1, 0};
}

__device__ inline Turns turns_of_warp(const Ranges& r, int parts, bool few = false)
{
    const int warps = blocks_of(r) * (int)(blockDim.x / 32);
    const int number = (first_warp(r) + warps - r.warps % warps) % warps;   // first those without lanes' work
    return turns_of(r.blocks - r.lanes.begin[4], parts, number, warps, 32, few);
}

// Of a block, in shared memory since one warp uses them; and the places that are due of those taken last.
struct BlockTurns {
    Turns turns;
    int due[32], count, done;
};

__device__ inline BlockTurns turns_of_block(const Ranges& r, int parts, bool few = false)
{
    return {turns_of(r.end - r.blocks, parts, first_block(r), blocks_of(r), 1, few), {}, 0, 0};
}

// Call `f(place)` for a warp's places of more than 32 edges in this part that are `due(place)`, which one lane
// asks once a sweep.  All lanes call, part by part; a warp keeps turns of a later part.
template <class Due, class F>
__device__ inline void for_each_due_of_warp(const Ranges& ranges, Visit visit, Turns& turns, int* taken, Due due,
                                            F f)
{
    const int lane = threadIdx.x % 32, first = visit.part * turns.each, end = first + turns.each;
    while (turns.has(visit.part)) {
        if (turns.next == turns.end) {
            int turn = 0;
            if (lane == 0) turn = atomicAdd(taken, turns.more);
            turns.next = __shfl_sync(ALL_LANES, turn, 0);
            turns.end = turns.next + turns.more;
        }
        if (turns.next >= end) return;
        const int stop = min(turns.end, end), turn = turns.next + lane;
        int mine = -1;
        if (turn < stop) {
            const long long place = place_of(visit, ranges.lanes.begin[4], turn - first);
            if (place < ranges.blocks && due((int)place)) mine = (int)place;
        }
        turns.next = stop;
        for (unsigned left = __ballot_sync(ALL_LANES, mine >= 0); left; left &= left - 1)
            f(__shfl_sync(ALL_LANES, mine, __ffs(left) - 1));
        if (turns.more == 0) return;
    }
}

// Take turns until one of a block's places in this part is due, or none is left.  A warp calls.
template <class Due>
__device__ inline void take_due(const Ranges& ranges, Visit visit, BlockTurns& of, int* taken, Due due)
{
    const int lane = threadIdx.x % 32, end = (visit.part + 1) * of.turns.each;
    Turns now = of.turns;
    bool none = of.done == of.count;
    __syncwarp();                                           // all have read it
    while (none) {
        if (now.next == now.end && now.more > 0) {
            int turn = 0;
            if (lane == 0) turn = atomicAdd(taken, now.more);
            now.next = __shfl_sync(ALL_LANES, turn, 0);
            now.end = now.next + now.more;
        }
        const int stop = min(now.end, end), turn = now.next + lane;
        const long long place = turn < stop ? place_of(visit, ranges.blocks, end - 1 - turn) : ranges.end;
        const bool mine = place < ranges.end && due((int)place);
        const unsigned all = __ballot_sync(ALL_LANES, mine);
        if (mine) of.due[__popc(all & ((1u << lane) - 1))] = (int)place;
        none = all == 0 && now.next < stop;
        now.next = max(now.next, stop);
        if (lane == 0 && !none) {
            of.turns = now;
            of.count = __popc(all);
            of.done = 0;
        }
        __syncwarp();
    }
}

// The same for a block's places of more edges; it begins with hubs.  All threads call; `of` and `note` are in shared
// memory.
template <class Due, class F>
__device__ inline void for_each_due_of_block(const Ranges& ranges, Visit visit, BlockTurns& of, int* taken,
                                             int* note, Due due, F f)
{
    if (!of.turns.has(visit.part)) return;
    const Team team = block_team();
    __syncthreads();                                        // warps are at their own places till then
    for (;;) {
        int mine = -1;
        if (team.member < 32) take_due(ranges, visit, of, taken, due);
        if (team.member == 0 && of.done < of.count) mine = of.due[of.done++];
        mine = team.tell(mine, note);
        if (mine < 0) return;
        f(mine);
    }
}

// The number of a block's next vertex among `count`, after `before` (-1: the first); all threads call.
// Vertices of a class take about as long, but hubs do not: there a block takes the next that is left,
// and the last block to find none sets the queue back.  In a recorded run hubs are dealt out, too: on
// the host the first block would take all.  `queue`: how many are taken, and how many blocks found
// none, 0 before and after; `note` is in shared memory.
__device__ inline int next_in_block(int before, bool hubs, int count, int* queue, int* note)
{
    if (RECORD > 0 || !hubs) return before < 0 ? (int)blockIdx.x : before + (int)gridDim.x;
    if (threadIdx.x == 0) {
        *note = atomicAdd(queue, 1);
        if (*note >= count && atomicAdd(queue + 1, 1) + 1 == (int)gridDim.x) {
            simt_store(queue, 0);
            simt_store(queue + 1, 0);
        }
    }
    __syncthreads();
    const int mine = *note;
    __syncthreads();                                        // the note may be written again
    return mine;
}
