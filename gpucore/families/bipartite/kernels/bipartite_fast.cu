// Maximum cardinality matching in bipartite graphs, tuned.
//
// Like APFB (bipartite.cu) it searches from all unmatched columns at once and augments along all
// paths that were found.  Our changes, and those of others:
//   * A frontier: the cost of a level is that of its edges; it does not read every column.
//   * A row is claimed by a CAS, so trees and their paths are disjoint: no repair is needed, and
//     a phase augments along a maximal set of paths.
//   * Edges are dealt out to lanes, so no lane waits for a long list, and none idles at a short
//     one.
//   * Direction: once few rows are left, the rows search for a tree (Beamer, Asanovic, Patterson,
//     "Direction-optimizing breadth-first search", SC 2012).
//   * Grafting: trees without a path are kept, and grow on with the rows of the others (Azad,
//     Buluc, Pothen, "Computing maximum cardinality matchings in parallel on bipartite graphs via
//     tree-grafting", TPDS 2017).  So parts that no path reaches are searched once, not in every
//     phase.
//   * One launch: the blocks meet between levels, without waiting for the host.
//   * Paths need not be shortest, so blocks need not synchronise at every level: unless a frontier
//     is wide, every block processes its own share for some levels before all meet again; a narrow
//     one is left to one block.  (A recorded run synchronises at every level.)
//   * A phase need not be complete: some levels after its first path, if the frontier is not wide,
//     the paths found so far are augmented, and the rows of their trees are freed while the other
//     trees are still growing.  On a grid the last trees of a phase would grow for long.
#include "simt.h"

// A frontier of at most this many entries is left to one block.
#ifndef FEW
#define FEW 128
#endif
// A frontier of at most EACH entries a block is divided among the blocks for LOCAL_LEVELS levels; a
// block whose share grows too wide returns it to all.
#ifndef EACH
#define EACH 64
#endif
#ifndef LOCAL_LEVELS
#define LOCAL_LEVELS (RECORD >= 1 ? 1 : 16)
#endif
// A phase that has a path may end after PATIENCE levels (meetings, if not recorded) whose frontiers had at
// most SPARE entries.
#ifndef PATIENCE
#define PATIENCE (RECORD >= 1 ? 32 : 2)
#endif
#ifndef SPARE
#define SPARE 8192
#endif
// Most threads of a block, and blocks of a multiprocessor; recording events takes registers.
#ifndef BLOCK
#define BLOCK 512
#endif
#ifndef RESIDENT
#define RESIDENT (RECORD >= 2 ? 1 : 2)
#endif

#include "bipartite_fast_levels.cuh"

// The forest becomes all unmatched columns.
__device__ inline void begin_forest(Problem p, Frontier next, Team t, Effort& effort)
{
    const Forest f = p.forest;
    const Lists columns = p.by_column;
    for (int row = t.thread; row < p.by_row.count; row += t.threads) f.parent[row] = NONE;
    for (int base = t.thread - t.lane; base < columns.count; base += t.threads) {
        const int column = base + t.lane;
        const bool there = column < columns.count, unmatched = there && f.cmatch[column] == NONE;
        const int mine = unmatched ? column : NONE;
        if (there) {
            f.root[column] = mine;
            f.leaf[column] = NONE;
        }
        Joined joined = {NONE, NONE, 0, 0};
        if (unmatched)
            joined = {link_to_root(column), column, columns.indptr[column],
                      columns.indptr[column + 1]};
        push(next, columns.indptr[0], joined, 1);
        RECORD_COUNTERS(effort.looked += there; effort.frontier += unmatched;
                        effort.lane_slots += 1;)
    }
}

// Trees with a path are disjoint: one thread flips each path, from the leaf up to the root.
__device__ inline void augment(Problem p, int found, Team t, Effort& effort RECORD_PARAMS)
{
    const Forest f = p.forest;
    RECORD_EVENTS(const int warp = t.warp, step = t.step, rows = p.by_row.count;)
    unsigned flips = 0;
    for (int i = t.thread; i < found; i += t.threads) {
        int row = f.leaf[f.found[i]], link = f.parent[row];
        for (; row != NONE; ++flips) {
            const int column = column_of(f, link), before = link >= 0 ? link : NONE;
            if (before != NONE) link = f.parent[before];        // both reads are under way together
            f.cmatch[column] = row;
            f.rmatch[row] = column;
            TELL(FLIP, rows + column, row, before, 0.0f);
            row = before;
        }
        RECORD_COUNTERS(effort.frontier += 1;)
    }
    RECORD_COUNTERS(effort.flips += flips; effort.lane_slots += warp_largest(flips);)
}

