// The search of one vertex in the tuned kernel of red/blue matching: by 8 lanes, a warp, or a block;
// and the lists of live vertices.
#pragma once

#include "redblue.cuh"

#define CLASSES 3
// sigma of matched and dead vertices; the live neighbours of a vertex have another one.
#define OUT LONELY

// State of the vertices.
struct Vertices {
    unsigned char* state;
    int* sigma;                 // proposals; NONE for red ones, OUT for matched and dead ones
    int* mate;
};

// The live vertices: a list of `room` places for each class, and where its two ends are.
struct Live {
    int* lists;
    int* counts;                // blue of each class, then red of each, then matched, dead
    int room;
};
#define WORDS (2 * CLASSES + 2)

__device__ inline int class_of(long long degree)
{
    return degree <= GROUP_DEGREE ? 0 : degree <= WARP_DEGREE ? 1 : 2;
}

// How many vertices of each list a block's warps have, and then where those of each begin; in shared
// memory, twice, so that a warp that is ahead leaves the words alone which others still read.
struct Ledger {
    int* words;                 // 2 * LEDGER
    int turn;
};
#define LEDGER (32 * 2 * CLASSES)

// Colour a vertex (NONE: nothing) and put it into its list.  All threads of the block call: an
// atomic operation a list and block, since all blocks use the same few counters.
__device__ inline void enlist(Live live, Vertices vertices, const long long* indptr, int vertex,
                              Colouring colouring, Ledger& ledger, int step, int warp RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32, own = threadIdx.x / 32 * 2 * CLASSES;
    int* words = ledger.words + ledger.turn * LEDGER;
    ledger.turn ^= 1;
    int mine = NONE, before = 0;                            // class, and colour
    if (vertex != NONE) {
        const State colour = colour_of(vertex, colouring);
        vertices.state[vertex] = colour;
        vertices.sigma[vertex] = NONE;
        mine = class_of(indptr[vertex + 1] - indptr[vertex]) + (colour == RED ? CLASSES : 0);
        TELL(COLOUR, vertex, colour, 0.0f);
    }
    for (int k = 0; k < 2 * CLASSES; ++k) {
        const unsigned who = __ballot_sync(ALL_LANES, mine == k);
        if (lane == 0) words[own + k] = __popc(who);
        if (mine == k) before = __popc(who & ((1u << lane) - 1));
    }
    __syncthreads();
    const int warps = blockDim.x / 32;
    for (int k = threadIdx.x / 32; k < 2 * CLASSES; k += warps) {
        int* word = words + lane * 2 * CLASSES + k;
        const int size = lane < warps ? *word : 0;
        int sum = size;
        for (int d = 1; d < 32; d *= 2) {
            const int below = __shfl_up_sync(ALL_LANES, sum, d);
            if (lane >= d) sum += below;
        }
        int base = 0;
        if (lane == 31 && sum) base = atomicAdd(live.counts + k, sum);
        base = __shfl_sync(ALL_LANES, base, 31);
        if (lane < warps) *word = base + sum - size;
    }
    __syncthreads();
    if (mine == NONE) return;
    const int place = words[own + mine] + before;
    int* list = live.lists + (long long)(mine % CLASSES) * live.room;
    list[mine < CLASSES ? place : live.room - 1 - place] = vertex;
}

// One vertex's search: its best choice, and how many neighbours were visited.
struct Found {
    Choice best;
    bool lonely;
    unsigned edges;
};

// Visit the `k`-th neighbour from `place` on.  Without weights the first eligible one is the best.
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
        const int its = vertices.sigma[other];
        fits = its == vertex;
        if (its != OUT) found.lonely = false;
    }
    found.edges += 1;
    if (!fits) return;
    const Choice choice = g.select == WEIGHTED ? choice_of(g, e, other)
                                               : (Choice)~(unsigned)k << 32 | (unsigned)(other + 1);
    if (choice > found.best) found.best = choice;
}

// The weight of a choice, for the record.
__device__ inline float value_of(Lists g, int vertex, Choice choice)
{
    if (g.select == WEIGHTED) return weight_of(choice);
    const long long begin = g.indptr[vertex], degree = g.indptr[vertex + 1] - begin;
    const long long place = first_place(g, vertex, degree) + ~(unsigned)(choice >> 32);
    return g.weights[begin + (place < degree ? place : place - degree)];
}

// Write the result of a search; one lane calls.
__device__ inline void conclude(Lists g, Vertices vertices, int vertex, bool proposing, Found found,
                                int step, int warp RECORD_PARAMS)
{
    const int other = chosen(found.best);
    if (proposing || found.lonely) vertices.sigma[vertex] = found.lonely ? OUT : other;
    if (other == NONE) return;
    if (!proposing) {
        vertices.mate[vertex] = other;
        vertices.mate[other] = vertex;
    }
    RECORD_EVENTS(const float value = value_of(g, vertex, found.best);
                  TELL(proposing ? PROPOSE : RESPOND, vertex, other, value);)
}

