// Louvain, tuned: what the search of a small graph in one launch writes, and its steps (see
// louvain_fast_small.cu).
#pragma once

#include "louvain_fast_contract.cuh"
#include "louvain_fast_last.cuh"
#include "louvain_fast_phase.cuh"
#include "louvain_fast_place.cuh"
#include "louvain_fast_walk.cuh"
#include "louvain_strength.cuh"

// How the search ended.
enum Outcome { FOUND, HUB, LOST, RESTLESS, MANY_STAGES, NO_WEIGHT };

// The log: this, then rows of WIDTH numbers of the stages that all blocks share, in `leiden` also of the
// single vertices' moves, then those of one block's.  Times are in nanoseconds on a GPU.
enum {
    OUTCOME, STAGES, ROWS, CONTRACTIONS, ALONE, REACHED, KNOWN, FINAL, FINAL_COMMUNITIES, FINAL_SWEEPS,
    FINAL_MOVES, BEGAN, ENDED_LAST, ENDED_ALL, TWO_M, OF_COPIES = 16, HEADER = 32
};
enum { THRESHOLD = COLUMNS, BEGIN_TIME, SWEPT_TIME, END_TIME, KIND, WIDTH };
// Of a row of `leiden`.
enum Kind { STAGE, GIVEN_UP, SINGLE_VERTICES, TAKEN_BACK };

// What the blocks add up in a stage; zero before.
struct StageFacts {
    Weight squares, inside;
    long long entries;
    double gain;
    int state[STATES];
    int communities, longest, overflowed, unused;
    int classes[CLASSES], cursors[CLASSES + 4];
    int joined[CLASSES + 4];    // of every round of a refinement
};
#define FACT_WORDS 25           // of 8 bytes
static_assert(sizeof(StageFacts) == 8 * FACT_WORDS, "the host allocates as many");

// What both kernels take first: the graph, when sweeps end, parts of a sweep; see small.py.
#define SEARCH_PARAMS                                                                                \
    int n, int entries, const long long *indptr, const int *indices, const float *weights,           \
        const Weight *level_sums, double unit, int kind, int width, int copies, double given_two_m,  \
        double loops, double resolution, double t_bin, double t_final, double first_factor,          \
        int first_patience, int patience, long long bin_vertices, int relative, int max_sweeps,      \
        int begins, int refine_sweeps, int passes, int pass_sweeps, int tiny_parts, int few,         \
        int few_parts, int parts_of_more, int neighbours, int most_parts, int finest

// What both take last: after how many parts blocks meet (0: a sweep, but where there are more parts since
// moves at the same time lost modularity, or vertices trade places), memory, what the host reads.
#define MEMORY_PARAMS                                                                                \
    int apart, int table_bytes, Weight *zeros, unsigned char *far, int *maps, int *orders,           \
        int *refined, double *log, [[maybe_unused]] int step

// Parts of a sweep, by the vertices with edges; see sizes.py.
struct PartRule {
    int tiny;                   // 0: the graph is not tiny
    int few, parts, more_parts; // fewer than `few` vertices: `parts`, else `more_parts`
    int neighbours, most;
};

__device__ inline int parts_of(PartRule rule, long long live, long long entries)
{
    if (rule.tiny) return rule.tiny;
    int parts = live < rule.few ? rule.parts : rule.more_parts;
    while (parts < rule.most && entries > rule.neighbours * parts * live) parts *= 2;
    return parts;
}

// A block's memory of `bytes` for the tables of a vertex.
__device__ inline Room room_in(unsigned* memory, int bytes, unsigned* count)
{
    const unsigned slots = bytes / (SLOT_WORDS * 4);
    return {memory, 1 << (31 - __clz((int)slots)), 0, 0, count};
}

// Whether a stage's longest list is of more edges than a block's room has slots for.
__device__ inline bool has_hub(const StageFacts* f, const Room& room)
{
    const int longest = simt_load(&f->longest);
    return longest > SHARED_DEGREE && (int)slots_of(longest, 64) > room.near_slots;
}

