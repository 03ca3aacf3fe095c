// The search of b-Suitor for the next neighbour to propose to, organised around memory traffic.
//
// Shared by the tuned kernels for one device (bsuitor_fast.cu) and for several (bsuitor_ranks.cuh).
// What differs is the state: whether a neighbour would take an offer is asked of a class with
//   unsigned worst_weight(int v)          weight bits of a worst offer of v, never too high
//   bool takes_equal(Bid offer, int v)    whether v takes an offer of just that weight
//
// In the first round the best edges of a vertex are found in one stream over the weights: each lane
// keeps its best in registers, and the lanes of a vertex merge them.  Later a vertex needs the best
// edge between its own worst offer (a lighter edge is useless) and its cursor, the last edge along
// which it proposed (a heavier edge holds its offer or has refused) whose other end would take it.
#pragma once

#include "bsuitor.cuh"
#include "record.cuh"

#ifndef LONG_DEGREE
#define LONG_DEGREE 96
#endif
#ifndef LANE_EDGES
#define LANE_EDGES 4
#endif

// Most proposals of a vertex in the first round.  A source defines SLOTS, 0 if that is not known.
constexpr int MOST = SLOTS > 0 ? SLOTS : CASCADE;

// Vertices `lo` to `lo + n - 1` of a graph; their neighbours have the numbers of the whole graph.
struct Part {
    int n, lo;
    const long long* indptr;
    const int* indices;
    const float* weights;
};

// A vertex that looks for a neighbour to propose to.
struct Seeker {
    int vertex;                 // number in the part; -1: none
    int degree;
    long long begin;
    Bid floor;                  // its own worst offer: a lighter edge is useless
    Bid cursor;
};

__device__ inline Seeker no_seeker() { return {-1, 0, 0, 0, 0}; }

__device__ inline Seeker newcomer(Part p, int u)
{
    const long long begin = p.indptr[u];
    return {u, (int)(p.indptr[u + 1] - begin), begin, 0, ~0ull};
}

__device__ inline Seeker returner(Part p, int u, Bid floor, Bid cursor)
{
    const long long begin = p.indptr[u];
    const int degree = cursor != 0 ? (int)(p.indptr[u + 1] - begin) : 0;
    return {u, degree, begin, floor, cursor};
}

// The best edges of a lane or of a group of lanes, falling, in registers.
struct Best {
    Bid edges[MOST];

    __device__ inline void clear()
    {
#pragma unroll
        for (int i = 0; i < MOST; ++i) edges[i] = 0;
    }
    __device__ inline void insert(Bid edge)
    {
        if (edge <= edges[MOST - 1]) return;
#pragma unroll
        for (int i = 0; i < MOST; ++i) {
            const Bid held = edges[i];
            const bool better = edge > held;
            edges[i] = better ? edge : held;
            edge = better ? held : edge;
        }
    }
    __device__ inline void remove_first()
    {
#pragma unroll
        for (int i = 0; i + 1 < MOST; ++i) edges[i] = edges[i + 1];
        edges[MOST - 1] = 0;
    }
};

// Keep the best of the edges that fall to lane `member` of `width`; as pairs (weight, position),
// which are ordered like (weight, neighbour) because rows are sorted by neighbour.
__device__ inline void collect(Part p, Seeker s, int member, int width, Best& best)
{
    for (int base = member; base < s.degree; base += LANE_EDGES * width) {
        float weight[LANE_EDGES];
#pragma unroll
        for (int j = 0; j < LANE_EDGES; ++j) {
            const int i = base + j * width;
            weight[j] = i < s.degree ? __ldcs(p.weights + s.begin + i) : 0.0f;
        }
#pragma unroll
        for (int j = 0; j < LANE_EDGES; ++j)
            if (base + j * width < s.degree) best.insert(pack(weight[j], base + j * width));
    }
}

// The heaviest edge inside the seeker's window whose other end would take its offer.  The window is
// tested first, for all edges of a step; only what passes costs a random read.
template <class State>
__device__ inline Bid acceptable(Part p, const State& state, Seeker s, int member, int width)
{
    const int proposer = p.lo + s.vertex;
    Bid choice = 0;
    for (int base = member; base < s.degree; base += LANE_EDGES * width) {
        Bid edge[LANE_EDGES];
        unsigned worst[LANE_EDGES];
#pragma unroll
        for (int j = 0; j < LANE_EDGES; ++j) {
            const int i = base + j * width;
            edge[j] = i < s.degree ? pack(__ldcs(p.weights + s.begin + i),
                                          __ldcs(p.indices + s.begin + i)) : 0;
            if (edge[j] <= choice || edge[j] < s.floor || edge[j] >= s.cursor) edge[j] = 0;
        }
#pragma unroll
        for (int j = 0; j < LANE_EDGES; ++j)
            worst[j] = edge[j] ? state.worst_weight(vertex_of(edge[j])) : 0;
#pragma unroll
        for (int j = 0; j < LANE_EDGES; ++j) {
            const unsigned weight = (unsigned)(edge[j] >> 32);
            if (edge[j] <= choice || weight < worst[j]) continue;
            if (weight > worst[j] ||
                state.takes_equal(with_vertex(edge[j], proposer), vertex_of(edge[j])))
                choice = edge[j];
        }
    }
    return choice;
}

// Work of one search, for the record: edges of this lane's share, lane slots of the warp.
struct Effort {
    unsigned edges, lane_slots;
};

// How the lanes of a warp share the work: groups of `width` lanes, one seeker each.
struct Sharing {
    unsigned who;               // lanes whose seekers are searched for
    int seekers, rank, width;
};

