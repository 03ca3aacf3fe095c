// Louvain, tuned: the whole search of a small graph in one cooperative launch.
//
// The stages of a graph of some thousand edges take a GPU a fraction of the time that its launches and
// the host's reads take.  Here all blocks sweep and contract (louvain_fast_phase.cuh,
// louvain_fast_contract.cuh) until one block can do the rest in its shared memory
// (louvain_fast_last.cuh); then all move the given graph's vertices again, as refinement.py describes,
// and number the communities.  A stage that lost modularity is swept again in more parts.  The host
// reads one log.
//
// Where vertices trade places, single vertices are swept in more parts.  What is rare is left to the
// launches of a larger graph: a vertex of more edges than a block's shared memory has slots for, a first
// stage that lost modularity in any parts, vertices that trade places in any.  Then the log says why.
#include "simt.h"

#include "louvain_fast_small.cuh"

// A stage of all blocks.
struct SmallStage {
    Level level;
    const Weight* strength;
    const int* order;
    int size;                   // vertices
    long long many;             // entries
    int loners;                 // vertices with no edge but a loop: they do not move
    double reached;             // modularity of its vertices alone
};

// What the last stages write for the host.
struct LastLog {
    int* order;
    int* maps;
    double* header;
    double* rows;
};

// The last stages, by one block; then `a.whole` has the communities of the given graph's vertices, and
// `a.of_community` their strengths.  Returns how many there are: `count` gets it for all blocks.  Vertices
// without edges have the last numbers.  `known`: whether stages came before.  All threads of all blocks call.
__device__ inline int finish_alone(const Given& g, const SmallStage& s, bool known, const LastEnds& ends,
                                   int parts, const LastDesk& desk, SmallBlock& block, LastLog to, int* count,
                                   unsigned* barrier, int step RECORD_PARAMS)
{
    const Arrays& a = block.arrays;
    const int none = block.first[1];
    const long long thread = thread_in_grid(), stride = threads_in_grid();
    if (known)                                              // the host needs it for the levels
        for (long long i = thread; i < s.size; i += stride) to.order[i] = s.order[i];
    if (blockIdx.x == 0) {
        const LastFound found = last_stages(
            s.size - none, (int)s.many, s.order + none, a.number, s.level, s.strength, g.two_m,
            g.resolution, ends, parts, desk, (unsigned char*)a.pairs, to.maps, a.last_whole, to.rows,
            step RECORD_COUNTERS(, rec));
        for (int c = threadIdx.x; c < found.communities; c += blockDim.x)
            a.of_community[c] = found.strength[c];
        __syncthreads();
        for (int i = threadIdx.x; i < s.size; i += blockDim.x) {
            a.member[s.order[i]] = i < none ? found.communities + i : a.last_whole[i - none];
            if (i < none) a.of_community[found.communities + i] = s.strength[s.order[i]];
        }
        if (threadIdx.x == 0) {
            to.header[ROWS] = found.rows;
            to.header[CONTRACTIONS] = found.contractions;
            to.header[ALONE] = none;
            to.header[REACHED] = found.modularity / g.copies;
            to.header[ENDED_LAST] = (double)simt_time();
            *count = found.communities + none;
        }
    }
    simt_grid_sync(barrier);
    for (long long v = thread; v < g.n; v += stride) a.whole[v] = a.member[known ? a.whole[v] : (int)v];
    return simt_load(count);
}

