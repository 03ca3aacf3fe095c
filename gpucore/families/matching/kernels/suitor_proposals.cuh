// Proposals of the tuned Suitor: one, and one of each lane of a warp; see suitor_search.cuh.
#pragma once

#include "suitor_search.cuh"

// The result of a proposal.
struct Outcome {
    Bid previous;               // the target's bid before
    bool accepted;
    int loser;                  // the vertex that has to propose again, in the whole graph; -1: none
};

template <bool FIRST, class Others>
__device__ inline Outcome propose(State state, Others others, int u, Bid choice)
{
    const int v = vertex_of(choice), number = others.number(u);
    const unsigned weight = (unsigned)(choice >> 32);
    const Bid bid = with_vertex(choice, number);
    simt_store(state.last + u, weight);
    const Bid previous = others.raise(state, v, bid);
    const bool accepted = previous < bid;
    if (!FIRST && accepted) simt_store(state.offers + v, weight);
    if (!FIRST && accepted && previous != 0) others.displaced(vertex_of(previous), v, weight);
    if (!accepted) others.refused(state, v, previous);
    return {previous, accepted, accepted ? vertex_of(previous) : number};
}

__device__ inline unsigned event_kind(int u, Bid choice, Outcome outcome)
{
    if (u < 0) return NO_EVENT;
    if (choice == 0) return EXHAUSTED;
    if (!outcome.accepted) return OUTBID;
    return outcome.previous != 0 ? DISPLACE : PROPOSE_FREE;
}

// Let the lanes' seekers propose once, and record it.
template <bool FIRST, class Others>
__device__ inline Outcome turn(Problem p, State state, Others others, Seeker mine,
                               unsigned char* order, int lane, int warp, Clock clock RECORD_PARAMS)
{
    Effort effort = {0, 0};
    const Bid choice = search<FIRST>(p, state, others, mine, order, lane, effort);
    Outcome outcome = {0, false, -1};
    if (choice != 0) outcome = propose<FIRST>(state, others, mine.vertex, choice);
    RECORD_COUNTERS(
        const bool displacing = outcome.accepted && outcome.previous != 0;
        const unsigned counts = warp_sum((unsigned)(mine.vertex >= 0) | (choice != 0) << 8 |
                                         outcome.accepted << 16 | displacing << 24);
        const unsigned seekers = counts & 255, proposals = counts >> 8 & 255;
        const float gain = warp_sum(
            outcome.accepted ? weight_of(choice) - weight_of(outcome.previous) : 0.0f);
        const unsigned edges = warp_sum(effort.edges);
        const Row row = {seekers, edges, effort.lane_slots, proposals, counts >> 16 & 255,
                         counts >> 24, seekers - proposals, gain};
        if (lane == 0 && Others::ROWS_ARE_SHARED) add_to_row(rec, warp, clock.row, row);
        else if (lane == 0) record_row(rec, warp, clock.row, row);)
    RECORD_EVENTS(
        record_events(rec, clock.row, warp, event_kind(mine.vertex, choice, outcome),
                      others.number(mine.vertex), vertex_of(choice), vertex_of(outcome.previous),
                      weight_of(choice), clock.batch);)
    return outcome;
}
