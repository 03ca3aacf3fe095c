// b-Suitor on several ranks, capacities up to CASCADE: the searches of bsuitor_fast.cu.  Larger
// capacities take lists by falling weight, bsuitor_ranks_sorted.cu; the offers and the answers that
// arrive are for both.
//
// Source: see bsuitor_ranks.cuh, which also describes the transports.
#include "simt.h"

#include "bsuitor_ranks.cuh"

#ifndef WARP_TOKENS
#define WARP_TOKENS 64
#endif
#ifndef FIRST_BLOCKS
#define FIRST_BLOCKS (MOST <= 3 ? 4 : 3)
#endif
#ifndef REST_BLOCKS
#define REST_BLOCKS 3
#endif

// The first round, 32 neighbouring vertices a warp: every vertex proposes along its heaviest edges,
// at most MOST.
template <class Transport>
__device__ inline void first_round(const State& s, Transport transport, int* queue, int* length,
                                   unsigned char* orders RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32, warp_in_block = threadIdx.x / 32;
    const int warp = blockIdx.x * (blockDim.x / 32) + warp_in_block;
    const long long id = (long long)warp * 32 + lane;
    const int u = id < s.part.n ? (int)id : -1;
    // Capacities are at most the degrees, so that each vertex has as many proposals to make.
    const int wanted = u >= 0 ? capacity_of(s.offers, u) : 0;
    const Seeker mine = wanted > 0 ? newcomer(s.part, u) : no_seeker();
    Best found;
    Effort effort = search<true>(s.part, s, mine, orders + 32 * warp_in_block, lane, MOST, found);
#pragma unroll
    for (int i = 0; i < MOST; ++i)
        if (i >= wanted) found.edges[i] = 0;
    name_edges(s.part, s.cursors, mine, found);
#pragma unroll
    for (int i = 0; i < MOST; ++i) {
        const Bid choice = found.edges[i];
        const Outcome outcome = transport.propose(s, u, choice, lane);
        append(queue, length, outcome.next >= 0, outcome.next);
        RECORD_COUNTERS(
            record_proposals(rec, warp, 0, i, s.part, choice != 0 ? u : -1, choice, outcome,
                             effort);
            effort = {0, 0};)
    }
}

// A warp takes WARP_TOKENS places of the queue; a lane makes the proposal of one, follows it as far
// as it stays on this rank, and takes the next.
template <class Transport>
__device__ inline void work_off(const State& s, Transport transport, const int* queue, int length,
                                int round, unsigned char* orders RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32, warp_in_block = threadIdx.x / 32;
    const int warp = blockIdx.x * (blockDim.x / 32) + warp_in_block;
    const long long begin = (long long)warp * WARP_TOKENS;
    const int count = (int)min((long long)WARP_TOKENS, length - begin);
    int u = -1;
    for (int taken = 0, turn = LATER_TURNS;; ++turn) {
        const unsigned idle = __ballot_sync(ALL_LANES, u < 0);
        const int place = taken + __popc(idle & ((1u << lane) - 1));
        if (u < 0 && place < count) u = queue[begin + place];
        taken += __popc(idle);
        if (!__any_sync(ALL_LANES, u >= 0)) break;
        const Seeker mine = u >= 0 ? s.seeker(u) : no_seeker();
        Best found;
        const Effort effort =
            search<false>(s.part, s, mine, orders + 32 * warp_in_block, lane, 1, found);
        Bid choice = found.edges[0];
        bool claimed = false;
        if (u >= 0 && choice == 0) simt_store(s.cursors + u, 0);
        if (u >= 0 && choice != 0)
            claimed = atomicCAS(s.cursors + u, mine.cursor, choice) == mine.cursor;
        const bool overtaken = choice != 0 && !claimed;         // it looks again
        if (overtaken) choice = 0;
        const Outcome outcome = transport.propose(s, u, choice, lane);
        RECORD_COUNTERS(record_proposals(rec, warp, round, turn, s.part, overtaken ? -1 : u,
                                         choice, outcome, effort);)
        if (!overtaken) u = outcome.next;
    }
}

// Shared memory of the four kernels that search: 32 bytes for each warp.
SIMT_KERNEL(bsuitor_ranks_first, __launch_bounds__(256, FIRST_BLOCKS))
(STATE_PARAMS, int* queue, int* length, MAIL_PARAMS RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned char, orders);
    first_round(State STATE, ByMail MAIL, queue, length, orders RECORD_COUNTERS(, rec));
}

SIMT_KERNEL(bsuitor_ranks_rest, __launch_bounds__(256, REST_BLOCKS))
(STATE_PARAMS, const int* queue, int length, int round, MAIL_PARAMS RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned char, orders);
    work_off(State STATE, ByMail MAIL, queue, length, round, orders RECORD_COUNTERS(, rec));
}

// Enter the offers that arrived.  Own proposers of what falls out go into the queue, others are
// answered.
SIMT_KERNEL(bsuitor_ranks_deliver)
(int count, const unsigned* letters, STATE_PARAMS, int* queue, int* length, int round,
 MAIL_PARAMS RECORD_PARAMS)
{
    const State s = STATE;
    const ByMail transport = MAIL;
    const int lane = threadIdx.x % 32;
    const long long warp = (blockIdx.x * (long long)blockDim.x + threadIdx.x) / 32;
    const long long stride = (long long)gridDim.x * blockDim.x;
    RECORD_COUNTERS(int turn = 0;)
    for (long long base = 32 * warp; base < count; base += stride) {
        const long long i = base + lane;
        const int target = i < count ? (int)letters[3 * i] : -1;
        const Bid offer =
            i < count ? (Bid)letters[3 * i + 2] << 32 | (letters[3 * i + 1] + 1) : 0;
        const Bid fallen = enter(s.offers, target, offer, lane);
        const int next = transport.release(s, lo + target, fallen);
        append(queue, length, next >= 0, next);
        RECORD_COUNTERS(
            record_turn(rec, (int)warp, round, turn++, vertex_of(offer),
                        offer != 0 ? with_vertex(offer, lo + target) : 0, fallen, Effort{0, 0});)
    }
}

// Take the answers that arrived: what the target holds is better, the proposer goes on.
SIMT_KERNEL(bsuitor_ranks_answers)
(int count, const unsigned* letters, unsigned* worst, int* queue, int* length)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    int u = -1;
    if (i < count) {
        u = (int)letters[3 * i];
        atomicMax(worst + letters[3 * i + 1], letters[3 * i + 2]);
    }
    append(queue, length, u >= 0, u);
}

SIMT_EXPORT(bsuitor_ranks_first)
SIMT_EXPORT(bsuitor_ranks_rest)
SIMT_EXPORT(bsuitor_ranks_deliver)
SIMT_EXPORT(bsuitor_ranks_answers)
