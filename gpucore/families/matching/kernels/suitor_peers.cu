// Suitor on several GPUs of one host: suitor_fast.cuh, with bids in the memory of other ranks.
//
// A rank has contiguous vertices with their rows, bids and marks.  For every other vertex, a ghost,
// it has 4 bytes: the weight of a bid that the ghost has had, perhaps too low, never too high; and 8
// bytes for the best bid that this rank itself has for the ghost and has not delivered.
//   * In the first round all bids are made here, those for ghosts too: thousands of vertices bid for a
//     hub, but every other rank sends it at most one bid.
//   * Where there are many ghosts, each rank packs its bids for them, and waits until all have done so.
//     Each then reads the others' bids for its own vertices, a stream instead of atomics over the link,
//     and writes what its vertices have to all ranks.
//   * Where there are few, each rank copies what the owners of its ghosts have, and delivers the best
//     bid for each ghost, one atomic on the owner's memory, unless the owner has a better one.
//   * Then each rank follows the chains of all losers; where there are few ghosts in the same way, with
//     further deliveries.  An atomic over the link takes several times as long as one on the own card,
//     and a chain waits for each.
//   * Later few proposals are left: those to ghosts are atomics on the owner's memory at once.
//   * Who loses on another rank is marked in its owner's array of arrivals.  The owner sweeps over it
//     again and again; no kernel waits for another rank.  The run ends when as many marks were taken
//     as were sent.
// The order of proposals does not matter, so the result is the same on any number of ranks.
#include "simt.h"

#include "marks.cuh"
#include "parcels.cuh"
#include "suitor_fast.cuh"

// COLLECTS: bids for ghosts wait here to be delivered.
template <bool COLLECTS>
struct Peers {
    static constexpr bool ROWS_ARE_SHARED = true;       // a row of the record is a round

    const long long* bounds;
    int ranks, lo, n;
    const unsigned long long* bids_of;      // each rank's bids, offers, and marks of what lost there
    const unsigned long long* offers_of;
    const unsigned long long* arrived_of;
    Tally tally;
    unsigned char* arrived;                 // marks that other ranks set here
    bool first_time;                        // whether vertices still wait from the first round

    __device__ inline bool is_own(int v) const { return (unsigned)(v - lo) < (unsigned)n; }
    __device__ inline int number(int u) const { return lo + u; }
    __device__ inline Bid* word(int v) const
    {
        const int owner = owner_of(bounds, ranks, v);
        return reinterpret_cast<Bid*>(bids_of[owner]) + v;
    }
    // Where bids wait here, a ghost's bid may be higher: one bid in vain is delivered, not many.
    __device__ inline Bid bid(State state, int v) const
    {
        return simt_load(COLLECTS || is_own(v) ? state.bids + (v - lo) : word(v));
    }
    __device__ inline Bid raise(State state, int v, Bid bid) const
    {
        if (COLLECTS || is_own(v))
            return ATOMIC_OF_ALL_RANKS(atomicMax)(state.bids + (v - lo), bid);
        tally.add(Tally::ASKED);
        return ATOMIC_OF_ALL_RANKS(atomicMax)(word(v), bid);
    }
    __device__ inline void refused(State state, int v, Bid bid) const
    {
        if (!is_own(v)) simt_store(state.offers + v, (unsigned)(bid >> 32));
    }
    // The loser's rank knows an offer of `v` that refuses it, and need not ask over the link.
    __device__ inline void displaced(int loser, int v, unsigned weight) const
    {
        if (is_own(loser)) return;
        const int owner = owner_of(bounds, ranks, loser);
        simt_store(reinterpret_cast<unsigned*>(offers_of[owner]) + v, weight);
    }
    __device__ inline bool waiting(State state, int u) const
    {
        return (first_time && state.unplaced[u]) || simt_load(arrived + u);
    }
    __device__ inline void take(int u) const
    {
        const bool marked = u >= 0 && take_byte(arrived, u) != 0;
        const unsigned who = __ballot_sync(ALL_LANES, marked);
        if (threadIdx.x % 32 == 0 && who != 0) tally.add(Tally::TAKEN, __popc(who));
    }
    // The own number of a vertex that has to propose again; -1 if it goes on elsewhere.
    __device__ inline int own(int loser) const
    {
        if (loser < 0 || is_own(loser)) return loser < 0 ? -1 : loser - lo;
        mark(loser);
        return -1;
    }
    __device__ inline void put_off(State state, int loser) const
    {
        if (is_own(loser)) state.unplaced[loser - lo] = 1;
        else mark(loser);
    }
    // Mark a vertex of another rank.
    __device__ inline void mark(int v) const
    {
        const int owner = owner_of(bounds, ranks, v);
        simt_store(reinterpret_cast<unsigned char*>(arrived_of[owner]) + (v - bounds[owner]), 1);
        tally.add(Tally::MARKED);
    }
};

