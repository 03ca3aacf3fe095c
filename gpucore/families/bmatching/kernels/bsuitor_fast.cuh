// The rounds of the tuned b-Suitor for one small capacity of all vertices, for one device and for
// several: organised around memory traffic.
//
// Source of the algorithm: Khan et al., SIAM J. Sci. Comput. 38(5), 2016.  Our changes, and why:
//   * In the first round every vertex proposes along its b heaviest edges, which it finds in one
//     stream over the weights (bsuitor_search.cuh).  No offer is read: the random reads are left to
//     the second part, which has fewer vertices and looks only at a window of their edges.
//   * The second part asks `worst`, a copy of the weight of every vertex's worst offer, 4 bytes
//     instead of 8 b: the cache holds more of them.  An outdated copy is too low, never too high:
//     a proposal that passes it in vain is refused by the offers themselves.
//   * A lane that makes an offer fall out goes on with its proposer, down from that one's cursor.
//     Several lanes may do so for the same proposer at a time; a CAS on the cursor decides.
//   * Lanes fit the degrees: groups of lanes for short adjacencies, whole warps for long ones, whole
//     blocks, the first of the grid, for hubs.
//
// What differs between one device and several is the class `State`: where the offers of neighbours
// are, and what becomes of proposals that have to be made again.
#pragma once

#include "bsuitor_offers.cuh"

// Hubs that a block takes at a time in the second part, where few of them have to propose.
constexpr int HUBS_AT_A_TIME = 8;

// The hubs of a block, one after the other; its first warp looks for them.
template <bool FIRST>
struct HubList {
    const int* hubs;
    int count;
    int* taken;
    int mine;                   // this lane's hub
    unsigned left;              // lanes whose hub is still to do; the same in all lanes

    template <class State>
    __device__ inline int find(const State& state)
    {
        const int lane = threadIdx.x % 32, batch = FIRST ? 1 : HUBS_AT_A_TIME;
        while (left == 0) {
            int begin = 0;
            if (lane == 0) begin = atomicAdd(taken, batch);
            begin = __shfl_sync(ALL_LANES, begin, 0);
            if (begin >= count) return -1;
            mine = lane < batch && begin + lane < count ? hubs[begin + lane] : -1;
            left = __ballot_sync(ALL_LANES, mine >= 0 && (FIRST || state.waiting(mine)));
        }
        const int u = __shfl_sync(ALL_LANES, mine, __ffs(left) - 1);
        left &= left - 1;
        return u;
    }
    // All threads of the block call; `owed` gets how often the hub has to propose.  `shared`: 33 bids.
    // Returns -1 at the end.
    template <class State>
    __device__ inline int next(const State& state, int* owed, Bid* shared)
    {
        int* found = reinterpret_cast<int*>(shared + 32);
        if (threadIdx.x < 32) {
            const int hub = find(state);
            if (threadIdx.x == 0) {
                found[0] = hub;
                found[1] = !FIRST && hub >= 0 ? state.take(hub) : 0;
            }
        }
        __syncthreads();
        const int u = found[0];
        *owed = found[1];
        __syncthreads();
        return u;
    }
};

// Largest bid of the block; every thread gets it.
__device__ inline Bid block_max(Bid bid, Bid* shared)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    bid = warp_max(bid);
    if (lane == 0) shared[warp] = bid;
    __syncthreads();
    bid = warp_max(lane < warps ? shared[lane] : 0);
    __syncthreads();
    return bid;
}

#if RECORD >= 1
// The row and the events of a hub's turn, by one thread; hubs have the last rows.
__device__ inline void record_hub(Recorder* rec, int hub_blocks, Clock clock, int turn, Seeker s,
                                  int number, int edges, Bid choice, Outcome outcome)
{
    const int row = (int)rec->warps - hub_blocks + blockIdx.x;
    const unsigned trips = (edges + blockDim.x - 1) / blockDim.x;
    const bool chose = choice != 0;
    const Bid own = chose ? with_vertex(choice, number) : 0;
    const bool accepted = chose && outcome.fallen != own, drops = accepted && outcome.fallen != 0;
    add_to_row(rec, row, clock.row,
               {1, (unsigned)edges, trips * blockDim.x, chose, accepted, drops, !chose,
                accepted ? weight_of(own) - weight_of(outcome.fallen) : 0.0f});
    RECORD_EVENTS(
        record_event(rec, clock.row, row, !chose ? EXHAUSTED : accepted ? PROPOSE : OUTBID, number,
                     vertex_of(choice), -1, weight_of(choice), 2 * turn);
        if (drops)
            record_event(rec, clock.row, row, DROP, number, vertex_of(choice), outcome.loser,
                         weight_of(outcome.fallen), 2 * turn + 1);)
}
#endif

