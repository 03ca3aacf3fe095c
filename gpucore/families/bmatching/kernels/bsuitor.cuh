// Shared by the kernels of b-Suitor: the offers that a vertex holds, and the kinds of events.
//
// Source: Khan, Pothen, Patwary, Satish, Sundaram, Manne, Halappanavar, Dubey, "Efficient
// approximation algorithms for weighted b-matching", SIAM J. Sci. Comput. 38(5), 2016.
//
// A vertex v with capacity b(v) holds its best b(v) offers, and only ever exchanges one for a better
// one.  Small capacities are a *cascade*: words in falling order, each raised by one atomicMax; what
// a word held before goes on to the next, and what leaves the last word falls out.  No lock is
// needed: word i ends as the (i + 1)-th best of all offers, whatever their order.  Large capacities
// are a *heap* of arity 32 with the worst offer at its root, under the lock of a warp: the lanes
// compare the 32 children of a node in one step.
#pragma once

#include "bid.cuh"

// Largest capacity that is kept as a cascade.
constexpr int CASCADE = 8;
constexpr int ARITY = 32;

enum BMatchingEvent : unsigned {
    NO_EVENT = 0,
    PROPOSE = 1,        // b takes the offer of a
    DROP = 2,           // the offer of c falls out at b, pushed by that of a
    OUTBID = 3,         // a proposes to b, which holds better offers only
    EXHAUSTED = 4,      // a has no neighbour left that would take its offer
};

struct Offers {
    Bid* slots;                 // the words of all vertices
    const long long* starts;    // first word of each vertex, n + 1
    unsigned* worst;            // weight bits of a worst offer: too low perhaps, never too high
    int* locks;                 // of the heaps; 1: taken
    int* sizes;                 // of the heaps: offers held
};

__device__ inline int capacity_of(Offers offers, int v)
{
    return (int)(offers.starts[v + 1] - offers.starts[v]);
}

// The offer that a new one has to beat: 0 while there is room.
__device__ inline Bid worst_offer(Offers offers, int v)
{
    const long long start = offers.starts[v], end = offers.starts[v + 1];
    if (end == start) return ~0ull;                 // capacity 0 takes nothing
    if (end - start <= CASCADE) return simt_load(offers.slots + end - 1);
    if (simt_load(offers.sizes + v) < end - start) return 0;
    __threadfence();                                // the root is not older than the size
    return simt_load(offers.slots + start);
}

// Put an offer into the words of a cascade.  Returns the offer that falls out: 0 if there was room,
// the offer itself if all words hold better ones.  Words only grow, so one that already holds
// more is passed without an atomic.
__device__ inline Bid enter_cascade(Bid* words, int capacity, Bid offer)
{
    for (int i = 0; i < capacity && offer != 0; ++i) {
        if (simt_load(words + i) > offer) continue;
        const Bid previous = atomicMax(words + i, offer);
        if (previous < offer) offer = previous;
    }
    return offer;
}

// Smallest word of the warp; every lane gets it.
__device__ inline Bid warp_min(Bid word) { return ~warp_max(~word); }

// Replace the root of a full heap and let the new offer sink; all lanes call.
__device__ inline void sink(Bid* heap, int size, Bid offer, int lane)
{
    int node = 0;
    for (;;) {
        const long long child = (long long)ARITY * node + 1 + lane;
        const Bid word = child < size ? simt_load(heap + child) : ~0ull;
        const Bid least = warp_min(word);
        if (least >= offer) break;
        if (lane == 0) simt_store(heap + node, least);
        node = ARITY * node + __ffs(__ballot_sync(ALL_LANES, word == least));
    }
    if (lane == 0) simt_store(heap + node, offer);
}

// Append to a heap that has room, and let the offer rise; one lane calls.
__device__ inline void rise(Bid* heap, int size, Bid offer)
{
    int node = size;
    while (node > 0) {
        const int parent = (node - 1) / ARITY;
        const Bid word = simt_load(heap + parent);
        if (word <= offer) break;
        simt_store(heap + node, word);
        node = parent;
    }
    simt_store(heap + node, offer);
}

// Put an offer into the heap of v; all lanes call with the same arguments.  Returns what falls out,
// as `enter_cascade` does.
__device__ inline Bid enter_heap(Offers offers, int v, Bid offer, int lane)
{
    const long long start = offers.starts[v];
    const int capacity = (int)(offers.starts[v + 1] - start);
    Bid* heap = offers.slots + start;
    int size = 0;
    if (lane == 0) {
        while (atomicCAS(offers.locks + v, 0, 1) != 0) __nanosleep(100);
        __threadfence();
        size = simt_load(offers.sizes + v);
    }
    size = __shfl_sync(ALL_LANES, size, 0);
    Bid fallen = 0;
    if (size < capacity) {
        if (lane == 0) {
            rise(heap, size, offer);
            __threadfence();                        // who sees the size sees the root
            simt_store(offers.sizes + v, size + 1);
        }
    } else {
        fallen = simt_load(heap);
        if (fallen > offer) fallen = offer;
        else sink(heap, size, offer, lane);
    }
    __syncwarp();
    if (lane == 0) {
        if (size + 1 >= capacity) simt_store(offers.worst + v, (unsigned)(simt_load(heap) >> 32));
        __threadfence();
        atomicExch(offers.locks + v, 0);
    }
    __syncwarp();
    return fallen;
}

// Each lane passes a target, or -1, and an offer to it; gets what falls out there.  All lanes call.
// Cascades are entered side by side, heaps one after the other by the whole warp.
__device__ inline Bid enter(Offers offers, int target, Bid offer, int lane)
{
    const int capacity = target < 0 ? 0 : capacity_of(offers, target);
    Bid fallen = target >= 0 && capacity == 0 ? offer : 0;
    if (capacity > 0 && capacity <= CASCADE) {
        Bid* words = offers.slots + offers.starts[target];
        fallen = enter_cascade(words, capacity, offer);
        const Bid last = simt_load(words + capacity - 1);
        if (last != 0) simt_store(offers.worst + target, (unsigned)(last >> 32));
    }
    unsigned waiting = __ballot_sync(ALL_LANES, capacity > CASCADE);
    while (waiting != 0) {
        const int owner = __ffs(waiting) - 1;
        waiting &= waiting - 1;
        const Bid result = enter_heap(offers, __shfl_sync(ALL_LANES, target, owner),
                                      __shfl_sync(ALL_LANES, offer, owner), lane);
        if (lane == owner) fallen = result;
    }
    return fallen;
}
