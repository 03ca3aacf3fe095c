// Greedy matching by colours, tuned.  The method, and the matching, are those of redblue.cu; what
// is ours, and why:
//   * Only live vertices are looked at: they are kept in lists, made anew each round, blue ones
//     from the front and red ones from the back, so that no lane waits for the other colour.
//   * Lanes by degree: up to GROUP_DEGREE edges 8 lanes share a vertex, up to WARP_DEGREE a warp,
//     above a block; each class has a list of its own.
//   * A red vertex that responds makes the match itself: nobody else can write to the blue one.  So
//     a response need not look at states, and a round is three launches a class.
#include "simt.h"

#include "redblue.cuh"

#ifndef GROUP_DEGREE
#define GROUP_DEGREE 64
#endif
#ifndef WARP_DEGREE
#define WARP_DEGREE 2048
#endif
#define CLASSES 3

// What the vertices know.
struct Vertices {
    unsigned char* state;
    int* sigma;                 // proposals; NONE for red ones
    int* mate;
};

// The live vertices: a list of `room` places for each class, and where its two ends are.
struct Live {
    int* lists;
    int* counts;                // blue of each class, then red of each, then matched, dead
    int room;
};

__device__ inline int class_of(long long degree)
{
    return degree <= GROUP_DEGREE ? 0 : degree <= WARP_DEGREE ? 1 : 2;
}

// Colour a vertex (NONE: nothing) and put it into its list; all lanes of the warp call.
__device__ inline void enlist(Live live, Vertices vertices, const long long* indptr, int vertex,
                              Colouring colouring, int step, int warp RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32;
    int mine = NONE;                                        // class, and colour
    if (vertex != NONE) {
        const State colour = colour_of(vertex, colouring);
        vertices.state[vertex] = colour;
        vertices.sigma[vertex] = NONE;
        mine = class_of(indptr[vertex + 1] - indptr[vertex]) + (colour == RED ? CLASSES : 0);
        TELL(COLOUR, vertex, colour, 0.0f);
    }
    for (int k = 0; k < 2 * CLASSES; ++k) {
        const unsigned who = __ballot_sync(ALL_LANES, mine == k);
        if (who == 0) continue;
        const int leader = __ffs(who) - 1;
        int base = 0;
        if (lane == leader) base = atomicAdd(live.counts + k, __popc(who));
        base = __shfl_sync(ALL_LANES, base, leader) + __popc(who & ((1u << lane) - 1));
        if (mine != k) continue;
        int* list = live.lists + (long long)(k % CLASSES) * live.room;
        list[k < CLASSES ? base : live.room - 1 - base] = vertex;
    }
}

// All vertices, for the first round.
SIMT_KERNEL(redblue_fast_start)
(int n, const long long* indptr, unsigned char* state, int* sigma, int* mate, int* lists,
 int* counts, unsigned r, unsigned threshold, int philox, int step RECORD_PARAMS)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) mate[v] = NONE;
    enlist({lists, counts, n}, {state, sigma, mate}, indptr, v < n ? v : NONE,
           {r, threshold, philox != 0}, step, v / 32 RECORD_COUNTERS(, rec));
    RECORD_COUNTERS(record_effort(rec, v / 32, step, {v < n, v < n, 0, 1, 0, 0, 0, 0});)
}

// One vertex's search: what was found, how much of it was looked at.
struct Found {
    Choice best;
    bool lonely;
    unsigned edges;
};

// Look at the `k`-th neighbour from `place` on.  For a random choice the first one is the best.
__device__ inline void look_at(Lists g, Vertices vertices, int vertex, bool proposing,
                               long long begin, long long degree, long long place, long long k,
                               Found& found)
{
    const long long e = begin + (place + k < degree ? place + k : place + k - degree);
    const int other = g.indices[e];
    bool fits;
    if (proposing) {
        const unsigned char its = vertices.state[other];
        fits = its == RED;
        if (is_live(its)) found.lonely = false;
    } else {
        fits = vertices.sigma[other] == vertex;
    }
    found.edges += 1;
    if (!fits) return;
    const Choice choice = g.weighted ? choice_of(g, e, other)
                                     : (Choice)~(unsigned)k << 32 | (unsigned)(other + 1);
    if (choice > found.best) found.best = choice;
}

