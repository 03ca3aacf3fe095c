// The rounds of the tuned Suitor, for one device and for several; see suitor_search.cuh.
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

// Hubs that a block takes at a time in the second part, where few of them have to propose.
constexpr int HUBS_AT_A_TIME = 8;

// The first warp of a block looks for the block's next hub.
template <bool FIRST>
struct HubList {
    const int* hubs;
    int count;
    int* taken;
    int mine;                   // this lane's hub
    unsigned left;              // lanes whose hub is still to do; the same in all lanes

    // Returns -1 at the end.
    template <class Others>
    __device__ inline int next(State state, Others others)
    {
        const int lane = threadIdx.x % 32, batch = FIRST ? 1 : HUBS_AT_A_TIME;
        while (left == 0) {
            int begin = 0;
            if (lane == 0) begin = atomicAdd(taken, batch);
            begin = __shfl_sync(ALL_LANES, begin, 0);
            if (begin >= count) return -1;
            mine = lane < batch && begin + lane < count ? hubs[begin + lane] : -1;
            const bool wanted = mine >= 0 && (FIRST || others.waiting(state, mine));
            left = __ballot_sync(ALL_LANES, wanted);
            if (!FIRST) others.take(wanted ? mine : -1);
        }
        const int u = __shfl_sync(ALL_LANES, mine, __ffs(left) - 1);
        left &= left - 1;
        return u;
    }
};

// A block takes one hub after the other; in the second part it follows the hub's chain of
// displacements.  `shared`: 33 bids.
template <bool FIRST, class Others>
__device__ inline void search_hubs(Problem p, State state, Others others, const int* hubs,
                                   int count, int* taken, int hub_blocks, Clock clock,
                                   Bid* shared RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    int* next = reinterpret_cast<int*>(shared + 32);
    HubList<FIRST> list = {hubs, count, taken, -1, 0};
    int u = -1;                                         // the same for the whole block
    for (;;) {
        if (u < 0) {
            if (warp == 0) {
                const int hub = list.next(state, others);
                if (lane == 0) *next = hub;
            }
            __syncthreads();
            u = *next;
            __syncthreads();
            if (u < 0) return;
        }
        const Seeker s = FIRST ? newcomer(p, u) : returner(p, state, u);
        Bid choice = warp_max(FIRST ? heaviest(p, s, threadIdx.x, blockDim.x)
                                    : acceptable(p, state, others, s, threadIdx.x, blockDim.x));
        if (lane == 0) shared[warp] = choice;
        __syncthreads();
        if (warp == 0) {
            choice = warp_max(lane < warps ? shared[lane] : 0);
            if (FIRST) choice = with_vertex(choice, p.indices[s.begin + vertex_of(choice)]);
            if (lane == 0) {
                Outcome outcome = {0, false, -1};
                if (choice != 0) outcome = propose<FIRST>(state, others, u, choice);
                if (FIRST && outcome.loser >= 0) others.put_off(state, outcome.loser);
                *next = FIRST ? -1 : others.own(outcome.loser);
                RECORD_COUNTERS(
                    const int row = (int)rec->warps - hub_blocks + blockIdx.x;  // the last rows
                    const unsigned trips = (s.degree + blockDim.x - 1) / blockDim.x;
                    const float gain = weight_of(choice) - weight_of(outcome.previous);
                    add_to_row(rec, row, clock.row,
                               {1, (unsigned)s.degree, trips * blockDim.x, choice != 0,
                                outcome.accepted, outcome.accepted && outcome.previous != 0,
                                choice == 0, outcome.accepted ? gain : 0.0f});)
                RECORD_EVENTS(
                    record_event(rec, clock.row, row, event_kind(u, choice, outcome),
                                 others.number(u), vertex_of(choice), vertex_of(outcome.previous),
                                 weight_of(choice), clock.batch);)
            }
        }
        __syncthreads();
        u = *next;
        __syncthreads();                                // `shared` may be written again
        RECORD_COUNTERS(
            if (!FIRST) {
                ++clock.batch;
                if (!Others::ROWS_ARE_SHARED) ++clock.row;
            })
    }
}

