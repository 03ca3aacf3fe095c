// Suitor on several GPUs of one host: suitor_fast.cuh, with bids in the memory of other ranks.
//
// A rank has contiguous vertices with their rows, bids and marks.  For every other vertex, a ghost,
// it has 4 bytes: the weight of a bid that the ghost has had, perhaps too low, never too high; and 8
// bytes for the first round: the best bid that this rank itself has for the ghost.
//   * In the first round all bids are made here, those for ghosts too.  Then each rank delivers the
//     best bid for each ghost, one atomic on the owner's memory: thousands of vertices bid for a hub,
//     but every other rank sends it one bid.
//   * After the first round each rank copies the offers of its ghosts, so that few later proposals
//     are in vain.  A later proposal to a ghost is an atomic on the owner's memory.
//   * Who loses is marked at its owner and goes on in the next round.  Marks of this round and of the
//     next one are different arrays, so no rank waits for another.
// The order of proposals does not matter, so the result is the same on any number of ranks.
#include "simt.h"

#include "ranks.cuh"
#include "suitor_fast.cuh"

// Words that a tally is spread over, so that warps do not wait for each other.
constexpr int SPREAD = 256;

struct Peers {
    static constexpr bool ROWS_ARE_SHARED = true;       // a row of the record is a round

    const long long* bounds;
    int ranks, lo, n;
    const unsigned long long* bids_of;      // each rank's bids, and marks of the next round
    const unsigned long long* marks_of;
    unsigned* tally;                        // bids and marks that went to other ranks

    __device__ inline bool is_own(int v) const { return (unsigned)(v - lo) < (unsigned)n; }
    __device__ inline int number(int u) const { return lo + u; }
    __device__ inline Bid* word(int v) const
    {
        const int owner = owner_of(bounds, ranks, v);
        return reinterpret_cast<Bid*>(bids_of[owner]) + v;
    }
    __device__ inline Bid bid(State state, int v) const
    {
        return simt_load(is_own(v) ? state.bids + (v - lo) : word(v));
    }
    __device__ inline Bid raise(State state, int v, Bid bid) const
    {
        if (is_own(v)) return ATOMIC_OF_ALL_RANKS(atomicMax)(state.bids + (v - lo), bid);
        count(0);
        return ATOMIC_OF_ALL_RANKS(atomicMax)(word(v), bid);
    }
    __device__ inline void refused(State state, int v, Bid bid) const
    {
        if (!is_own(v)) simt_store(state.offers + v, (unsigned)(bid >> 32));
    }
    // The own number of a vertex that has to propose again; -1 if it goes on elsewhere.
    __device__ inline int own(int loser) const
    {
        if (loser < 0 || is_own(loser)) return loser < 0 ? -1 : loser - lo;
        mark(loser);
        return -1;
    }
    __device__ inline void put_off(State, int loser) const { mark(loser); }
    __device__ inline void mark(int v) const
    {
        const int owner = owner_of(bounds, ranks, v);
        simt_store(reinterpret_cast<unsigned char*>(marks_of[owner]) + (v - bounds[owner]), 1);
        if (!is_own(v)) count(1);
    }
    __device__ inline void count(int what) const
    {
        atomicAdd(tally + SPREAD * what + (blockIdx.x + threadIdx.x / 32) % SPREAD, 1u);
    }
};

// In the first round bids for ghosts wait here.  A recorded run sends them to their owners at once:
// an event is a change at the target itself.
struct Collecting : Peers {
    __device__ inline Bid raise(State state, int v, Bid bid) const
    {
        if (RECORD >= 1) return Peers::raise(state, v, bid);
        return ATOMIC_OF_ALL_RANKS(atomicMax)(state.bids + (v - lo), bid);
    }
};

// `bids` has a word for every vertex of the graph, as on all ranks: bids of own vertices, and in the
// first round this rank's best bids for ghosts.
#define PEER_PARAMS                                                                             \
    int n, int lo, const long long *indptr, const int *indices, const float *weights, Bid *bids, \
        unsigned *offers, unsigned *last, unsigned char *marks, const int *hubs, int *counters,  \
        int hub_blocks, int round, const long long *bounds, int ranks,                           \
        const unsigned long long *bids_of, const unsigned long long *marks_of, unsigned *tally

// The first round.  Shared memory as for suitor_fast_first.
SIMT_KERNEL(suitor_peers_first, __launch_bounds__(256, FIRST_BLOCKS))(PEER_PARAMS RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    first_round(Problem{n, indptr, indices, weights}, State{bids + lo, offers, last, marks},
                Collecting{{bounds, ranks, lo, n, bids_of, marks_of, tally}}, hubs, counters,
                hub_blocks, shared RECORD_COUNTERS(, rec));
}

// A later round: follow the chains of the marked vertices as far as they stay on this rank.  Shared
// memory as for suitor_fast_rest.
SIMT_KERNEL(suitor_peers_rest, __launch_bounds__(256, REST_BLOCKS))(PEER_PARAMS RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    follow_chains(Problem{n, indptr, indices, weights}, State{bids + lo, offers, last, marks},
                  Peers{bounds, ranks, lo, n, bids_of, marks_of, tally}, hubs, counters,
                  hub_blocks, {round, 1}, shared RECORD_COUNTERS(, rec));
}

// Send this rank's best bid for each ghost to its owner, and mark who loses.
SIMT_KERNEL(suitor_peers_deliver)(int n, int lo, int first, int last, Bid* bids,
                                  const long long* bounds, int ranks,
                                  const unsigned long long* bids_of,
                                  const unsigned long long* marks_of, unsigned* tally)
{
    const Ghosts ghosts = {lo, n, first, last};
    const Peers peers = {bounds, ranks, lo, n, bids_of, marks_of, tally};
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= ghosts.count()) return;
    const int v = ghosts.vertex(i);
    const Bid bid = bids[v];
    if (bid == 0) return;
    const Bid previous = ATOMIC_OF_ALL_RANKS(atomicMax)(peers.word(v), bid);
    peers.count(0);
    const Bid lost = previous < bid ? previous : bid;
    if (lost != 0) peers.mark(vertex_of(lost));
}

// Copy the offers of ghosts.
SIMT_KERNEL(suitor_peers_offers)(int n, int lo, int first, int last, const long long* bounds,
                                 int ranks, const unsigned long long* offers_of, unsigned* offers)
{
    const Ghosts ghosts = {lo, n, first, last};
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= ghosts.count()) return;
    const int v = ghosts.vertex(i), owner = owner_of(bounds, ranks, v);
    offers[v] = simt_load(reinterpret_cast<const unsigned*>(offers_of[owner]) + v);
}

SIMT_EXPORT(suitor_peers_first)
SIMT_EXPORT(suitor_peers_rest)
SIMT_EXPORT(suitor_peers_deliver)
SIMT_EXPORT(suitor_peers_offers)
