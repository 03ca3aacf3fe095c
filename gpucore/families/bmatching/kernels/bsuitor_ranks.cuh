// b-Suitor on several ranks by messages: what its kernels share, over a graph that no rank has whole.
//
// Shared by the searches of lists by neighbour (bsuitor_ranks.cu) and by weight
// (bsuitor_ranks_sorted.cu).
//
// Source: Khan et al., SIAM J. Sci. Comput. 38(5), 2016; on several processes Khan, Pothen, Patwary,
// Halappanavar, Satish, Sundaram, Dubey, "Designing scalable b-matching algorithms on distributed
// memory multiprocessors by approximation", SC 2016.  The order of proposals does not matter, so the
// result is the same on any number of ranks.
//
// A rank has contiguous vertices with their rows and their offers.  It keeps 4 bytes for every vertex
// of the whole graph, the weight of a worst offer that the vertex has had: perhaps too low, never too
// high.  A proposal in vain costs a message, not correctness.
// Proposals to vertices of other ranks are messages (target, proposer, weight).  Where an offer of
// another rank's vertex falls out, an answer (proposer, target, weight of the target's worst offer)
// goes there, and the proposer goes on in the next round.  (GPUs of one host: bsuitor_peers.cu.)
// The proposer of an offer of the own rank goes on at once, in the lane that made it fall out.
#pragma once

// Largest capacity, at most CASCADE; 0: not known.
#ifndef SLOTS
#define SLOTS 0
#endif
#include "bsuitor_search.cuh"
#include "ranks.cuh"

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
