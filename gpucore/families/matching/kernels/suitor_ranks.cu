// Suitor on several ranks by messages: the proposals of suitor_fast.cu, on parts of a graph.
//
// Source of the algorithm: Naim et al., HiPC 2015, algorithm 3; on several processes the idea of
// Manne and Bisseling, "A parallel approximation algorithm for the weighted maximum matching
// problem" (PPAM 2007): a rank works alone as far as it can, and then exchanges messages.
// The order of proposals does not matter, so the result is the same on any number of ranks.
//
// A rank has contiguous vertices with their rows.  It keeps 4 bytes for every vertex of the whole
// graph, the weight of a bid that the vertex has had: perhaps too low, never too high.  A proposal
// in vain costs a message, not correctness.  Every own vertex goes down its list of neighbours:
// its cursor only falls, so it never asks twice.
// Proposals to neighbours of other ranks become messages (target, proposer, weight).  The owner
// installs the bid; a refused proposer, or a displaced one, is answered by (proposer, weight of the
// better bid) and goes on in the next round.  (GPUs of one host: suitor_peers.cu.)
// A displaced vertex of the own rank goes on at once, in the lane that displaced it.  Only vertices
// of more than `hub_degree` neighbours wait for a launch in which each has a whole block.
#include "simt.h"

#include "matching.cuh"
#include "ranks.cuh"
#include "record.cuh"
#include "suitor_ranks.cuh"
#include "suitor_turns.cuh"

#ifndef FIRST_BLOCKS
#define FIRST_BLOCKS 5
#endif
#ifndef REST_BLOCKS
#define REST_BLOCKS 4
#endif

// Proposals to other ranks are messages.
struct ByMail {
    const long long* bounds;
    int ranks;
    Mail proposals, answers;

    __device__ Outcome propose(Part p, State state, int u, Bid choice) const
    {
        const bool own = choice != 0 && is_own(p, vertex_of(choice));
        Outcome outcome = {0, own, false, -1};
        if (choice != 0) simt_store(state.cursor + u, choice);
        if (own) {
            const Bid bid = with_vertex(choice, p.lo + u);
            outcome.previous = atomicMax(state.bids + (vertex_of(choice) - p.lo), bid);
            outcome.accepted = outcome.previous < bid;
        }
        const int v = vertex_of(choice);
        const int to = choice != 0 && !own ? owner_of(bounds, ranks, v) : -1;
        const unsigned proposal[3] = {to < 0 ? 0 : (unsigned)(v - (int)bounds[to]),
                                      (unsigned)(p.lo + u), (unsigned)(choice >> 32)};
        post(proposals, to, proposal);
        const int freed = outcome.accepted ? vertex_of(outcome.previous) : -1;
        if (own && !outcome.accepted) outcome.unplaced = u;
        else if (freed >= 0 && is_own(p, freed)) outcome.unplaced = freed - p.lo;
        answer(p, freed, choice);
        return outcome;
    }

    // All lanes call: let the rank of a vertex that lost to `bid` know the bid's weight.
    __device__ void answer(Part p, int vertex, Bid bid) const
    {
        const int to = vertex < 0 || is_own(p, vertex) ? -1 : owner_of(bounds, ranks, vertex);
        const unsigned message[2] = {to < 0 ? 0 : (unsigned)(vertex - (int)bounds[to]),
                                     (unsigned)(bid >> 32)};
        post(answers, to, message);
    }
};

// Shared memory: 32 bytes for each warp; of the kernels for hubs 32 bids.
SIMT_KERNEL(suitor_ranks_first, __launch_bounds__(256, FIRST_BLOCKS))
(int n, int lo, const long long* indptr, const int* indices, const float* weights, Bid* bids,
 unsigned* offers, Bid* cursor, int* queue, int* hubs, int* lengths, int hub_degree,
 const long long* bounds, int ranks, unsigned* proposals, const long long* proposal_starts,
 int* proposal_counts, unsigned* answers, const long long* answer_starts,
 int* answer_counts RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned char, orders);
    const ByMail transport = {bounds, ranks, {proposals, proposal_starts, proposal_counts},
                              {answers, answer_starts, answer_counts}};
    first_round(Part{n, lo, indptr, indices, weights}, State{bids, offers, cursor}, transport,
                Queues{queue, hubs, lengths, hub_degree}, orders RECORD_COUNTERS(, rec));
}

