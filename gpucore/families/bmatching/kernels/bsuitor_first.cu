// The first round of b-Suitor where the heads of all lists are sorted: no proposal needs a lock.  Ours.
//
// Every vertex u proposes along the first b(u) edges of its list.  The last of them is its cursor,
// so v sees from the cursor of u whether u proposes to it: the edge is not below it.  The offers
// that v keeps are therefore the first b(v) such edges of its own list.
//   ask      a thread for a vertex: its cursor
//   take     a warp for a vertex: it walks down its list until it holds b(v) offers; where the head
//            ends too early, it picks the best of the rest
//   refuse   a warp for a vertex: its proposals that their targets do not hold are put off
// The next round is one of bsuitor.cu.  With a lock for each proposal, a hub that is asked by a
// hundred thousand neighbours takes them one after the other.
#include "simt.h"

#include "best_of_warp.cuh"
#include "bsuitor_round.cuh"
#include "record.cuh"

// Edges that a lane reads in one step: their cursors are random reads, which are waited for together.
constexpr int STEP = 4;

SIMT_KERNEL(bsuitor_first_ask)(int n, STATE_PARAMS)
{
    const long long u = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const Heads heads = HEADS;
    const Offers offers = OFFERS;
    if (u >= n) return;
    const int wanted = capacity_of(offers, (int)u);
    if (wanted == 0) return;                            // its cursor stays above all edges
    const long long last = heads.starts[u] + wanted - 1;
    cursors[u] = pack(heads.weights[last], heads.indices[last]);
}

// The offer along an edge of v with weight w, if its other end u proposes to v; else 0.
__device__ inline Bid offer_along(const Bid* cursors, int v, int u, float w)
{
    return pack(w, v) >= cursors[u] ? pack(w, u) : 0;
}

// Word of the offer at `place` in falling order: a cascade falls, a heap has its worst at the root.
__device__ inline int word_at(int place, int capacity)
{
    return capacity <= CASCADE ? place : capacity - 1 - place;
}

// Move a heap that is not full to the beginning of its words.
__device__ inline void move_down(Bid* words, int capacity, int held, int lane)
{
    const int shift = capacity - held;
    for (int base = 0; base < capacity; base += 32) {
        const int i = base + lane;
        const Bid word = i < held ? words[shift + i] : 0;
        __syncwarp();
        if (i < capacity) words[i] = word;
        __syncwarp();
    }
}

// A warp's walk along the list of v.
struct Walk {
    int v, lane, capacity;
    Bid* words;
    int held;
    unsigned read, turn;        // for the record: edges, chunks
    float gain;
};

// All lanes call with an offer, or 0, in falling order: keep those for which there is room.
__device__ inline void keep_offers(Walk& walk, Bid offer RECORD_PARAMS)
{
    const unsigned asking = __ballot_sync(ALL_LANES, offer != 0);
    const int place = walk.held + __popc(asking & ((1u << walk.lane) - 1));
    const bool taken = offer != 0 && place < walk.capacity;
    if (taken) walk.words[word_at(place, walk.capacity)] = offer;
    walk.held = min(walk.held + __popc(asking), walk.capacity);
    RECORD_EVENTS(record_events(rec, 0, walk.v, taken ? PROPOSE : NO_EVENT, vertex_of(offer), walk.v,
                                -1, weight_of(offer), (int)walk.turn);)
    RECORD_COUNTERS(
        walk.gain += warp_sum(taken ? weight_of(offer) : 0.0f);
        ++walk.turn;)
}

__device__ inline void walk_head(Walk& walk, Heads heads, const Bid* cursors RECORD_PARAMS)
{
    const long long begin = heads.starts[walk.v], end = heads.starts[walk.v + 1];
    for (long long base = begin; base < end && walk.held < walk.capacity; base += 32 * STEP) {
        Bid offer[STEP];
#pragma unroll
        for (int j = 0; j < STEP; ++j) {
            const long long e = base + 32 * j + walk.lane;
            offer[j] =
                e < end ? offer_along(cursors, walk.v, heads.indices[e], heads.weights[e]) : 0;
        }
#pragma unroll
        for (int j = 0; j < STEP; ++j) keep_offers(walk, offer[j] RECORD_COUNTERS(, rec));
        RECORD_COUNTERS(walk.read += (unsigned)min(end - base, 32ll * STEP);)
    }
}

