// Searches of Suitor on ranks: a warp's lanes find the best acceptable neighbour of its seekers.
//
// The distribution of work is that of suitor_fast.cu: short adjacencies are read side by side by
// groups of lanes, long ones by the whole warp.  A rank has the vertices lo to lo + n - 1; seekers
// have local numbers (from 0), neighbours global ones.
#pragma once

#ifndef LONG_DEGREE
#define LONG_DEGREE 96
#endif
#ifndef LANE_EDGES
#define LANE_EDGES 4
#endif

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

// Heaviest of the edges that fall to lane `member` of `width` lanes; as the pair (weight,
// position), which is ordered like (weight, neighbour) because rows are sorted by neighbour.
__device__ inline Bid heaviest(Part p, Seeker s, int member, int width)
{
    Bid choice = 0;
    for (int base = member; base < s.degree; base += LANE_EDGES * width) {
#pragma unroll
        for (int j = 0; j < LANE_EDGES; ++j) {
            const int i = base + j * width;
            const float weight = i < s.degree ? __ldcs(p.weights + s.begin + i) : 0.0f;
            const Bid edge = pack(weight, i);
            if (edge > choice) choice = edge;
        }
    }
    return choice;
}

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

// Work of one search, for the record: edges of this lane's share, lane slots of the warp.
struct Effort {
    unsigned edges, lane_slots;
};

// Each lane passes a seeker and gets its best candidate, 0 if there is none.  `order` are 32 bytes
// of shared memory.
template <bool FIRST>
__device__ inline Bid search(Part p, State state, Seeker mine, unsigned char* order, int lane,
                             Effort& effort)
{
    Bid result = 0;
#pragma unroll 1
    for (int part = 0; part < 2; ++part) {
        const bool in_part = mine.degree > 0 && (mine.degree > LONG_DEGREE) == (part == 1);
        const unsigned who = __ballot_sync(ALL_LANES, in_part);
        if (who == 0) continue;
        const int seekers = __popc(who), place = __popc(who & ((1u << lane) - 1));
        int width = 32;
        if (part == 0) {
            int edges = in_part ? mine.degree : 0;
            for (int d = 16; d > 0; d /= 2) edges += __shfl_xor_sync(ALL_LANES, edges, d);
            width = 1;
            while (width < 32 && LANE_EDGES * width * seekers < edges) width *= 2;
        }
        const int groups = 32 / width, group = lane / width, member = lane % width;
        if (in_part) order[place] = (unsigned char)lane;
        __syncwarp();
        for (int base = 0; base < seekers; base += groups) {
            const bool idle = base + group >= seekers;
            const int owner = idle ? 0 : order[base + group];
            Seeker s;
            s.begin = __shfl_sync(ALL_LANES, mine.begin, owner);
            s.degree = __shfl_sync(ALL_LANES, mine.degree, owner);
            if (idle) s.degree = 0;
            Bid choice;
            if (FIRST) {
                choice = heaviest(p, s, member, width);
            } else {
                s.vertex = __shfl_sync(ALL_LANES, mine.vertex, owner);
                s.floor = __shfl_sync(ALL_LANES, mine.floor, owner);
                s.cursor = __shfl_sync(ALL_LANES, mine.cursor, owner);
                choice = acceptable(p, state, s, member, width);
            }
            choice = group_max(choice, width);
            const Bid found = __shfl_sync(ALL_LANES, choice, (place % groups) * width);
            if (in_part && place / groups == base / groups) result = found;
            RECORD_COUNTERS(
                const unsigned trips = (s.degree + width - 1) / width;
                effort.edges += member == 0 ? s.degree : 0;
                effort.lane_slots += 32 * warp_largest(trips);)
        }
        __syncwarp();                                   // `order` may be written again
    }
    if (FIRST && result != 0)
        result = with_vertex(result, p.indices[mine.begin + vertex_of(result)]);
    return result;
}
