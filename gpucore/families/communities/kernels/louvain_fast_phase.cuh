// Louvain, tuned: a whole phase by all blocks of a cooperative launch.
#pragma once

#include "louvain_fast_judge.cuh"
#include "louvain_fast_moves.cuh"

// What a phase writes beside the partition; see louvain_fast_sweep.cuh.
struct Progress {
    unsigned char* rested;
    Weight* gained;
    int* moved;
    int* waiting;               // moves; see louvain_fast_sweep.cuh
    int* state;
    double* gain;
};

// Sweeps of a pass after which half of the vertices that are due wait, others each time.  Two neighbours that trade
// places do so only if both move at the same time.
#define SURE_SWEEPS 8

// After a sweep that moved fewer than a vertex in so many, few are due; after one of fewer still, parts would only
// take time.
#define FEW_MOVES 32
#define FEWER_MOVES 128

// When a phase ends; see louvain_fast_judge.cuh.  Up to `passes` passes over all vertices follow, until one
// moves none, or takes `pass_sweeps` sweeps: then vertices trade places.
struct Ends {
    double start, threshold, least;
    int relative, patience, max_sweeps;
    int passes, pass_sweeps;
    int settles;                // see SETTLING_TOLERANCE
};

// What does not change in a phase, in shared memory: in registers it would leave too few for the moves.
struct Scope {
    Partition partition;
    Level level;
    Progress progress;
    Ranges ranges;              // of a part
    Ranges whole;               // of all parts at once
    bool joins;                 // parts may be visited at once
};

// How far a phase is; every block has its own, and all come to the same.  Shared memory.
struct Pace {
    int state[STATES];
    int moves;                  // before this pass
    int turn;                   // sweep with which directions of moves begin; see direction_of()
    int made;                   // of the moves that waited
    double gain;
    Ends ends;
    Scope scope;
    BlockTurns block;           // in this sweep
    bool few;                   // vertices are due in it
    bool whole;                 // it has one part
    int set;                    // of the tallies and turns of this sweep, and of the first one of the next phase
};

__device__ inline int* turns_in(Progress progress, int set)
{
    return progress.moved + (MEETING_SETS * MEETING_TALLIES + 2 * set) * TALLY_STRIDE;
}

__device__ inline int meeting_tally(int set, int tally)
{
    return (set * MEETING_TALLIES + tally % MEETING_TALLIES) * TALLY_STRIDE;
}

__device__ inline int last_set(const Pace& pace) { return (pace.set + MEETING_SETS - 1) % MEETING_SETS; }

// Empty a set of tallies and turns, which no block reads or adds to.  All threads of the first block call.
__device__ inline void empty_sums(Progress progress, int set)
{
    for (int i = threadIdx.x; blockIdx.x == 0 && i < MEETING_TALLIES; i += blockDim.x) {
        simt_store(progress.gained + meeting_tally(set, i), 0);
        simt_store(progress.moved + meeting_tally(set, i), 0);
    }
    if (blockIdx.x == 0 && threadIdx.x < 2) simt_store(turns_in(progress, set) + threadIdx.x * TALLY_STRIDE, 0);
}

// What all blocks added in a sweep, for the first lane; one warp calls.
__device__ inline Tally sum_of_blocks(Progress progress, int set)
{
    Weight gain = 0;
    int moves = 0;
    for (int i = threadIdx.x % 32; i < MEETING_TALLIES; i += 32) {
        gain += simt_load(progress.gained + meeting_tally(set, i));
        moves += simt_load(progress.moved + meeting_tally(set, i));
    }
    for (int d = 16; d > 0; d /= 2) {
        gain += __shfl_xor_sync(ALL_LANES, gain, d);
        moves += __shfl_xor_sync(ALL_LANES, moves, d);
    }
    return {modularity_of(gain), moves};
}

// After a sweep: has the phase ended, or does a pass over all vertices follow?  `all`: every vertex that was due was
// visited, and could go anywhere; if then none moved, none will.  One thread of each block calls.
__device__ inline void judge_together(Tally tally, Pace& pace, int parts, bool all)
{
    int* const state = pace.state;
    Ends& ends = pace.ends;
    judge(tally, &pace.gain, ends.start, ends.threshold, ends.least, ends.relative, parts, ends.patience,
          ends.max_sweeps, state);
    if (all && tally.moves == 0) state[DONE] = ENDED;
    const int live = pace.scope.ranges.end - pace.scope.ranges.lanes.begin[0];
    pace.few = !state[DONE] && tally.moves < live / FEW_MOVES;
    pace.whole = pace.few && pace.scope.joins && tally.moves < live / FEWER_MOVES;
    if (state[DONE] && state[MOVES] == pace.moves) {
        state[DONE] = SETTLED;
    } else if (state[DONE] && ends.passes > 0 &&
               (ends.threshold > 0.0 || state[LAUNCHES] / parts < ends.max_sweeps)) {
        state[DONE] = FURTHER;
        state[IDLE] = 0;
        pace.moves = state[MOVES];
        pace.turn = free_first(state[LAUNCHES] / parts);
        ends.max_sweeps = state[LAUNCHES] / parts + ends.pass_sweeps;
        ends.threshold = ends.least = 0.0;
        ends.relative = 0;
        --ends.passes;
    }
}

