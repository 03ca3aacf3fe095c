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

#include "louvain_fast_small.cuh"

// After the last stages: the number of every vertex's community, `none` without edges have the last ones;
// strengths and numbers.  All threads of the one block call.
__device__ inline void after_last(const LastFound& found, int size, int none, const int* order,
                                  const Weight* strength, const Arrays& a, double* log,
                                  int* communities)
{
    for (int c = threadIdx.x; c < found.communities; c += blockDim.x)
        a.of_community[c] = found.strength[c];
    __syncthreads();
    for (int i = threadIdx.x; i < size; i += blockDim.x) {
        a.member[order[i]] = i < none ? found.communities + i : a.last_whole[i - none];
        if (i < none) a.of_community[found.communities + i] = strength[order[i]];
    }
    if (threadIdx.x != 0) return;
    log[ROWS] = found.rows;
    log[CONTRACTIONS] = found.contractions;
    log[ALONE] = none;
    log[ENDED_LAST] = (double)simt_time();
    *communities = found.communities + none;
}

// `zeros`: as common_in() says, for `most_stages` + 2 steps.  `far`: memory for arrays, as
// bytes_of() in small.py says; `maps`: n for each of `most_stages`, then `last_vertices` for each of
// `last_stages_most`.  `orders`: n for the given graph's vertices, n for those of the stage where the
// last ones begin.
SIMT_KERNEL(fast_small, __launch_bounds__(512))
(int n, int entries, const long long* indptr, const int* indices, const float* weights,
 const Weight* level_sums, double unit, int kind, int width, int copies, double given_two_m,
 double loops, double resolution, double t_bin, double t_final, double first_factor,
 int first_patience, int patience, long long bin_vertices, int relative, int max_sweeps, int begins,
 int refine_sweeps, int passes, int pass_sweeps, int tiny_parts, int few, int few_parts,
 int parts_of_more, int neighbours, int most_parts, int count_all, int one_block_parts,
 int last_vertices, int last_entries, int most_stages, int last_stages_most, int near_bytes,
 int apart, int table_bytes, Weight* zeros, unsigned char* far, int* maps, int* orders, int* refined,
 double* log, [[maybe_unused]] int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned char, near);
    SIMT_SHARED(SmallBlock[1], memory);
    SIMT_SHARED(double[16], last_shares);
    SIMT_SHARED(Weight[1], gained_alone);
    SIMT_SHARED(double[1], gain_alone);
    SIMT_SHARED(int[1], moved_alone);
    SIMT_SHARED(int[4], state_alone);
    SmallBlock& block = memory[0];
    if (threadIdx.x == 0) block.arrays = arrays_in(far, n, entries, gridDim.x);
    __syncthreads();
    const Arrays& a = block.arrays;
    const Common common = common_in(zeros, most_stages + 2);
    StageFacts* const facts = common.facts;
    unsigned* const barrier = common.barrier;
    const int* const first = block.first;
    const long long thread = thread_in_grid(), stride = threads_in_grid();
    const bool chief = thread == 0;
    const PartRule rule = {tiny_parts, few, few_parts, parts_of_more, neighbours, most_parts};
    const Room room = {(unsigned*)near, table_bytes / (SLOT_WORDS * 4), 0, 0, block.claimed};
    Level level = {indptr, indices, weights, level_sums, unit, kind};
    Given g = {level, n, entries, copies, loops, resolution, given_two_m};
    if (chief) log[BEGAN] = (double)simt_time();
    g.two_m = measure_given(g, width, common, block);
    double reached = begin_given(g, common, orders, block);

    // Stages of all blocks, until one block can do the rest; then single vertices of the given graph.
    const double factor = relative ? 1.0 : (double)copies;
    const Weight* of_vertex = a.strength;
    const int* order = orders;
    StageFacts* f = facts;
    int size = n, stage = 0, outcome = g.two_m == 0.0 ? NO_WEIGHT : FOUND, known = 0, parts = 1;
    long long many = entries;
    bool final = false, single = false, ended = false;
    while (outcome == FOUND) {
        const double begin_time = chief ? (double)simt_time() : 0.0;
        const int live = size - first[1];
        final |= (count_all ? size : live) <= bin_vertices;
        const double wanted = final ? t_final : t_bin;
        const bool short_lists = many > 0 && many <= last_entries;
        const bool alone = (stage > 0 || rule.tiny) && final && live <= last_vertices && short_lists;
        if (!single && !ended && first[CLASSES] > first[CLASSES - 1]) outcome = HUB;
        else if (!single && !ended && !alone && stage == most_stages) outcome = MANY_STAGES;
        if (outcome != FOUND) break;
        if (!single && (ended || alone)) {
            int communities = size;
            const Weight* strengths = of_vertex;
            if (!ended) {
                const int none = first[1];
                if (stage > 0)                              // the host needs it for the levels
                    for (long long i = thread; i < size; i += stride) orders[n + i] = a.order[i];
                if (blockIdx.x == 0) {
                    const LastFound found = last_stages(
                        live, (int)many, order + none, a.number, level, of_vertex, g.two_m, resolution,
                        {copies * reached, wanted * factor, t_final, relative, 1, patience,
                         max_sweeps, last_stages_most},
                        rule.tiny ? rule.tiny : one_block_parts,
                        {near, near_bytes, table_bytes, block.desk(), block.counts, last_shares,
                         gained_alone, gain_alone, moved_alone, state_alone, block.cursor,
                         block.counts + 16},
                        (unsigned char*)a.pairs, maps + (long long)most_stages * n, a.last_whole,
                        log + HEADER + most_stages * WIDTH, step RECORD_COUNTERS(, rec));
                    after_last(found, size, none, order, of_vertex, a, log,
                               &facts[most_stages].communities);
                    if (chief) log[REACHED] = found.modularity / copies;
                }
                simt_grid_sync(barrier);
                communities = simt_load(&facts[most_stages].communities);
                for (long long v = thread; v < n; v += stride)
                    a.whole[v] = a.member[known == 0 ? (int)v : a.whole[v]];
                strengths = a.of_community;
                reached = simt_load(log + REACHED);
            }
            if (refine_sweeps == 0) break;
            f = facts + most_stages + 1;
            begin_classes(facts->classes, block.first);
            parts = parts_of(rule, n - first[1], entries);
            if (chief) f->state[LAUNCHES] = begins * parts;
            simt_grid_sync(barrier);
            return_to_given(n, communities, strengths, a, a.community, a.total, barrier);
            level = g.level;
            of_vertex = a.strength;
            order = orders;
            single = true;
        }
        if (!single) parts = parts_of(rule, live, many);
        const bool special = !single && stage == 0 && !rule.tiny;
        const double threshold = single ? t_final : special ? min(1.0, first_factor * wanted) : wanted;
        sweep_together({of_vertex, a.community, a.total, 0, g.two_m, resolution, 0}, level, order,
                       ranges_of(first, parts, true),
                       {a.rested, common.gained, common.moved, nullptr, f->state, &f->gain},
                       {copies * reached, threshold * factor, t_final, relative,
                        special ? first_patience : patience,
                        single ? begins + refine_sweeps : max_sweeps, single ? passes : 0, pass_sweeps},
                       parts, apart ? apart : parts, 0, room, block.desk(), block.shares,
                       block.counts, barrier, step RECORD_COUNTERS(, rec));
        if (single) {
            if (simt_load(f->state + DONE) != SETTLED) outcome = RESTLESS;
            break;
        }
        const double swept_time = chief ? (double)simt_time() : 0.0;
        const Lists next = a.graphs[stage % 2];
        int* const mapping = maps + (long long)stage * n;
        contract_small(size, many, order, level, a.community, a.total, g.two_m, mapping, next, f + 1,
                       block, room.near, room.near_slots, barrier, step RECORD_COUNTERS(, rec));
        const int sweeps = simt_load(f->state + LAUNCHES) / parts;
        ++f;
        const int communities = simt_load(&f->communities);
        write_small(many, communities, next, a);
        const double now = g.modularity((double)simt_load(&f->inside), simt_load(&f->squares));
        const bool joined = communities < size && now >= reached;
        if (now < reached - ROUNDING) outcome = LOST;
        if (chief)
            log_stage(log + HEADER + stage * WIDTH, size, many, sweeps, communities, now, wanted,
                      begin_time, swept_time);
        ++stage;
        if (!joined) {                                      // one that joined none is not a level
            ended = true;
            if (known == 0 && outcome == FOUND) outcome = LOST;
            continue;
        }
        for (long long v = thread; v < n; v += stride)
            a.whole[v] = mapping[stage == 1 ? (int)v : a.whole[v]];
        place_all(communities, next.indptr, f, a.order, block);
        separate(communities, next.strength, a);
        const bool little = now - reached < (relative ? wanted * fabs(now) : wanted);
        ended = little && final;
        final |= little;
        known = stage;
        level = {next.indptr, next.indices, weights, next.sums, 1.0, SUMS};
        of_vertex = next.strength;
        order = a.order;
        size = communities;
        many = simt_load(&f->entries);
        reached = now;
        simt_grid_sync(barrier);
    }
    if (outcome == FOUND && single) {
        add_inside(g.level, n, a.community, &f->inside, block.shares);
        number_together(n, a.community, a.total, g.two_m,
                        {a.used, a.number, refined, a.of_community, nullptr, a.parts},
                        &f->communities, &f->squares, block.sums(), barrier);
    }
    if (!chief) return;
    log[OUTCOME] = outcome;
    log[STAGES] = stage;
    log[KNOWN] = known;
    log[REACHED] = reached;
    log[FINAL] = g.modularity((double)simt_load(&f->inside), simt_load(&f->squares));
    log[FINAL_COMMUNITIES] = simt_load(&f->communities);
    log[FINAL_SWEEPS] = f->state[LAUNCHES] / parts - begins;
    log[FINAL_MOVES] = f->state[MOVES];
    log[ENDED_ALL] = (double)simt_time();
    log[TWO_M] = g.two_m;
}

SIMT_EXPORT(fast_small)
