// Initial matchings for the bipartite family: cheap matching, short lists first, and Karp-Sipser.
//
// Cheap matching (Duff, Kaya, Ucar, "Design, implementation, and analysis of maximum transversal
// algorithms", ACM TOMS 38(2), 2011): every column takes the first free row of its list.  Here all
// columns do so at once, and a row goes to the first column that claims it.  A column skips a row
// only if the row is taken, and no row is given back, so after one pass no edge has two free ends.
// Each list is read from a start of its own, upwards or downwards, and neighbouring vertices claim at
// different times.  Otherwise the columns of a grid in natural order would choose one side more often
// than the other, and free columns and free rows would gather at opposite ends, far apart.
//
// Short lists first: passes of cheap matching over the columns, then the rows of at most 1, 2, 4 and 8
// entries, and at last over all columns.  A vertex of a short list has few chances, and a pair that it
// takes costs others little; it is a static Karp-Sipser (compare "static mindegree" in Duff, Kaya,
// Ucar, and in Langguth, Manne, Sanders, "Heuristic initialization for bipartite matching problems",
// JEA 15, 2010), without degrees to keep.
//
// Karp-Sipser (Karp, Sipser, "Maximum matchings in sparse random graphs", FOCS 1981): a vertex with
// one free neighbour takes it, which some maximum matching does too; only when there is no
// such vertex, some others choose at random.  In parallel: rounds in which the rows, then the
// columns of one free neighbour claim it; in a round without any, one free column in PICK_SHARE
// claims a free row.  Only one side claims at a time, so one CAS decides.
#include "simt.h"

#include "bipartite.cuh"

#ifndef PICK_SHARE
#define PICK_SHARE 4
#endif

// Claim the first free vertex of a list, in an order of its own; -1: there is none.
__device__ inline int claim(Lists lists, int vertex, int* mate, unsigned salt)
{
    const long long first = lists.indptr[vertex];
    const int length = (int)(lists.indptr[vertex + 1] - first);
    Round round = round_of(scatter(vertex, salt), length);
    for (int k = 0; k < length; ++k) {
        const int other = lists.indices[first + round.next()] - lists.shift;
        if (simt_load(mate + other) == NONE && atomicCAS(mate + other, NONE, vertex) == NONE)
            return other;
    }
    return NONE;
}

// The same for a vertex with many neighbours, by all lanes of its warp from the list's begin on.
__device__ inline int claim_by_warp(Lists lists, int vertex, int* mate)
{
    const int lane = threadIdx.x % 32;
    const long long end = lists.indptr[vertex + 1];
    for (long long first = lists.indptr[vertex]; first < end; first += 32) {
        int other = first + lane < end ? lists.indices[first + lane] - lists.shift : NONE;
        if (other != NONE && simt_load(mate + other) != NONE) other = NONE;
        unsigned free = __ballot_sync(ALL_LANES, other != NONE);
        while (free != 0) {
            const int leader = __ffs(free) - 1;
            free &= free - 1;
            int won = NONE;
            if (lane == leader && atomicCAS(mate + other, NONE, vertex) == NONE) won = other;
            won = __shfl_sync(ALL_LANES, won, leader);
            if (won != NONE) return won;
        }
    }
    return NONE;
}

#define LONG_LIST 64

// Claim for each lane's vertex (-1: none); all lanes of the warp call.
__device__ inline int claim_for_lanes(Lists lists, int vertex, int* mate, unsigned salt)
{
    const int lane = threadIdx.x % 32;
    const long long length = vertex < 0 ? 0 : lists.indptr[vertex + 1] - lists.indptr[vertex];
    int won = NONE;
    if (length > 0 && length <= LONG_LIST)
        won = claim(lists, vertex, mate, salt);
    unsigned many = __ballot_sync(ALL_LANES, length > LONG_LIST);
    while (many != 0) {
        const int owner = __ffs(many) - 1;
        many &= many - 1;
        const int found = claim_by_warp(lists, __shfl_sync(ALL_LANES, vertex, owner), mate);
        if (lane == owner) won = found;
    }
    return won;
}

// No vertex has a mate yet.
__device__ inline void free_all(int* rmatch, int rows, int* cmatch, int columns)
{
    const int first = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    for (int v = first; v < rows; v += threads) rmatch[v] = NONE;
    for (int v = first; v < columns; v += threads) cmatch[v] = NONE;
}

// The numbers 0 to `mask`, 2^m - 1, each once and out of order.
__device__ inline unsigned shuffled(unsigned number, unsigned mask)
{
    for (int i = 0; i < 3; ++i) {
        number = number * 0x85ebca6bu & mask;
        number ^= number >> 5;
    }
    return number;
}

