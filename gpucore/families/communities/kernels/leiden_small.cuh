// Leiden: the steps of the search of a small graph in one launch (see leiden_small.cu).
#pragma once

#include "leiden_small_state.cuh"

// When the sweeps of a stage end, or those of single vertices.
__device__ inline Ends ends_of(const Leiden& s, const Rules& r, int copies, double threshold)
{
    const double factor = r.relative ? 1.0 : (double)copies;
    Ends ends = {copies * s.reached, threshold * factor, r.t_final, r.relative, r.patience,
                 r.max_sweeps, 0, 0, s.single && r.passes > 0};
    if (!s.single && s.rows == 0 && !r.parts.tiny) {
        ends.threshold = min(1.0, r.first_factor * threshold) * factor;
        ends.patience = r.first_patience;
    }
    if (follows(s, r) && r.relative) ends.threshold = max(r.dense.early, threshold);
    if (s.single) ends.max_sweeps = r.begins + r.refine_sweeps;
    if (s.passes > 0) {
        ends.threshold = ends.least = 0.0;
        ends.relative = 0;
        ends.max_sweeps = s.facts->state[LAUNCHES] / s.parts + r.pass_sweeps;
        ends.pass_sweeps = r.pass_sweeps;
    }
    return ends;
}

// Sweep; a stage that lost modularity begins again in more parts, or is given up.
__device__ inline Task sweep_stage(Leiden& s, const Given& g, const Rules& r, const Places& p,
                                   SmallBlock& block, int step RECORD_PARAMS)
{
    const Arrays& a = block.arrays;
    StageFacts* const f = s.facts;
    const int size = s.size, parts = s.parts;
    const bool final = s.final || s.single || size - block.first[1] <= r.bin_vertices;
    const double threshold = final ? r.t_final : r.t_bin;
    if (is_chief() && s.passes == 0) s.begin_time = (double)simt_time();
    const Partition partition = {s.strength, s.community, s.total, 0, g.two_m, g.resolution, 0};
    sweep_together(partition, s.level, s.order, ranges_of(block.first, parts, true),
                   {a.rested, p.common.gained, p.common.moved, a.waiting, f->state, &f->gain},
                   ends_of(s, r, g.copies, threshold), parts,
                   r.apart ? r.apart : s.waits || s.again || s.trading ? 1 : parts, s.passes > 0,
                   s.waits ? size : 0, p.room, block.desk(), &block.pace, p.common.barrier,
                   step RECORD_COUNTERS(, rec));
    const int sweeps = block.pace.state[LAUNCHES] / parts;
    if (s.single) {
        const bool settled = r.passes > 0 && block.pace.state[DONE] == SETTLED;
        const bool cut = s.passes > 0 && sweeps - r.begins - s.sweeps == r.pass_sweeps;
        const bool trading = r.passes > 0 && !settled && (cut || s.passes >= r.passes);
        const bool restless = trading && parts >= r.finest;
        __syncthreads();
        if (threadIdx.x == 0) {
            if (trading) {
                s.parts = min(r.finest, FINER_PARTS * parts);
                s.passes = 0;
                s.trading = true;
            }
            s.sweeps = sweeps - r.begins;
            s.threshold = threshold;
            if (restless) give_up(s, RESTLESS);
        }
        __syncthreads();
        return settled ? TO_MEASURE : restless ? TO_END : TO_DIVIDE;
    }
    add_inside(s.level, size, s.community, &f->inside, block.shares);
    add_squares(size, s.total, g.two_m, &f->squares, block.squares);
    simt_grid_sync(p.common.barrier);
    const double now = g.modularity((double)simt_load(&f->inside), simt_load(&f->squares));
    const double gained = now - s.reached;
    const bool lost = gained < -ROUNDING;
    const bool again = has_lost(now, s.reached, r.t_final, r.relative) && parts < r.parts.most;
    const double share = final ? max(r.dense.last_share, threshold) : threshold;
    const bool little = gained < (r.relative ? share * fabs(now) : threshold);
    const bool last = lost || (little && final && s.cycle == 0);
    const bool full = f + 6 >= p.last_facts;
    if (lost) {
        const long long thread = thread_in_grid(), stride = threads_in_grid();
        for (long long v = thread; v < size; v += stride) {
            s.community[v] = s.start[v];
            s.total[v] = 0;
            be_ready(a, v);
        }
        simt_grid_sync(p.common.barrier);
        for (long long v = thread; v < size; v += stride)
            atomicAdd(s.total + s.start[v], s.strength[v]);
        simt_grid_sync(p.common.barrier);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        s.facts = f + 1;
        s.now = now;
        s.lost = lost;
        s.final = final || (little && !again);
        s.threshold = threshold;
        s.sweeps = sweeps;
        if (is_chief()) s.swept_time = (double)simt_time();
        if (again) s.parts = min(r.parts.most, MORE_PARTS * parts);
        s.again = again;
        if (full) give_up(s, MANY_STAGES);
    }
    __syncthreads();
    return full ? TO_END : again ? TO_SWEEP : last ? TO_DIVIDE : TO_JOIN;
}