// `bids` has a word for every vertex of the graph, as on all ranks: bids of own vertices, and those
// for ghosts that wait here.
#define PEER_PARAMS                                                                              \
    int n, int lo, const long long *indptr, const int *indices, const float *weights, Bid *bids,  \
        unsigned *offers, unsigned *last, unsigned char *unplaced,                               \
        const unsigned long long *offers_of, HUB_PARAMS, int hub_blocks,                         \
        const long long *bounds, int ranks,                                                      \
        const unsigned long long *bids_of, const unsigned long long *arrived_of, unsigned *tally, \
        unsigned char *arrived
#define PROBLEM Problem{n, indptr, indices, weights}
#define STATE State{bids + lo, offers, last, unplaced}
#define PEERS(COLLECTS, first_time)                                                              \
    Peers<COLLECTS>                                                                              \
    {                                                                                            \
        bounds, ranks, lo, n, bids_of, offers_of, arrived_of, {tally}, arrived, first_time       \
    }

// The first round.  Shared memory as for suitor_fast_first.  A recorded run sends bids for ghosts to
// their owners at once: an event is a change at the target itself.
SIMT_KERNEL(suitor_peers_first, __launch_bounds__(256, FIRST_BLOCKS))(PEER_PARAMS RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    first_round(PROBLEM, STATE, PEERS(RECORD == 0, true), HUBS, hub_blocks,
                shared RECORD_COUNTERS(, rec));
}

// After the first round: follow the chains of those that arrived, and if it is the first time those of
// the first round's losers, as far as they stay on this rank.  Shared memory as for suitor_fast_rest.
// `taken`: a counter of hubs, zeroed before.
SIMT_KERNEL(suitor_peers_collect, __launch_bounds__(256, REST_BLOCKS))
(PEER_PARAMS, int first_time, int* taken RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    follow_chains(PROBLEM, STATE, PEERS(true, first_time != 0), HUBS, taken, hub_blocks, {1, 1},
                  shared RECORD_COUNTERS(, rec));
}

// The same with bids for ghosts in their owners' memory.
SIMT_KERNEL(suitor_peers_rest, __launch_bounds__(256, REST_BLOCKS))
(PEER_PARAMS, int first_time, int* taken RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    follow_chains(PROBLEM, STATE, PEERS(false, first_time != 0), HUBS, taken, hub_blocks, {1, 1},
                  shared RECORD_COUNTERS(, rec));
}

// Later: follow the chains of those that arrived.  `taken`: a counter of hubs, zeroed before.
SIMT_KERNEL(suitor_peers_sweep, __launch_bounds__(256, REST_BLOCKS))
(PEER_PARAMS, int round, int* taken RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    const Problem p = PROBLEM;
    const State state = STATE;
    const auto peers = PEERS(false, false);
    if ((int)blockIdx.x < hub_blocks) {
        rest_of_hubs(p, state, peers, HUBS, taken, 32, hub_blocks, {round, 1},
                     shared RECORD_COUNTERS(, rec));
        return;
    }
    const int lane = threadIdx.x % 32;
    const int warp = (blockIdx.x - hub_blocks) * (blockDim.x / 32) + threadIdx.x / 32;
    const long long first = (long long)warp * SWEPT;
    if (first >= n) return;
    const Desk desk = desk_of_warp<SWEEP_LIST>(shared);
    Clock clock = {round, 1};
    int count = 0;
    const auto work_off_list = [&] {
        clock.batch += work_off(p, state, peers, desk.list, count, desk.order, lane, warp,
                                clock RECORD_COUNTERS(, rec));
        count = 0;
    };
    for_marked_groups(arrived, first, [&](long long u) {
        count = list_waiting(p, state, peers, u, desk.list, count, lane);
        if (count > SWEEP_LIST - WARP_VERTICES) work_off_list();
    });
    work_off_list();
}

