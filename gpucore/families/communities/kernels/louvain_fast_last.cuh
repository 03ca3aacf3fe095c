// Louvain, tuned: small stages by one block.
//
// What all warps read and write while vertices move is in shared memory, where an access takes a
// tenth of the time; the adjacency lists too if there is room.
#pragma once

#include "louvain_fast_block.cuh"
#include "louvain_fast_judge.cuh"
#include "louvain_fast_moves.cuh"

// Shared memory of the block: `near_bytes`, of which the last `table_bytes` are for hash tables, of
// WARP_SLOTS for each warp, and at least a slot for each vertex; and what follows.
struct LastDesk {
    unsigned char* near;
    int near_bytes, table_bytes;
    Desk move;
    int* warps;                 // one a warp
    double* shares;             // one a warp
    Weight* gained;             // one, as the next two
    double* gain;
    int* moved;
    int* state;                 // STATES
    int* turns;                 // of warps, and TALLY_STRIDE further of blocks
    BlockTurns* of_block;
    int* first;                 // CLASSES + 1
    int* cursor;                // CLASSES
    Lists* lists;               // two: of a stage, and of the next one
};

// When stages end; see finish() in last.py.  One that lost modularity is swept again in more parts, until
// there are `enough_parts`.  `early`: the
// threshold of sweeps, if it is the larger one.
struct LastEnds {
    double start, threshold, least, early, last_share;
    int relative, take_back, patience, max_sweeps, max_stages, enough_parts;
};

// What the stages found; the same in all threads.
struct LastFound {
    int rows, contractions, communities;
    double modularity;
    const Weight* strength;     // of every community
};

