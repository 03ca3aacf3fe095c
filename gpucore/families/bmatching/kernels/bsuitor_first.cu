// The first round of b-Suitor where all lists are sorted: no proposal needs a lock.  Ours.
//
// Every vertex u proposes along the first b(u) edges of its list.  The last of them is its cursor,
// so v sees from the cursor of u whether u proposes to it: the edge is not below it.  The offers
// that v keeps are therefore the first b(v) such edges of its own list.
//   ask      a thread for a vertex: its cursor
//   take     a warp for a vertex: it walks down its list until it holds b(v) offers
//   refuse   a lane for an edge: a proposal that its target does not hold is put off
// The next round is one of bsuitor.cu.  With a lock for each proposal, a hub that is asked by a
// hundred thousand neighbours takes them one after the other.
#include "simt.h"

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

// The offer along the list's edge `e`, if its other end proposes to v; else 0.
__device__ inline Bid offer_along(Heads heads, const Bid* cursors, int v, long long e)
{
    const int u = heads.indices[e];
    const float w = heads.weights[e];
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

SIMT_KERNEL(bsuitor_first_take, __launch_bounds__(256))(int n, STATE_PARAMS RECORD_PARAMS)
{
    const long long v = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (v >= n) return;
    const Heads heads = HEADS;
    const Offers offers = OFFERS;
    const long long end = heads.starts[v + 1];
    Bid* words = offers.slots + offers.starts[v];
    const int capacity = capacity_of(offers, (int)v);
    int held = 0;
    RECORD_COUNTERS(unsigned read = 0; float gain = 0.0f;)
    for (long long base = heads.starts[v]; base < end && held < capacity; base += 32 * STEP) {
        Bid offer[STEP];
#pragma unroll
        for (int j = 0; j < STEP; ++j) {
            const long long e = base + 32 * j + lane;
            offer[j] = e < end ? offer_along(heads, cursors, (int)v, e) : 0;
        }
#pragma unroll
        for (int j = 0; j < STEP; ++j) {
            const unsigned asking = __ballot_sync(ALL_LANES, offer[j] != 0);
            const int place = held + __popc(asking & ((1u << lane) - 1));
            const bool taken = offer[j] != 0 && place < capacity;
            if (taken) words[word_at(place, capacity)] = offer[j];
            RECORD_EVENTS(
                record_events(rec, 0, (int)v, taken ? PROPOSE : NO_EVENT, vertex_of(offer[j]),
                              (int)v, -1, weight_of(offer[j]),
                              (int)(base - heads.starts[v]) / 32 + j);)
            RECORD_COUNTERS(gain += warp_sum(taken ? weight_of(offer[j]) : 0.0f);)
            held = min(held + __popc(asking), capacity);
        }
        RECORD_COUNTERS(read += (unsigned)min(end - base, 32ll * STEP);)
    }
    __syncwarp();
    if (capacity > CASCADE && held < capacity) move_down(words, capacity, held, lane);
    if (lane != 0) return;
    offers.sizes[v] = held;
    if (capacity > 0 && held == capacity)
        offers.worst[v] = (unsigned)(words[word_at(capacity - 1, capacity)] >> 32);
    RECORD_COUNTERS(if (held > 0)
                        add_to_row(rec, (int)v, 0,
                                   {(unsigned)held, read, (read + 31) / 32 * 32, (unsigned)held,
                                    (unsigned)held, 0, 0, gain});)
}

// `rows` are the vertices of the lists' edges.
SIMT_KERNEL(bsuitor_first_refuse, __launch_bounds__(256))
(int n, STATE_PARAMS, ROUND_PARAMS, const int* rows, long long edges RECORD_PARAMS)
{
    const long long e = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const Heads heads = HEADS;
    const Offers offers = OFFERS;
    const Round round = ROUND;
    int u = -1, v = -1;
    float w = 0.0f;
    if (e < edges) {
        const int proposer = rows[e];
        v = heads.indices[e];
        w = heads.weights[e];
        const bool proposed = e - heads.starts[proposer] < capacity_of(offers, proposer);
        if (proposed && worst_offer(offers, v) > pack(w, proposer)) u = proposer;
    }
    if (u >= 0) put_off(round, u);
    RECORD_COUNTERS(
        const int warp = (int)(e / 32);
        const unsigned refused = warp_sum((unsigned)(u >= 0));
        if (refused > 0 && threadIdx.x % 32 == 0)
            add_to_row(rec, warp, round.number, {refused, refused, 32, refused, 0, 0, 0, 0.0f});)
    RECORD_EVENTS(record_events(rec, round.number, (int)(e / 32), u >= 0 ? OUTBID : NO_EVENT, u, v,
                                -1, w, 0);)
}

SIMT_EXPORT(bsuitor_first_ask)
SIMT_EXPORT(bsuitor_first_take)
SIMT_EXPORT(bsuitor_first_refuse)