// The first round of the hubs: a block finds the best edges, its first thread proposes.
template <class State>
__device__ inline void first_of_hubs(Part p, const State& state, const int* hubs, int* counters,
                                     int hub_blocks, Bid* shared RECORD_PARAMS)
{
    RECORD_COUNTERS(int turn = 0;)
    HubList<true> list = {hubs, counters[0], counters + 1, -1, 0};
    for (int u, owed; (u = list.next(state, &owed, shared)) >= 0;) {
        const Seeker s = newcomer(p, u);
        Best best, found;
        best.clear();
        found.clear();
        collect(p, s, threadIdx.x, blockDim.x, best);
#pragma unroll
        for (int i = 0; i < MOST; ++i) {
            if (i >= state.each()) break;
            found.edges[i] = block_max(best.edges[0], shared);
            if (found.edges[i] != 0 && best.edges[0] == found.edges[i]) best.remove_first();
        }
        if (threadIdx.x == 0) {
            name_edges(p, state.cursors, s, found);
#pragma unroll
            for (int i = 0; i < MOST; ++i) {
                if (found.edges[i] == 0) continue;
                const Outcome outcome = propose<true>(state, u, found.edges[i]);
                if (outcome.loser >= 0) state.put_off(outcome.loser);
                RECORD_COUNTERS(record_hub(rec, hub_blocks, {0, 0}, turn++, s, state.number(u),
                                           i == 0 ? s.degree : 0, found.edges[i], outcome);)
            }
        }
    }
}

// The second part of the hubs: a block follows each proposal that a hub owes to its end.
template <class State>
__device__ inline void rest_of_hubs(Part p, const State& state, const int* hubs, int num_hubs,
                                    int* taken, int hub_blocks, Clock clock,
                                    Bid* shared RECORD_PARAMS)
{
    int* next = reinterpret_cast<int*>(shared + 32);
    HubList<false> list = {hubs, num_hubs, taken, -1, 0};
    for (int hub, left; (hub = list.next(state, &left, shared)) >= 0;) {
        int u = -1;
        while (u >= 0 || left > 0) {
            if (u < 0) {
                u = hub;
                --left;
            }
            if (threadIdx.x == 0) shared[0] = simt_load(state.cursors + u);
            __syncthreads();
            const Seeker s = again(p, state, u, shared[0]);      // one cursor for all threads
            __syncthreads();
            const Bid choice =
                block_max(acceptable(p, state, s, threadIdx.x, blockDim.x), shared);
            if (threadIdx.x == 0) {
                *next = u;
                if (claim(state, s, choice)) {
                    Outcome outcome = {0, -1};
                    if (choice != 0) outcome = propose<false>(state, u, choice);
                    *next = state.own(outcome.loser);
                    RECORD_COUNTERS(record_hub(rec, hub_blocks, clock, clock.batch, s,
                                               state.number(u), s.degree, choice, outcome);)
                }
            }
            __syncthreads();
            u = *next;
            __syncthreads();
            RECORD_COUNTERS(
                ++clock.batch;
                if (!State::ROUNDS) ++clock.row;)
        }
    }
}

// The first round, 32 neighbouring vertices a warp; the first `hub_blocks` blocks take the hubs.
// `counters`: number of hubs; hubs taken in the first round; hubs taken in the second part.
// `shared`: 33 bids, and 32 bytes for each warp.
template <class State>
__device__ inline void first_round(Part p, const State& state, const int* hubs, int* counters,
                                   int hub_blocks, Bid* shared RECORD_PARAMS)
{
    if ((int)blockIdx.x < hub_blocks) {
        first_of_hubs(p, state, hubs, counters, hub_blocks, shared RECORD_COUNTERS(, rec));
        return;
    }
    const int lane = threadIdx.x % 32, warp_in_block = threadIdx.x / 32;
    const int warp = (blockIdx.x - hub_blocks) * (blockDim.x / 32) + warp_in_block;
    unsigned char* order = reinterpret_cast<unsigned char*>(shared + 33) + 32 * warp_in_block;

    const long long id = (long long)warp * 32 + lane;
    Seeker mine = id < p.n ? newcomer(p, (int)id) : no_seeker();
    if (mine.degree > HUB_DEGREE) mine = no_seeker();
    Best found;
    [[maybe_unused]] Effort effort = search<true>(p, state, mine, order, lane, state.each(), found);
    name_edges(p, state.cursors, mine, found);
#pragma unroll
    for (int i = 0; i < MOST; ++i) {
        if (i >= state.each()) break;
        const Bid choice = found.edges[i];
        Outcome outcome = {0, -1};
        if (choice != 0) outcome = propose<true>(state, mine.vertex, choice);
        if (outcome.loser >= 0) state.put_off(outcome.loser);
        RECORD_COUNTERS(
            // A vertex whose list ends here says so once.
            const bool ends = choice == 0 && (i == 0 || found.edges[i - 1] != 0);
            const int u = choice != 0 || ends ? state.number(mine.vertex) : -1;
            record_turn(rec, warp, 0, i, u, choice, outcome.fallen, effort);
            effort = {0, 0};)
    }
}

