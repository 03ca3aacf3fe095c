// Louvain, tuned: all last stages in one launch.
//
// A stage of some thousand vertices takes a GPU a few microseconds of work, but twenty launches and
// six reads by the host, and between all blocks of a launch every step takes microseconds.  Here one
// block of a single launch sweeps and contracts, stage after stage, until a stage gains too little;
// what it works on is in its shared memory, and the host reads one log.  Moves and their rules are
// those of louvain_fast.cu; the steps of a stage are in louvain_fast_last.cuh.
#include "simt.h"

#include "louvain_fast_judge.cuh"
#include "louvain_fast_last.cuh"

// A stage's row of the log.
enum { VERTICES, ENTRIES, SWEEPS, COMMUNITIES, MODULARITY, COLUMNS };

// One block.  `n` and `entries` of the vertices with edges.  `near_bytes`: shared memory, of which
// the last `table_bytes` are for hash tables: WARP_SLOTS for each warp, at least n for a block.
// `far`: memory for what does not fit there; `maps`: n for each of `max_stages`; `log`: COLUMNS for
// each, and before them the number of rows and of contractions.
SIMT_KERNEL(fast_last, __launch_bounds__(512))
(int n, int entries, const int* live, int* number_of, const long long* indptr, const int* indices,
 const float* weights, const Weight* level_sums, double unit, int kind, const Weight* strength,
 double two_m, double resolution, double start, double threshold, double least, int relative,
 int take_back, int patience, int max_sweeps, int max_stages, int parts, int near_bytes,
 int table_bytes, unsigned char* far, int* maps, double* log, [[maybe_unused]] int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned char, near);
    SIMT_SHARED(Choice[16], best);
    SIMT_SHARED(Weight[16], inner);
    SIMT_SHARED(int[1], note);
    SIMT_SHARED(int[16], warps);
    SIMT_SHARED(double[16], shares);
    SIMT_SHARED(Weight[1], gained);
    SIMT_SHARED(double[1], gain);
    SIMT_SHARED(int[1], moved);
    SIMT_SHARED(int[4], state);
    SIMT_SHARED(int[CLASSES + 1], first);
    SIMT_SHARED(int[CLASSES], cursor);
    const int places = n;
    Pool outside = {nullptr, 0, far};
    Lists now = lists_in(outside, n, entries), next = lists_in(outside, n, entries);
    gather(now, n, live, number_of, {indptr, indices, weights, level_sums, unit, kind}, strength,
           take<int>(outside, n + 1), warps);
    double before = start;
    int contractions = 0;
    for (int stage = 0;; ++stage) {
        Pool pool = {near, near_bytes - table_bytes, outside.far};
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
        for (int v = threadIdx.x; v < n; v += blockDim.x) {
            community[v] = v;
            total[v] = now.strength[v];
            rested[v] = 0;
        }
        if (threadIdx.x == 0) {
            gain[0] = 0.0;
            gained[0] = 0;
            moved[0] = state[DONE] = state[LAUNCHES] = state[IDLE] = state[MOVES] = 0;
        }
        __syncthreads();
        sort_by_class(rows, n, order, first, cursor);
        int lane_warps = 0;
        const Classes classes = warps_of(first, parts, lane_warps);
        const Partition p = {own, community, total, 0, two_m, resolution, 0};
        const Level level = {rows, others, nullptr, sums, 1.0, SUMS};
        const Room room = {memory, table_bytes / (SLOT_WORDS * 4), 0, 0, 0};
        for (int sweep = 0; !state[DONE]; ++sweep) {
            Effects effects = effects_of(two_m, step, threadIdx.x / 32);
            for (int part = 0; part < parts; ++part) {
                const Search s =
                    search_in(p, level, rested, gained, moved, nullptr, sweep, part, parts);
                for (int warp = threadIdx.x / 32; warp < lane_warps; warp += blockDim.x / 32)
                    move_lanes(s, place_in(classes, order, warp, 32, threadIdx.x % 32, s.sweep.visit),
                               effects RECORD_COUNTERS(, rec));
                for_each_team(first[5], first[6], n, s.sweep.visit, [&](int place, Team team) {
                    move_by_team(s, order[place], team, team.is_block ? room : room_of_warp(memory),
                                 {best, inner, note}, effects RECORD_COUNTERS(, rec));
                });
            }
            effects.report(gained, moved);
            __syncthreads();
            if (threadIdx.x == 0) {
                judge({modularity_of(gained[0]), moved[0]}, gain, before, threshold, least, relative,
                      parts, patience, max_sweeps, state);
                gained[0] = 0;
                moved[0] = 0;
            }
            __syncthreads();
        }
        const int sweeps = state[LAUNCHES] / parts;
        int* const mapping = maps + (long long)stage * places;
        int* const label = order;                           // not needed any more
        const int communities = renumber(p, n, number, label, mapping, next.strength, warps);
        const long long most = min((long long)entries, (long long)communities * communities);
        unsigned slots = 64;
        while (2 * slots < 3 * most) slots *= 2;
        const bool shared = (long long)slots * SLOT_WORDS * 4 <= pool.room + table_bytes;
        const HalfTable pairs = half_table(shared ? memory : (unsigned*)pool.far, slots, slots);
        clear(pairs, threadIdx.x, blockDim.x);
        __syncthreads();
        add_pairs(level, n, label, communities, pairs);
        __syncthreads();
        const double share = write_lists(p, next, communities, pairs, number, warps);
        const double found = block_sum(share, shares);
        if (threadIdx.x == 0) {
            shares[0] = found;
            double* const row = log + 2 + stage * COLUMNS;
            row[VERTICES] = n;
            row[ENTRIES] = entries;
            row[SWEEPS] = sweeps;
            row[COMMUNITIES] = communities;
            row[MODULARITY] = found;
        }
        __syncthreads();
        const double after = shares[0];
        const bool lost = take_back && after < before;
        const bool joined = communities < n && !lost;
        if (joined) ++contractions;
        const double wanted = relative ? threshold * fabs(after) : threshold;
        if (!joined || after - before < wanted || stage + 1 == max_stages) {
            if (threadIdx.x == 0) {
                log[0] = stage + 1;
                log[1] = contractions;
            }
            return;
        }
        before = after;
        n = communities;
        entries = (int)next.indptr[communities];
        const Lists old = now;
        now = next;
        next = old;
        __syncthreads();
    }
}

SIMT_EXPORT(fast_last)