// One pass, by one side: its free vertices of at most `longest` entries claim.  `own` holds their
// mates, `other` those of the other side.  Returns this lane's pairs.
__device__ inline int claim_all(Lists lists, int rows, int* own, int* other, int longest,
                                unsigned seed, int step RECORD_PARAMS)
{
    const int first = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    const int lane = threadIdx.x % 32;
    RECORD_COUNTERS(const int warp = first / 32;)
    int pairs = 0;
    unsigned chunks = 1;                                    // of 32 vertices
    while (chunks * 32ull < (unsigned)lists.count) chunks *= 2;
    for (unsigned k = first / 32; k < chunks; k += threads / 32) {
        const unsigned chunk = shuffled(k, chunks - 1);
        const long long v = 32ll * chunk + (lane ^ (scatter(chunk, seed) % 32));
        int mine = v < lists.count && own[v] == NONE ? (int)v : NONE;
        if (mine != NONE && lists.indptr[mine + 1] - lists.indptr[mine] > longest) mine = NONE;
        const int won = claim_for_lanes(lists, mine, other, seed);
        if (won != NONE) own[mine] = won;
        pairs += won != NONE;
        RECORD_EVENTS(const bool by_row = lists.shift != 0;
                      if (won != NONE) TELL(MATCH, rows + (by_row ? won : mine),
                                            by_row ? mine : won, NONE, 0.0f);)
        RECORD_COUNTERS(
            const long long* list = lists.indptr + mine;
            const unsigned degree = mine == NONE ? 0 : (unsigned)(list[1] - list[0]);
            record_effort(rec, warp, step, {mine != NONE, mine != NONE, degree,
                                            warp_largest(degree), 0, 0, won != NONE, 0});)
    }
    return pairs;
}

// Cheap matching; a launch in which all blocks meet.  `short_lists` passes over columns and rows of
// short lists, then one over all columns.  `matched` counts the pairs.
SIMT_KERNEL(bipartite_cheap)
(int rows, int columns, const long long* row_indptr, const long long* column_indptr,
 const int* indices, int* rmatch, int* cmatch, int short_lists, int* matched, unsigned seed,
 unsigned* barrier, int step RECORD_PARAMS)
{
    const Lists by_row = {rows, row_indptr, indices, rows};
    const Lists by_column = {columns, column_indptr, indices, 0};
    free_all(rmatch, rows, cmatch, columns);
    simt_grid_sync(barrier);
    int pairs = 0;
    for (int k = 0; k < short_lists; ++k) {
        pairs += claim_all(by_column, rows, cmatch, rmatch, 1 << k, seed,
                           step RECORD_COUNTERS(, rec));
        simt_grid_sync(barrier);
        pairs += claim_all(by_row, rows, rmatch, cmatch, 1 << k, seed,
                           step RECORD_COUNTERS(, rec));
        simt_grid_sync(barrier);
    }
    pairs += claim_all(by_column, rows, cmatch, rmatch, 0x7fffffff, seed,
                       step RECORD_COUNTERS(, rec));
    for (int d = 16; d > 0; d /= 2) pairs += __shfl_xor_sync(ALL_LANES, pairs, d);
    if (threadIdx.x % 32 == 0 && pairs) atomicAdd(matched, pairs);
}

// State of Karp-Sipser: the number of free neighbours of every vertex (rows, then columns), and the
// vertices whose number dropped to one, in that order.
struct Reduction {
    Lists by_row, by_column;
    int* rmatch;
    int* cmatch;
    int* degree;
    int* queue;
    int* state;                 // those below
};

// Vertices in the queue; end of the current round; pairs; rounds; the last one in which some
// column could still choose.
enum { TAIL, END, PAIRS, ROUND, CHOSEN };

// One neighbour of `vertex` is no longer free.
__device__ inline void lose(Reduction r, int vertex)
{
    if (atomicAdd(r.degree + vertex, -1) == 2) r.queue[atomicAdd(r.state + TAIL, 1)] = vertex;
}

// The lanes' new pairs (row -1: none) are no longer free; the warp shares the lists.
__device__ inline void settle(Reduction r, int row, int column)
{
    const int lane = threadIdx.x % 32;
    unsigned made = __ballot_sync(ALL_LANES, row != NONE);
    if (lane == 0 && made) atomicAdd(r.state + PAIRS, __popc(made));
    while (made != 0) {
        const int owner = __ffs(made) - 1;
        made &= made - 1;
        const int a = __shfl_sync(ALL_LANES, row, owner), b = __shfl_sync(ALL_LANES, column, owner);
        for (long long e = r.by_row.indptr[a] + lane; e < r.by_row.indptr[a + 1]; e += 32)
            lose(r, r.by_row.indices[e]);
        for (long long e = r.by_column.indptr[b] + lane; e < r.by_column.indptr[b + 1]; e += 32)
            lose(r, r.by_column.indices[e]);
    }
}