// Rows of trees that have a path leave the forest.  A block counts its rows in `counts`, three words of shared
// memory, and adds to the words of all blocks once.  All threads of all blocks call.
__device__ inline void free_rows(Problem p, int* counts, Team t, Effort& effort RECORD_PARAMS)
{
    const Forest f = p.forest;
    const int rows = p.by_row.count;
    RECORD_EVENTS(const int warp = t.warp, step = t.step;)
    int active = 0;
    if (threadIdx.x == 0) counts[2] = 0;
    for (int base = t.thread - threadIdx.x; base < rows; base += t.threads) {
        const int row = base + threadIdx.x;
        const int link = row < rows ? f.parent[row] : NONE;
        const bool frees = link != NONE && f.leaf[f.root[column_of(f, link)]] != NONE;
        if (link != NONE && !frees) active += 1;
        const unsigned who = __ballot_sync(ALL_LANES, frees);
        RECORD_COUNTERS(effort.looked += row < rows; effort.lane_slots += 1;
                        effort.frontier += frees;)
        if (threadIdx.x == 0) counts[0] = 0;
        __syncthreads();
        int place = 0;
        if (t.lane == 0 && who) place = atomicAdd(counts, __popc(who));
        __syncthreads();
        if (threadIdx.x == 0 && counts[0]) counts[1] = atomicAdd(f.state + FREED, counts[0]);
        __syncthreads();
        place = counts[1] + __shfl_sync(ALL_LANES, place, 0) + __popc(who & ((1u << t.lane) - 1));
        if (!frees) continue;
        f.parent[row] = NONE;
        p.freed[place] = row;
        RECORD_EVENTS(const int mate = f.rmatch[row];
                      TELL(FREE, row, mate == NONE ? NONE : rows + mate, NONE, 0.0f);)
    }
    for (int d = 16; d > 0; d /= 2) active += __shfl_xor_sync(ALL_LANES, active, d);
    __syncthreads();
    if (t.lane == 0 && active) atomicAdd(counts + 2, active);
    __syncthreads();
    if (threadIdx.x == 0 && counts[2]) atomicAdd(f.state + ACTIVE, counts[2]);
}

// The freed rows join trees that touch them.
__device__ inline void graft(Problem p, int freed, Frontier next, Team t,
                             Effort& effort RECORD_PARAMS)
{
    const int share = rows_of_warp(freed, t);
    for (int first = t.thread / 32 * share; first < freed; first += t.threads / 32 * share) {
        const int row = t.lane < share && first + t.lane < freed ? p.freed[first + t.lane] : NONE;
        look_up(p.forest, p.by_row, p.by_column, row, share, GRAFT, next, t,
                effort RECORD_COUNTERS(, rec));
    }
}

// Augment, and begin the next phase with the rest of the forest, whose frontier has `size` entries; `counts`: see
// free_rows.
__device__ inline void end_phase(Problem p, Progress& at, int size, int* counts, unsigned* barrier,
                                 Team t RECORD_PARAMS)
{
    int* state = p.forest.state;
    const int found = simt_load(state + FOUND);
    const Frontier frontier = frontier_of(p, at.level);
    Effort effort = {};
    t.step = step_of(p, at);
    note(p, t, ALTERNATE, at.phase + 1, NONE, found);
    augment(p, found, t, effort RECORD_COUNTERS(, rec));
    RECORD_COUNTERS(record_effort(rec, t.warp, t.step, effort); effort = {};)
    simt_grid_sync(barrier);
    if (t.thread == 0) {
        simt_store(state + FOUND, 0);
        simt_store(frontier.seen, 0);
    }
    t.step += 1;
    note(p, t, FREEING, at.phase + 1, NONE, 0);
    free_rows(p, counts, t, effort RECORD_COUNTERS(, rec));
    RECORD_COUNTERS(record_effort(rec, t.warp, t.step, effort); effort = {};)
    simt_grid_sync(barrier);
    const int freed = simt_load(state + FREED), active = simt_load(state + ACTIVE);
    const bool kept = (long long)active * SHARE > freed;
    if (!kept && size > 0) {
        if (t.thread == 0) simt_store(frontier.count, 0);
        simt_grid_sync(barrier);
    }
    t.step += 1;
    RECORD_EVENTS(const int warp = t.warp, step = t.step;
                  if (t.thread == 0) TELL(PHASE, at.phase + 2, NONE, kept, 0.0f);)
    note(p, t, kept ? GRAFTING : BEGIN, at.phase + 2, NONE, kept ? freed : 0);
    if (kept) graft(p, freed, frontier, t, effort RECORD_COUNTERS(, rec));
    else begin_forest(p, frontier, t, effort);
    RECORD_COUNTERS(record_effort(rec, t.warp, t.step, effort);)
    if (t.thread == 0) {
        int* words = p.phases + 4 * min(at.phase, p.phase_room - 1);
        words[0] += at.level - at.begun - 1;
        words[1] += found;
        words[3] = state[MATCHED] += found;
        if (at.phase + 1 < p.phase_room) words[6] = kept;
    }
    simt_grid_sync(barrier);
    if (t.thread == 0) {
        simt_store(state + FREED, 0);
        simt_store(state + ACTIVE, 0);
    }
    at = {at.level, at.phase + 1, at.level - 1, kept ? active : 0, false, 0};
}

