// Louvain, tuned: what the search of a small graph in one launch knows, and its log (see
// louvain_fast_small.cu).
#pragma once

#include "louvain_fast_contract.cuh"
#include "louvain_fast_last.cuh"
#include "louvain_fast_phase.cuh"

// How the search ended.
enum Outcome { FOUND, HUB, LOST, RESTLESS, MANY_STAGES, NO_WEIGHT };

// The log: its header, then rows of WIDTH numbers of the stages that all blocks share, in `leiden` also of the
// single vertices' moves, then those of one block's.  Times are in nanoseconds on a GPU.
enum { THRESHOLD = COLUMNS, BEGIN_TIME, SWEPT_TIME, END_TIME, KIND, WIDTH };
// Of a row of `leiden`.
enum Kind { STAGE, GIVEN_UP, SINGLE_VERTICES, TAKEN_BACK };

// What the blocks add up in a stage; zero before.
struct StageFacts {
    Weight squares, inside;
    Weight measured;            // inside, before the communities' edges are summed up
    long long entries;
    double gain;
    int state[STATES];
    int communities, longest, overflowed, loners;
    int classes[CLASSES], cursors[CLASSES + 4];
    int joined[CLASSES + 4];    // of every round of a refinement
};
#define FACT_WORDS 25           // of 8 bytes
static_assert(sizeof(StageFacts) == 8 * FACT_WORDS, "the host allocates as many");

// What both kernels take first: the graph, which is so many `copies` of one; when sweeps end, parts of a sweep; see
// small.py.
#define SEARCH_PARAMS                                                                                \
    int n, int entries, const long long *indptr, const int *indices, const float *weights,           \
        const Weight *level_sums, double unit, int kind, int width, int copies, double given_two_m,  \
        double loops, double resolution, double t_bin, double t_final, double first_factor,          \
        int first_patience, int patience, long long bin_vertices, int relative, int max_sweeps,      \
        int begins, int refine_sweeps, int passes, int pass_sweeps, int tiny_parts,                  \
        int stage_parts, int neighbours, int most_parts, int finest

// What both take last: DenseRule; after how many parts blocks meet (0: a sweep, but where moves wait, or there are
// more parts since moves at the same time lost modularity, or vertices trade places); memory, and where in it `log`,
// `far`, `maps`, `orders` and `refined` are.
#define MEMORY_PARAMS                                                                                \
    int dense, int few, int waiting_parts, int waiting_neighbours, double early, double last_share,  \
        int apart, int table_bytes, unsigned char *memory, long long log_at, long long far_at,       \
        long long maps_at, long long orders_at, long long refined_at, [[maybe_unused]] int step

// What both begin with.
#define MEMORY_PLACES                                                                                \
    Weight* const zeros = (Weight*)memory;                                                           \
    double* const log = (double*)(memory + log_at);                                                  \
    unsigned char* const far = memory + far_at;                                                      \
    int* const maps = (int*)(memory + maps_at);                                                      \
    int* const orders = (int*)(memory + orders_at);                                                  \
    int* const refined = (int*)(memory + refined_at);

// Parts of a sweep: `least` or more, so that a vertex has at most `neighbours` in a part; see sizes.py.
struct PartRule {
    int tiny;                   // 0: the graph is not tiny
    int least, neighbours, most;
};

__device__ inline int parts_of(PartRule rule, long long live, long long entries)
{
    if (rule.tiny) return rule.tiny;
    int parts = rule.least;
    while (parts < rule.most && entries > rule.neighbours * parts * live) parts *= 2;
    return parts;
}

// Of later stages.  In one of fewer than `few` vertices, or of more than `entries` a vertex, moves wait, in `parts` or
// more, so that a vertex has at most `neighbours` in a part.  Sweeps end when they gain less than `early` of what the stage has
// gained; of any stage, one that gains less than `last_share` of the modularity is the last one.
struct DenseRule {
    long long entries;
    int few, parts, neighbours;
    double early, last_share;
};

__device__ inline bool moves_wait(DenseRule rule, long long live, long long entries)
{
    return live < rule.few || entries > rule.entries * live;
}

// The parts of a sweep whose moves wait.
__device__ inline PartRule parts_that_wait(PartRule rule, DenseRule dense)
{
    rule.least = dense.parts;
    rule.neighbours = dense.neighbours;
    return rule;
}

// A block's memory of `bytes` for the tables of a vertex.
__device__ inline Room room_in(unsigned* memory, int bytes, unsigned* count)
{
    const unsigned slots = bytes / (SLOT_WORDS * 4);
    return {memory, 1 << (31 - __clz((int)slots)), 0, 0, count};
}

// Whether a stage's longest list has more edges than a block's room has slots: one for each community is enough.
__device__ inline bool has_hub(const StageFacts* f, const Room& room)
{
    return simt_load(&f->longest) > room.near_slots;
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
    int* entries;               // see Numbers
    int* number;
    int* length;
    int* order;
    int* member;
    int* last_whole;
    int* waiting;               // moves; see louvain_fast_sweep.cuh
    unsigned char* rested;
    Slot* pairs;
    unsigned slots;             // of these
};

// Slots of the table of a graph with so many entries; small.py allocates as many.
__device__ inline unsigned slots_of_entries(long long entries)
{
    unsigned slots = 4096;
    while (4 * (long long)slots < 5 * entries) slots *= 2;
    return slots;
}

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
    a.entries = take<int>(pool, n);
    a.number = take<int>(pool, n + 1);
    a.length = take<int>(pool, n);
    a.order = take<int>(pool, n);
    a.member = take<int>(pool, n);
    a.last_whole = take<int>(pool, n);
    a.waiting = take<int>(pool, 3 * n + 1);
    a.rested = take<unsigned char>(pool, n);
    a.pairs = (Slot*)(((unsigned long long)pool.far + 15) / 16 * 16);
    a.slots = slots_of_entries(entries);
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
    long long most_pairs;       // of all communities in a contraction, as contract_together() says
    Pace pace;
    Arrays arrays;

    __device__ Desk desk() { return {best, inner, note}; }
    __device__ Sums sums() { return {lanes, long_sums, counts, shares}; }
};

// Most copies of a graph.
#define MOST_COPIES 15

// The weight inside of each copy's communities, and their squared shares.
struct Sides {
    Weight* inside;
    Weight* squares;
};

// Most cycles of a search.
#define MOST_CYCLES 2

// Memory that all blocks share, from zeros: facts of `steps` steps, TALLIES places for gains and moves, a
// word for the sum of weights and one for that of squares, one for the barrier, and what is added up of the copies
// in every cycle.
struct Common {
    StageFacts* facts;
    Weight* gained;
    int* moved;
    Weight* sums;
    unsigned* barrier;

    __device__ Sides of_copies(int cycle) const
    {
        Weight* const inside = sums + 3 + 2 * cycle * MOST_COPIES;
        return {inside, inside + MOST_COPIES};
    }
};

__device__ inline Common common_in(Weight* zeros, int steps)
{
    Weight* const gained = zeros + steps * FACT_WORDS;
    Weight* const sums = gained + TALLIES * TALLY_STRIDE * 3 / 2;
    return {(StageFacts*)zeros, gained, (int*)(gained + TALLIES * TALLY_STRIDE), sums, (unsigned*)(sums + 2)};
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