// Where the search of a vertex begins, among its `degree` neighbours.
__device__ inline long long first_place(Lists g, int vertex, long long degree)
{
    return g.weighted || degree == 0 ? 0 : scatter((unsigned)vertex, g.r) % degree;
}

// The weight of a choice, for the record.
__device__ inline float value_of(Lists g, int vertex, Choice choice)
{
    if (g.weighted) return weight_of(choice);
    const long long begin = g.indptr[vertex], degree = g.indptr[vertex + 1] - begin;
    const long long place = first_place(g, vertex, degree) + ~(unsigned)(choice >> 32);
    return g.weights[begin + (place < degree ? place : place - degree)];
}

// What comes of a search; one lane calls.
__device__ inline void conclude(Lists g, Vertices vertices, int vertex, bool proposing, Found found,
                                int step, int warp RECORD_PARAMS)
{
    const int other = chosen(found.best);
    if (proposing) vertices.sigma[vertex] = found.lonely ? LONELY : other;
    if (other == NONE) return;
    if (!proposing) {
        vertices.mate[vertex] = other;
        vertices.mate[other] = vertex;
    }
    RECORD_EVENTS(const float value = value_of(g, vertex, found.best);
                  TELL(proposing ? PROPOSE : RESPOND, vertex, other, value);)
}

// Vertices of a class, `width` lanes each (8 or 32), from a list that begins at `first` and goes on
// by `stride`.
SIMT_KERNEL(redblue_fast_search)
(int count, const int* lists, long long first, int stride, const long long* indptr,
 const int* indices, const float* weights, unsigned char* state, int* sigma, int* mate,
 int proposing, int weighted, unsigned r, int width, int step RECORD_PARAMS)
{
    const Lists g = {indptr, indices, weights, weighted != 0, r};
    const Vertices vertices = {state, sigma, mate};
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const int member = (int)thread & (width - 1), lane = threadIdx.x % 32;
    const long long place_in_list = thread / width;
    const int vertex =
        place_in_list < count ? lists[first + place_in_list * stride] : NONE;
    const long long begin = vertex == NONE ? 0 : indptr[vertex];
    const long long degree = vertex == NONE ? 0 : indptr[vertex + 1] - begin;
    const long long place = vertex == NONE ? 0 : first_place(g, vertex, degree);
    Found found = {0, true, 0};
    bool done = false;
    RECORD_COUNTERS(unsigned turns = 0;)
    for (long long base = 0; __any_sync(ALL_LANES, !done && base < degree); base += width) {
        if (!done && base + member < degree)
            look_at(g, vertices, vertex, proposing != 0, begin, degree, place, base + member,
                    found);
        RECORD_COUNTERS(turns += 1;)
        if (g.weighted) continue;
        const unsigned who = __ballot_sync(ALL_LANES, found.best != 0) >> (lane & ~(width - 1));
        done = (who & (width == 32 ? ALL_LANES : (1u << width) - 1)) != 0;
    }
    RECORD_COUNTERS(Effort effort = {member == 0 && vertex != NONE, member == 0 && vertex != NONE,
                                     found.edges, turns, 0, 0, 0, 0};)
    for (int d = width / 2; d > 0; d /= 2) {
        const Choice other = __shfl_xor_sync(ALL_LANES, found.best, d);
        if (other > found.best) found.best = other;
    }
    const unsigned lively = __ballot_sync(ALL_LANES, !found.lonely) >> (lane & ~(width - 1));
    found.lonely = (lively & (width == 32 ? ALL_LANES : (1u << width) - 1)) == 0;
    if (member == 0 && vertex != NONE)
        conclude(g, vertices, vertex, proposing != 0, found, step,
                 (int)(thread / 32) RECORD_COUNTERS(, rec));
    RECORD_COUNTERS(
        const bool hit = member == 0 && vertex != NONE && found.best != 0;
        effort.proposals = proposing && hit; effort.responses = !proposing && hit;
        record_effort(rec, (int)(thread / 32), step, effort);)
}

