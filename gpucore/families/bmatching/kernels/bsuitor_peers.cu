// b-Suitor on several GPUs of one host: bsuitor_fast.cuh, with offers in the memory of other ranks.
//
// One small capacity of all vertices.  A rank has contiguous vertices with their rows and offers.  For
// every other vertex, a ghost, it has 4 bytes: the weight of a worst offer that the ghost has had,
// perhaps too low, never too high; and 8 b bytes for the first round: the best offers that this rank
// itself has for the ghost.
//   * In the first round all offers are entered here, those to ghosts too.  Then each rank delivers
//     the best b for each ghost, by atomics on the owner's memory: thousands of vertices propose to a
//     hub, but every other rank sends it at most b offers.
//   * After the first round each rank copies the worst offers of its ghosts, so that few later
//     proposals are in vain.  A later offer to a ghost is entered in the owner's memory.
//   * The proposer of an offer that falls out on another rank is counted in its owner's array of
//     arrivals.  The owner sweeps over it again and again; no kernel waits for another rank.  The run
//     ends when as many were taken as were counted.
// The order of proposals does not matter, so the result is the same on any number of ranks.
#include "simt.h"

#include "bsuitor_fast.cuh"
#include "marks.cuh"

struct Peers : Arrays {
    static constexpr bool ROUNDS = true;                // a row of the record is a round

    const long long* bounds;
    int ranks, lo, n;
    const unsigned long long* slots_of;     // each rank's offers, and counts of what fell out there
    const unsigned long long* arrived_of;
    Tally tally;
    unsigned char* arrived;                 // counts of what fell out on other ranks
    bool first_time;                        // whether vertices still owe proposals of the first round

    __device__ inline bool is_own(int v) const { return (unsigned)(v - lo) < (unsigned)n; }
    __device__ inline int number(int u) const { return lo + u; }
    __device__ inline Bid* words(int v) const
    {
        if (is_own(v)) return own_words(v - lo);
        const int owner = owner_of(bounds, ranks, v);
        return reinterpret_cast<Bid*>(slots_of[owner]) + (long long)v * each();
    }
    __device__ inline Bid raise(Bid* word, Bid offer) const
    {
        return ATOMIC_OF_ALL_RANKS(atomicMax)(word, offer);
    }
    __device__ inline bool waiting(int u) const
    {
        return (first_time && owed[u] > 0) || simt_load(arrived + u) > 0;
    }
    // Who counts for the vertex again has seen its next offer, which is made after the fence.
    __device__ inline int take(int u) const
    {
        const unsigned came = simt_load(arrived + u);
        if (came > 0) {
            ATOMIC_OF_ALL_RANKS(atomicAdd)(word_of(arrived, u), 0u - came * one_for(u));
            __threadfence_system();
            tally.add(Tally::TAKEN, came);
        }
        return (int)came + (first_time ? owed[u] : 0);
    }
    // The own number of a vertex that has to propose again; -1 if it goes on elsewhere.
    __device__ inline int own(int loser) const
    {
        if (loser < 0 || is_own(loser)) return loser < 0 ? -1 : loser - lo;
        put_off(loser);
        return -1;
    }
    __device__ inline void put_off(int loser) const
    {
        if (is_own(loser)) {
            owe(loser - lo);
            return;
        }
        const int owner = owner_of(bounds, ranks, loser), u = (int)(loser - bounds[owner]);
        unsigned char* counts = reinterpret_cast<unsigned char*>(arrived_of[owner]);
        ATOMIC_OF_ALL_RANKS(atomicAdd)(word_of(counts, u), one_for(u));
        tally.add(Tally::MARKED);
    }
    __device__ inline void proposed(int target) const
    {
        if (!is_own(target)) tally.add(Tally::ASKED);
    }
    __device__ inline unsigned worst_weight(int v) const { return simt_load(worst + v); }
    __device__ inline bool takes_equal(Bid offer, int v) const
    {
        return offer > simt_load(words(v) + each() - 1);
    }
};

// In the first round offers to ghosts wait here.  A recorded run sends them to their owners at once:
// an event is a change at the target itself.
struct Collecting : Peers {
    __device__ inline Bid* words(int v) const
    {
        return RECORD >= 1 ? Peers::words(v) : own_words(v - lo);
    }
    __device__ inline void proposed(int target) const
    {
        if (RECORD >= 1) Peers::proposed(target);
    }
};

// `slots` has places for every vertex of the graph, as on all ranks: offers of own vertices, and in
// the first round this rank's best offers to ghosts.
#define PEER_PARAMS                                                                              \
    int n, int lo, const long long *indptr, const int *indices, const float *weights,            \
        int capacity, Bid *slots, unsigned *worst, Bid *cursors, unsigned char *owed,            \
        const int *hubs, int *counters, int hub_blocks, const long long *bounds, int ranks,      \
        const unsigned long long *slots_of, const unsigned long long *arrived_of,                \
        unsigned *tally, unsigned char *arrived