// Refine the communities into parts, and make these the vertices of the next stage, which begins with
// the communities.  No vertices joined, or the parts lost modularity: the stage is the last one.
__device__ inline Task join_stage(Leiden& s, const Given& g, const Rules& r, const Places& p,
                                  SmallBlock& block, int step RECORD_PARAMS)
{
    const Arrays& a = block.arrays;
    StageFacts* const f = s.facts;
    unsigned* const barrier = p.common.barrier;
    const long long thread = thread_in_grid(), stride = threads_in_grid();
    const int size = s.size, n = g.n;
    const Level level = s.level;
    for (long long v = thread; v < size; v += stride) {
        s.claim[v] = FREE;
        a.member[v] = n;
        s.part[v] = (int)v;
        s.part_total[v] = s.strength[v];
    }
    simt_grid_sync(barrier);
    join_together({{s.strength, s.part, s.part_total, 0, g.two_m, g.resolution, 0},
                   s.community, s.claim, r.noise * g.two_m, r.seed, {nullptr, nullptr, 0}},
                  level, s.order, ranges_of(block.first, 1, true),
                  {r.rounds.most, r.rounds.least, size / r.rounds.few, f->joined}, 0, p.room,
                  {block.best, block.note}, barrier, step RECORD_COUNTERS(, rec));
    int* const mapping = p.maps + (long long)s.levels * n;
    const Lists next = a.graphs[s.levels % 2];
    contract_small(size, s.many, level, s.part, s.part_total, g.two_m, mapping, next, f, block,
                   barrier, [] { return false; }, step RECORD_COUNTERS(, rec));
    const int parts = simt_load(&f->communities);
    const double singles = g.modularity((double)simt_load(&f->inside), simt_load(&f->squares));
    const bool joined = parts < size && (s.single || singles >= s.singles - ROUNDING);
    if (joined) {
        write_small(size, s.many, parts, next, block);
        place_all(parts, next.indptr, f, a.order, block);
        for (long long v = thread; v < n; v += stride)
            a.whole[v] = mapping[s.given ? (int)v : a.whole[v]];
        for (long long v = thread; v < size; v += stride)   // the first member gives its community the
            atomicMin(a.member + s.community[v], mapping[v]);       // number, as in launches
        for (long long c = thread; c < parts; c += stride) {
            s.part_total[c] = 0;
            be_ready(a, c);
        }
        simt_grid_sync(barrier);
        for (long long v = thread; v < size; v += stride) {
            const int label = a.member[s.community[v]];
            simt_store(s.part + mapping[v], label);
            simt_store(s.start + mapping[v], label);
            simt_store(s.part_total + label, s.total[s.community[v]]);
        }
        simt_grid_sync(barrier);
    }
    const bool hub = joined && has_hub(f, p.room);
    const bool many = joined && s.levels + 2 == r.most_levels, single = s.single;
    __syncthreads();
    if (threadIdx.x == 0) {
        s.facts = f + 1;
        if (joined) {
            if (!single) {
                if (is_chief()) log_row(s, p.log, parts, s.now, STAGE);
                ++s.rows;
                s.reached = s.now;
            }
            s.level = {next.indptr, next.indices, g.level.weights, next.sums, 1.0, SUMS};
            s.strength = next.strength;
            s.order = a.order;
            s.size = parts;
            s.many = simt_load(&f->entries);
            s.singles = singles;
            s.levels += 1;
            s.single = s.given = false;
            divide_sweeps(s, r, parts - block.first[1], simt_load(&f->loners));
            int* const community = s.community;
            Weight* const total = s.total;
            s.community = s.part;
            s.total = s.part_total;
            s.part = community;
            s.part_total = total;
            if (hub || many) give_up(s, hub ? HUB : MANY_STAGES);
        }
    }
    __syncthreads();
    if (hub || many) return TO_END;
    return joined ? TO_SWEEP : single ? TO_END : TO_DIVIDE;
}

// Make the connected components of the communities the communities.
__device__ inline void divide(const Leiden& s, unsigned* barrier)
{
    const long long thread = thread_in_grid(), stride = threads_in_grid();
    const int size = s.size;
    for (long long v = thread; v < size; v += stride) s.claim[v] = (int)v;
    simt_grid_sync(barrier);
    for (long long walk = thread / 32; walk < walks_of(s.level.indptr, size); walk += stride / 32)
        hook(s.level, size, s.community, s.claim, walk);
    simt_grid_sync(barrier);
    for (long long v = thread; v < size; v += stride) {
        s.community[v] = root_of(s.claim, (int)v);
        s.total[v] = 0;
    }
    simt_grid_sync(barrier);
    for (long long v = thread; v < size; v += stride)
        atomicAdd(s.total + s.community[v], s.strength[v]);
}

