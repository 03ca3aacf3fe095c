// The state of the tuned b-Suitor on one device, and a proposal; see bsuitor_fast.cuh.
#pragma once

// Capacity of every vertex, 1 to CASCADE; 0: given at run time, as on the host.
#ifndef SLOTS
#define SLOTS 0
#endif
#include "bsuitor_search.cuh"
#include "bytes.cuh"

#ifndef WARP_VERTICES
#define WARP_VERTICES 64
#endif
// The same in the one launch of a small graph, which has warps to spare: so few that all of them search
// at the same time.
#ifndef SMALL_VERTICES
#define SMALL_VERTICES 16
#endif
#ifndef FIRST_BLOCKS
#define FIRST_BLOCKS (SLOTS == 1 ? 6 : MOST <= 3 ? 5 : MOST <= 5 ? 4 : 3)
#endif
#ifndef REST_BLOCKS
#define REST_BLOCKS 4
#endif

// Counts of proposals are bytes: add one for a vertex to the word that has its byte.
__device__ inline unsigned one_for(int u) { return 1u << bit_of(u); }

// Arrays of the vertices of this device; `worst` is of all vertices of the graph.
struct Arrays {
    int capacity;
    Bid* slots;                 // `capacity` words a vertex: its offers, falling
    unsigned* worst;            // weight bits of its last word, or of an earlier value of that
    Bid* cursors;               // the last edge along which it proposed; 0: exhausted
    unsigned char* owed;        // proposals that it has to make again, at most `capacity`

    __device__ inline int each() const { return SLOTS > 0 ? SLOTS : capacity; }
    __device__ inline Bid* own_words(int u) const { return slots + (long long)u * each(); }
    __device__ inline void owe(int u) const
    {
        if (SLOTS == 1) owed[u] = 1;
        else atomicAdd(word_of(owed, u), one_for(u));
    }
};

// Where an iteration of a warp stands in the record: its row, and its place in the order of events.
struct Clock {
    int row, batch;
};

// The whole graph is on this device; what other devices need is in bsuitor_peers.cu.
struct Alone : Arrays {
    static constexpr bool ROUNDS = false;               // a row of the record is an iteration

    __device__ inline int number(int u) const { return u; }             // in the whole graph
    __device__ inline Bid* words(int v) const { return own_words(v); }
    __device__ inline Bid raise(Bid* word, Bid offer) const { return atomicMax(word, offer); }
    __device__ inline int own(int loser) const { return loser; }
    __device__ inline void put_off(int u) const { owe(u); }
    // Whether a vertex has to propose again; after it is taken `owed` says how often.
    __device__ inline bool waiting(int u) const { return owed[u] > 0; }
    __device__ inline void take(int) const {}
    __device__ inline void proposed(int) const {}
    // An offer entered there left this word as the last.
    __device__ inline void left_last(int v, Bid word) const
    {
        simt_store(worst + v, (unsigned)(word >> 32));
    }
    __device__ inline unsigned worst_weight(int v) const { return simt_load(worst + v); }
    __device__ inline bool takes_equal(Bid offer, int v) const
    {
        return offer > simt_load(words(v) + each() - 1);
    }
};

// A vertex that proposes again.
template <class State>
__device__ inline Seeker again(Part p, const State& state, int u, Bid cursor)
{
    return returner(p, u, simt_load(state.own_words(u) + state.each() - 1), cursor);
}

// What came of a proposal.
struct Outcome {
    Bid fallen;                 // the offer that fell out at the target, 0: none
    int loser;                  // the vertex that has to propose again, in the whole graph; -1: none
};

// Put an offer into a vertex's words, as `enter_cascade` does.  The words are read together first:
// those that hold more are passed without an atomic.  In the first round most are empty.
template <bool FIRST, class State>
__device__ inline Bid enter(const State& state, Bid* words, int capacity, Bid offer)
{
    int place = 0;
    if (!FIRST && SLOTS != 1) {
        Bid held[MOST];
#pragma unroll
        for (int i = 0; i < MOST; ++i) held[i] = i < capacity ? simt_load(words + i) : 0;
#pragma unroll
        for (int i = 0; i < MOST; ++i) place += held[i] > offer;
    }
    for (; place < capacity && offer != 0; ++place) {
        const Bid previous = state.raise(words + place, offer);
        if (previous < offer) offer = previous;
    }
    return offer;
}

template <bool FIRST, class State>
__device__ inline Outcome propose(const State& state, int u, Bid choice)
{
    const int target = vertex_of(choice), capacity = state.each();
    Bid* words = state.words(target);
    const Bid own = with_vertex(choice, state.number(u));
    const Bid fallen = enter<FIRST>(state, words, capacity, own);
    state.proposed(target);
    if (!FIRST && SLOTS == 1 && fallen != own) state.left_last(target, own);
    if (!FIRST && SLOTS != 1) state.left_last(target, simt_load(words + capacity - 1));
    return {fallen, vertex_of(fallen)};
}

// Move the cursor of u to the edge found below it; false if another lane was faster.
template <class State>
__device__ inline bool claim(const State& state, Seeker s, Bid choice)
{
    if (SLOTS == 1 || choice == 0) {                    // one proposal, one lane
        simt_store(state.cursors + s.vertex, choice);
        return true;
    }
    return atomicCAS(state.cursors + s.vertex, s.cursor, choice) == s.cursor;
}