#define PART Part{n, lo, indptr, indices, weights}
#define PEERS(first_time)                                                                        \
    Peers                                                                                        \
    {                                                                                            \
        {capacity, slots + (long long)lo * (SLOTS > 0 ? SLOTS : capacity), worst, cursors, owed}, \
            bounds, ranks, lo, n, slots_of, arrived_of, {tally}, arrived, first_time             \
    }

// The first round.  Shared memory as for bsuitor_fast_first.
SIMT_KERNEL(bsuitor_peers_first, __launch_bounds__(256, FIRST_BLOCKS))(PEER_PARAMS RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    first_round(PART, Collecting{PEERS(true)}, hubs, counters, hub_blocks,
                shared RECORD_COUNTERS(, rec));
}

// After the first round: make the proposals that the own vertices owe, and follow them as far as they
// stay on this rank.  Shared memory as for bsuitor_fast_rest.
SIMT_KERNEL(bsuitor_peers_rest, __launch_bounds__(256, REST_BLOCKS))(PEER_PARAMS RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    follow_proposals(PART, PEERS(true), hubs, counters[0], counters + 2, hub_blocks, {1, 1},
                     shared RECORD_COUNTERS(, rec));
}

// Later: make the proposals that were counted here.  `taken`: a counter of hubs, zeroed before.
SIMT_KERNEL(bsuitor_peers_sweep, __launch_bounds__(256, REST_BLOCKS))
(PEER_PARAMS, int round, int* taken RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    const Part p = PART;
    const Peers peers = PEERS(false);
    if ((int)blockIdx.x < hub_blocks) {
        rest_of_hubs(p, peers, hubs, counters[0], taken, hub_blocks, {round, 1},
                     shared RECORD_COUNTERS(, rec));
        return;
    }
    const int lane = threadIdx.x % 32;
    const int warp = (blockIdx.x - hub_blocks) * (blockDim.x / 32) + threadIdx.x / 32;
    const long long first = (long long)warp * SWEPT;
    if (first >= n) return;
    const Desk desk = desk_of_warp(shared);
    Clock clock = {round, 1};
    for_marked_groups(arrived, first, [&](long long u) {
        const int count = list_waiting(p, peers, u, desk.list, lane);
        clock.batch += work_off(p, peers, desk.list, count, desk.order, lane, warp,
                                clock RECORD_COUNTERS(, rec));
    });
}

// Send this rank's best offers to each ghost to its owner, and count what falls out there.
SIMT_KERNEL(bsuitor_peers_deliver)(int n, int lo, int first, int last, int capacity, Bid* slots,
                                   unsigned char* owed, const long long* bounds, int ranks,
                                   const unsigned long long* slots_of,
                                   const unsigned long long* arrived_of, unsigned* tally)
{
    const Ghosts ghosts = {lo, n, first, last};
    const Peers peers = {{capacity, slots, nullptr, nullptr, owed}, bounds, ranks, lo, n, slots_of,
                         arrived_of, {tally}, nullptr, true};
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= ghosts.count()) return;
    const int v = ghosts.vertex(i);
    const Bid* best = peers.own_words(v);
    for (int k = 0; k < peers.each() && best[k] != 0; ++k) {
        const Bid fallen = enter<false>(peers, peers.words(v), peers.each(), best[k]);
        peers.proposed(v);
        if (fallen != 0) peers.put_off(vertex_of(fallen));
    }
}

// Copy the worst offers of ghosts, or take the worst of this rank's own where it is larger.
SIMT_KERNEL(bsuitor_peers_copy)(int n, int lo, int first, int last, int capacity,
                                const Bid* slots, const long long* bounds, int ranks,
                                const unsigned long long* worst_of, unsigned* worst)
{
    const Ghosts ghosts = {lo, n, first, last};
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= ghosts.count()) return;
    const int v = ghosts.vertex(i), owner = owner_of(bounds, ranks, v);
    const unsigned theirs = simt_load(reinterpret_cast<const unsigned*>(worst_of[owner]) + v);
    const unsigned ours = (unsigned)(slots[(v + 1ll) * capacity - 1] >> 32);
    worst[v] = theirs > ours ? theirs : ours;
}

SIMT_EXPORT(bsuitor_peers_first)
SIMT_EXPORT(bsuitor_peers_rest)
SIMT_EXPORT(bsuitor_peers_sweep)
SIMT_EXPORT(bsuitor_peers_deliver)
SIMT_EXPORT(bsuitor_peers_copy)