// Where the classes begin, from their sizes.  All threads of the block call.
__device__ inline void begin_classes(const int* classes, int* first)
{
    __syncthreads();                                        // no thread reads the last ones any more
    if (threadIdx.x == 0) {
        first[0] = 0;
        for (int k = 0; k < CLASSES; ++k) first[k + 1] = first[k] + simt_load(classes + k);
    }
    __syncthreads();
}

// The arrays of a search; in shared memory, since there are more of them than registers.
struct Arrays {
    Weight* strength;
    Weight* total;
    Weight* of_community;
    Weight* inner;
    Lists graphs[2];
    long long* parts;
    int* community;
    int* whole;                 // where every vertex of the given graph is
    int* used;
    int* number;
    int* length;
    int* order;
    int* member;
    int* last_whole;
    unsigned char* rested;
    Slot* pairs;
};

// Place them at `far`, as bytes_of() in small.py says.
__device__ inline void place_arrays(Arrays& a, unsigned char* far, int n, int entries, int blocks)
{
    Pool pool = {nullptr, 0, far};
    a.strength = take<Weight>(pool, n);
    a.total = take<Weight>(pool, n);
    a.of_community = take<Weight>(pool, n);
    a.inner = take<Weight>(pool, n);
    for (Lists& graph : a.graphs) graph = lists_in(pool, n, entries);
    a.parts = take<long long>(pool, blocks);
    a.community = take<int>(pool, n);
    a.whole = take<int>(pool, n);
    a.used = take<int>(pool, n);
    a.number = take<int>(pool, n + 1);
    a.length = take<int>(pool, n);
    a.order = take<int>(pool, n);
    a.member = take<int>(pool, n);
    a.last_whole = take<int>(pool, n);
    a.rested = take<unsigned char>(pool, n);
    a.pairs = (Slot*)(((unsigned long long)pool.far + 15) / 16 * 16);
}

// Shared memory of a block.
struct SmallBlock {
    Choice best[16];
    Weight inner[16];
    int note[1];
    unsigned claimed[1];
    long long lanes[33], long_sums[33];
    int counts[33];
    Weight shares[16], squares[16];
    int first[CLASSES + 1];     // where the classes of the present stage begin
    int cursor[CLASSES + 1];
    Arrays arrays;

    __device__ Desk desk() { return {best, inner, note}; }
    __device__ Sums sums() { return {lanes, long_sums, counts, shares}; }
};

// Most copies of a graph.
#define MOST_COPIES 15

// Memory that all blocks share, from zeros: facts of `steps` steps, TALLIES places for gains and moves, a
// word for the sum of weights and one for that of squares, one for the barrier, and for each copy the weight
// inside of its communities, and their squared shares.
struct Common {
    StageFacts* facts;
    Weight* gained;
    int* moved;
    Weight* sums;
    unsigned* barrier;
    Weight* inside;
    Weight* squares;
};

__device__ inline Common common_in(Weight* zeros, int steps)
{
    Weight* const gained = zeros + steps * FACT_WORDS;
    Weight* const sums = gained + TALLIES * TALLY_STRIDE * 3 / 2;
    return {(StageFacts*)zeros, gained, (int*)(gained + TALLIES * TALLY_STRIDE), sums,
            (unsigned*)(sums + 2), sums + 3, sums + 3 + MOST_COPIES};
}

// The given graph, and how modularity is measured: of `copies` copies of one graph, it is their mean.
struct Given {
    Level level;
    int n;
    long long entries;
    int copies;
    double loops, resolution, two_m;

    __device__ double modularity(double inside, Weight squares) const
    {
        return modularity_of_one(inside, squares) / copies;
    }

    // The same of one copy; or the sum over all of them.
    __device__ double modularity_of_one(double inside, Weight squares) const
    {
        return inside / two_m - resolution * ((double)squares / SQUARE_UNITS);
    }
};

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
    for (int b = blockIdx.x; (long long)b * blockDim.x < g.n; b += gridDim.x)
        count_classes(g.n, g.level.indptr, b, f->classes, &f->longest, block.counts);
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

