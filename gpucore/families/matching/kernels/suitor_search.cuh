// Searches of the tuned Suitor for the neighbour to propose to, organised around memory traffic.
//
// The same proposals as GPU-Suitor (suitor.cu).  Source of the algorithm: Naim et al., HiPC 2015,
// algorithm 3.  What differs between one device and several is a class `Others`: where the bids of
// neighbours are, and what becomes of vertices that have to propose again.
//
// Our changes, and why:
//   * The first round needs no bid at all: every vertex proposes to its heaviest neighbour.  It is
//     one stream over the weights.  The random reads (v's best offer), on which the
//     warp-based kernels spend most of their time, are left to the second part, which has a
//     third of the vertices and, of their edges, only the window between the vertex's own best bid
//     (a lighter edge is useless) and its last proposal (a heavier edge has refused for good).
//   * Those reads go to `offers`, a copy of the bids' weights made after the first round: half the
//     bytes, so that the cache holds twice as many.  An outdated offer is too low, never
//     too high: a proposal that passes it in vain is refused by the bid.
//   * A warp splits into groups of lanes that fit the degrees of the vertices at hand, LANE_EDGES
//     edges a lane, and so keeps many reads in flight; long adjacencies get the whole warp, and
//     those over HUB_DEGREE whole blocks, the first of the grid, so that they start early.
//   * No wait for the host: the second part follows every chain of displacements to its end.
#pragma once

#include "matching.cuh"
#include "suitor_groups.cuh"

#ifndef WARP_VERTICES
#define WARP_VERTICES 64
#endif
// The same in the one launch of a small graph, which has warps to spare: so few that all of them search
// at the same time.
#ifndef SMALL_VERTICES
#define SMALL_VERTICES 16
#endif
#ifndef FIRST_BLOCKS
#define FIRST_BLOCKS 6
#endif
#ifndef REST_BLOCKS
#define REST_BLOCKS 4
#endif

struct Problem {
    int n;
    const long long* indptr;
    const int* indices;
    const float* weights;
};

// Arrays of one entry a vertex of this device; `offers` has one for every vertex of the graph.
struct State {
    Bid* bids;                  // best bid so far
    unsigned* offers;           // weight bits of a bid it has had: a lower bound of `bids`
    unsigned* last;             // weight bits of the vertex's last proposal
    unsigned char* unplaced;    // 1: the vertex has to propose again
};

// Where an iteration of a warp stands in the record: its row, and its place in the order of events.
struct Clock {
    int row, batch;
};

// The whole graph is on this device; what other devices need is in suitor_peers.cu.
struct Alone {
    static constexpr bool ROWS_ARE_SHARED = false;
    __device__ inline int number(int u) const { return u; }             // in the whole graph
    __device__ inline Bid bid(State state, int v) const { return simt_load(state.bids + v); }
    __device__ inline Bid raise(State state, int v, Bid bid) const
    {
        return atomicMax(state.bids + v, bid);
    }
    __device__ inline void refused(State, int, Bid) const {}
    __device__ inline void displaced(int, int, unsigned) const {}
    // Whether a vertex has to propose again; then all lanes of a warp take theirs (-1: none).
    __device__ inline bool waiting(State state, int u) const { return state.unplaced[u]; }
    __device__ inline void take(int) const {}
    __device__ inline int own(int loser) const { return loser; }
    __device__ inline void put_off(State state, int u) const { state.unplaced[u] = 1; }
};

// A vertex that looks for a neighbour to propose to.
struct Seeker {
    int vertex;                 // -1: none
    int degree;
    long long begin;
    Bid floor;                  // its own best bid: a lighter edge is useless
    unsigned last;              // weight bits of its last proposal: a heavier edge has refused
};

__device__ inline Seeker no_seeker() { return {-1, 0, 0, 0, 0}; }

__device__ inline Seeker newcomer(Problem p, int u)
{
    const long long begin = p.indptr[u];
    return {u, (int)(p.indptr[u + 1] - begin), begin, 0, 0xffffffffu};
}

__device__ inline Seeker returner(Problem p, State state, int u)
{
    const long long begin = p.indptr[u];
    return {u, (int)(p.indptr[u + 1] - begin), begin, simt_load(state.bids + u),
            simt_load(state.last + u)};
}

// Heaviest edge inside the seeker's window whose other end has no better offer.  The window is
// tested first, for all edges of a step; only what passes costs a random read.  Where the weights
// are equal the bid itself decides: it contains the proposer and is up to date, so no vertex
// proposes to the same neighbour in vain again and again.
template <class Others>
__device__ inline Bid acceptable(Problem p, State state, Others others, Seeker s, int member,
                                 int width)
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
            if (edge[j] <= choice || edge[j] < s.floor || (unsigned)(edge[j] >> 32) > s.last)
                edge[j] = 0;
        }
#pragma unroll
        for (int j = 0; j < LANE_EDGES; ++j)
            offer[j] = edge[j] ? simt_load(state.offers + vertex_of(edge[j])) : 0;
#pragma unroll
        for (int j = 0; j < LANE_EDGES; ++j) {
            const unsigned weight = (unsigned)(edge[j] >> 32);
            if (edge[j] <= choice || weight < offer[j]) continue;
            const bool sure = weight > offer[j] && weight < s.last;
            if (sure || with_vertex(edge[j], others.number(s.vertex)) >
                            others.bid(state, vertex_of(edge[j])))
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
    s.last = __shfl_sync(ALL_LANES, mine.last, owner);
}

// Each lane passes a seeker and gets its best candidate, 0 if there is none.
template <bool FIRST, class Others>
__device__ inline Bid search(Problem p, State state, Others others, Seeker mine,
                             unsigned char* order, int lane, Effort& effort)
{
    return search<FIRST>(p, mine, order, lane, effort,
                         [&](const Seeker& s, int member, int width) {
                             return acceptable(p, state, others, s, member, width);
                         });
}