// The threads that divide the work, all of the grid or of one block, and their numbers in the record.
struct Team {
    int thread, threads, lane, warp;
    int step;
};

// A step of a round: the blue vertices propose, or the red ones respond.
struct Step {
    Lists graph;
    Vertices vertices;
    bool proposing;
};

// Vertices of one class, `width` lanes each (8 or 32), from a list whose `i`-th vertex is at
// `first` + `i` * `stride`.
__device__ inline void search_groups(Step s, int count, const int* first, int stride, int width,
                                     Team t RECORD_PARAMS)
{
    const int member = t.lane & (width - 1), shift = t.lane & ~(width - 1);
    const unsigned group = width == 32 ? ALL_LANES : (1u << width) - 1;
    const int apart = 32 / width;                           // vertices of a warp
    for (int base = t.thread / 32 * apart; base < count; base += t.threads / 32 * apart) {
        const int place_in_list = base + t.lane / width;
        const int vertex = place_in_list < count ? first[(long long)place_in_list * stride] : NONE;
        const long long begin = vertex == NONE ? 0 : s.graph.indptr[vertex];
        const long long degree = vertex == NONE ? 0 : s.graph.indptr[vertex + 1] - begin;
        const long long place = vertex == NONE ? 0 : first_place(s.graph, vertex, degree);
        Found found = {0, true, 0};
        bool done = false;
        RECORD_COUNTERS(unsigned turns = 0;)
        for (long long base_place = 0; __any_sync(ALL_LANES, !done && base_place < degree);
             base_place += width) {
            const long long k = base_place + member;
            if (!done && k < degree)
                look_at(s.graph, s.vertices, vertex, s.proposing, begin, degree, place, k, found);
            RECORD_COUNTERS(turns += 1;)
            if (s.graph.select == WEIGHTED) continue;
            done = (__ballot_sync(ALL_LANES, found.best != 0) >> shift & group) != 0;
        }
        RECORD_COUNTERS(const unsigned edges = found.edges;)
        for (int d = width / 2; d > 0; d /= 2) {
            const Choice other = __shfl_xor_sync(ALL_LANES, found.best, d);
            if (other > found.best) found.best = other;
        }
        found.lonely = (__ballot_sync(ALL_LANES, !found.lonely) >> shift & group) == 0;
        const bool leads = member == 0 && vertex != NONE;
        if (leads)
            conclude(s.graph, s.vertices, vertex, s.proposing, found, t.step,
                     t.warp RECORD_COUNTERS(, rec));
        RECORD_COUNTERS(
            const bool hit = leads && found.best != 0;
            record_effort(rec, t.warp, t.step, {leads, leads, edges, turns, s.proposing && hit,
                                                !s.proposing && hit, 0, 0});)
    }
}

// Shared memory of a block that works on one vertex: a word a warp.
struct Desk {
    Choice* bests;
    int* lively;
};

// Vertices of the last class, a block each.
__device__ inline void search_hubs(Step s, int count, const int* first, int stride, Desk desk,
                                   Team t RECORD_PARAMS)
{
    for (int i = t.thread / blockDim.x; i < count; i += t.threads / blockDim.x) {
        const int vertex = first[(long long)i * stride];
        const long long begin = s.graph.indptr[vertex];
        const long long degree = s.graph.indptr[vertex + 1] - begin;
        const long long place = first_place(s.graph, vertex, degree);
        Found found = {0, true, 0};
        for (long long base = 0; base < degree; base += blockDim.x) {
            const long long k = base + threadIdx.x;
            if (k < degree)
                look_at(s.graph, s.vertices, vertex, s.proposing, begin, degree, place, k, found);
            // Later neighbours in this warp are worse.
            if (s.graph.select != WEIGHTED && __any_sync(ALL_LANES, found.best != 0)) break;
        }
        RECORD_COUNTERS(const unsigned edges = found.edges;)
        for (int d = 16; d > 0; d /= 2) {
            const Choice other = __shfl_xor_sync(ALL_LANES, found.best, d);
            if (other > found.best) found.best = other;
        }
        const bool any = __any_sync(ALL_LANES, !found.lonely);
        if (t.lane == 0) {
            desk.bests[threadIdx.x / 32] = found.best;
            desk.lively[threadIdx.x / 32] = any;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            found.lonely = true;
            for (unsigned w = 0; w < blockDim.x / 32; ++w) {
                if (desk.bests[w] > found.best) found.best = desk.bests[w];
                if (desk.lively[w]) found.lonely = false;
            }
            conclude(s.graph, s.vertices, vertex, s.proposing, found, t.step,
                     t.warp RECORD_COUNTERS(, rec));
        }
        RECORD_COUNTERS(
            const bool leads = threadIdx.x == 0, hit = leads && found.best != 0;
            record_effort(rec, t.warp, t.step, {leads, leads, edges, warp_largest(edges),
                                                s.proposing && hit, !s.proposing && hit, 0, 0});)
        __syncthreads();
    }
}
