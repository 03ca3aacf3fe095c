// b-Suitor on several GPUs of one host: bsuitor_fast.cuh, with offers in the memory of other ranks.
//
// One small capacity of all vertices.  A rank has contiguous vertices with their rows and offers.  For
// every other vertex, a ghost, it has 4 bytes: the weight of a worst offer that the ghost has had,
// perhaps too low, never too high; and 8 b bytes for the best offers that this rank itself has for the
// ghost and has not delivered.
//   * In the first round all offers are entered here, those to ghosts too: thousands of vertices propose
//     to a hub, but every other rank sends it at most b offers.
//   * Where there are many ghosts, each rank packs its offers to them, and waits until all have done so.
//     Each then reads the others' offers to its own vertices, a stream instead of atomics over the link,
//     and writes the weights of its vertices' worst offers to all ranks.
//   * Where there are few, each rank copies the worst offers of its ghosts, and delivers its best b
//     for each ghost, by atomics on the owner's memory, but none below its worst.
//   * Then each rank makes the proposals that are owed; where there are few ghosts in the same way, with
//     further deliveries.  Access over the link takes several times as long as on the own card, and an
//     offer may need it several times.
//   * Later few proposals are left: those to ghosts are entered in the owner's memory at once.
//   * The proposer of an offer that falls out on another rank is counted in its owner's array of
//     arrivals.  The owner sweeps over it again and again; no kernel waits for another rank.  The run
//     ends when as many were taken as were counted.
// The order of proposals does not matter, so the result is the same on any number of ranks.
#include "simt.h"

#include "bsuitor_fast.cuh"
#include "marks.cuh"
#include "parcels.cuh"

// COLLECTS: offers to ghosts wait here to be delivered.
template <bool COLLECTS>
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
        if (COLLECTS || is_own(v)) return own_words(v - lo);
        return owners_words(v);
    }
    __device__ inline Bid* owners_words(int v) const
    {
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
    // What arrived is owed from now on.
    __device__ inline void take(int u) const
    {
        const unsigned before = first_time ? simt_load(owed + u) : 0;
        const unsigned came = take_byte(arrived, u);
        if (came > 0) tally.add(Tally::TAKEN, came);
        if (came > 0 || !first_time) simt_store(owed + u, before + came);
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
        count_for(loser);
    }
    // Count a proposal that a vertex of any rank has to make again.
    __device__ inline void count_for(int loser) const
    {
        const int owner = owner_of(bounds, ranks, loser), u = (int)(loser - bounds[owner]);
        unsigned char* counts = reinterpret_cast<unsigned char*>(arrived_of[owner]);
        ATOMIC_OF_ALL_RANKS(atomicAdd)(word_of(counts, u), one_for(u));
        tally.add(Tally::MARKED);
    }
    __device__ inline void proposed(int target) const
    {
        if (!COLLECTS && !is_own(target)) tally.add(Tally::ASKED);
    }
    // Of a ghost's words that wait here the last may be less than what is known of it.
    __device__ inline void left_last(int v, Bid word) const
    {
        const unsigned weight = (unsigned)(word >> 32);
        if (!COLLECTS || is_own(v) || weight > worst_weight(v)) simt_store(worst + v, weight);
    }
    __device__ inline unsigned worst_weight(int v) const { return simt_load(worst + v); }
    __device__ inline bool takes_equal(Bid offer, int v) const
    {
        return offer > simt_load(words(v) + each() - 1);
    }
};

// `slots` has places for every vertex of the graph, as on all ranks: offers of own vertices, and those
// to ghosts that wait here.
#define PEER_PARAMS                                                                              \
    int n, int lo, const long long *indptr, const int *indices, const float *weights,            \
        int capacity, Bid *slots, unsigned *worst, Bid *cursors, unsigned char *owed,            \
        HUB_PARAMS, int hub_blocks, const long long *bounds, int ranks,                          \
        const unsigned long long *slots_of, const unsigned long long *arrived_of,                \
        unsigned *tally, unsigned char *arrived
#define PART Part{n, lo, indptr, indices, weights}
#define PEERS(COLLECTS, first_time)                                                              \
    Peers<COLLECTS>                                                                              \
    {                                                                                            \
        {capacity, slots + (long long)lo * (SLOTS > 0 ? SLOTS : capacity), worst, cursors, owed}, \
            bounds, ranks, lo, n, slots_of, arrived_of, {tally}, arrived, first_time             \
    }

