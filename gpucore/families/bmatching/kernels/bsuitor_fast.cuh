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

#include "bsuitor_hubs.cuh"

// The first round of 32 neighbouring vertices, but not of hubs.  `order`: 32 bytes of shared memory.
template <class State>
__device__ inline void first_of_warp(Part p, const State& state, int warp,
                                     unsigned char* order RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32;
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

// The first round; the first `hub_blocks` blocks take the hubs.  `shared`: 33 bids, and 32 bytes for
// each warp.
template <class State>
__device__ inline void first_round(Part p, const State& state, Hubs hubs, int hub_blocks,
                                   Bid* shared RECORD_PARAMS)
{
    if ((int)blockIdx.x < hub_blocks) {
        first_of_hubs(p, state, hubs, hub_blocks, shared RECORD_COUNTERS(, rec));
        return;
    }
    const int warp_in_block = threadIdx.x / 32;
    const int warp = (blockIdx.x - hub_blocks) * (blockDim.x / 32) + warp_in_block;
    unsigned char* order = reinterpret_cast<unsigned char*>(shared + 33) + 32 * warp_in_block;
    first_of_warp(p, state, warp, order RECORD_COUNTERS(, rec));
}

// Add those of VERTICES neighbouring vertices that owe proposals, but not hubs, to a list of
// `count` vertices; returns their new number.
template <int VERTICES = WARP_VERTICES, class State>
__device__ inline int list_waiting(Part p, const State& state, long long first, int* list, int count,
                                   int lane)
{
    for (int base = 0; base < VERTICES; base += 32) {
        const int k = base + lane;
        const long long u = first + k;
        const bool waiting = k < VERTICES && u < p.n && state.waiting((int)u) &&
                             p.indptr[u + 1] - p.indptr[u] <= HUB_DEGREE;
        const unsigned who = __ballot_sync(ALL_LANES, waiting);
        if (waiting) {
            state.take((int)u);
            list[count + __popc(who & ((1u << lane) - 1))] = (int)u;
        }
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
            left = simt_load(state.owed + own);
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

// Shared memory of a warp after the first round: a list of LIST vertices, and 32 bytes, behind 33 bids.
struct Desk {
    int* list;
    unsigned char* order;
};

template <int LIST = WARP_VERTICES> __device__ inline Desk desk_of_warp(Bid* shared)
{
    const int warp = threadIdx.x / 32, warps = blockDim.x / 32;
    int* lists = reinterpret_cast<int*>(shared + 33);
    unsigned char* orders = reinterpret_cast<unsigned char*>(lists + LIST * warps);
    return {lists + LIST * warp, orders + 32 * warp};
}

// Everything after the first round, of VERTICES neighbouring vertices, but not of hubs.
template <int VERTICES = WARP_VERTICES, class State>
__device__ inline void rest_of_warp(Part p, const State& state, int warp, Desk desk,
                                    Clock clock RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32;
    const long long first = (long long)warp * VERTICES;
    const int count = list_waiting<VERTICES>(p, state, first, desk.list, 0, lane);
    work_off(p, state, desk.list, count, desk.order, lane, warp, clock RECORD_COUNTERS(, rec));
}

// Everything after the first round; the first `hub_blocks` blocks take the hubs.  `taken`: a counter
// of hubs, zeroed before.
template <class State>
__device__ inline void follow_proposals(Part p, const State& state, Hubs hubs, int* taken,
                                        int hub_blocks, Clock clock, Bid* shared RECORD_PARAMS)
{
    if ((int)blockIdx.x < hub_blocks) {
        rest_of_hubs(p, state, hubs, taken, HUBS_AT_A_TIME, hub_blocks, clock,
                     shared RECORD_COUNTERS(, rec));
        return;
    }
    const int warp = (blockIdx.x - hub_blocks) * (blockDim.x / 32) + threadIdx.x / 32;
    rest_of_warp(p, state, warp, desk_of_warp(shared), clock RECORD_COUNTERS(, rec));
}