// Sweep until the phase has ended.  The blocks meet after `apart` parts of a sweep: till then every warp
// goes from part to part without waiting, so about one part is being visited at a time.  After a sweep they
// meet once, and each of them adds up what all did; they keep their caches, since what changes meanwhile is
// read by racy accesses.  `mixes`: every sweep has other parts, so that vertices that trade places come into
// different ones; so do passes.  `later`: all vertices, if moves wait; else 0.  `room` is a block's, and its memory that of its warps.
// All threads of all blocks call.
__device__ inline void sweep_together(const Partition& partition, const Level& level, const int* order,
                                      const Ranges& given, const Progress& to, const Ends& ends, int parts,
                                      int apart, bool mixes, int later, Room room, Desk desk, Pace* pace,
                                      unsigned* barrier, int step RECORD_PARAMS)
{
    order = simt_global(order);
    clear(table_of(block_team(), room), threadIdx.x, blockDim.x);
    if (threadIdx.x < STATES) pace->state[threadIdx.x] = simt_load(to.state + threadIdx.x);
    if (threadIdx.x == 0) {
        pace->moves = simt_load(to.state + MOVES);
        pace->made = 0;
        pace->turn = mixes ? free_first(simt_load(to.state + LAUNCHES) / parts) : 0;
        pace->gain = simt_load(to.gain);
        pace->ends = ends;
        const Ranges ranges = spread_if_few(given, parts);
        pace->scope = {partition, level, to, ranges, divided(ranges, 1), !later && apart == parts};
        pace->block = turns_of_block(pace->scope.ranges, parts);
        pace->few = pace->whole = false;
    }
    __syncthreads();
    const Progress& progress = pace->scope.progress;
    const Effects none = effects_of(partition.two_m, step, warp_in_grid());
    for (int sweep = pace->state[LAUNCHES] / parts;; ++sweep) {
        const int set = pace->set;
        Effects effects = none;
        effects.step += sweep;
        const Ranges& ranges = pace->whole ? pace->scope.whole : pace->scope.ranges;
        const int of_parts = pace->whole ? 1 : parts;
        Turns turns = turns_of_warp(ranges, of_parts, pace->few);
        int* const taken = turns_in(progress, set);         // by warps; TALLY_STRIDE further by blocks
        int alone = apart;                                  // parts till the blocks meet
        const bool some = mixes && !later && sweep >= pace->ends.max_sweeps - pace->ends.pass_sweeps + SURE_SWEEPS;
        const bool all = !later && !some && direction_of(sweep - pace->turn) == 0;
        for (int part = 0; part < of_parts; ++part) {
            Search s = search_in(in_global_memory(pace->scope.partition), in_global_memory(pace->scope.level),
                                 simt_global(progress.rested), progress.gained, progress.moved,
                                 progress.waiting, later, sweep, part, of_parts);
            if (!later) s.partition.direction = direction_of(sweep - pace->turn);
            if (mixes) s.sweep.visit.turn = mixed((unsigned)sweep) | 1;
            if (some) s.sweep.duty = SOME;
            if (pace->ends.settles) s.sweep.least = least_of(s.partition.two_m);
            if (ranges.warps > 0 && ranges.more == 0)
                for_each_lane(ranges, order, s.sweep.visit, [&](Place place) {
                    move_lanes<LANE_EDGES>(s, place, effects RECORD_COUNTERS(, rec));
                });
            else if (ranges.warps > 0)
                for_each_lane(ranges, order, s.sweep.visit, [&](Place place) {
                    move_lanes<1>(s, place, effects RECORD_COUNTERS(, rec));
                });
            const auto due = [&](int place) { return is_due(s.sweep, order[place]); };
            for_each_due_of_warp(ranges, s.sweep.visit, turns, taken, due, [&](int place) {
                move_by_team(s, order[place], warp_team(), room, desk, effects RECORD_COUNTERS(, rec));
            });
            for_each_due_of_block(ranges, s.sweep.visit, pace->block, taken + TALLY_STRIDE, desk.note,
                                  due, [&](int place) {
                move_by_team(s, order[place], block_team(), room, desk, effects RECORD_COUNTERS(, rec));
            });
            if (later) {
                const int begin = pace->made;
                simt_grid_meet(barrier);
                const int end = count_movers(progress.waiting);
                if (threadIdx.x == 0) pace->made = end;     // all have read it
                make_moves(s, begin, end);
            }
            if (--alone == 0 && part + 1 < of_parts) {
                alone = apart;
                simt_grid_meet(barrier);
            }
        }
        const int tally = meeting_tally(set, blockIdx.x);
        effects.report(progress.gained + tally, progress.moved + tally);
        simt_grid_meet(barrier);
        if (threadIdx.x < 32) {
            const Tally sums = sum_of_blocks(progress, set);
            if (threadIdx.x == 0) {
                judge_together(sums, *pace, parts, all);
                pace->block = pace->whole ? turns_of_block(pace->scope.whole, 1, true)
                                          : turns_of_block(pace->scope.ranges, parts, pace->few);
                pace->set = set + 1 < MEETING_SETS ? set + 1 : 0;
            }
        }
        empty_sums(progress, (set + MEETING_SETS - 1) % MEETING_SETS);   // of the sweep before
        __syncthreads();
        const int done = pace->state[DONE];
        if (done == ENDED || done == SETTLED) break;
        if (done != FURTHER) continue;
        mixes = true;
        for (long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x; v < pace->scope.ranges.end;
             v += (long long)gridDim.x * blockDim.x)
            simt_store(progress.rested + v, 0);
        simt_grid_meet(barrier);
        if (threadIdx.x == 0) pace->state[DONE] = 0;
    }
    simt_grid_sync(barrier);                                // all accesses may follow
    empty_sums(progress, last_set(*pace));
    if (blockIdx.x != 0) return;
    if (threadIdx.x < STATES) simt_store(progress.state + threadIdx.x, pace->state[threadIdx.x]);
    if (threadIdx.x == 0) simt_store(progress.gain, pace->gain);
}