// Divide communities: after the last stage, then single vertices of the given graph move; or after
// their moves, then all are visited again.
__device__ inline Task divide_stage(Leiden& s, const Given& g, const Rules& r, const Places& p,
                                    SmallBlock& block)
{
    const Arrays& a = block.arrays;
    StageFacts* const f = s.facts;
    unsigned* const barrier = p.common.barrier;
    const long long thread = thread_in_grid(), stride = threads_in_grid();
    const int size = s.size, n = g.n;
    divide(s, barrier);
    if (s.single) {
        for (long long v = thread; v < n; v += stride) a.rested[v] = 0;
        if (is_chief()) {
            f->state[DONE] = f->state[IDLE] = 0;
            f->state[LAUNCHES] = (r.begins + s.sweeps) * s.parts;
        }
        simt_grid_sync(barrier);
        if (threadIdx.x == 0) ++s.passes;
        __syncthreads();
        return r.passes > 0 ? TO_SWEEP : TO_MEASURE;
    }
    add_inside(s.level, size, s.community, &f->inside, block.shares);
    simt_grid_sync(barrier);
    int* const mapping = p.maps + (long long)s.levels * n;
    number_together(size, s.community, s.total, g.two_m,
                    {nullptr, a.number, mapping, a.of_community, nullptr, a.parts}, &f->communities,
                    &f->squares, block.sums(), barrier);
    double found = g.modularity((double)simt_load(&f->inside), simt_load(&f->squares));
    const bool apart = found < s.singles - ROUNDING;        // communities should be divided further
    const int communities = apart ? size : simt_load(&f->communities);
    if (apart) {
        found = s.singles;
        for (long long v = thread; v < size; v += stride) {
            mapping[v] = (int)v;
            a.of_community[v] = s.strength[v];
        }
        simt_grid_sync(barrier);
    }
    for (long long v = thread; v < n; v += stride)
        a.whole[v] = mapping[s.given ? (int)v : a.whole[v]];
    begin_classes(p.common.facts->classes, block.first);
    const int parts = parts_of(r.parts, n - block.first[1], g.entries);
    if (is_chief()) f[1].state[LAUNCHES] = r.begins * parts;
    simt_grid_sync(barrier);
    return_to_given(n, communities, a.of_community, a, s.community, s.total, barrier);
    if (threadIdx.x == 0) {
        if (is_chief()) log_row(s, p.log, communities, found, s.lost ? GIVEN_UP : STAGE);
        ++s.rows;
        ++s.levels;
        if (s.cycle == 0) s.known = s.levels;
        s.facts = f + 1;
        s.reached = found;
        s.parts = parts;
        s.passes = 0;
        s.single = true;
        take_given(s, g, a, p.orders);
    }
    __syncthreads();
    return r.refine_sweeps > 0 ? TO_SWEEP : TO_END;
}

// Number the communities that single vertices have found; they are the result if they have more
// modularity, or no vertex that could gain where others had some.
__device__ inline Task measure_single(Leiden& s, const Given& g, const Rules& r, const Places& p,
                                      SmallBlock& block)
{
    const Arrays& a = block.arrays;
    StageFacts* const f = s.facts;
    const Sides of_copies = p.common.of_copies(s.cycle);
    add_up_copies(g, of_copies, s.community, s.total, block);
    number_together(g.n, s.community, s.total, g.two_m,
                    {nullptr, a.number, a.member, a.of_community, nullptr, a.parts}, &f->communities,
                    &f->squares, block.sums(), p.common.barrier);
    const double found = mean_of_copies(g, of_copies);
    const bool better = simt_load(f->state + MOVES) > 0 || found > s.reached;
    const bool lost = s.cycle == 0 && found < s.reached - ROUNDING;
    const bool kept = s.cycle == 0 ? better : found > s.best + ROUNDING;
    const bool again = s.cycle + 1 < r.cycles && better && !lost;
    if (kept) {
        for (long long v = thread_in_grid(); v < g.n; v += threads_in_grid()) p.refined[v] = a.member[v];
        if (is_chief()) log_copies(g, of_copies, p.log);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        if (is_chief()) {
            s.swept_time = (double)simt_time();
            log_row(s, p.log, simt_load(&f->communities), better ? found : s.reached,
                    better ? SINGLE_VERTICES : TAKEN_BACK);
        }
        ++s.rows;
        s.facts = f + 1;
        if (lost) give_up(s, LOST);
        if (kept) {
            s.best = found;
            s.communities = simt_load(&f->communities);
        }
        s.better |= kept;
        if (again) {
            ++s.cycle;
            s.levels = s.passes = 0;
            s.reached = found;
            s.final = s.trading = false;
        }
    }
    __syncthreads();
    return again ? TO_JOIN : TO_END;
}
