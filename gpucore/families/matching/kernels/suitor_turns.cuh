// Turns of Suitor on ranks: a vertex searches, its transport proposes, and who has to propose again
// goes on in the lane or into a queue.  Included by suitor_ranks.cu, after suitor_ranks.cuh.
#pragma once

#ifndef WARP_VERTICES
#define WARP_VERTICES 64
#endif

// The result of a proposal.
struct Outcome {
    Bid previous;               // the target's bid before
    bool asked, accepted;       // whether a bid was compared here; whether it was installed
    int unplaced;               // the own vertex that has to propose again, -1 for none
};

// Where an iteration of a warp stands in the record: round, and number of the step in it.
struct Clock {
    int round, batch;
};

__device__ inline unsigned event_kind(bool seeking, Bid choice, Outcome outcome)
{
    if (!seeking || (choice != 0 && !outcome.asked)) return NO_EVENT;
    if (choice == 0) return EXHAUSTED;
    if (!outcome.accepted) return OUTBID;
    return outcome.previous != 0 ? DISPLACE : PROPOSE_FREE;
}

#if RECORD >= 1
// Add what the lanes did to the warp's row of this round.  All lanes call.
__device__ inline void record_turn(Recorder* rec, int warp, Clock clock, bool seeking, Bid choice,
                                   Outcome outcome, Effort effort)
{
    const bool displacing = outcome.accepted && outcome.previous != 0;
    const bool asked = outcome.asked && choice != 0;
    const unsigned counts =
        warp_sum((unsigned)asked | outcome.accepted << 8 | displacing << 16);
    const unsigned found = warp_sum((unsigned)seeking | (seeking && choice == 0) << 8);
    const float gain = warp_sum(
        outcome.accepted ? weight_of(choice) - weight_of(outcome.previous) : 0.0f);
    const unsigned edges = warp_sum(effort.edges);
    if (threadIdx.x % 32 == 0)
        add_to_row(rec, warp, clock.round,
                   {found & 255, edges, effort.lane_slots, counts & 255, counts >> 8 & 255,
                    counts >> 16, found >> 8, gain});
}
#endif

// Let the lanes' vertices propose to their choices (0: none is left); returns the own vertex that has
// to propose again, or -1.  All lanes of the warp call.
template <bool FIRST, class Transport>
__device__ inline int settle(Part p, State state, Transport transport, int u, Bid choice,
                             Effort effort, int warp, Clock clock RECORD_PARAMS)
{
    const Outcome outcome = transport.propose(p, state, u, choice);
    if (!FIRST && outcome.accepted)
        simt_store(state.offers + vertex_of(choice), (unsigned)(choice >> 32));
    RECORD_COUNTERS(record_turn(rec, warp, clock, u >= 0, choice, outcome, effort);)
    RECORD_EVENTS(
        record_events(rec, clock.round, warp, event_kind(u >= 0, choice, outcome), p.lo + u,
                      vertex_of(choice), vertex_of(outcome.previous), weight_of(choice),
                      clock.batch);)
    return outcome.unplaced;
}

// Own vertices that have to propose again: those for lanes, and hubs, which get a block each.
struct Queues {
    int* vertices;
    int* hubs;
    int* lengths;                                       // of both
    int hub_degree;

    __device__ bool is_hub(Part p, int u) const
    {
        return u >= 0 && p.indptr[u + 1] - p.indptr[u] > hub_degree;
    }

    // All lanes call; those with u >= 0 add a vertex.
    __device__ void add(Part p, int u) const
    {
        const bool hub = is_hub(p, u);
        append(vertices, lengths, u >= 0 && !hub, u);
        append(hubs, lengths + 1, hub, u);
    }
};

// The first round, 32 neighbouring vertices a warp: every vertex but the hubs proposes to its
// heaviest neighbour.  Who has to propose again goes into the queues.
template <class Transport>
__device__ inline void first_round(Part p, State state, Transport transport, Queues queues,
                                   unsigned char* orders RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32, warp_in_block = threadIdx.x / 32;
    const int warp = blockIdx.x * (blockDim.x / 32) + warp_in_block;
    const long long id = (long long)warp * 32 + lane;
    const bool hub = id < p.n && queues.is_hub(p, (int)id);
    const Seeker mine = id < p.n && !hub ? seeker(p, state, (int)id) : no_seeker();
    Effort effort = {0, 0};
    const Bid choice =
        search<true>(p, state, mine, orders + 32 * warp_in_block, lane, effort);
    const int unplaced = settle<true>(p, state, transport, mine.vertex, choice, effort, warp,
                                      {0, 0} RECORD_COUNTERS(, rec));
    queues.add(p, unplaced);
    append(queues.hubs, queues.lengths + 1, hub, (int)id);
}

// A warp takes WARP_VERTICES vertices of the queue; a lane follows the chain of displacements of
// one as far as it stays on this rank, and takes the next.
template <class Transport>
__device__ inline void work_off(Part p, State state, Transport transport, const int* queue,
                                int length, Queues queues, Clock clock,
                                unsigned char* orders RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32, warp_in_block = threadIdx.x / 32;
    const int warp = blockIdx.x * (blockDim.x / 32) + warp_in_block;
    const long long begin = (long long)warp * WARP_VERTICES;
    const int count = (int)min((long long)WARP_VERTICES, length - begin);
    int u = -1;
    for (int taken = 0;; ++clock.batch) {
        const unsigned idle = __ballot_sync(ALL_LANES, u < 0);
        const int place = taken + __popc(idle & ((1u << lane) - 1));
        if (u < 0 && place < count) u = queue[begin + place];
        taken += __popc(idle);
        if (!__any_sync(ALL_LANES, u >= 0)) break;
        const bool hub = queues.is_hub(p, u);
        append(queues.hubs, queues.lengths + 1, hub, u);
        const Seeker mine = u >= 0 && !hub ? seeker(p, state, u) : no_seeker();
        Effort effort = {0, 0};
        const Bid choice =
            search<false>(p, state, mine, orders + 32 * warp_in_block, lane, effort);
        u = settle<false>(p, state, transport, mine.vertex, choice, effort, warp,
                          clock RECORD_COUNTERS(, rec));
    }
}

// A block takes one hub after the other; each proposes once.  `best`: 32 bids of shared memory.
template <class Transport>
__device__ inline void work_off_hubs(Part p, State state, Transport transport, const int* hubs,
                                     int count, Queues queues, Clock clock,
                                     Bid* best RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (int i = blockIdx.x; i < count; i += gridDim.x, ++clock.batch) {
        const Seeker hub = seeker(p, state, hubs[i]);
        const Bid found = warp_max(acceptable(p, state, hub, threadIdx.x, blockDim.x));
        if (lane == 0) best[warp] = found;
        __syncthreads();
        if (warp == 0) {
            const Bid most = warp_max(lane < warps ? best[lane] : 0);
            Effort effort = {0, 0};
            RECORD_COUNTERS(
                const unsigned trips = (hub.degree + blockDim.x - 1) / blockDim.x;
                if (lane == 0) effort = {(unsigned)hub.degree, trips * blockDim.x};)
            const int unplaced = settle<false>(
                p, state, transport, lane == 0 ? hub.vertex : -1, lane == 0 ? most : 0, effort,
                blockIdx.x * warps, clock RECORD_COUNTERS(, rec));
            queues.add(p, unplaced);
        }
        __syncthreads();                                // `best` may be written again
    }
}
