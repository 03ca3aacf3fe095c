// Louvain, tuned: a whole phase by all blocks of a cooperative launch.
#pragma once

#include "louvain_fast_judge.cuh"
#include "louvain_fast_moves.cuh"

// What a phase writes beside the partition; see louvain_fast_sweep.cuh.
struct Progress {
    unsigned char* rested;
    Weight* gained;
    int* moved;
    int* target;                // where moves wait
    int* state;
    double* gain;
};

// When a phase ends; see louvain_fast_judge.cuh.  Up to `passes` passes over all vertices follow, until one
// moves none, or takes `pass_sweeps` sweeps: then vertices trade places.
struct Ends {
    double start, threshold, least;
    int relative, patience, max_sweeps;
    int passes, pass_sweeps;
};

// Sweep until the phase has ended.  The blocks meet after `apart` parts of a sweep: till then every warp
// goes from part to part without waiting, so about one part is being visited at a time.  `mixes`: every
// sweep has other parts, so that vertices that trade places come into different ones; so do passes.
// `later`: all vertices, if moves wait; else 0.  `room` is a block's, and its memory that of its warps.
// All threads of all blocks call.
__device__ inline void sweep_together(Partition p, Level level, const int* order,
                                      const Ranges& ranges, Progress progress, Ends ends, int parts,
                                      int apart, bool mixes, int later, Room room, Desk desk, Weight* shares,
                                      int* counts, unsigned* barrier, int step RECORD_PARAMS)
{
    int* const state = progress.state;
    int moves = state[MOVES];                               // before this pass
    for (int sweep = state[LAUNCHES] / parts;; ++sweep) {
        Effects effects = effects_of(p.two_m, step + sweep, warp_in_grid());
        Turns turns = {state + TAKEN, -1, -1};
        for (int part = 0; part < parts; ++part) {
            Search s = search_in(p, level, progress.rested, progress.gained, progress.moved,
                                 later ? progress.target : nullptr, sweep, part, parts);
            if (mixes) s.sweep.visit.turn = mixed((unsigned)sweep) | 1;
            for_each_lane(ranges, order, s.sweep.visit, [&](Place place) {
                move_lanes(s, place, effects RECORD_COUNTERS(, rec));
            });
            for_each_due(ranges, s.sweep.visit, turns, desk.note,
                         [&](int place) { return is_due(s.sweep, order[place]); },
                         [&](int place, Team team) {
                move_by_team(s, order[place], true, team, team.is_block ? room : room_of_warp(room.near),
                             desk, effects RECORD_COUNTERS(, rec));
            });
            if (later) {
                simt_grid_sync(barrier);
                make_moves(s, later);
            }
            if (part + 1 < parts && (part + 1) % apart == 0) simt_grid_sync(barrier);
        }
        effects.report(progress.gained + tally_of_block(), progress.moved + tally_of_block());
        simt_grid_sync(barrier);
        if (blockIdx.x == 0) {
            const Tally tally =
                collect(progress.gained, progress.moved, gridDim.x, shares, counts);
            if (threadIdx.x == 0) {
                judge(tally, progress.gain, ends.start, ends.threshold, ends.least, ends.relative,
                      parts, ends.patience, ends.max_sweeps, state);
                if (state[DONE] && state[MOVES] == moves) {
                    state[DONE] = SETTLED;
                } else if (state[DONE] && ends.passes > 0 &&
                           (ends.threshold > 0.0 || state[LAUNCHES] / parts < ends.max_sweeps)) {
                    state[DONE] = FURTHER;
                    state[IDLE] = 0;
                    moves = state[MOVES];
                    ends.max_sweeps = state[LAUNCHES] / parts + ends.pass_sweeps;
                    ends.threshold = ends.least = 0.0;
                    ends.relative = 0;
                    --ends.passes;
                }
            }
        }
        simt_grid_sync(barrier);
        const int done = simt_load(state + DONE);
        if (done == ENDED || done == SETTLED) return;
        if (done != FURTHER) continue;
        mixes = true;
        for (long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x; v < ranges.end;
             v += (long long)gridDim.x * blockDim.x)
            progress.rested[v] = 0;
        simt_grid_sync(barrier);
        if (blockIdx.x == 0 && threadIdx.x == 0) state[DONE] = 0;
    }
}