// The first round.  Shared memory as for bsuitor_fast_first.  A recorded run sends offers to ghosts to
// their owners at once: an event is a change at the target itself.
SIMT_KERNEL(bsuitor_peers_first, __launch_bounds__(256, FIRST_BLOCKS))(PEER_PARAMS RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    first_round(PART, PEERS(RECORD == 0, true), HUBS, hub_blocks, shared RECORD_COUNTERS(, rec));
}

// After the first round: make the proposals that were counted here, and if it is the first time those
// that the own vertices owe, and follow them as far as they stay on this rank.  Shared memory as for
// bsuitor_fast_rest.  `taken`: a counter of hubs, zeroed before.
SIMT_KERNEL(bsuitor_peers_collect, __launch_bounds__(256, REST_BLOCKS))
(PEER_PARAMS, int first_time, int* taken RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    follow_proposals(PART, PEERS(true, first_time != 0), HUBS, taken, hub_blocks, {1, 1},
                     shared RECORD_COUNTERS(, rec));
}

// The same with offers to ghosts in their owners' memory.
SIMT_KERNEL(bsuitor_peers_rest, __launch_bounds__(256, REST_BLOCKS))
(PEER_PARAMS, int first_time, int* taken RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    follow_proposals(PART, PEERS(false, first_time != 0), HUBS, taken, hub_blocks, {1, 1},
                     shared RECORD_COUNTERS(, rec));
}

