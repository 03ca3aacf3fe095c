// Searches of Suitor on ranks: a warp's lanes find the best acceptable neighbour of its seekers.
//
// The distribution of work is that of suitor_fast.cu: short adjacencies are read side by side by
// groups of lanes, long ones by the whole warp.  A rank has the vertices lo to lo + n - 1; seekers
// have local numbers (from 0), neighbours global ones.
#pragma once

#include "suitor_groups.cuh"

struct Part {
    int n, lo;
    const long long* indptr;
    const int* indices;
    const float* weights;
};

struct State {
    Bid* bids;                  // best bid so far of each own vertex; proposers are global
    unsigned* offers;           // weight bits of a bid that any vertex, by global number, has had
    Bid* cursor;                // (weight, neighbour) of each own vertex's last proposal
};

// A vertex that looks for a neighbour to propose to.
struct Seeker {
    int vertex;                 // local; -1: none
    int degree;
    long long begin;
    Bid floor;                  // its own best bid: a lighter edge is useless
    Bid cursor;                 // its last proposal: what is not below it has refused for good
};

__device__ inline Seeker no_seeker() { return {-1, 0, 0, 0, 0}; }

__device__ inline Seeker seeker(Part p, State state, int u)
{
    const long long begin = p.indptr[u];
    return {u, (int)(p.indptr[u + 1] - begin), begin, simt_load(state.bids + u),
            simt_load(state.cursor + u)};
}

__device__ inline bool is_own(Part p, int v) { return (unsigned)(v - p.lo) < (unsigned)p.n; }

// Heaviest edge between floor and cursor whose other end may have no better bid.  `offers` is
// never too high, so no acceptable neighbour is left out; at equal weights an own neighbour's bid
// decides, and a neighbour of another rank is asked.
__device__ inline Bid acceptable(Part p, State state, Seeker s, int member, int width)
{
    Bid choice = 0;
    for (int base = member; base < s.degree; base += LANE_EDGES * width) {
        Bid edge[LANE_EDGES];
        unsigned offer[LANE_EDGES];
#pragma unroll
        for (int j = 0; j < LANE_EDGES; ++j) {
            const int i = base + j * width;
            edge[j] = i < s.degree ? pack(__ldcs(p.weights + s.begin + i),
                                          __ldcs(p.indices + s.begin + i)) : 0;
            if (edge[j] <= choice || edge[j] < s.floor || edge[j] >= s.cursor) edge[j] = 0;
        }
#pragma unroll
        for (int j = 0; j < LANE_EDGES; ++j)
            offer[j] = edge[j] ? simt_load(state.offers + vertex_of(edge[j])) : 0;
#pragma unroll
        for (int j = 0; j < LANE_EDGES; ++j) {
            const unsigned weight = (unsigned)(edge[j] >> 32);
            const int v = vertex_of(edge[j]);
            if (edge[j] <= choice || weight < offer[j]) continue;
            if (weight > offer[j] || !is_own(p, v) ||
                with_vertex(edge[j], p.lo + s.vertex) > simt_load(state.bids + (v - p.lo)))
                choice = edge[j];
        }
    }
    return choice;
}

// The rest of another lane's seeker.
__device__ inline void borrow(Seeker& s, const Seeker& mine, int owner)
{
    s.vertex = __shfl_sync(ALL_LANES, mine.vertex, owner);
    s.floor = __shfl_sync(ALL_LANES, mine.floor, owner);
    s.cursor = __shfl_sync(ALL_LANES, mine.cursor, owner);
}

// Each lane passes a seeker and gets its best candidate, 0 if there is none.
template <bool FIRST>
__device__ inline Bid search(Part p, State state, Seeker mine, unsigned char* order, int lane,
                             Effort& effort)
{
    return search<FIRST>(p, mine, order, lane, effort,
                         [&](const Seeker& s, int member, int width) {
                             return acceptable(p, state, s, member, width);
                         });
}