SIMT_KERNEL(suitor_ranks_rest, __launch_bounds__(256, REST_BLOCKS))
(int n, int lo, const long long* indptr, const int* indices, const float* weights, Bid* bids,
 unsigned* offers, Bid* cursor, int* queue, int* hubs, int* lengths, int hub_degree,
 const int* items, int count, int round, int batch,
 const long long* bounds, int ranks, unsigned* proposals, const long long* proposal_starts,
 int* proposal_counts, unsigned* answers, const long long* answer_starts,
 int* answer_counts RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned char, orders);
    const ByMail transport = {bounds, ranks, {proposals, proposal_starts, proposal_counts},
                              {answers, answer_starts, answer_counts}};
    work_off(Part{n, lo, indptr, indices, weights}, State{bids, offers, cursor}, transport,
             items, count, Queues{queue, hubs, lengths, hub_degree}, Clock{round, batch},
             orders RECORD_COUNTERS(, rec));
}

SIMT_KERNEL(suitor_ranks_hubs, __launch_bounds__(256, REST_BLOCKS))
(int n, int lo, const long long* indptr, const int* indices, const float* weights, Bid* bids,
 unsigned* offers, Bid* cursor, int* queue, int* hubs, int* lengths, int hub_degree,
 const int* items, int count, int round, int batch,
 const long long* bounds, int ranks, unsigned* proposals, const long long* proposal_starts,
 int* proposal_counts, unsigned* answers, const long long* answer_starts,
 int* answer_counts RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, best);
    const ByMail transport = {bounds, ranks, {proposals, proposal_starts, proposal_counts},
                              {answers, answer_starts, answer_counts}};
    work_off_hubs(Part{n, lo, indptr, indices, weights}, State{bids, offers, cursor}, transport,
                  items, count, Queues{queue, hubs, lengths, hub_degree}, Clock{round, batch},
                  best RECORD_COUNTERS(, rec));
}

// Install the proposals that arrived.  Losers of this rank go into the queue, others are answered.
SIMT_KERNEL(suitor_ranks_deliver)
(int count, const unsigned* letters, int n, int lo, Bid* bids, unsigned* offers, int* queue,
 int* length, int round, const long long* bounds, int ranks, unsigned* answers,
 const long long* answer_starts, int* answer_counts RECORD_PARAMS)
{
    const Part p = {n, lo, nullptr, nullptr, nullptr};
    const ByMail transport = {bounds, ranks, {}, {answers, answer_starts, answer_counts}};
    const int lane = threadIdx.x % 32;
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const long long stride = (long long)gridDim.x * blockDim.x;
    int batch = 0;
    for (long long base = 32ll * warp; base < count; base += stride, ++batch) {
        const long long i = base + lane;
        int target = 0;
        Bid bid = 0;
        Outcome outcome = {0, false, false, -1};
        int loser = -1;
        if (i < count) {
            target = (int)letters[3 * i];
            bid = (Bid)letters[3 * i + 2] << 32 | (letters[3 * i + 1] + 1);
            outcome.previous = atomicMax(bids + target, bid);
            outcome.asked = true;
            outcome.accepted = outcome.previous < bid;
            loser = vertex_of(outcome.accepted ? outcome.previous : bid);
            if (outcome.accepted) simt_store(offers + lo + target, (unsigned)(bid >> 32));
        }
        const bool own = loser >= 0 && is_own(p, loser);
        append(queue, length, own, loser - lo);
        transport.answer(p, loser, outcome.accepted ? bid : outcome.previous);
        RECORD_COUNTERS(record_turn(rec, warp, {round, batch}, false, bid, outcome, Effort{0, 0});)
        RECORD_EVENTS(
            record_events(rec, round, warp, event_kind(i < count, bid, outcome), vertex_of(bid),
                          lo + target, vertex_of(outcome.previous), weight_of(bid), batch);)
    }
}

// Take the answers that arrived: what the vertex asked last has a better bid.
SIMT_KERNEL(suitor_ranks_answers)(int count, const unsigned* letters, unsigned* offers,
                                  const Bid* cursor, int* queue, int* length)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    int u = -1;
    if (i < count) {
        u = (int)letters[2 * i];
        atomicMax(offers + vertex_of(cursor[u]), letters[2 * i + 1]);
    }
    append(queue, length, u >= 0, u);
}

// The weights of the own bids.
SIMT_KERNEL(suitor_ranks_offers)(int n, int lo, const Bid* bids, unsigned* offers)
{
    const long long u = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (u < n) offers[lo + u] = (unsigned)(bids[u] >> 32);
}

SIMT_EXPORT(suitor_ranks_first)
SIMT_EXPORT(suitor_ranks_rest)
SIMT_EXPORT(suitor_ranks_hubs)
SIMT_EXPORT(suitor_ranks_deliver)
SIMT_EXPORT(suitor_ranks_answers)
SIMT_EXPORT(suitor_ranks_offers)