// Each lane's row (or column; -1: none) claims a free neighbour, if it and a neighbour are free.
// Returns the neighbour, or -1.  All lanes of the warp call.
__device__ inline int reduce(Reduction r, bool is_row, int vertex, unsigned salt)
{
    int* own = is_row ? r.rmatch : r.cmatch;
    if (vertex != NONE && simt_load(own + vertex) != NONE) vertex = NONE;
    const int other = claim_for_lanes(is_row ? r.by_row : r.by_column, vertex,
                                      is_row ? r.cmatch : r.rmatch, salt);
    if (other != NONE) simt_store(own + vertex, other);
    const int none = other == NONE ? NONE : vertex;
    settle(r, is_row ? none : other, is_row ? other : none);
    return other;
}

__device__ inline bool is_picked(int column, unsigned salt)
{
    return scatter(column, ~salt) % PICK_SHARE == 0;
}

// The threads of a launch, which divide the work.
struct Team {
    int thread, threads, lane;
    int step;                   // of the record
};

// The queue's vertices between two places: its rows, or its columns.
__device__ inline void reduce_queue(Reduction r, Team t, bool is_row, int begin, int end,
                                    unsigned salt, Effort& effort RECORD_PARAMS)
{
    RECORD_EVENTS(const int warp = t.thread / 32, step = t.step;)
    const int rows = r.by_row.count;
    for (int base = begin + t.thread - t.lane; base < end; base += t.threads) {
        const int v = base + t.lane < end ? r.queue[base + t.lane] : NONE;
        const bool mine = v != NONE && (v < rows) == is_row;
        const int other = reduce(r, is_row, !mine ? NONE : is_row ? v : v - rows, salt);
        RECORD_COUNTERS(effort.looked += 1; effort.lane_slots += 1; effort.frontier += mine;
                        effort.flips += other != NONE;)
        if (other != NONE) TELL(MATCH, is_row ? rows + other : v, is_row ? v : other, NONE, 0.0f);
    }
}

// A random part of the free columns chooses.
__device__ inline void reduce_some(Reduction r, Team t, int round, unsigned salt,
                                   Effort& effort RECORD_PARAMS)
{
    RECORD_EVENTS(const int warp = t.thread / 32, step = t.step;)
    const int rows = r.by_row.count, columns = r.by_column.count;
    for (int base = t.thread - t.lane; base < columns; base += t.threads) {
        const int column = base + t.lane;
        const bool could = column < columns && simt_load(r.cmatch + column) == NONE &&
                           simt_load(r.degree + rows + column) > 0;
        if (could) simt_store(r.state + CHOSEN, round);
        const bool mine = could && is_picked(column, salt);
        const int other = reduce(r, false, mine ? column : NONE, salt);
        RECORD_COUNTERS(effort.looked += column < columns; effort.lane_slots += 1;
                        effort.frontier += mine; effort.flips += other != NONE;)
        if (other != NONE) TELL(MATCH, rows + column, other, NONE, 0.0f);
    }
}

// Karp-Sipser; a launch in which all blocks meet.  `degree` and `queue` have a place for every
// vertex, `state` is zeroed.
SIMT_KERNEL(bipartite_karp_sipser)
(int rows, int columns, const long long* row_indptr, const long long* column_indptr,
 const int* indices, int* rmatch, int* cmatch, int* degree, int* queue, int* state, unsigned seed,
 unsigned* barrier, int step RECORD_PARAMS)
{
    const Reduction r = {{rows, row_indptr, indices, rows}, {columns, column_indptr, indices, 0},
                         rmatch, cmatch, degree, queue, state};
    const Team t = {(int)(blockIdx.x * blockDim.x + threadIdx.x), (int)(gridDim.x * blockDim.x),
                    (int)threadIdx.x % 32, step};
    Effort effort = {};
    free_all(rmatch, rows, cmatch, columns);
    for (int v = t.thread; v < rows + columns; v += t.threads) {
        const long long* list = v < rows ? row_indptr + v : column_indptr + (v - rows);
        degree[v] = (int)(list[1] - list[0]);
        if (degree[v] == 1) queue[atomicAdd(state + TAIL, 1)] = v;
    }
    for (bool more = true; more;) {
        simt_grid_sync(barrier);
        const int begin = simt_load(state + END), end = simt_load(state + TAIL);
        const int round = simt_load(state + ROUND) + 1;
        const unsigned salt = seed + round;
        simt_grid_sync(barrier);
        if (begin < end) {
            reduce_queue(r, t, true, begin, end, salt, effort RECORD_COUNTERS(, rec));
            simt_grid_sync(barrier);
            reduce_queue(r, t, false, begin, end, salt, effort RECORD_COUNTERS(, rec));
        } else {
            reduce_some(r, t, round, salt, effort RECORD_COUNTERS(, rec));
            simt_grid_sync(barrier);
            more = simt_load(state + CHOSEN) == round;
        }
        if (t.thread == 0) {
            simt_store(state + END, end);
            simt_store(state + ROUND, round);
        }
    }
    RECORD_COUNTERS(record_effort(rec, t.thread / 32, step, effort);)
}

SIMT_EXPORT(bipartite_cheap)
SIMT_EXPORT(bipartite_karp_sipser)
