// b-Suitor on several ranks: the searches of bsuitor_fast.cu, over a graph that no rank has whole.
//
// Source: Khan et al., SIAM J. Sci. Comput. 38(5), 2016; on several processes Khan, Pothen, Patwary,
// Halappanavar, Satish, Sundaram, Dubey, "Designing scalable b-matching algorithms on distributed
// memory multiprocessors by approximation", SC 2016.  The order of proposals does not matter, so the
// result is the same on any number of ranks.
//
// A rank has contiguous vertices with their rows and their offers.  It keeps 4 bytes for every vertex
// of the whole graph, the weight of a worst offer that the vertex has had: perhaps too low, never too
// high.  A proposal in vain costs a message, not correctness.
//   "rounds"  proposals to vertices of other ranks are messages (target, proposer, weight).  Where an
//             offer of another rank's vertex falls out, an answer (proposer, target, weight of the
//             target's worst offer) goes there, and the proposer goes on in the next round.
//   "peers"   the proposer's rank enters the offer itself, by atomics on the owner's memory; the
//             proposer of an offer that falls out goes into its rank's queue of the next round.
// The proposer of an offer of the own rank goes on at once, in the lane that made it fall out.
#include "simt.h"

// Largest capacity, at most CASCADE; 0: not known.
#ifndef SLOTS
#define SLOTS 0
#endif
#include "bsuitor_search.cuh"
#include "ranks.cuh"

#ifndef WARP_TOKENS
#define WARP_TOKENS 64
#endif
#ifndef FIRST_BLOCKS
#define FIRST_BLOCKS (MOST <= 3 ? 4 : 3)
#endif
#ifndef REST_BLOCKS
#define REST_BLOCKS 3
#endif

// Events of later launches of a round have higher batch numbers.
constexpr int LATER_TURNS = 1 << 16;

__device__ inline bool is_own(Part p, int v) { return (unsigned)(v - p.lo) < (unsigned)p.n; }

struct State {
    Part part;
    Offers offers;              // of the own vertices, by their numbers in the part
    unsigned* worst;            // of all vertices; `offers.worst` is the own part of it
    Bid* cursors;               // of the own vertices

    __device__ inline unsigned worst_weight(int v) const { return simt_load(worst + v); }
    __device__ inline bool takes_equal(Bid offer, int v) const
    {
        return !is_own(part, v) || offer > worst_offer(offers, v - part.lo);
    }
    __device__ inline Seeker seeker(int u) const
    {
        const Bid cursor = simt_load(cursors + u);
        return returner(part, u, worst_offer(offers, u), cursor);
    }
};

// What came of a lane's proposal.
struct Outcome {
    bool entered;               // whether the offer was compared with others by this rank
    Bid fallen;                 // what fell out then
    int next;                   // the own vertex that has to propose again, -1 for none
};

// Proposals to other ranks are messages.
struct ByMail {
    const long long* bounds;
    int ranks;
    Mail proposals, answers;

    // All lanes call; `choice` is 0 in lanes that do not propose.
    __device__ Outcome propose(const State& s, int u, Bid choice, int lane) const
    {
        const Part p = s.part;
        const int v = vertex_of(choice);
        const bool own = choice != 0 && is_own(p, v);
        const Bid offer = choice != 0 ? with_vertex(choice, p.lo + u) : 0;
        const Bid fallen = enter(s.offers, own ? v - p.lo : -1, offer, lane);
        const int to = choice != 0 && !own ? owner_of(bounds, ranks, v) : -1;
        const unsigned message[3] = {to < 0 ? 0 : (unsigned)(v - (int)bounds[to]),
                                     (unsigned)(p.lo + u), (unsigned)(choice >> 32)};
        post(proposals, to, message);
        return {own, fallen, release(s, v, own ? fallen : 0)};
    }

    // All lanes call: an offer fell out at the own vertex v.  Returns its proposer if that is own;
    // others get an answer.
    __device__ int release(const State& s, int v, Bid fallen) const
    {
        const int loser = vertex_of(fallen);
        const bool own = loser >= 0 && is_own(s.part, loser);
        const int to = loser >= 0 && !own ? owner_of(bounds, ranks, loser) : -1;
        const unsigned message[3] = {to < 0 ? 0 : (unsigned)(loser - (int)bounds[to]), (unsigned)v,
                                     to < 0 ? 0 : simt_load(s.worst + v)};
        post(answers, to, message);
        return own ? loser - s.part.lo : -1;
    }
};

// Proposals to other ranks are atomics on their memory; all capacities are those of cascades.
struct ByPeers {
    const long long* bounds;
    int ranks;
    const unsigned long long* slots_of;     // each rank's offers, and their first words
    const unsigned long long* starts_of;
    const unsigned long long* queue_of;     // each rank's queue of the next round, and its length
    const unsigned long long* length_of;
    unsigned* tally;                        // words of other ranks that were asked; queued there