// Copy the offers of ghosts, where they are larger than what this rank knows.  Send this rank's best
// bid for each ghost to its owner, if it is not known to lose, and mark who loses; at the first time the
// own losers wait for suitor_peers_rest.  Shared memory: GHOSTS_OF_WARP ints a warp.
SIMT_KERNEL(suitor_peers_deliver)
(int n, int lo, int first, int last, Bid* bids, unsigned* offers, unsigned char* unplaced,
 const long long* bounds, int ranks, const unsigned long long* bids_of,
 const unsigned long long* arrived_of, unsigned* tally, const unsigned long long* offers_of,
 int first_time)
{
    SIMT_DYN_SHARED(int, lists);
    const Peers<false> peers = {bounds, ranks, lo, n, bids_of, offers_of, arrived_of, {tally}, nullptr,
                                true};
    const State state = {nullptr, nullptr, nullptr, unplaced};
    unsigned asked = 0;
    for_ghosts_of_warp(
        Ghosts{lo, n, first, last}, bounds, ranks, offers_of, lists,
        [&](int v, unsigned theirs) {
            if (theirs > offers[v]) offers[v] = theirs;
            return bids[v] != 0;
        },
        [&](int v) {
            const Bid bid = bids[v];
            bids[v] = 0;
            Bid lost = bid;
            if ((unsigned)(bid >> 32) >= offers[v]) {
                const Bid previous = ATOMIC_OF_ALL_RANKS(atomicMax)(peers.word(v), bid);
                ++asked;
                offers[v] = (unsigned)((previous > bid ? previous : bid) >> 32);
                lost = previous < bid ? previous : bid;
            }
            if (lost == 0) return;
            if (first_time != 0) peers.put_off(state, vertex_of(lost));
            else peers.mark(vertex_of(lost));
        });
    __syncwarp();
    peers.tally.add_of_warp(Tally::ASKED, asked);
}

// Put the bids for ghosts of each owner's block of vertices to its beginning.
SIMT_KERNEL(suitor_peers_pack)
(Bid* bids, unsigned* masks, const long long* bounds, int ranks, int rank)
{
    pack_ghosts(Parcels{bounds, ranks, rank, 1}, bids, masks);
}

// Take the other ranks' bids for own vertices; who loses waits for suitor_peers_rest, here or on its
// rank.  Show all ranks what the vertices have.  No other rank is in a launch that writes bids here.
SIMT_KERNEL(suitor_peers_merge)
(int n, int lo, Bid* bids, unsigned* offers, unsigned char* unplaced, const long long* bounds,
 int ranks, int rank, const unsigned long long* bids_of, const unsigned long long* masks_of,
 const unsigned long long* offers_of, const unsigned long long* arrived_of, unsigned* tally)
{
    const Peers<false> peers = {bounds, ranks, lo, n, bids_of, offers_of, arrived_of, {tally}, nullptr,
                                true};
    const State state = {nullptr, nullptr, nullptr, unplaced};
    const Parcels parcels = {bounds, ranks, rank, 1};
    const int lane = threadIdx.x % 32;
    const long long block = (long long)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    const long long first = lo + PARCEL * block;
    if (first >= lo + n) return;
    Bid before[PARCEL / 32], best[PARCEL / 32];
#pragma unroll
    for (int k = 0; k < PARCEL / 32; ++k) {
        const long long v = first + 32 * k + lane;
        before[k] = best[k] = v < lo + n ? bids[v] : 0;
    }
    unsigned came = 0;
    for (int r = 0; r < ranks; ++r) {
        if (r == rank) continue;
        const Parcel parcel = parcels.from(r, block, bids_of, masks_of);
        Bid theirs[PARCEL / 32];
#pragma unroll
        for (int k = 0; k < PARCEL / 32; ++k) {
            const int place = parcel.place(k);
            theirs[k] = place >= 0 ? parcel.words[place] : 0;
            came += place >= 0;
        }
#pragma unroll
        for (int k = 0; k < PARCEL / 32; ++k) {
            if (theirs[k] == 0) continue;
            const Bid lost = theirs[k] < best[k] ? theirs[k] : best[k];
            best[k] = theirs[k] < best[k] ? best[k] : theirs[k];
            if (lost != 0) peers.put_off(state, vertex_of(lost));
        }
    }
#pragma unroll
    for (int k = 0; k < PARCEL / 32; ++k) {
        const long long v = first + 32 * k + lane;
        if (v >= lo + n) continue;
        if (best[k] != before[k]) bids[v] = best[k];
        show_to_all(offers_of, ranks, v, (unsigned)(best[k] >> 32));
    }
    peers.tally.add_of_warp(Tally::ASKED, came);
}

SIMT_EXPORT(suitor_peers_first)
SIMT_EXPORT(suitor_peers_collect)
SIMT_EXPORT(suitor_peers_rest)
SIMT_EXPORT(suitor_peers_sweep)
SIMT_EXPORT(suitor_peers_deliver)
SIMT_EXPORT(suitor_peers_pack)
SIMT_EXPORT(suitor_peers_merge)
