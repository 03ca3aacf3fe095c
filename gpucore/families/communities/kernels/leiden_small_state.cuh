// Leiden: what the search of a small graph in one launch knows, and its log (see leiden_small.cu).
#pragma once

#include "leiden_join.cuh"
#include "louvain_fast_small.cuh"

// The next step: sweep; refine and contract; make components the communities; measure what single
// vertices of the given graph have found; none.
enum Task { TO_SWEEP, TO_JOIN, TO_DIVIDE, TO_MEASURE, TO_END };

// What does not change during the search.
struct Rules {
    double t_bin, t_final, first_factor;
    int first_patience, patience;
    long long bin_vertices;
    int relative, max_sweeps, begins, refine_sweeps, passes, pass_sweeps;
    PartRule parts;
    DenseRule dense;
    int finest;                 // parts of a sweep after a pass whose vertices trade places
    int apart, cycles;
    bool later;                 // the given graph is that of a later stage
    double noise;
    unsigned seed;
    Rounds rounds;              // `few`: a vertex in so many
    int most_levels;
};

// Where memory is, beside a block's.
struct Places {
    Common common;
    Room room;                  // a block's
    int* maps;
    int* orders;
    int* refined;
    double* log;
    StageFacts* last_facts;
};

// The search: the same in all blocks, each of which has it in its shared memory.
struct Leiden {
    Level level;                // the stage, and its partition
    const Weight* strength;
    const int* order;
    int* community;
    Weight* total;
    int* part;                  // of the refinement; then the next stage's partition
    Weight* part_total;
    int* start;                 // communities in which the stage began
    int* claim;                 // of the refinement; and trees of components
    StageFacts* facts;          // of the next step
    long long many;             // entries
    double reached;             // modularity of the stage's first communities,
    double singles;             // and of its vertices alone
    double now;                 // after its sweeps
    double best;                // of the cycle before
    double threshold, begin_time, swept_time;
    int size, parts, sweeps;
    int levels, known, rows, cycle, passes;
    int outcome;
    int communities;            // in `refined`
    bool given;                 // the stage's graph is the given one,
    bool single;                // whose vertices move after the last stage
    bool waits;                 // moves wait
    bool final, lost;
    bool again, trading;        // in more parts, since the stage lost, or since vertices traded places
    bool better;                // `refined` is the result
};

// Arrays beside those of louvain_fast_small_state.cuh; returns where these begin.
__device__ inline unsigned char* arrays_of(Leiden& s, unsigned char* far, int n)
{
    Pool pool = {nullptr, 0, far};
    s.part_total = take<Weight>(pool, n);
    s.part = take<int>(pool, n);
    s.start = take<int>(pool, n);
    s.claim = take<int>(pool, n);
    return pool.far;
}

// The given graph is the stage.  One thread of every block calls, as below where `s` changes.
__device__ inline void take_given(Leiden& s, const Given& g, const Arrays& a, const int* order)
{
    s.level = g.level;
    s.strength = a.strength;
    s.order = order;
    s.size = g.n;
    s.many = g.entries;
    s.given = true;
    s.waits = false;
}

// Whether others came before the stage: then DenseRule holds, unless the graph is tiny.
__device__ inline bool follows(const Leiden& s, const Rules& r) { return (r.later || !s.given) && !r.parts.tiny; }

// Parts of the stage's sweeps, of which `live` vertices have edges, and `loners` no edge but a loop.
__device__ inline void divide_sweeps(Leiden& s, const Rules& r, long long live, int loners)
{
    const long long movable = live - loners, edges = s.many - loners;
    s.waits = follows(s, r) && moves_wait(r.dense, movable, edges);
    s.parts = parts_of(s.waits ? parts_that_wait(r.parts, r.dense) : r.parts, movable, edges);
}

// What one launch cannot do ends the second cycle, and sends the first one to launches.
__device__ inline void give_up(Leiden& s, Outcome why)
{
    if (s.cycle == 0) s.outcome = why;
}

// Write a row of the log.  One thread calls.
__device__ inline void log_row(const Leiden& s, double* log, int communities, double modularity, Kind kind)
{
    double* const row = log + HEADER + s.rows * WIDTH;
    log_stage(row, s.size, s.many, s.sweeps, communities, modularity, s.threshold, s.begin_time,
              s.swept_time);
    row[KIND] = kind;
}

__device__ inline bool is_chief() { return blockIdx.x == 0 && threadIdx.x == 0; }