// Later: make the proposals that were counted here.  `taken`: a counter of hubs, zeroed before.
SIMT_KERNEL(bsuitor_peers_sweep, __launch_bounds__(256, REST_BLOCKS))
(PEER_PARAMS, int round, int* taken RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    const Part p = PART;
    const auto peers = PEERS(false, false);
    if ((int)blockIdx.x < hub_blocks) {
        rest_of_hubs(p, peers, HUBS, taken, 32, hub_blocks, {round, 1},
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
        clock.batch += work_off(p, peers, desk.list, count, desk.order, lane, warp,
                                clock RECORD_COUNTERS(, rec));
        count = 0;
    };
    for_marked_groups(arrived, first, [&](long long u) {
        count = list_waiting(p, peers, u, desk.list, count, lane);
        if (count > SWEEP_LIST - WARP_VERTICES) work_off_list();
    });
    work_off_list();
}

// Copy the worst offers of ghosts, where they are larger than what this rank knows.  Send this rank's
// best offers to each ghost to its owner, but none below its worst, and count what falls out; at the
// first time own vertices owe it.  Shared memory: GHOSTS_OF_WARP ints a warp.
SIMT_KERNEL(bsuitor_peers_deliver)
(int n, int lo, int first, int last, int capacity, Bid* slots, unsigned* worst,
 unsigned char* owed, const long long* bounds, int ranks,
 const unsigned long long* slots_of, const unsigned long long* arrived_of, unsigned* tally,
 const unsigned long long* worst_of, int first_time)
{
    SIMT_DYN_SHARED(int, lists);
    const Peers<false> peers = {{capacity, slots, nullptr, nullptr, owed}, bounds, ranks, lo, n, slots_of,
                         arrived_of, {tally}, nullptr, true};
    unsigned asked = 0;
    for_ghosts_of_warp(
        Ghosts{lo, n, first, last}, bounds, ranks, worst_of, lists,
        [&](int v, unsigned theirs) {
            if (theirs > worst[v]) worst[v] = theirs;
            return *peers.own_words(v) != 0;
        },
        [&](int v) {
            Bid* best = peers.own_words(v);
            Bid* words = peers.owners_words(v);
            const unsigned least = (unsigned)(best[peers.each() - 1] >> 32);
            if (least > worst[v]) worst[v] = least;
            for (int k = 0; k < peers.each() && best[k] != 0; ++k) {
                Bid fallen = best[k];
                best[k] = 0;
                if ((unsigned)(fallen >> 32) >= worst[v]) {
                    fallen = enter<false>(peers, words, peers.each(), fallen);
                    ++asked;
                }
                if (fallen == 0) continue;
                if (first_time != 0) peers.put_off(vertex_of(fallen));
                else peers.count_for(vertex_of(fallen));
            }
        });
    __syncwarp();
    peers.tally.add_of_warp(Tally::ASKED, asked);
}

// Put the offers to ghosts of each owner's block of vertices to its beginning.
SIMT_KERNEL(bsuitor_peers_pack)
(int capacity, Bid* slots, unsigned* masks, const long long* bounds, int ranks, int rank)
{
    pack_ghosts(Parcels{bounds, ranks, rank, SLOTS > 0 ? SLOTS : capacity}, slots, masks);
}

// The offers of a vertex in registers, falling.  No thread writes those that are loaded, so the cache of
// the multiprocessor may hold what comes over the link: a vertex's words share their sectors.
struct Held {
    Bid offers[MOST];

    __device__ inline void load(const Bid* words, int each)
    {
#pragma unroll
        for (int i = 0; i < MOST; ++i) offers[i] = i < each ? words[i] : 0;
    }
    __device__ inline void store(Bid* words, int each) const
    {
#pragma unroll
        for (int i = 0; i < MOST; ++i)
            if (i < each) words[i] = offers[i];
    }
    __device__ inline Bid last(int each) const
    {
        Bid found = 0;
#pragma unroll
        for (int i = 0; i < MOST; ++i)
            if (i < each) found = offers[i];
        return found;
    }
    // Returns what falls out.
    __device__ inline Bid enter(Bid offer, int each)
    {
#pragma unroll
        for (int i = 0; i < MOST; ++i) {
            if (i >= each) break;
            const Bid held = offers[i];
            const bool better = offer > held;
            offers[i] = better ? offer : held;
            offer = better ? held : offer;
        }
        return offer;
    }
};

// Enter offers; returns how many there were.
__device__ inline int take_in(const Peers<false>& peers, Held& held, const Held& theirs)
{
    int came = 0;
#pragma unroll
    for (int i = 0; i < MOST; ++i) {
        if (theirs.offers[i] == 0) break;
        const Bid fallen = held.enter(theirs.offers[i], peers.each());
        if (fallen != 0) peers.put_off(vertex_of(fallen));
        ++came;
    }
    return came;
}

// Groups of vertices whose offers a warp reads at the same time, as many as fit the registers.
constexpr int TOGETHER = MOST <= 3 ? 4 : MOST <= 5 ? 2 : 1;

// Take the other ranks' offers to own vertices; a proposal that fell out waits for bsuitor_peers_rest,
// here or on its rank.  Show all ranks the worst offers.  No other rank is in a launch that writes
// offers here.
SIMT_KERNEL(bsuitor_peers_merge)
(int n, int lo, int capacity, Bid* slots, unsigned* worst, unsigned char* owed,
 const long long* bounds, int ranks, int rank, const unsigned long long* slots_of,
 const unsigned long long* masks_of, const unsigned long long* worst_of,
 const unsigned long long* arrived_of, unsigned* tally)
{
    const Peers<false> peers = {{capacity, slots, nullptr, nullptr, owed}, bounds, ranks, lo, n, slots_of,
                                arrived_of, {tally}, nullptr, true};
    const int each = peers.each(), lane = threadIdx.x % 32;
    const Parcels parcels = {bounds, ranks, rank, each};
    const long long block = (long long)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    const long long first = lo + PARCEL * block;
    if (first >= lo + n) return;
    unsigned came = 0;
    const int last_rank = rank == ranks - 1 ? ranks - 2 : ranks - 1;
    for (int r = 0; r < ranks; ++r) {
        if (r == rank) continue;
        const Parcel parcel = parcels.from(r, block, slots_of, masks_of);
        for (int k = 0; k < PARCEL / 32; k += TOGETHER) {
            int place[TOGETHER];
            Held held[TOGETHER], theirs[TOGETHER];
#pragma unroll
            for (int j = 0; j < TOGETHER; ++j) {
                const long long v = first + 32 * (k + j) + lane;
                place[j] = parcel.place(k + j);
                held[j].load(slots + v * each,
                             place[j] >= 0 || (r == last_rank && v < lo + n) ? each : 0);
                theirs[j].load(parcel.words + (long long)place[j] * each, place[j] >= 0 ? each : 0);
            }
#pragma unroll
            for (int j = 0; j < TOGETHER; ++j) {
                const long long v = first + 32 * (k + j) + lane;
                came += take_in(peers, held[j], theirs[j]);
                if (place[j] >= 0) held[j].store(slots + v * each, each);
                if (r == last_rank && v < lo + n)
                    show_to_all(worst_of, ranks, v, (unsigned)(held[j].last(each) >> 32));
            }
        }
    }
    peers.tally.add_of_warp(Tally::ASKED, came);
}

SIMT_EXPORT(bsuitor_peers_first)
SIMT_EXPORT(bsuitor_peers_collect)
SIMT_EXPORT(bsuitor_peers_rest)
SIMT_EXPORT(bsuitor_peers_sweep)
SIMT_EXPORT(bsuitor_peers_deliver)
SIMT_EXPORT(bsuitor_peers_pack)
SIMT_EXPORT(bsuitor_peers_merge)
