// Louvain, tuned: the whole search of a small graph in one cooperative launch.
//
// The stages of a graph of some thousand edges take a GPU a fraction of the time that its launches and
// the host's reads take.  Here all blocks sweep and contract (louvain_fast_phase.cuh,
// louvain_fast_contract.cuh) until one block can do the rest in its shared memory
// (louvain_fast_last.cuh); then all move the given graph's vertices again, as refinement.py describes,
// and number the communities.  The host reads one log.
//
// What is rare is left to the launches of a larger graph: a vertex of more than SHARED_DEGREE edges,
// a stage that lost modularity, vertices that trade places for ever.  Then the log says why.
#include "simt.h"

#include "louvain_fast_place.cuh"
#include "louvain_fast_small.cuh"
#include "louvain_strength.cuh"

// `zeros`: StageFacts for each of `most_stages` + 2, TALLIES places for gains and moves, a word for the
// sum of weights and one for that of squares, and two for the barrier.  `far`: memory for arrays, as
// bytes_of() in small.py says; `maps`: n for each of `most_stages`, then `last_vertices` for each of
// `last_stages_most`.  `orders`: n for the given graph's vertices, n for those of the stage where the
// last ones begin.
SIMT_KERNEL(fast_small, __launch_bounds__(512))
(int n, int entries, const long long* indptr, const int* indices, const float* weights,
 const Weight* level_sums, double unit, int kind, int width, int copies, double given_two_m,
 double loops, double resolution, double t_bin, double t_final, double first_factor,
 int first_patience, int patience, long long bin_vertices, int count_all, int relative,
 int max_sweeps, int begins, int refine_sweeps, int passes, int pass_sweeps, int tiny_parts,
 int few, int few_parts, int parts_of_more, int neighbours, int most_parts, int one_block_parts,
 int last_vertices, int last_entries, int most_stages, int last_stages_most, int apart,
 int near_bytes, int table_bytes, Weight* zeros, unsigned char* far, int* maps, int* orders,
 int* refined, double* log, [[maybe_unused]] int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned char, near);
    SIMT_SHARED(Choice[16], best);
    SIMT_SHARED(Weight[16], inner);
    SIMT_SHARED(int[1], note);
    SIMT_SHARED(unsigned[1], claimed);
    SIMT_SHARED(long long[33], lanes);
    SIMT_SHARED(long long[33], long_sums);
    SIMT_SHARED(int[33], counts);
    SIMT_SHARED(Weight[16], shares);
    SIMT_SHARED(double[16], last_shares);
    SIMT_SHARED(Weight[1], gained_alone);
    SIMT_SHARED(double[1], gain_alone);
    SIMT_SHARED(int[1], moved_alone);
    SIMT_SHARED(int[4], state_alone);
    SIMT_SHARED(int[CLASSES + 1], first);
    SIMT_SHARED(int[CLASSES + 1], cursor);
    SIMT_SHARED(Arrays[1], arrays);
    StageFacts* const facts = (StageFacts*)zeros;
    Weight* const gained = zeros + (most_stages + 2) * FACT_WORDS;
    int* const moved = (int*)(gained + TALLIES * TALLY_STRIDE);
    Weight* const start = gained + TALLIES * TALLY_STRIDE * 3 / 2;
    unsigned* const barrier = (unsigned*)(start + 2);
    if (threadIdx.x == 0) arrays[0] = arrays_in(far, n, entries, gridDim.x);
    __syncthreads();
    const Arrays& a = arrays[0];

    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long stride = (long long)gridDim.x * blockDim.x;
    const int lane = threadIdx.x % 32;
    const bool chief = blockIdx.x == 0 && threadIdx.x == 0;
    const Level given = {indptr, indices, weights, level_sums, unit, kind};
    const PartRule rule = {tiny_parts, few, few_parts, parts_of_more, neighbours, most_parts};
    const Desk desk = {best, inner, note};
    const Room room = {(unsigned*)near, table_bytes / (SLOT_WORDS * 4), 0, 0, claimed};
    const Sums sums = {lanes, long_sums, counts, shares};
    if (chief) log[BEGAN] = (double)simt_time();

    // Strengths, and the vertices of every class of degree.
    for (long long t = thread - lane; t < (long long)n * width; t += stride)
        sum_strength(given, n, width, t + lane, a.strength);
    for (int block = blockIdx.x; (long long)block * blockDim.x < n; block += gridDim.x)
        count_classes(n, indptr, block, facts->classes, &facts->longest, counts);
    simt_grid_sync(barrier);
    double two_m = given_two_m;
    if (kind != ONES) {
        Weight mine = 0;
        for (long long v = thread; v < n; v += stride) mine += a.strength[v];
        mine = block_sum(mine, shares);
        if (threadIdx.x == 0 && mine) atomicAdd(start, mine);
        simt_grid_sync(barrier);
        two_m = (double)(simt_load(start) / (Weight)copies);
    }

    // Stages of all blocks, until one block can do the rest.
    Level level = given;
    const Weight* of_vertex = a.strength;
    int size = n, stage = 0, outcome = FOUND, known = 0, parts = 1;
    long long many = entries;
    double reached = 0.0;
    bool final = false, one_block = false;
    for (;; ++stage) {
        StageFacts* const f = facts + stage;
        int* const own_order = stage == 0 ? orders : a.order;
        const double begin_time = chief ? (double)simt_time() : 0.0;
        begin_classes(f->classes, first);
        for (int block = blockIdx.x; (long long)block * blockDim.x < size; block += gridDim.x)
            place_by_class(size, level.indptr, block, first, f->cursors, own_order, counts, cursor);
        Weight share = 0;
        for (long long v = thread; v < size; v += stride) {
            a.community[v] = (int)v;
            a.total[v] = of_vertex[v];
            a.rested[v] = 0;
            if (stage == 0) share += squared_share(a.strength[v], two_m);
        }
        share = block_sum(share, shares);
        if (threadIdx.x == 0 && share) atomicAdd(start + 1, share);
        simt_grid_sync(barrier);
        if (stage == 0)
            reached = (loops / two_m -
                       resolution * ((double)simt_load(start + 1) / SQUARE_UNITS)) / copies;
        const int live = size - first[1];
        final |= (count_all ? size : live) <= bin_vertices;
        double threshold = final ? t_final : t_bin;
        if (two_m == 0.0) outcome = NO_WEIGHT;
        else if (first[CLASSES] > first[CLASSES - 1]) outcome = HUB;
        if (outcome != FOUND) break;
        const bool short_lists = many > 0 && many <= last_entries;
        if ((stage > 0 || rule.tiny) && final && live <= last_vertices && short_lists) {
            one_block = true;
            break;
        }
        if (stage == most_stages) outcome = MANY_STAGES;
        if (outcome != FOUND) break;
        parts = parts_of(rule, live, many);
        const bool special = stage == 0 && !rule.tiny;
        const double factor = relative ? 1.0 : (double)copies;
        threshold = (special ? min(1.0, first_factor * threshold) : threshold) * factor;
        sweep_together({of_vertex, a.community, a.total, 0, two_m, resolution, 0}, level, own_order,
                       ranges_of(first, parts, true),
                       {a.rested, gained, moved, nullptr, f->state, &f->gain},
                       {copies * reached, threshold, t_final, relative,
                        special ? first_patience : patience, max_sweeps, 0, 0},
                       parts, apart ? apart : parts, 0, room, desk, shares, counts, barrier,
                       step RECORD_COUNTERS(, rec));
        const double swept_time = chief ? (double)simt_time() : 0.0;
        const Lists next = a.graphs[stage % 2];
        int* const mapping = maps + (long long)stage * n;
        unsigned long long slots = 4096;
        while (2 * slots < 3 * (unsigned long long)many) slots *= 2;
        contract_together(size, own_order, ranges_of(first, 1, true), level, a.community, a.total, two_m,
                          {a.used, a.number, mapping, next.strength, next.indptr, a.parts},
                          {a.pairs, slots - 1, a.inner, a.length, &f->overflowed,
                           (unsigned)slots},
                          {&f->communities, &f->squares, &f->inside, &f->entries, f[1].classes,
                           &f[1].longest},
                          room.near, room.near_slots, sums, barrier,
                          step RECORD_COUNTERS(, rec));
        simt_grid_sync(barrier);
        const int communities = simt_load(&f->communities);
        write_pairs((long long)slots, a.pairs, 0, communities, a.inner, next.indptr, a.length,
                    next.indices, next.sums);
        const double now = ((double)simt_load(&f->inside) / two_m -
                            resolution * ((double)simt_load(&f->squares) / SQUARE_UNITS)) / copies;
        const bool joined = communities < size && now >= reached;
        if (now < reached - 1e-12) outcome = LOST;
        if (joined)
            for (long long v = thread; v < n; v += stride)
                a.whole[v] = mapping[stage == 0 ? (int)v : a.whole[v]];
        if (chief) {
            double* const row = log + HEADER + stage * WIDTH;
            row[VERTICES] = size;
            row[ENTRIES] = (double)many;
            row[SWEEPS] = f->state[LAUNCHES] / parts;
            row[COMMUNITIES] = communities;
            row[MODULARITY] = now;
            row[THRESHOLD] = final ? t_final : t_bin;
            row[BEGIN_TIME] = begin_time;
            row[SWEPT_TIME] = swept_time;
            row[END_TIME] = (double)simt_time();
        }
        simt_grid_sync(barrier);
        if (outcome != FOUND || !joined) {
            ++stage;
            break;
        }
        const double wanted = final ? t_final : t_bin;
        const bool little = now - reached < (relative ? wanted * fabs(now) : wanted);
        known = stage + 1;
        level = {next.indptr, next.indices, weights, next.sums, 1.0, SUMS};
        of_vertex = next.strength;
        size = communities;
        many = simt_load(&f->entries);
        reached = now;
        if (little && final) {
            ++stage;
            break;
        }
        final |= little;
    }
    // The last stages, of one block.
    int communities = size;
    const Weight* strengths = of_vertex;
    if (one_block) {
        const int single = first[1], live = size - single;
        int* const own_order = stage == 0 ? orders : a.order;
        if (stage > 0)                                      // the host needs it for the levels
            for (long long i = thread; i < size; i += stride) orders[n + i] = a.order[i];
        if (blockIdx.x == 0) {
            const double factor = relative ? 1.0 : (double)copies;
            const LastFound found = last_stages(
                live, (int)many, own_order + single, a.number, level, of_vertex, two_m, resolution,
                {copies * reached, (final ? t_final : t_bin) * factor, t_final, relative, 1, patience,
                 max_sweeps, last_stages_most},
                rule.tiny ? rule.tiny : one_block_parts,
                {near, near_bytes, table_bytes, desk, counts, last_shares, gained_alone, gain_alone,
                 moved_alone, state_alone, cursor, counts + 16},
                (unsigned char*)a.pairs, maps + (long long)most_stages * n, a.last_whole,
                log + HEADER + most_stages * WIDTH, step RECORD_COUNTERS(, rec));
            for (int c = threadIdx.x; c < found.communities; c += blockDim.x)
                a.of_community[c] = found.strength[c];
            __syncthreads();
            for (int i = threadIdx.x; i < size; i += blockDim.x) {
                const int v = own_order[i];
                a.member[v] = i < single ? found.communities + i : a.last_whole[i - single];
                if (i < single) a.of_community[found.communities + i] = of_vertex[v];
            }
            if (threadIdx.x == 0) {
                log[ROWS] = found.rows;
                log[CONTRACTIONS] = found.contractions;
                log[ALONE] = single;
                log[REACHED] = found.modularity / copies;
                facts[most_stages].communities = found.communities + single;
                log[ENDED_LAST] = (double)simt_time();
            }
        }
        simt_grid_sync(barrier);
        communities = simt_load(&facts[most_stages].communities);
        for (long long v = thread; v < n; v += stride)
            a.whole[v] = a.member[known == 0 ? (int)v : a.whole[v]];
        strengths = a.of_community;
        reached = simt_load(log + REACHED);
    } else if (known == 0) {
        outcome = outcome == FOUND ? LOST : outcome;        // no vertices were joined
    }
    // Single vertices of the given graph move; then the communities are numbered and measured.
    StageFacts* const f = facts + most_stages + 1;
    if (outcome == FOUND && refine_sweeps > 0) {
        for (long long v = thread; v < n; v += stride) a.used[v] = 0;
        begin_classes(facts->classes, first);
        const int live = n - first[1];
        parts = parts_of(rule, live, entries);
        if (chief) f->state[LAUNCHES] = begins * parts;
        simt_grid_sync(barrier);                            // one member gives its community the number
        for (long long v = thread; v < n; v += stride) simt_store(a.member + a.whole[v], (int)v);
        simt_grid_sync(barrier);
        for (long long v = thread; v < n; v += stride) {
            a.community[v] = a.member[a.whole[v]];
            a.total[v] = 0;
            a.rested[v] = 0;
        }
        simt_grid_sync(barrier);
        for (long long c = thread; c < communities; c += stride) a.total[a.member[c]] = strengths[c];
        simt_grid_sync(barrier);
        const double factor = relative ? 1.0 : (double)copies;
        sweep_together({a.strength, a.community, a.total, 0, two_m, resolution, 0}, given, orders,
                       ranges_of(first, parts, true),
                       {a.rested, gained, moved, nullptr, f->state, &f->gain},
                       {copies * reached, t_final * factor, t_final, relative, patience,
                        begins + refine_sweeps, passes, pass_sweeps},
                       parts, apart ? apart : parts, 0, room, desk, shares, counts, barrier,
                       step RECORD_COUNTERS(, rec));
        if (simt_load(f->state + DONE) != SETTLED) outcome = RESTLESS;
        const Chunk chunk = chunk_of_block(n, (n + (int)gridDim.x - 1) / (int)gridDim.x);
        for (long long v = thread; v < n; v += stride) mark(a.used, a.community[v]);
        Weight inside = 0;                                  // eight threads for a vertex
        for (long long i = thread / 8; i < n; i += stride / 8) {
            const long long end = indptr[i + 1];
            for (long long e = indptr[i] + threadIdx.x % 8; e < end; e += 8)
                if (a.community[indices[e]] == a.community[i]) inside += weight_of(given, e);
        }
        inside = block_sum(inside, shares);
        if (threadIdx.x == 0 && inside) atomicAdd(&f->inside, inside);
        simt_grid_sync(barrier);
        sum_chunk(chunk, a.used, a.parts, lanes);
        simt_grid_sync(barrier);
        number_chunk(n, chunk, a.used, a.parts, a.total, two_m, a.number, a.of_community, &f->communities,
                     &f->squares, sums);
        simt_grid_sync(barrier);
        for (long long v = thread; v < n; v += stride) refined[v] = a.number[a.community[v]];
    }
    if (!chief) return;
    log[OUTCOME] = outcome;
    log[STAGES] = stage;
    log[KNOWN] = known;
    if (!one_block) log[REACHED] = reached;
    log[FINAL] = ((double)simt_load(&f->inside) / two_m -
                  resolution * ((double)simt_load(&f->squares) / SQUARE_UNITS)) / copies;
    log[FINAL_COMMUNITIES] = simt_load(&f->communities);
    log[FINAL_SWEEPS] = f->state[LAUNCHES] / parts - begins;
    log[FINAL_MOVES] = f->state[MOVES];
    log[ENDED_ALL] = (double)simt_time();
    log[TWO_M] = two_m;
}

SIMT_EXPORT(fast_small)
