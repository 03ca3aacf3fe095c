// Louvain, tuned: the steps of the search of a small graph in one launch (see louvain_fast_small.cu).
#pragma once

#include "louvain_fast_phase.cuh"
#include "louvain_fast_place.cuh"
#include "louvain_fast_small_state.cuh"
#include "louvain_fast_walk.cuh"
#include "louvain_strength.cuh"

__device__ inline long long thread_in_grid()
{
    return (long long)blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ inline long long threads_in_grid() { return (long long)gridDim.x * blockDim.x; }

// Strengths, how many vertices every class of degree has, and the sum of all weights of one copy, unless
// `g.two_m` is it.
__device__ inline double measure_given(const Given& g, int width, Common common, SmallBlock& block)
{
    const Arrays& a = block.arrays;
    StageFacts* const f = common.facts;
    const int lane = threadIdx.x % 32;
    for (long long t = thread_in_grid() - lane; t < (long long)g.n * width; t += threads_in_grid())
        sum_strength(g.level, g.n, width, t + lane, a.strength);
    count_classes(g.n, g.level.indptr, f->classes, &f->longest, block.counts);
    simt_grid_sync(common.barrier);
    if (g.level.kind == ONES) return g.two_m;
    Weight mine = 0;
    for (long long v = thread_in_grid(); v < g.n; v += threads_in_grid()) mine += a.strength[v];
    mine = block_sum(mine, block.shares);
    if (threadIdx.x == 0 && mine) atomicAdd(common.sums, mine);
    simt_grid_sync(common.barrier);
    return (double)(simt_load(common.sums) / (Weight)g.copies);
}

// The order of a stage's vertices, from how many each class has.
__device__ inline void place_all(int n, const long long* indptr, StageFacts* f, int* order,
                                 SmallBlock& block)
{
    begin_classes(f->classes, block.first);
    for (int b = blockIdx.x; (long long)b * blockDim.x < n; b += gridDim.x)
        place_by_class(n, indptr, b, block.first, f->cursors, order, block.counts, block.cursor);
}

// A vertex is due in the next sweep, and no moves wait.
__device__ inline void be_ready(const Arrays& a, long long v)
{
    a.rested[v] = 0;
    a.waiting[v + 1] = -1;
    if (v == 0) *a.waiting = -1;
}

// Every vertex is a community.
__device__ inline void separate(int n, const Weight* strength, const Arrays& a)
{
    for (long long v = thread_in_grid(); v < n; v += threads_in_grid()) {
        a.community[v] = (int)v;
        a.total[v] = strength[v];
        be_ready(a, v);
    }
}

// The given graph's first stage: single vertices; returns their modularity.
__device__ inline double begin_given(const Given& g, Common common, int* order, SmallBlock& block)
{
    const Arrays& a = block.arrays;
    place_all(g.n, g.level.indptr, common.facts, order, block);
    separate(g.n, a.strength, a);
    add_squares(g.n, a.strength, g.two_m, common.sums + 1, block.squares);
    simt_grid_sync(common.barrier);
    return g.modularity(g.loops, simt_load(common.sums + 1));
}

// Return to the vertices of the given graph, in the communities `a.whole`, 0 to `communities` - 1, of
// these strengths.  One member gives its community the number.  All must meet before.
__device__ inline void return_to_given(int n, int communities, const Weight* strengths, const Arrays& a,
                                       int* community, Weight* total, unsigned* barrier)
{
    const long long thread = thread_in_grid(), stride = threads_in_grid();
    for (long long v = thread; v < n; v += stride) simt_store(a.member + a.whole[v], (int)v);
    simt_grid_sync(barrier);
    for (long long v = thread; v < n; v += stride) {
        community[v] = a.member[a.whole[v]];
        total[v] = 0;
        a.rested[v] = 0;
    }
    simt_grid_sync(barrier);
    for (long long c = thread; c < communities; c += stride) total[a.member[c]] = strengths[c];
    simt_grid_sync(barrier);
}

// Add up the weight inside each copy's communities, and the squared shares of their strengths, of which `total` has
// those of a copy at the numbers of its vertices.  All threads of all blocks call, and must meet in the end.
__device__ inline void add_up_copies(const Given& g, Sides of_copies, const int* community, const Weight* total,
                                     SmallBlock& block)
{
    const int own = g.n / g.copies, blocks = max(1, (int)gridDim.x / g.copies);
    const long long walker = (long long)(blockIdx.x % blocks) * blockDim.x + threadIdx.x;
    const long long walkers = (long long)blocks * blockDim.x;
    for (int copy = blockIdx.x / blocks; copy < g.copies; copy += max(1, (int)gridDim.x / blocks)) {
        Weight share = 0;
        for (long long c = walker; c < own; c += walkers)
            share += squared_share(total[(long long)copy * own + c], g.two_m);
        const Weight mine = inside_of(g.level, copy * own, own, community, walker, walkers);
        const Weight inside = block_sum(mine, block.shares), squares = block_sum(share, block.squares);
        if (threadIdx.x == 0 && inside) atomicAdd(of_copies.inside + copy, inside);
        if (threadIdx.x == 0 && squares) atomicAdd(of_copies.squares + copy, squares);
        __syncthreads();
    }
}

// The mean modularity of the copies.
__device__ inline double mean_of_copies(const Given& g, Sides of_copies)
{
    Weight inside = 0, squares = 0;
    for (int copy = 0; copy < g.copies; ++copy) {
        inside += simt_load(of_copies.inside + copy);
        squares += simt_load(of_copies.squares + copy);
    }
    return g.modularity((double)inside, squares);
}

// Write each one's modularity in the log.  One thread calls.
__device__ inline void log_copies(const Given& g, Sides of_copies, double* log)
{
    for (int copy = 0; copy < g.copies; ++copy)
        log[OF_COPIES + copy] = g.modularity_of_one((double)simt_load(of_copies.inside + copy),
                                                    simt_load(of_copies.squares + copy));
}

// A small table has more slots an entry, so that searches are short; to empty and to read it takes no time.
#define SMALL_SLOTS (1u << 17)
#define SPARSE_SLOTS 4

// A power of two of slots for the pairs of a graph with so many entries, at most as many as `a` has.  There are
// fewer pairs: more slots of a large table would take longer to empty and to read than a search saves.
__device__ inline unsigned slots_for_pairs(long long entries, const Arrays& a)
{
    unsigned slots = slots_of_entries(entries);
    while (slots < min(a.slots, SMALL_SLOTS) && slots < SPARSE_SLOTS * entries) slots *= 2;
    return slots;
}

// Make every community of a stage a vertex, all but the new lists, which write_small() writes; `f` gets
// the facts about the smaller graph, `mapping` every vertex's new number.  If all threads say that it `is_last`,
// once the communities are numbered, their edges are not summed up; returns whether they are.
template <class F>
__device__ inline bool contract_small(int n, long long entries, Level level, const int* community,
                                      const Weight* total, double two_m, int* mapping, Lists next, StageFacts* f,
                                      SmallBlock& block, unsigned* barrier, F is_last, int step RECORD_PARAMS)
{
    const Arrays& a = block.arrays;
    const unsigned slots = slots_for_pairs(entries, a);
    const long long most = contract_together(
        n, level, community, total, two_m,
        {a.entries, a.number, mapping, next.strength, next.indptr, a.parts},
        {a.pairs, slots - 1, a.inner, a.length, &f->overflowed, slots}, has_shares(n, entries),
        {&f->communities, &f->squares, &f->inside, &f->entries, f->classes, &f->longest, &f->loners},
        block.sums(), barrier, is_last, step RECORD_COUNTERS(, rec));
    if (most < 0) return false;
    if (threadIdx.x == 0) block.most_pairs = most;
    simt_grid_sync(barrier);
    return true;
}

// Whether a stage, by the gains of its moves, may be the last one, which adds less than `share` of the modularity.
// Of moves at the same time the gains are inexact, so it is measured then.
__device__ inline bool is_doubtful(double gain, double reached, double share)
{
    return gain < 2.0 * share * fabs(reached + gain);
}

__device__ inline void write_small(int n, long long entries, int communities, Lists next, const SmallBlock& block)
{
    const Arrays& a = block.arrays;
    const bool shares = has_shares(n, entries);
    write_pairs((long long)slots_in_use(slots_for_pairs(entries, a), &block.most_pairs, shares), a.pairs, 0, communities,
                a.inner, next.indptr, a.length, next.indices, next.sums, shares);
}

// Write a stage's row of the log.  One thread calls.
__device__ inline void log_stage(double* row, int vertices, long long entries, int sweeps,
                                 int communities, double modularity, double threshold, double begin,
                                 double swept)
{
    row[VERTICES] = vertices;
    row[ENTRIES] = (double)entries;
    row[SWEEPS] = sweeps;
    row[COMMUNITIES] = communities;
    row[MODULARITY] = modularity;
    row[THRESHOLD] = threshold;
    row[BEGIN_TIME] = begin;
    row[SWEPT_TIME] = swept;
    row[END_TIME] = (double)simt_time();
}