// The first round, 32 neighbouring vertices a warp; the first `hub_blocks` blocks take the hubs.
// `counters`: number of hubs; hubs taken in the first round; hubs taken in the second part.
// `shared`: 33 bids, and 32 bytes for each warp.
template <class Others>
__device__ inline void first_round(Problem p, State state, Others others, const int* hubs,
                                   int* counters, int hub_blocks, Bid* shared RECORD_PARAMS)
{
    if ((int)blockIdx.x < hub_blocks) {
        search_hubs<true>(p, state, others, hubs, counters[0], counters + 1, hub_blocks, {0, 0},
                          shared RECORD_COUNTERS(, rec));
        return;
    }
    const int lane = threadIdx.x % 32, warp_in_block = threadIdx.x / 32;
    const int warp = (blockIdx.x - hub_blocks) * (blockDim.x / 32) + warp_in_block;
    unsigned char* order = reinterpret_cast<unsigned char*>(shared + 33) + 32 * warp_in_block;

    const long long id = (long long)warp * 32 + lane;
    Seeker mine = id < p.n ? newcomer(p, (int)id) : no_seeker();
    if (mine.degree > HUB_DEGREE) mine = no_seeker();
    const Outcome outcome = turn<true>(p, state, others, mine, order, lane, warp,
                                       {0, 0} RECORD_COUNTERS(, rec));
    if (outcome.loser >= 0) others.put_off(state, outcome.loser);
}

// List those of WARP_VERTICES neighbouring vertices that have to propose again, but not hubs;
// returns their number.
template <class Others>
__device__ inline int list_waiting(Problem p, State state, Others others, long long first,
                                   int* list, int lane)
{
    int count = 0;
    for (int k = lane; k < WARP_VERTICES; k += 32) {
        const long long u = first + k;
        const bool waiting = u < p.n && others.waiting(state, (int)u) &&
                             p.indptr[u + 1] - p.indptr[u] <= HUB_DEGREE;
        const unsigned who = __ballot_sync(ALL_LANES, waiting);
        others.take(waiting ? (int)u : -1);
        if (waiting) list[count + __popc(who & ((1u << lane) - 1))] = (int)u;
        count += __popc(who);
    }
    __syncwarp();
    return count;
}

// A lane takes a vertex of the list, follows its chain of displacements to the end, and takes the
// next.  `order` are 32 bytes of shared memory.  Returns how many turns there were.
template <class Others>
__device__ inline int work_off(Problem p, State state, Others others, const int* list, int count,
                               unsigned char* order, int lane, int warp, Clock clock RECORD_PARAMS)
{
    const unsigned before = (1u << lane) - 1;
    const int begin = clock.batch;
    int u = -1;                                         // the vertex this lane goes on with
    for (int taken = 0;;) {
        const unsigned idle = __ballot_sync(ALL_LANES, u < 0);
        const int place = taken + __popc(idle & before);
        if (u < 0 && place < count) u = list[place];
        taken += __popc(idle);
        if (!__any_sync(ALL_LANES, u >= 0)) break;
        const Seeker mine = u >= 0 ? returner(p, state, u) : no_seeker();
        u = others.own(turn<false>(p, state, others, mine, order, lane, warp,
                                   clock RECORD_COUNTERS(, rec)).loser);
        ++clock.batch;
        if (!Others::ROWS_ARE_SHARED) ++clock.row;
    }
    return clock.batch - begin;
}

// Shared memory of a warp after the first round: WARP_VERTICES ints and 32 bytes, behind 33 bids.
struct Desk {
    int* list;
    unsigned char* order;
};

__device__ inline Desk desk_of_warp(Bid* shared)
{
    const int warp = threadIdx.x / 32, warps = blockDim.x / 32;
    int* lists = reinterpret_cast<int*>(shared + 33);
    unsigned char* orders = reinterpret_cast<unsigned char*>(lists + WARP_VERTICES * warps);
    return {lists + WARP_VERTICES * warp, orders + 32 * warp};
}

// Everything after the first round, WARP_VERTICES neighbouring vertices a warp; the first
// `hub_blocks` blocks take the hubs.  `taken`: a counter of hubs, zeroed before.
template <class Others>
__device__ inline void follow_chains(Problem p, State state, Others others, const int* hubs,
                                     int num_hubs, int* taken, int hub_blocks, Clock clock,
                                     Bid* shared RECORD_PARAMS)
{
    if ((int)blockIdx.x < hub_blocks) {
        search_hubs<false>(p, state, others, hubs, num_hubs, taken, hub_blocks, clock,
                           shared RECORD_COUNTERS(, rec));
        return;
    }
    const int lane = threadIdx.x % 32;
    const int warp = (blockIdx.x - hub_blocks) * (blockDim.x / 32) + threadIdx.x / 32;
    const Desk desk = desk_of_warp(shared);
    const long long first = (long long)warp * WARP_VERTICES;
    const int count = list_waiting(p, state, others, first, desk.list, lane);
    work_off(p, state, others, desk.list, count, desk.order, lane, warp,
             clock RECORD_COUNTERS(, rec));
}