    __device__ Outcome propose(const State& s, int u, Bid choice, int) const
    {
        const Part p = s.part;
        if (choice == 0) return {false, 0, -1};
        const int v = vertex_of(choice), owner = owner_of(bounds, ranks, v);
        const long long* starts = reinterpret_cast<const long long*>(starts_of[owner]);
        const long long place = v - bounds[owner], begin = starts[place];
        const int capacity = (int)(starts[place + 1] - begin);
        Bid* words = reinterpret_cast<Bid*>(slots_of[owner]) + begin;
        const Bid fallen = enter_remote(words, capacity, with_vertex(choice, p.lo + u));
        const Bid last = capacity > 0 ? simt_load(words + capacity - 1) : ~0ull;
        if (last != 0) atomicMax(s.worst + v, (unsigned)(last >> 32));
        if (owner != owner_of(bounds, ranks, p.lo)) atomicAdd(tally, 1u);
        const int loser = vertex_of(fallen);
        if (loser < 0) return {true, fallen, -1};
        if (is_own(p, loser)) return {true, fallen, loser - p.lo};
        enqueue(loser);
        return {true, fallen, -1};
    }

    // As `enter_cascade`, on words that several ranks update.
    __device__ static Bid enter_remote(Bid* words, int capacity, Bid offer)
    {
        for (int i = 0; i < capacity && offer != 0; ++i) {
            if (simt_load(words + i) > offer) continue;
            const Bid previous = ATOMIC_OF_ALL_RANKS(atomicMax)(words + i, offer);
            if (previous < offer) offer = previous;
        }
        return offer;
    }

    __device__ void enqueue(int vertex) const
    {
        const int owner = owner_of(bounds, ranks, vertex);
        int* queue = reinterpret_cast<int*>(queue_of[owner]);
        int* length = reinterpret_cast<int*>(length_of[owner]);
        simt_store(queue + ATOMIC_OF_ALL_RANKS(atomicAdd)(length, 1),
                   vertex - (int)bounds[owner]);
        atomicAdd(tally + 1, 1u);
    }
};

#if RECORD >= 1
// Write down a turn.  Offers that went to other ranks are written down there.
__device__ inline void record_proposals(Recorder* rec, int warp, int round, int turn, Part p, int u,
                                        Bid choice, Outcome outcome, Effort effort)
{
    const bool sent = choice != 0 && !outcome.entered;
    record_turn(rec, warp, round, turn, u < 0 || sent ? -1 : p.lo + u, choice, outcome.fallen,
                effort);
}
#endif

// How many proposals u has to make.
__device__ inline int proposals_of(const State& s, int u)
{
    const long long degree = s.part.indptr[u + 1] - s.part.indptr[u];
    const int capacity = capacity_of(s.offers, u);
    return degree < capacity ? (int)degree : capacity;
}

// The first round, 32 neighbouring vertices a warp: every vertex proposes along its heaviest edges,
// up to MOST; proposals that it still has to make then go into the queue, one place each.
template <class Transport>
__device__ inline void first_round(const State& s, Transport transport, int* queue, int* length,
                                   unsigned char* orders RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32, warp_in_block = threadIdx.x / 32;
    const int warp = blockIdx.x * (blockDim.x / 32) + warp_in_block;
    const long long id = (long long)warp * 32 + lane;
    const int u = id < s.part.n ? (int)id : -1;
    const int wanted = u >= 0 ? proposals_of(s, u) : 0;
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
    if (wanted > MOST) {
        const int place = atomicAdd(length, wanted - MOST);
        for (int i = 0; i < wanted - MOST; ++i) queue[place + i] = u;
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

#define STATE_PARAMS                                                                              \
    int n, int lo, const long long *indptr, const int *indices, const float *weights, Bid *slots, \
        const long long *starts, unsigned *worst, int *locks, int *sizes, Bid *cursors
#define STATE                                                                                     \
    {{n, lo, indptr, indices, weights}, {slots, starts, worst + lo, locks, sizes}, worst, cursors}
#define MAIL_PARAMS                                                                               \
    const long long *bounds, int ranks, unsigned *proposals, const long long *proposal_starts,    \
        int *proposal_counts, unsigned *answers, const long long *answer_starts,                  \
        int *answer_counts
#define MAIL                                                                                      \
    {bounds, ranks, {proposals, proposal_starts, proposal_counts},                                \
     {answers, answer_starts, answer_counts}}
#define PEER_PARAMS                                                                               \
    const long long *bounds, int ranks, const unsigned long long *slots_of,                       \
        const unsigned long long *starts_of, const unsigned long long *queue_of,                  \
        const unsigned long long *length_of, unsigned *tally
#define PEERS {bounds, ranks, slots_of, starts_of, queue_of, length_of, tally}

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

SIMT_KERNEL(bsuitor_peers_first, __launch_bounds__(256, FIRST_BLOCKS))
(STATE_PARAMS, int* queue, int* length, PEER_PARAMS RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned char, orders);
    first_round(State STATE, ByPeers PEERS, queue, length, orders RECORD_COUNTERS(, rec));
}

SIMT_KERNEL(bsuitor_peers_rest, __launch_bounds__(256, REST_BLOCKS))
(STATE_PARAMS, const int* queue, int length, int round, PEER_PARAMS RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned char, orders);
    work_off(State STATE, ByPeers PEERS, queue, length, round, orders RECORD_COUNTERS(, rec));
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
SIMT_EXPORT(bsuitor_peers_first)
SIMT_EXPORT(bsuitor_peers_rest)
SIMT_EXPORT(bsuitor_ranks_deliver)
SIMT_EXPORT(bsuitor_ranks_answers)
