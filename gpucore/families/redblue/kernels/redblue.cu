// Greedy matching by colours: blue vertices propose, red ones respond.
//
// Source: Fagginger Auer, Bisseling, "A GPU algorithm for greedy graph matching", Facing the
// Multicore-Challenge II, 2012, algorithm 3: a thread for each vertex, four launches a round.
// Every memory word has exactly one writer, and no thread reads a word that another one writes in
// the same launch: there are no locks, and the result does not depend on the schedule.  Atomics
// only count the matched vertices, for figure 2's curve.
#include "simt.h"

#include "redblue.cuh"

struct Mine {
    int vertex, warp;
    bool there;
};

__device__ inline Mine my_vertex(int n)
{
    const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
    return {(int)v, (int)(v / 32), v < (unsigned)n};
}

// Lines 5 to 10: every live vertex gets a colour.
SIMT_KERNEL(redblue_colour)
(int n, unsigned char* state, unsigned r, unsigned threshold, int philox, int step RECORD_PARAMS)
{
    const Mine mine = my_vertex(n);
    RECORD_EVENTS(const int warp = mine.warp;)
    const bool live = mine.there && is_live(state[mine.vertex]);
    if (live) {
        const State colour = colour_of(mine.vertex, {r, threshold, philox != 0});
        state[mine.vertex] = colour;
        TELL(COLOUR, mine.vertex, colour, 0.0f);
    }
    RECORD_COUNTERS(record_effort(rec, mine.warp, step, {mine.there, live, 0, 1, 0, 0, 0, 0});)
}

// Lines 11 to 19: blue vertices propose; one without live neighbours dies.
SIMT_KERNEL(redblue_propose)
(int n, const long long* indptr, const int* indices, const float* weights,
 const unsigned char* state, int* sigma, int select, unsigned r, int step RECORD_PARAMS)
{
    const Mine mine = my_vertex(n);
    RECORD_EVENTS(const int warp = mine.warp;)
    const Lists g = {indptr, indices, weights, (Select)select, r};
    const bool blue = mine.there && state[mine.vertex] == BLUE;
    Choice best = 0;
    bool lonely = true;
    unsigned edges = 0;
    if (blue) {
        const long long begin = indptr[mine.vertex], degree = indptr[mine.vertex + 1] - begin;
        const long long place = first_place(g, mine.vertex, degree);
        for (long long k = 0; k < degree; ++k) {
            const long long e = begin + (place + k < degree ? place + k : place + k - degree);
            const int other = indices[e];
            const unsigned char its = state[other];
            edges += 1;
            if (is_live(its)) lonely = false;
            if (its != RED) continue;
            const Choice choice = choice_of(g, e, other);
            if (choice > best) best = choice;
            if (g.select != WEIGHTED) break;
        }
    }
    if (mine.there) sigma[mine.vertex] = !blue ? NONE : lonely ? LONELY : chosen(best);
    if (best) TELL(PROPOSE, mine.vertex, chosen(best), weight_of(best));
    RECORD_COUNTERS(record_effort(rec, mine.warp, step, {mine.there, blue, edges,
                                  1 + warp_largest(edges), best != 0, 0, 0, 0});)
}

// Lines 20 to 26: red vertices respond to one of the proposals; one without live neighbours dies.
SIMT_KERNEL(redblue_respond)
(int n, const long long* indptr, const int* indices, const float* weights,
 const unsigned char* state, int* sigma, int select, unsigned r, int step RECORD_PARAMS)
{
    const Mine mine = my_vertex(n);
    RECORD_EVENTS(const int warp = mine.warp;)
    const Lists g = {indptr, indices, weights, (Select)select, r};
    const bool red = mine.there && state[mine.vertex] == RED;
    Choice best = 0;
    bool lonely = true;
    unsigned edges = 0;
    if (red) {
        const long long begin = indptr[mine.vertex], degree = indptr[mine.vertex + 1] - begin;
        const long long place = first_place(g, mine.vertex, degree);
        for (long long k = 0; k < degree; ++k) {
            const long long e = begin + (place + k < degree ? place + k : place + k - degree);
            const int other = indices[e];
            const unsigned char theirs = state[other];
            edges += 1;
            if (is_live(theirs)) lonely = false;
            if (theirs != BLUE || sigma[other] != mine.vertex) continue;
            const Choice choice = choice_of(g, e, other);
            if (choice > best) best = choice;
            if (g.select != WEIGHTED) break;
        }
        sigma[mine.vertex] = lonely ? LONELY : chosen(best);
    }
    if (best) TELL(RESPOND, mine.vertex, chosen(best), weight_of(best));
    RECORD_COUNTERS(record_effort(rec, mine.warp, step, {mine.there, red, edges,
                                  1 + warp_largest(edges), 0, best != 0, 0, 0});)
}

// Lines 27 to 33: a proposal with its response is a match.  `counts`: matched, dead.
SIMT_KERNEL(redblue_match)
(int n, unsigned char* state, const int* sigma, int* mate, int* counts, int step
 RECORD_PARAMS)
{
    const Mine mine = my_vertex(n);
    const bool live = mine.there && is_live(state[mine.vertex]);
    const int other = live ? sigma[mine.vertex] : NONE;
    const bool matched = other >= 0 && sigma[other] == mine.vertex;
    const bool dies = other == LONELY;
    RECORD_EVENTS(
        const int warp = mine.warp;
        if (matched && state[mine.vertex] == BLUE) TELL(MATCH, mine.vertex, other, 0.0f);
        if (dies) TELL(DIE, mine.vertex, NONE, 0.0f);)
    if (matched) mate[mine.vertex] = other;
    if (matched || dies) state[mine.vertex] = matched ? MATCHED : DEAD;
    add_to(counts, matched);
    add_to(counts + 1, dies);
    RECORD_COUNTERS(
        record_effort(rec, mine.warp, step, {mine.there, live, 0, 1, 0, 0, matched, dies});)
}

SIMT_EXPORT(redblue_colour)
SIMT_EXPORT(redblue_propose)
SIMT_EXPORT(redblue_respond)
SIMT_EXPORT(redblue_match)