// Sweep and contract, stage after stage, until one gains too little.  `live`: the `n` vertices with
// edges, in their order.  `far`: memory for what does not fit in shared memory; `maps`: n for each
// stage; `whole`: community of every vertex in the end; `log`: COLUMNS for each stage.  All threads of
// the block call, and no other block.
__device__ inline LastFound last_stages(int n, int entries, const int* live, int* number_of,
                                        const Level& given, const Weight* strength, double two_m,
                                        double resolution, const LastEnds& ends, int parts, const LastDesk& desk,
                                        unsigned char* far, int* maps, int* whole, double* log,
                                        [[maybe_unused]] int step RECORD_PARAMS)
{
    const int places = n;
    Pool outside = {nullptr, 0, far};
    const Lists one = lists_in(outside, n, entries), other = lists_in(outside, n, entries);
    if (threadIdx.x == 0) {
        desk.lists[0] = one;
        desk.lists[1] = other;
    }
    __syncthreads();
    int side = 0;                                           // which lists are those of the stage
    gather(desk.lists[0], n, live, number_of, given, strength, take<int>(outside, n + 1), desk.warps);
    for (int v = threadIdx.x; v < n; v += blockDim.x) whole[v] = v;
    double before = ends.start;
    int contractions = 0;
    bool again = false;                                     // a stage lost: warps meet after each part
    for (int stage = 0;; ++stage) {
        const Lists &now = desk.lists[side], &next = desk.lists[1 - side];
        Pool pool = {desk.near, desk.near_bytes - desk.table_bytes, outside.far};
        int* const community = take<int>(pool, n);
        Weight* const total = take<Weight>(pool, n);
        unsigned char* const rested = take<unsigned char>(pool, n);
        int* const number = take<int>(pool, n + 1);
        int* const order = take<int>(pool, n);
        const Weight* const own = nearer(pool, now.strength, n);
        const long long* const rows = nearer(pool, now.indptr, n + 1);
        const int* const others = nearer(pool, now.indices, entries);
        const Weight* const sums = nearer(pool, now.sums, entries);
        unsigned* const memory = (unsigned*)pool.near;
        int* const state = desk.state;
        for (int v = threadIdx.x; v < n; v += blockDim.x) {
            community[v] = v;
            total[v] = now.strength[v];
            rested[v] = 0;
        }
        if (threadIdx.x == 0) {
            *desk.gain = 0.0;
            *desk.gained = 0;
            *desk.moved = state[DONE] = state[LAUNCHES] = state[IDLE] = state[MOVES] = 0;
            desk.turns[0] = desk.turns[TALLY_STRIDE] = 0;
        }
        __syncthreads();
        sort_by_class(rows, n, order, desk.first, desk.cursor);
        const Ranges ranges = alone(ranges_of(desk.first, parts, false));
        const Partition p = {own, community, total, 0, two_m, resolution, 0};
        const Level level = {rows, others, nullptr, sums, 1.0, SUMS};
        const Room room = {memory, desk.table_bytes / (SLOT_WORDS * 4), 0, 0, 0};
        clear(table_of(block_team(), room), threadIdx.x, blockDim.x);
        __syncthreads();
        for (int sweep = 0; !state[DONE]; ++sweep) {
            Effects effects = effects_of(two_m, step, threadIdx.x / 32);
            Turns turns = turns_of_warp(ranges, parts);
            if (threadIdx.x == 0) *desk.of_block = turns_of_block(ranges, parts);
            __syncthreads();
            for (int part = 0; part < parts; ++part) {
                const Search s = search_in(p, level, rested, desk.gained, desk.moved, nullptr, 0, sweep,
                                           part, parts);
                for_each_lane(ranges, order, s.sweep.visit, [&](Place place) {
                    move_lanes<LANE_EDGES>(s, place, effects RECORD_COUNTERS(, rec));
                });
                const auto due = [&](int place) { return is_due(s.sweep, order[place]); };
                for_each_due_of_warp(ranges, s.sweep.visit, turns, desk.turns, due, [&](int place) {
                    move_by_team(s, order[place], warp_team(), room, desk.move, effects RECORD_COUNTERS(, rec));
                });
                for_each_due_of_block(ranges, s.sweep.visit, *desk.of_block, desk.turns + TALLY_STRIDE,
                                      desk.move.note, due, [&](int place) {
                    move_by_team(s, order[place], block_team(), room, desk.move, effects RECORD_COUNTERS(, rec));
                });
                if (again) __syncthreads();
            }
            effects.report(desk.gained, desk.moved);
            __syncthreads();
            if (threadIdx.x == 0) {
                judge({modularity_of(*desk.gained), *desk.moved}, desk.gain, before, max(ends.early, ends.threshold),
                      ends.least, ends.relative, parts, ends.patience, ends.max_sweeps, state);
                *desk.gained = 0;
                *desk.moved = desk.turns[0] = desk.turns[TALLY_STRIDE] = 0;
            }
            __syncthreads();
        }
        const int sweeps = state[LAUNCHES] / parts;
        int* const mapping = maps + (long long)stage * places;
        int* const label = order;                           // not needed any more
        const int communities = renumber(p, n, number, label, mapping, next.strength, desk.warps);
        const long long most = min((long long)entries, (long long)communities * communities);
        unsigned slots = 64;
        while (2 * slots < 3 * most) slots *= 2;
        const bool shared = (long long)slots * SLOT_WORDS * 4 <= pool.room + desk.table_bytes;
        const HalfTable pairs = half_table(shared ? memory : (unsigned*)pool.far, slots, slots);
        clear(pairs, threadIdx.x, blockDim.x);
        __syncthreads();
        add_pairs(level, n, label, communities, pairs);
        __syncthreads();
        const double share = write_lists(p, next, communities, pairs, number, desk.warps);
        const double found = block_sum(share, desk.shares);
        if (threadIdx.x == 0) {
            desk.shares[0] = found;
            double* const row = log + stage * COLUMNS;
            row[VERTICES] = n;
            row[ENTRIES] = entries;
            row[SWEEPS] = sweeps;
            row[COMMUNITIES] = communities;
            row[MODULARITY] = found;
        }
        __syncthreads();
        const double after = desk.shares[0];
        const bool worse = has_lost(after, before, ends.threshold, ends.relative);
        if (ends.take_back && worse && parts < ends.enough_parts) {
            parts *= MORE_PARTS;
            again = true;
            --stage;
            continue;
        }
        const bool lost = ends.take_back && after < before;
        const bool joined = communities < n && !lost;
        const double wanted = ends.relative ? max(ends.last_share, ends.threshold) * fabs(after) : ends.threshold;
        const bool last = !joined || after - before < wanted || stage + 1 == ends.max_stages;
        if (joined) {
            ++contractions;
            for (int v = threadIdx.x; v < places; v += blockDim.x) whole[v] = mapping[whole[v]];
            before = after;
            n = communities;
            entries = (int)next.indptr[communities];
            side = 1 - side;
        }
        __syncthreads();
        if (last) return {stage + 1, contractions, n, before, desk.lists[side].strength};
    }
}