// The whole run, or `max_levels` of its levels: the host calls again until it has ended.  `state` and
// `phases` are zeroed except for the number of pairs; `scratch` has two words for every row, and three
// for every column.
SIMT_KERNEL(bipartite_fast, __launch_bounds__(BLOCK, RESIDENT))
(int rows, int columns, const long long* row_indptr, const long long* column_indptr,
 const int* indices, int* rmatch, int* cmatch, int* state, int* scratch, Entry* entries,
 long long room, int* phases, int phase_room, int* steps, int step_room, int max_levels,
 unsigned* barrier, int first_step RECORD_PARAMS)
{
    int *parent = scratch, *freed = parent + rows, *root = freed + rows, *leaf = root + columns;
    int* found = leaf + columns;
    const Problem p = {{rows, row_indptr, indices, rows},
                       {columns, column_indptr, indices, 0},
                       {parent, root, leaf, rmatch, cmatch, state, found},
                       entries, room, freed, phases, phase_room, steps, step_room, first_step};
    SIMT_SHARED(Entry[2 * ROOM], shares);
    SIMT_SHARED(int[3], counts);
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int threads = gridDim.x * blockDim.x, lane = threadIdx.x % 32;
    Team t = {thread, threads, lane, thread / 32, first_step, 0};
    const int level = simt_load(state + LEVEL), phase = simt_load(state + PHASES);
    Progress at = {level, phase, simt_load(state + BEGUN), 0, simt_load(state + FOUND) > 0, 0};
    const int last = at.level + max_levels;
    simt_grid_sync(barrier);
    if (at.level == 0) {
        Effort effort = {};
        note(p, t, BEGIN, 1, NONE, 0);
        RECORD_EVENTS(const int warp = t.warp, step = t.step;
                      if (thread == 0) TELL(PHASE, 1, NONE, 0, 0.0f);)
        begin_forest(p, frontier_of(p, 1), t, effort);
        RECORD_COUNTERS(record_effort(rec, t.warp, t.step, effort);)
        at.level = 1;
        simt_grid_sync(barrier);
    }
    for (;;) {
        const int size = simt_load(frontier_of(p, at.level).count);
        if (simt_load(frontier_of(p, at.level).seen)) at.found = true;
        if (at.found && (size == 0 || (size <= SPARE && at.waited >= PATIENCE))) {
            end_phase(p, at, size, counts, barrier, t RECORD_COUNTERS(, rec));
            continue;
        }
        if (size == 0 || at.level >= last) break;
        at.waited += at.found && size <= SPARE;
        if (size <= FEW || (LOCAL_LEVELS > 1 && size <= EACH * (int)gridDim.x)) {
            local_levels(p, at, size, {shares, counts}, t RECORD_COUNTERS(, rec));
            at.level += 1;
        } else {
            wide_level(p, at, size, t RECORD_COUNTERS(, rec));
        }
        simt_grid_sync(barrier);
    }
    if (thread == 0) {
        const bool over = simt_load(frontier_of(p, at.level).count) == 0;
        if (over) p.phases[4 * min(at.phase, phase_room - 1)] += at.level - at.begun - 1;
        simt_store(state + LEVEL, at.level);
        simt_store(state + PHASES, at.phase);
        simt_store(state + BEGUN, at.begun);
        simt_store(state + OVER, over);
    }
}

SIMT_EXPORT(bipartite_fast)