// Vertices of the last class, a block each.
SIMT_KERNEL(redblue_fast_hubs)
(int count, const int* lists, long long first, int stride, const long long* indptr,
 const int* indices, const float* weights, unsigned char* state, int* sigma, int* mate,
 int proposing, int weighted, unsigned r, int step RECORD_PARAMS)
{
    SIMT_SHARED(Choice[32], bests);
    SIMT_SHARED(int[32], lively);
    const Lists g = {indptr, indices, weights, weighted != 0, r};
    const Vertices vertices = {state, sigma, mate};
    const int vertex = lists[first + (long long)blockIdx.x * stride], lane = threadIdx.x % 32;
    const long long begin = indptr[vertex], degree = indptr[vertex + 1] - begin;
    const long long place = first_place(g, vertex, degree);
    Found found = {0, true, 0};
    for (long long k = threadIdx.x; k < degree; k += blockDim.x)
        look_at(g, vertices, vertex, proposing != 0, begin, degree, place, k, found);
    const int warp = (int)((blockIdx.x * blockDim.x + threadIdx.x) / 32);
    RECORD_COUNTERS(const unsigned edges = found.edges;)
    for (int d = 16; d > 0; d /= 2) {
        const Choice other = __shfl_xor_sync(ALL_LANES, found.best, d);
        if (other > found.best) found.best = other;
    }
    const bool any = __any_sync(ALL_LANES, !found.lonely);
    if (lane == 0) {
        bests[threadIdx.x / 32] = found.best;
        lively[threadIdx.x / 32] = any;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        found.lonely = true;
        for (unsigned i = 0; i < blockDim.x / 32; ++i) {
            if (bests[i] > found.best) found.best = bests[i];
            if (lively[i]) found.lonely = false;
        }
        conclude(g, vertices, vertex, proposing != 0, found, step, warp RECORD_COUNTERS(, rec));
    }
    RECORD_COUNTERS(
        const bool hit = threadIdx.x == 0 && found.best != 0;
        record_effort(rec, warp, step, {threadIdx.x == 0, threadIdx.x == 0, edges,
                      warp_largest(edges), proposing && hit, !proposing && hit, 0, 0});)
}

// The end of a round for a class: who was matched or is lonely leaves, the others get a new colour.
// `blue` and `red` are the ends of the class's list.
SIMT_KERNEL(redblue_fast_settle)
(int blue, int red, const int* lists, long long first, int n, const long long* indptr,
 unsigned char* state, int* sigma, int* mate, int* next_lists, int* next_counts, unsigned r,
 unsigned threshold, int philox, int step RECORD_PARAMS)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, warp = i / 32;
    const bool there = i < blue + red;
    const int vertex =
        !there ? NONE : i < blue ? lists[first + i] : lists[first + n - 1 - (i - blue)];
    const bool matched = there && mate[vertex] != NONE;
    const bool dies = there && !matched && sigma[vertex] == LONELY;
    RECORD_EVENTS(
        if (matched && i < blue) TELL(MATCH, vertex, mate[vertex], 0.0f);
        if (dies) TELL(DIE, vertex, NONE, 0.0f);)
    if (matched || dies) state[vertex] = matched ? MATCHED : DEAD;
    add_to(next_counts + 2 * CLASSES, matched);
    add_to(next_counts + 2 * CLASSES + 1, dies);
    RECORD_COUNTERS(record_effort(rec, warp, step, {there, there, 0, 1, 0, 0, matched, dies});)
    enlist({next_lists, next_counts, n}, {state, sigma, mate}, indptr,
           there && !matched && !dies ? vertex : NONE, {r, threshold, philox != 0}, step + 1,
           warp RECORD_COUNTERS(, rec));
}

SIMT_EXPORT(redblue_fast_start)
SIMT_EXPORT(redblue_fast_search)
SIMT_EXPORT(redblue_fast_hubs)
SIMT_EXPORT(redblue_fast_settle)
