// The rounds of the tuned Suitor, for one device and for several; see suitor_search.cuh.
#pragma once

#include "suitor_hubs.cuh"

// The first round of 32 neighbouring vertices, but not of hubs.  `order`: 32 bytes of shared memory.
template <class Others>
__device__ inline void first_of_warp(Problem p, State state, Others others, int warp,
                                     unsigned char* order RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32;
    const long long id = (long long)warp * 32 + lane;
    Seeker mine = id < p.n ? newcomer(p, (int)id) : no_seeker();
    if (mine.degree > HUB_DEGREE) mine = no_seeker();
    const Outcome outcome = turn<true>(p, state, others, mine, order, lane, warp,
                                       {0, 0} RECORD_COUNTERS(, rec));
    if (outcome.loser >= 0) others.put_off(state, outcome.loser);
}

// The first round; the first `hub_blocks` blocks take the hubs.  `shared`: 33 bids, and 32 bytes for
// each warp.
template <class Others>
__device__ inline void first_round(Problem p, State state, Others others, Hubs hubs,
                                   int hub_blocks, Bid* shared RECORD_PARAMS)
{
    if ((int)blockIdx.x < hub_blocks) {
        first_of_hubs(p, state, others, hubs, hub_blocks, shared RECORD_COUNTERS(, rec));
        return;
    }
    const int warp_in_block = threadIdx.x / 32;
    const int warp = (blockIdx.x - hub_blocks) * (blockDim.x / 32) + warp_in_block;
    unsigned char* order = reinterpret_cast<unsigned char*>(shared + 33) + 32 * warp_in_block;
    first_of_warp(p, state, others, warp, order RECORD_COUNTERS(, rec));
}

// Add those of VERTICES neighbouring vertices that have to propose again, but not hubs, to a
// list of `count` vertices; returns their new number.
template <int VERTICES = WARP_VERTICES, class Others>
__device__ inline int list_waiting(Problem p, State state, Others others, long long first,
                                   int* list, int count, int lane)
{
    for (int base = 0; base < VERTICES; base += 32) {
        const int k = base + lane;
        const long long u = first + k;
        const bool waiting = k < VERTICES && u < p.n && others.waiting(state, (int)u) &&
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
template <int VERTICES = WARP_VERTICES, class Others>
__device__ inline void rest_of_warp(Problem p, State state, Others others, int warp, Desk desk,
                                    Clock clock RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32;
    const long long first = (long long)warp * VERTICES;
    const int count = list_waiting<VERTICES>(p, state, others, first, desk.list, 0, lane);
    work_off(p, state, others, desk.list, count, desk.order, lane, warp,
             clock RECORD_COUNTERS(, rec));
}

// Everything after the first round; the first `hub_blocks` blocks take the hubs.  `taken`: a counter
// of hubs, zeroed before.
template <class Others>
__device__ inline void follow_chains(Problem p, State state, Others others, Hubs hubs, int* taken,
                                     int hub_blocks, Clock clock, Bid* shared RECORD_PARAMS)
{
    if ((int)blockIdx.x < hub_blocks) {
        rest_of_hubs(p, state, others, hubs, taken, HUBS_AT_A_TIME, hub_blocks, clock,
                     shared RECORD_COUNTERS(, rec));
        return;
    }
    const int warp = (blockIdx.x - hub_blocks) * (blockDim.x / 32) + threadIdx.x / 32;
    rest_of_warp(p, state, others, warp, desk_of_warp(shared), clock RECORD_COUNTERS(, rec));
}
