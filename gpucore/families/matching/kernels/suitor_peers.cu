// Suitor on several GPUs of one host: suitor_fast.cuh, with bids in the memory of other ranks.
//
// A rank has contiguous vertices with their rows, their bids and their marks, and 4 bytes for every
// vertex of the whole graph: the weight of a bid that the vertex has had, perhaps too low, never too
// high.  A proposal to a vertex of another rank is an atomic on the owner's memory; who loses there
// is marked there, and goes on in the next round.  Marks of this round and of the next one are
// different arrays, so no rank waits for another.  After the first round each rank copies the offers
// of all others, so that few later proposals are in vain.
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
        return reinterpret_cast<Bid*>(bids_of[owner]) + (v - bounds[owner]);
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

#define PEER_PARAMS                                                                             \
    int n, int lo, const long long *indptr, const int *indices, const float *weights, Bid *bids, \
        unsigned *offers, unsigned *last, unsigned char *marks, const int *hubs, int *counters,  \
        int hub_blocks, int round, const long long *bounds, int ranks,                           \
        const unsigned long long *bids_of, const unsigned long long *marks_of, unsigned *tally

// The first round.  Shared memory as for suitor_fast_first.
SIMT_KERNEL(suitor_peers_first, __launch_bounds__(256, FIRST_BLOCKS))(PEER_PARAMS RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    first_round(Problem{n, indptr, indices, weights}, State{bids, offers, last, marks},
                Peers{bounds, ranks, lo, n, bids_of, marks_of, tally}, hubs, counters, hub_blocks,
                shared RECORD_COUNTERS(, rec));
}

// A later round: follow the chains of the marked vertices as far as they stay on this rank.  Shared
// memory as for suitor_fast_rest.
SIMT_KERNEL(suitor_peers_rest, __launch_bounds__(256, REST_BLOCKS))(PEER_PARAMS RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    follow_chains(Problem{n, indptr, indices, weights}, State{bids, offers, last, marks},
                  Peers{bounds, ranks, lo, n, bids_of, marks_of, tally}, hubs, counters,
                  hub_blocks, {round, 1}, shared RECORD_COUNTERS(, rec));
}

// Copy the offers of the vertices of other ranks.
SIMT_KERNEL(suitor_peers_offers)(int total, int lo, int n, const long long* bounds, int ranks,
                                 const unsigned long long* offers_of, unsigned* offers)
{
    const long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= total || (unsigned)((int)v - lo) < (unsigned)n) return;
    const int owner = owner_of(bounds, ranks, (int)v);
    offers[v] = simt_load(reinterpret_cast<const unsigned*>(offers_of[owner]) + v);
}

SIMT_EXPORT(suitor_peers_first)
SIMT_EXPORT(suitor_peers_rest)
SIMT_EXPORT(suitor_peers_offers)