// `later`: the graph is that of a later stage.
// `zeros`: as common_in() says, for twice `most_stages` and 2 steps.  `far`: memory for arrays, as
// bytes_of() in small.py says; `maps`: n for each of `most_stages`, then `room_vertices` for each of
// `last_stages_most`.  `orders`: n for the given graph's vertices, n for those of the stage where the
// last ones begin.
SIMT_KERNEL(fast_small, __launch_bounds__(512))
(SEARCH_PARAMS, int count_all, int one_block_parts, int enough_parts, int last_vertices, int last_entries,
 int room_vertices, int room_entries, int most_stages, int last_stages_most, int later, int near_bytes,
 MEMORY_PARAMS RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned char, near);
    SIMT_SHARED(SmallBlock[1], blocks);
    SIMT_SHARED(Given[1], given);
    SIMT_SHARED(SmallStage[1], stages);
    SIMT_SHARED(Common[1], shared);
    SIMT_SHARED(double[2], times);                          // when the stage began, and its sweeps ended
    SIMT_SHARED(double[16], last_shares);
    SIMT_SHARED(Weight[1], gained_alone);
    SIMT_SHARED(double[1], gain_alone);
    SIMT_SHARED(int[1], moved_alone);
    SIMT_SHARED(int[STATES], state_alone);
    SIMT_SHARED(LastDesk[1], desk_alone);
    SIMT_SHARED(Lists[2], lists_alone);
    SIMT_SHARED(LastEnds[1], ends_alone);
    SIMT_SHARED(int[TALLY_STRIDE + 1], turns_alone);
    SIMT_SHARED(BlockTurns[1], block_turns_alone);
    MEMORY_PLACES
    SmallBlock& block = blocks[0];
    Given& g = given[0];
    SmallStage& s = stages[0];
    const Common& common = shared[0];
    const int steps = 2 * most_stages;                      // of all blocks' stages, with those again
    if (threadIdx.x == 0) {
        place_arrays(block.arrays, far, n, entries, gridDim.x);
        shared[0] = common_in(zeros, steps + 2);
        block.pace.set = 0;
        if (blockIdx.x == 0) log[BEGAN] = (double)simt_time();
    }
    __syncthreads();
    const Level level = {indptr, indices, weights, level_sums, unit, kind};
    if (threadIdx.x == 0) {
        g = {level, n, entries, copies, loops, resolution, given_two_m};
        s = {level, block.arrays.strength, orders, n, entries, 0, 0.0};
    }
    __syncthreads();
    const Arrays& a = block.arrays;
    StageFacts* const facts = common.facts;
    unsigned* const barrier = common.barrier;
    const int* const first = block.first;
    const bool chief = thread_in_grid() == 0;
    const PartRule rule = {tiny_parts, stage_parts, neighbours, most_parts};
    const DenseRule dense_rule = {dense, few, waiting_parts, waiting_neighbours, early, last_share};
    const Room room = room_in((unsigned*)near, near_bytes, block.claimed);
    const double two_m = measure_given(g, width, common, block);
    __syncthreads();
    if (threadIdx.x == 0) g.two_m = two_m;
    __syncthreads();
    const double alone_at_first = begin_given(g, common, orders, block);
    if (threadIdx.x == 0) s.reached = alone_at_first;
    if (chief) log[REACHED] = alone_at_first;
    __syncthreads();

    // Stages of all blocks, until one block can do the rest; then single vertices of the given graph.
    const double factor = relative ? 1.0 : (double)copies;
    StageFacts* f = facts;
    int stage = 0, outcome = g.two_m == 0.0 ? NO_WEIGHT : FOUND, known = 0, parts = 1;
    int swept = 0;                                          // of single vertices, before this attempt
    bool final = false, single = false, ended = false, again = false;
    while (outcome == FOUND) {
        if (chief) times[0] = (double)simt_time();
        const int live = s.size - first[1], movable = live - s.loners;
        const long long edges = s.many - s.loners;
        final |= (count_all ? s.size : live) <= bin_vertices;
        const double wanted = final ? t_final : t_bin;
        const double wanted_later = relative ? max(early, wanted) : wanted * factor;
        const bool has_room = live <= room_vertices && s.many > 0 && s.many <= room_entries;
        const bool brief = movable <= last_vertices && edges <= last_entries;
        const bool alone = (stage > 0 || rule.tiny) && final && has_room && brief;
        if (!ended && has_hub(f, room)) outcome = HUB;
        else if (!ended && !alone && (stage == most_stages || f + 1 == facts + steps)) outcome = MANY_STAGES;
        if (outcome != FOUND) break;
        if (!single && (ended || alone)) {
            int communities = s.size;
            const Weight* strengths = s.strength;
            if (!ended) {
                if (threadIdx.x == 0) {
                    ends_alone[0] = {copies * s.reached, wanted * factor, t_final,
                                     rule.tiny || !relative ? 0.0 : early, last_share, relative, 1,
                                     patience, max_sweeps, last_stages_most, enough_parts};
                    desk_alone[0] = {near, near_bytes, table_bytes, block.desk(), block.counts, last_shares,
                                     gained_alone, gain_alone, moved_alone, state_alone, turns_alone, block_turns_alone,
                                     block.cursor, block.counts + 16, lists_alone};
                }
                __syncthreads();
                communities = finish_alone(
                    g, s, known > 0, ends_alone[0], rule.tiny ? rule.tiny : one_block_parts, desk_alone[0], block, {orders + n, maps + (long long)most_stages * n, log,
                            log + HEADER + most_stages * WIDTH},
                    &facts[steps].communities, barrier, step RECORD_COUNTERS(, rec));
                strengths = a.of_community;
            }
            if (refine_sweeps == 0) break;
            if (!ended && threadIdx.x == 0) s.reached = simt_load(log + REACHED);
            f = facts + steps + 1;
            begin_classes(facts->classes, block.first);
            parts = parts_of(rule, n - first[1], entries);
            if (chief) f->state[LAUNCHES] = begins * parts;
            simt_grid_sync(barrier);
            return_to_given(n, communities, strengths, a, a.community, a.total, barrier);
            if (threadIdx.x == 0) {
                s.level = g.level;
                s.strength = a.strength;
                s.order = orders;
            }
            __syncthreads();
            single = true;
        }
        const bool follows = !single && !rule.tiny && (later || stage > 0);
        const bool waits = follows && moves_wait(dense_rule, movable, edges);
        if (!single && !again) parts = parts_of(waits ? parts_that_wait(rule, dense_rule) : rule, movable, edges);
        const bool special = !single && stage == 0 && !rule.tiny;
        const bool settling = swept > 0;
        const double threshold = settling ? 0.0 : factor * (single ? t_final
                                                            : special ? min(1.0, first_factor * wanted) : wanted);
        sweep_together({s.strength, a.community, a.total, 0, g.two_m, resolution, 0}, s.level, s.order,
                       ranges_of(first, parts, true),
                       {a.rested, common.gained, common.moved, a.waiting, f->state, &f->gain},
                       {copies * s.reached, follows ? wanted_later : threshold, settling ? 0.0 : t_final,
                        settling ? 0 : relative, special ? first_patience : patience,
                        settling ? begins + swept + pass_sweeps
                                 : single ? begins + refine_sweeps : max_sweeps,
                        single ? passes : 0, pass_sweeps, single && passes > 0},
                       parts, apart ? apart : waits || again || settling ? 1 : parts, settling, waits ? s.size : 0, room,
                       block.desk(), &block.pace, barrier, step RECORD_COUNTERS(, rec));
        if (single) {
            if (passes == 0 || block.pace.state[DONE] == SETTLED) break;
            swept = block.pace.state[LAUNCHES] / parts - begins;
            if (parts >= finest) {
                outcome = RESTLESS;
                break;
            }
            parts = min(finest, FINER_PARTS * parts);
            simt_grid_sync(barrier);
            for (long long v = thread_in_grid(); v < n; v += threads_in_grid()) a.rested[v] = 0;
            if (chief) {
                f->state[DONE] = f->state[IDLE] = 0;
                f->state[LAUNCHES] = (begins + swept) * parts;
            }
            simt_grid_sync(barrier);
            continue;
        }
        if (chief) times[1] = (double)simt_time();
        const Lists next = a.graphs[stage % 2];
        int* const mapping = maps + (long long)stage * n;
        const bool moved = block.pace.state[MOVES] > 0;     // else it is the last stage, and is no level
        const int sweeps = block.pace.state[LAUNCHES] / parts;
        int communities = s.size;
        double now = s.reached;
        const auto adds_little = [&](double found) {
            return found - s.reached < (relative ? max(final ? last_share : 0.0, wanted) * fabs(found) : wanted);
        };
        if (moved) {
            ++f;
            const bool doubtful = final && relative && is_doubtful(block.pace.gain / copies, s.reached, last_share);
            const bool whole = contract_small(
                s.size, s.many, s.level, a.community, a.total, g.two_m, mapping, next, f, block, barrier, [&] {
                    if (!doubtful) return false;
                    add_inside(s.level, s.size, a.community, &f->measured, block.shares);
                    simt_grid_sync(barrier);
                    now = g.modularity((double)simt_load(&f->measured), simt_load(&f->squares));
                    return now >= s.reached && adds_little(now);
                }, step RECORD_COUNTERS(, rec));
            communities = simt_load(&f->communities);
            if (whole) {
                write_small(s.size, s.many, communities, next, block);
                now = g.modularity((double)simt_load(&f->inside), simt_load(&f->squares));
            }
        }
        again = has_lost(now, s.reached, t_final, relative) && parts < rule.most;
        if (again) {                                        // by moves at the same time
            parts = min(rule.most, MORE_PARTS * parts);
            if (f == facts + steps - 1) outcome = LOST;
            separate(s.size, s.strength, a);
            simt_grid_sync(barrier);
            continue;
        }
        const bool joined = communities < s.size && now >= s.reached, little = adds_little(now);
        if (chief)
            log_stage(log + HEADER + stage * WIDTH, s.size, s.many, sweeps, communities, now, wanted,
                      times[0], times[1]);
        ++stage;
        if (!joined) {                                      // one that joined none is no level
            ended = true;
            if (known == 0 && !later && outcome == FOUND) outcome = LOST;
            continue;
        }
        for (long long v = thread_in_grid(); v < n; v += threads_in_grid())
            a.whole[v] = mapping[stage == 1 ? (int)v : a.whole[v]];
        ended = little && final;
        final |= little;
        if (!ended) {
            place_all(communities, next.indptr, f, a.order, block);
            separate(communities, next.strength, a);
        }
        known = stage;
        __syncthreads();                                    // all have compared with it
        if (threadIdx.x == 0)
            s = {{next.indptr, next.indices, weights, next.sums, 1.0, SUMS}, next.strength, a.order, communities,
                 simt_load(&f->entries), simt_load(&f->loners), now};
        if (chief) log[REACHED] = now;
        simt_grid_sync(barrier);
    }
    double measured = 0.0;
    if (outcome == FOUND && single) {
        add_up_copies(g, common.of_copies(0), a.community, a.total, block);
        number_together(n, a.community, a.total, g.two_m,
                        {nullptr, a.number, refined, a.of_community, nullptr, a.parts},
                        &f->communities, &f->squares, block.sums(), barrier);
        measured = mean_of_copies(g, common.of_copies(0));
        if (chief) log_copies(g, common.of_copies(0), log);
    }
    if (!chief) return;
    log[OUTCOME] = outcome;
    log[STAGES] = stage;
    log[KNOWN] = known;
    log[FINAL] = measured;
    log[FINAL_COMMUNITIES] = simt_load(&f->communities);
    log[FINAL_SWEEPS] = f->state[LAUNCHES] / parts - begins;
    log[FINAL_MOVES] = f->state[MOVES];
    log[ENDED_ALL] = (double)simt_time();
    log[TWO_M] = g.two_m;
}

SIMT_EXPORT(fast_small)
