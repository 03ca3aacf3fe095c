// Leiden: the whole search of a small graph in one cooperative launch, as louvain_fast_small.cu for Louvain.
//
// All blocks sweep, refine and contract, stage after stage; then single vertices of the given graph move,
// communities are divided into components, and all are visited again until none could gain.  A second
// cycle may follow: see leiden.py.  The steps are in leiden_small.cuh, the refinement and why its parts are
// connected in leiden.cu.  What is rare is left to the launches of a larger graph.
//
// Or it is the search from a later stage of a larger graph on, which begins with the communities of the stage
// before: later.py.
#include "simt.h"

#include "leiden_small.cuh"

// `later`: the graph is that of a later stage, which begins with the communities `carried` of strengths
// `carried_total` and modularity `carried_modularity`.
// `zeros`: as common_in() says, for `steps` steps; `far`: memory for arrays, as bytes_of() in small.py
// says; `maps`: n for each of `most_levels`; `orders`: n; `log`: a row for each step.
SIMT_KERNEL(leiden_small, __launch_bounds__(512))
(SEARCH_PARAMS, double noise, unsigned seed, int rounds, int least_rounds,
 int few_joins, int cycles, int most_levels, int steps, int later, const int* carried,
 const Weight* carried_total, double carried_modularity, MEMORY_PARAMS RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned, near);
    SIMT_SHARED(SmallBlock[1], blocks);
    SIMT_SHARED(Leiden[1], search);
    SIMT_SHARED(Given[1], given);
    SIMT_SHARED(Places[1], places);
    MEMORY_PLACES
    SmallBlock& block = blocks[0];
    Leiden& s = search[0];
    Given& g = given[0];
    const Places& p = places[0];
    if (threadIdx.x == 0) {
        const Common common = common_in(zeros, steps);
        const Room room = room_in(near, table_bytes, block.claimed);
        places[0] = {common, room, maps, orders, refined, log, common.facts + steps};
        s = {};
        block.pace.set = 0;
        place_arrays(block.arrays, arrays_of(s, far, n), n, entries, gridDim.x);
        if (blockIdx.x == 0) log[BEGAN] = (double)simt_time();
    }
    __syncthreads();
    const Level level = {indptr, indices, weights, level_sums, unit, kind};
    if (threadIdx.x == 0) {
        g = {level, n, entries, copies, loops, resolution, given_two_m};
        take_given(s, g, block.arrays, orders);
        s.community = block.arrays.community;
        s.total = block.arrays.total;
        s.facts = p.common.facts + 1;
    }
    __syncthreads();
    const double two_m = measure_given(g, width, p.common, block);
    __syncthreads();
    if (threadIdx.x == 0) g.two_m = two_m;
    __syncthreads();
    const double singles = begin_given(g, p.common, orders, block);
    for (long long v = thread_in_grid(); v < n; v += threads_in_grid()) {
        s.start[v] = later ? carried[v] : (int)v;
        if (!later) continue;
        s.community[v] = carried[v];
        s.total[v] = carried_total[v];
    }
    if (later) simt_grid_sync(p.common.barrier);
    const Rules rules = {t_bin, t_final, first_factor, first_patience, patience, bin_vertices, relative,
                         max_sweeps, begins, refine_sweeps, passes, pass_sweeps,
                         {tiny_parts, stage_parts, neighbours, most_parts},
                         {dense, few, waiting_parts, waiting_neighbours, early, last_share},
                         finest, apart, cycles, later != 0, noise, seed,
                         {rounds, least_rounds, few_joins, nullptr}, most_levels};
    const bool hub = has_hub(p.common.facts, p.room);
    if (threadIdx.x == 0) {
        s.singles = singles;
        s.reached = later ? carried_modularity : singles;
        divide_sweeps(s, rules, n - block.first[1], 0);
        if (g.two_m == 0.0 || hub) s.outcome = hub ? HUB : NO_WEIGHT;
    }
    __syncthreads();
    Task task = g.two_m == 0.0 || hub ? TO_END : TO_SWEEP;
    while (task != TO_END) {
        if (task == TO_SWEEP)
            task = sweep_stage(s, g, rules, p, block, step RECORD_COUNTERS(, rec));
        else if (task == TO_JOIN)
            task = join_stage(s, g, rules, p, block, step RECORD_COUNTERS(, rec));
        else if (task == TO_DIVIDE)
            task = divide_stage(s, g, rules, p, block);
        else
            task = measure_single(s, g, rules, p, block);
    }
    if (!is_chief()) return;
    log[OUTCOME] = s.outcome;
    log[STAGES] = s.rows;
    log[KNOWN] = s.known;
    log[REACHED] = s.better ? s.best : s.reached;
    log[FINAL_MOVES] = s.better;
    log[ENDED_ALL] = (double)simt_time();
    log[TWO_M] = g.two_m;
}

SIMT_EXPORT(leiden_small)