// Short adjacencies side by side (part 0), by groups that fit their average length; long ones by
// the whole warp (part 1).
__device__ inline Sharing share(Seeker mine, int part, int lane)
{
    const bool in_part = mine.degree > 0 && (mine.degree > LONG_DEGREE) == (part == 1);
    Sharing sharing;
    sharing.who = __ballot_sync(ALL_LANES, in_part);
    sharing.seekers = __popc(sharing.who);
    sharing.rank = in_part ? __popc(sharing.who & ((1u << lane) - 1)) : -1;
    sharing.width = 32;
    if (part == 0 && sharing.who != 0) {
        int edges = in_part ? mine.degree : 0;
        for (int d = 16; d > 0; d /= 2) edges += __shfl_xor_sync(ALL_LANES, edges, d);
        sharing.width = 1;
        while (sharing.width < 32 && LANE_EDGES * sharing.width * sharing.seekers < edges)
            sharing.width *= 2;
    }
    return sharing;
}

// The seeker that lane `owner` holds, without an adjacency if there is none for this group.  The
// first round needs its adjacency only.
template <bool FIRST> __device__ inline Seeker seeker_of(Seeker mine, int owner, bool idle)
{
    Seeker s = no_seeker();
    s.begin = __shfl_sync(ALL_LANES, mine.begin, owner);
    s.degree = __shfl_sync(ALL_LANES, mine.degree, owner);
    if (!FIRST) {
        s.vertex = __shfl_sync(ALL_LANES, mine.vertex, owner);
        s.floor = __shfl_sync(ALL_LANES, mine.floor, owner);
        s.cursor = __shfl_sync(ALL_LANES, mine.cursor, owner);
    }
    if (idle) s.degree = 0;
    return s;
}

// Each lane passes a seeker and gets its best candidates: up to `wanted` in the first round, as
// positions, else one.  `order` are 32 bytes of shared memory.
template <bool FIRST, class State>
__device__ inline Effort search(Part p, const State& state, Seeker mine, unsigned char* order,
                                int lane, int wanted, Best& found)
{
    Effort effort = {0, 0};
    found.clear();
#pragma unroll 1
    for (int part = 0; part < 2; ++part) {
        const Sharing sharing = share(mine, part, lane);
        if (sharing.who == 0) continue;
        const int width = sharing.width, groups = 32 / width, member = lane % width;
        if (sharing.rank >= 0) order[sharing.rank] = (unsigned char)lane;
        __syncwarp();
        for (int base = 0; base < sharing.seekers; base += groups) {
            const int group = base + lane / width;
            const bool idle = group >= sharing.seekers;
            const Seeker s = seeker_of<FIRST>(mine, idle ? 0 : order[group], idle);
            const bool is_mine = sharing.rank >= 0 && sharing.rank / groups == base / groups;
            const int source = sharing.rank >= 0 ? sharing.rank % groups * width : 0;
            Best best;
            best.clear();
            if (FIRST) collect(p, s, member, width, best);
            else best.edges[0] = acceptable(p, state, s, member, width);
#pragma unroll
            for (int i = 0; i < (FIRST ? MOST : 1); ++i) {
                if (i >= wanted) break;
                const Bid top = group_max(best.edges[0], width);
                if (FIRST && top != 0 && best.edges[0] == top) best.remove_first();
                const Bid result = __shfl_sync(ALL_LANES, top, source);
                if (is_mine) found.edges[i] = result;
            }
            RECORD_COUNTERS(
                const unsigned trips = (s.degree + width - 1) / width;
                effort.edges += member == 0 ? s.degree : 0;
                effort.lane_slots += 32 * warp_largest(trips);)
        }
        __syncwarp();                                   // `order` may be written again
    }
    return effort;
}

// The neighbours' ids in place of the positions; the last edge becomes the cursor.
__device__ inline void name_edges(Part p, Bid* cursors, Seeker s, Best& best)
{
    Bid cursor = 0;
#pragma unroll
    for (int i = 0; i < MOST; ++i) {
        const Bid edge = best.edges[i];
        if (edge == 0) continue;
        best.edges[i] = cursor = with_vertex(edge, p.indices[s.begin + vertex_of(edge)]);
    }
    if (cursor != 0) cursors[s.vertex] = cursor;
}

#if RECORD >= 1
// Write down what the lanes did in one turn: lane by lane the proposer, -1 for none, the edge it
// chose, 0 for none, and what fell out there.  All lanes call.
__device__ inline void record_turn(Recorder* rec, int warp, int iteration, int turn, int u,
                                   Bid choice, Bid fallen, Effort effort)
{
    const bool chose = u >= 0 && choice != 0;
    const Bid own = chose ? with_vertex(choice, u) : 0;
    const bool accepted = chose && fallen != own, drops = accepted && fallen != 0;
    const unsigned counts = warp_sum((unsigned)(u >= 0) | chose << 8 | accepted << 16 |
                                     drops << 24);
    const unsigned edges = warp_sum(effort.edges);
    const float gain = warp_sum(accepted ? weight_of(own) - weight_of(fallen) : 0.0f);
    if (threadIdx.x % 32 == 0)
        add_to_row(rec, warp, iteration,
                   {counts & 255, edges, effort.lane_slots, counts >> 8 & 255, counts >> 16 & 255,
                    counts >> 24, (counts & 255) - (counts >> 8 & 255), gain});
    RECORD_EVENTS(
        const unsigned kind = u < 0 ? NO_EVENT : !chose ? EXHAUSTED : accepted ? PROPOSE : OUTBID;
        record_events(rec, iteration, warp, kind, u, vertex_of(choice), -1, weight_of(choice),
                      2 * turn);
        record_events(rec, iteration, warp, drops ? DROP : NO_EVENT, u, vertex_of(choice),
                      vertex_of(fallen), weight_of(fallen), 2 * turn + 1);)
}
#endif