// Every vertex is a community.
__device__ inline void separate(int n, const Weight* strength, const Arrays& a)
{
    for (long long v = thread_in_grid(); v < n; v += threads_in_grid()) {
        a.community[v] = (int)v;
        a.total[v] = strength[v];
        a.rested[v] = 0;
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

// The modularity of each copy's communities, numbered from 0, in the log; returns their mean to the chief.
// `member` and `total` have a place for each number.  All threads of all blocks call.
__device__ inline double measure_copies(const Given& g, Common common, const int* community, int communities,
                                        int* member, Weight* total, SmallBlock& block, double* log)
{
    const long long thread = thread_in_grid(), stride = threads_in_grid();
    const int own = g.n / g.copies, blocks = max(1, (int)gridDim.x / g.copies);
    for (long long c = thread; c < communities; c += stride) total[c] = 0;
    simt_grid_sync(common.barrier);
    for (long long v = thread; v < g.n; v += stride) {
        simt_store(member + community[v], (int)v);
        atomicAdd(total + community[v], block.arrays.strength[v]);
    }
    const long long walker = (long long)(blockIdx.x % blocks) * blockDim.x + threadIdx.x;
    for (int copy = blockIdx.x / blocks; copy < g.copies; copy += max(1, (int)gridDim.x / blocks)) {
        const Weight mine = inside_of(g.level, copy * own, own, community, walker, blocks * blockDim.x);
        const Weight sum = block_sum(mine, block.shares);
        if (threadIdx.x == 0 && sum) atomicAdd(common.inside + copy, sum);
        __syncthreads();
    }
    simt_grid_sync(common.barrier);
    for (long long c = thread; c < communities; c += stride)
        atomicAdd(common.squares + member[c] / own, squared_share(total[c], g.two_m));
    simt_grid_sync(common.barrier);
    double sum = 0.0;
    for (int copy = 0; thread == 0 && copy < g.copies; ++copy) {
        log[OF_COPIES + copy] = g.modularity_of_one((double)simt_load(common.inside + copy),
                                                    simt_load(common.squares + copy));
        sum += log[OF_COPIES + copy];
    }
    return sum / g.copies;
}

// A power of two of slots for the pairs of a graph with so many entries.
__device__ inline unsigned slots_for_pairs(long long entries)
{
    unsigned slots = 4096;
    while (2 * (long long)slots < 3 * entries) slots *= 2;
    return slots;
}

// Make every community of a stage a vertex, all but the new lists, which write_small() writes; `f` gets
// the facts about the smaller graph, `maps` every vertex's new number.
__device__ inline void contract_small(int n, long long entries, const int* order, Level level,
                                      const int* community, const Weight* total, double two_m,
                                      int* mapping, Lists next, StageFacts* f, SmallBlock& block,
                                      unsigned* memory, int near_slots, unsigned* barrier,
                                      int step RECORD_PARAMS)
{
    const Arrays& a = block.arrays;
    const unsigned slots = slots_for_pairs(entries);
    contract_together(n, order, ranges_of(block.first, 1, true), level, community, total, two_m,
                      {a.used, a.number, mapping, next.strength, next.indptr, a.parts},
                      {a.pairs, slots - 1, a.inner, a.length, &f->overflowed, slots},
                      {&f->communities, &f->squares, &f->inside, &f->entries, f->classes,
                       &f->longest},
                      memory, near_slots, block.sums(), barrier, step RECORD_COUNTERS(, rec));
    simt_grid_sync(barrier);
}

__device__ inline void write_small(long long entries, int communities, Lists next, const Arrays& a)
{
    write_pairs(slots_for_pairs(entries), a.pairs, 0, communities, a.inner, next.indptr, a.length,
                next.indices, next.sums);
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