// List those of WARP_VERTICES neighbouring vertices that owe proposals, but not hubs; returns their
// number.
template <class State>
__device__ inline int list_waiting(Part p, const State& state, long long first, int* list, int lane)
{
    int count = 0;
    for (int k = lane; k < WARP_VERTICES; k += 32) {
        const long long u = first + k;
        const bool waiting =
            u < p.n && state.waiting((int)u) && p.indptr[u + 1] - p.indptr[u] <= HUB_DEGREE;
        const unsigned who = __ballot_sync(ALL_LANES, waiting);
        if (waiting) list[count + __popc(who & ((1u << lane) - 1))] = (int)u;
        count += __popc(who);
    }
    __syncwarp();
    return count;
}

// A lane takes a vertex of the list, follows each of the proposals that it owes to its end, and takes
// the next.  `order` are 32 bytes of shared memory.  Returns how many turns there were.
template <class State>
__device__ inline int work_off(Part p, const State& state, const int* list, int count,
                               unsigned char* order, int lane, int warp, Clock clock RECORD_PARAMS)
{
    const unsigned before = (1u << lane) - 1;
    const int begin = clock.batch;
    int own = -1, left = 0, u = -1;         // taken from the list; what it owes; who proposes now
    for (int taken = 0;;) {
        const unsigned idle = __ballot_sync(ALL_LANES, u < 0 && left == 0);
        const int place = taken + __popc(idle & before);
        if (u < 0 && left == 0 && place < count) {
            own = list[place];
            left = state.take(own);
        }
        taken += __popc(idle);
        if (u < 0 && left > 0) {
            u = own;
            --left;
        }
        if (!__any_sync(ALL_LANES, u >= 0)) break;
        const Seeker mine =
            u >= 0 ? again(p, state, u, simt_load(state.cursors + u)) : no_seeker();
        Best found;
        [[maybe_unused]] const Effort effort =
            search<false>(p, state, mine, order, lane, 1, found);
        const Bid choice = found.edges[0];
        bool ours = false;
        Outcome outcome = {0, -1};
        if (u >= 0 && claim(state, mine, choice)) {
            ours = true;
            if (choice != 0) outcome = propose<false>(state, u, choice);
            else if (u == own) left = 0;                // nor is there one for the others it owes
        }
        RECORD_COUNTERS(
            record_turn(rec, warp, clock.row, clock.batch, ours ? state.number(u) : -1, choice,
                        outcome.fallen, effort);
            if (!State::ROUNDS) ++clock.row;)
        ++clock.batch;
        if (ours) u = state.own(outcome.loser);         // else it was overtaken, and looks again
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
template <class State>
__device__ inline void follow_proposals(Part p, const State& state, const int* hubs, int num_hubs,
                                        int* taken, int hub_blocks, Clock clock,
                                        Bid* shared RECORD_PARAMS)
{
    if ((int)blockIdx.x < hub_blocks) {
        rest_of_hubs(p, state, hubs, num_hubs, taken, hub_blocks, clock,
                     shared RECORD_COUNTERS(, rec));
        return;
    }
    const int lane = threadIdx.x % 32;
    const int warp = (blockIdx.x - hub_blocks) * (blockDim.x / 32) + threadIdx.x / 32;
    const Desk desk = desk_of_warp(shared);
    const long long first = (long long)warp * WARP_VERTICES;
    const int count = list_waiting(p, state, first, desk.list, lane);
    work_off(p, state, desk.list, count, desk.order, lane, warp, clock RECORD_COUNTERS(, rec));
}