// Behind the head the list is not sorted: look it through for the best 32 offers at a time.
__device__ inline void walk_rest(Walk& walk, Heads heads, const long long* indptr,
                                 const int* indices, const float* weights,
                                 const Bid* cursors RECORD_PARAMS)
{
    const int v = walk.v;
    const long long begin = indptr[v], end = indptr[v + 1], last = heads.starts[v + 1] - 1;
    if (last - heads.starts[v] + 1 == end - begin) return;
    Bid below = pack(heads.weights[last], heads.indices[last]);
    while (below != 0 && walk.held < walk.capacity) {
        const Bid best = best_of_warp<STEP>(
            begin, end, below, walk.lane, [=](long long e, Bid least) {
                const Bid edge = pack(weights[e], indices[e]);
                if (edge >= below || edge <= least) return (Bid)0;
                return offer_along(cursors, v, indices[e], weights[e]);
            });
        keep_offers(walk, best RECORD_COUNTERS(, rec));
        below = __shfl_sync(ALL_LANES, best, 31);
        RECORD_COUNTERS(walk.read += (unsigned)(end - begin);)
    }
}

SIMT_KERNEL(bsuitor_first_take, __launch_bounds__(256, 4))
(int n, const long long* indptr, const int* indices, const float* weights,
 STATE_PARAMS RECORD_PARAMS)
{
    const long long v = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (v >= n) return;
    const Heads heads = HEADS;
    const Offers offers = OFFERS;
    const int capacity = capacity_of(offers, (int)v);
    Walk walk = {(int)v, lane, capacity, offers.slots + offers.starts[v], 0, 0, 0, 0.0f};
    if (capacity > 0) {
        walk_head(walk, heads, cursors RECORD_COUNTERS(, rec));
        walk_rest(walk, heads, indptr, indices, weights, cursors RECORD_COUNTERS(, rec));
    }
    __syncwarp();
    const int held = walk.held;
    if (capacity > CASCADE && held < capacity) move_down(walk.words, capacity, held, lane);
    if (lane != 0) return;
    offers.sizes[v] = held;
    if (capacity > 0 && held == capacity)
        offers.worst[v] = (unsigned)(walk.words[word_at(capacity - 1, capacity)] >> 32);
    RECORD_COUNTERS(if (held > 0)
                        add_to_row(rec, (int)v, 0,
                                   {(unsigned)held, walk.read, (walk.read + 31) / 32 * 32,
                                    (unsigned)held, (unsigned)held, 0, 0, walk.gain});)
}

SIMT_KERNEL(bsuitor_first_refuse, __launch_bounds__(256))
(int n, STATE_PARAMS, ROUND_PARAMS RECORD_PARAMS)
{
    const long long u = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (u >= n) return;
    const Heads heads = HEADS;
    const Offers offers = OFFERS;
    const Round round = ROUND;
    const int proposals = capacity_of(offers, (int)u);
    const long long begin = heads.starts[u];
    int refused = 0;
    for (int base = 0; base < proposals; base += 32 * STEP) {
        bool out[STEP];
#pragma unroll
        for (int j = 0; j < STEP; ++j) {
            const int k = base + 32 * j + lane;
            out[j] = k < proposals && worst_offer(offers, heads.indices[begin + k]) >
                                          pack(heads.weights[begin + k], (int)u);
        }
#pragma unroll
        for (int j = 0; j < STEP; ++j) {
            refused += __popc(__ballot_sync(ALL_LANES, out[j]));
            RECORD_EVENTS(
                const int k = base + 32 * j + lane;
                record_events(rec, round.number, (int)u, out[j] ? OUTBID : NO_EVENT, (int)u,
                              out[j] ? heads.indices[begin + k] : -1, -1,
                              out[j] ? heads.weights[begin + k] : 0.0f, base / 32 + j);)
        }
    }
    if (lane != 0 || refused == 0) return;
    put_off(round, (int)u, refused);
    RECORD_COUNTERS(
        add_to_row(rec, (int)u, round.number,
                   {(unsigned)refused, (unsigned)refused, ((unsigned)refused + 31) / 32 * 32,
                    (unsigned)refused, 0, 0, 0, 0.0f});)
}

SIMT_EXPORT(bsuitor_first_ask)
SIMT_EXPORT(bsuitor_first_take)
SIMT_EXPORT(bsuitor_first_refuse)
