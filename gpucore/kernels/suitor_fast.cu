// Suitor, tuned: the same proposals as GPU-Suitor (suitor.cu), organised around the memory traffic.
//
// Source of the algorithm: Naim et al., HiPC 2015, algorithm 3.  What is ours, and why:
//   * The first round needs no bid at all: every vertex proposes to its heaviest neighbour.  It is
//     one stream over the edges; all the random reads ("what is v's best bid?") that the warp-based
//     kernels spend most of their time on are left to the later rounds, which see a third of the
//     vertices and, of their edges, only the window between the vertex's own best bid (anything
//     lighter is useless) and its last proposal (anything heavier has refused for good).
//   * A warp takes 32 neighbouring vertices and gives each as many lanes as these vertices have
//     edges on average, so short adjacencies fill the warp and their reads stay coalesced.
//   * Rounds are separate launches that need no word from the host: a vertex that must propose
//     again is stamped with the number of the next round.  The last launch follows every chain of
//     displacements to its end.
//   * Adjacencies longer than HUB_DEGREE are searched by a whole block.
#include "simt.h"

#include "matching.cuh"
#include "record.cuh"

#ifndef HUB_DEGREE
#define HUB_DEGREE 1024
#endif

struct Problem {
    int n;
    const long long* indptr;
    const int* indices;
    const float* weights;
};

// Arrays of one entry a vertex.
struct State {
    Bid* bids;              // best bid so far
    unsigned* last;         // weight bits of the vertex's last proposal
    unsigned char* stamp;   // round in which the vertex has to propose next
};

// Is `edge` (seen from u) inside the window, better than `choice`, and acceptable at its other end?
// The cheap tests come first; only what passes them costs a random read.
__device__ inline bool eligible(State state, int u, Bid edge, Bid floor, unsigned last, Bid choice)
{
    if (edge <= choice || edge < floor || (unsigned)(edge >> 32) > last) return false;
    return with_vertex(edge, u) > simt_load(state.bids + vertex_of(edge));
}

// Work of one search, for the record.
struct Effort {
    unsigned edges, lane_slots;
};

// A lane's vertex as a search needs it.
struct Seeker {
    int vertex;         // -1: none
    int degree;
    long long begin;
    Bid floor;          // its own best bid: a lighter edge is useless
    unsigned last;      // weight bits of its last proposal: a heavier edge has refused
};

// Each lane brings one vertex (degree 0: none) and gets its best candidate.  The warp splits into
// groups of `width` lanes, each of which searches the adjacency of one vertex at a time.
__device__ inline Bid search(Problem p, State state, bool first_round, Seeker mine,
                             unsigned char* order, int lane, Effort* effort)
{
    const unsigned who = __ballot_sync(ALL_LANES, mine.degree > 0);
    const int vertices = __popc(who), rank = __popc(who & ((1u << lane) - 1));
    int edges = mine.degree;
    for (int d = 16; d > 0; d /= 2) edges += __shfl_xor_sync(ALL_LANES, edges, d);
    int width = 2;
    while (width < 32 && width * vertices < edges) width *= 2;
    const int groups = 32 / width, group = lane / width, member = lane % width;

    if (mine.degree > 0) order[rank] = (unsigned char)lane;
    __syncwarp();
    Bid result = 0;
    RECORD_COUNTERS(effort->edges += edges;)
    for (int base = 0; base < vertices; base += groups) {
        const bool idle = base + group >= vertices;
        const int owner = idle ? 0 : order[base + group];
        const int u = __shfl_sync(ALL_LANES, mine.vertex, owner);
        const long long begin = __shfl_sync(ALL_LANES, mine.begin, owner);
        const int owner_degree = __shfl_sync(ALL_LANES, mine.degree, owner);
        const int degree = idle ? 0 : owner_degree;
        Bid choice = 0;
        if (first_round) {
            for (int i = member; i < degree; i += width) {
                const Bid edge = pack(p.weights[begin + i], p.indices[begin + i]);
                if (edge > choice) choice = edge;
            }
        } else {
            const Bid floor = __shfl_sync(ALL_LANES, mine.floor, owner);
            const unsigned last = __shfl_sync(ALL_LANES, mine.last, owner);
            for (int i = member; i < degree; i += width) {
                const Bid edge = pack(p.weights[begin + i], p.indices[begin + i]);
                if (eligible(state, u, edge, floor, last, choice)) choice = edge;
            }
        }
        choice = group_max(choice, width);
        const Bid found = __shfl_sync(ALL_LANES, choice, (rank % groups) * width);
        if (rank / groups == base / groups) result = found;
        RECORD_COUNTERS(
            int trips = (degree + width - 1) / width;
            for (int d = 16; d > 0; d /= 2) trips = max(trips, __shfl_xor_sync(ALL_LANES, trips, d));
            effort->lane_slots += 32 * trips;)
    }
    __syncwarp();                                       // `order` may be written again
    return mine.degree > 0 ? result : 0;
}

__device__ inline Seeker seek(Problem p, State state, int u)
{
    if (u < 0) return {-1, 0, 0, 0, 0};
    const long long begin = p.indptr[u];
    return {u, (int)(p.indptr[u + 1] - begin), begin, simt_load(state.bids + u),
            simt_load(state.last + u)};
}

// One round.  `final`: follow every chain of displacements to its end instead of leaving the
// unplaced vertices to the next round.  Vertices with long adjacencies are left to suitor_fast_hubs
// (in the first round, they are listed for it), except in the final round.
// Shared memory: 32 bytes for each warp.
SIMT_KERNEL(suitor_fast_round)(int n, const long long* indptr, const int* indices,
                               const float* weights, Bid* bids, unsigned* last,
                               unsigned char* stamp, int* hubs, int* hub_count, int round,
                               int final RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned char, orders);
    const int lane = threadIdx.x % 32;
    const int warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    unsigned char* order = orders + threadIdx.x / 32 * 32;
    const Problem p = {n, indptr, indices, weights};
    const State state = {bids, last, stamp};

    const long long id = (long long)warp * 32 + lane;
    const bool pending = id < n && (round == 0 || stamp[id] >= round);
    Seeker mine = seek(p, state, -1);
    if (pending && round == 0) {
        mine = {(int)id, (int)(indptr[id + 1] - indptr[id]), indptr[id], 0, 0xffffffffu};
    } else if (pending) {
        mine = seek(p, state, (int)id);
    }
    if (!final && mine.degree > HUB_DEGREE) {
        if (round == 0) hubs[atomicAdd(hub_count, 1)] = (int)id;
        mine = seek(p, state, -1);
    }
    for (int turn = 0; __any_sync(ALL_LANES, mine.vertex >= 0); ++turn) {
        Effort effort = {0, 0};
        const Bid choice = search(p, state, round == 0, mine, order, lane, &effort);
        const int u = mine.vertex;
        int unplaced = -1;
        Bid previous = 0;
        bool accepted = false;
        if (choice != 0) {
            const Bid bid = with_vertex(choice, u);
            state.last[u] = (unsigned)(choice >> 32);
            previous = atomicMax(bids + vertex_of(choice), bid);
            accepted = previous < bid;
            unplaced = accepted ? vertex_of(previous) : u;
        }
        RECORD_COUNTERS(
            const unsigned seekers = __popc(__ballot_sync(ALL_LANES, u >= 0));
            const unsigned proposals = __popc(__ballot_sync(ALL_LANES, choice != 0));
            const unsigned accepts = __popc(__ballot_sync(ALL_LANES, accepted));
            const unsigned displaced = __popc(__ballot_sync(ALL_LANES, accepted && previous != 0));
            float gain = accepted ? weight_of(choice) - weight_of(previous) : 0.0f;
            for (int d = 16; d > 0; d /= 2) gain += __shfl_xor_sync(ALL_LANES, gain, d);
            if (lane == 0)
                record_row(rec, warp, round + turn, seekers, effort.edges, effort.lane_slots,
                           proposals, accepts, displaced, seekers - proposals, gain);)
        RECORD_EVENTS(
            const unsigned kind = u < 0             ? NO_EVENT
                                  : choice == 0     ? EXHAUSTED
                                  : !accepted       ? OUTBID
                                  : previous != 0   ? DISPLACE
                                                    : PROPOSE_FREE;
            record_events(rec, round + turn, warp, kind, u, vertex_of(choice), vertex_of(previous),
                          weight_of(choice), (round << 20) + turn);)
        if (!final) {
            if (unplaced >= 0) stamp[unplaced] = (unsigned char)(round + 1);
            break;
        }
        mine = seek(p, state, unplaced);
    }
}

// One round of the vertices with long adjacencies, a block for each.
// Shared memory: 32 bids.
SIMT_KERNEL(suitor_fast_hubs)(int n, const long long* indptr, const int* indices,
                              const float* weights, Bid* bids, unsigned* last,
                              unsigned char* stamp, const int* hubs, const int* hub_count,
                              int round RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, partial);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const State state = {bids, last, stamp};

    const int count = *hub_count;
    for (int i = blockIdx.x; i < count; i += gridDim.x) {
        const int u = hubs[i];
        if (round > 0 && stamp[u] != round) continue;   // the same for the whole block
        const long long begin = indptr[u], end = indptr[u + 1];
        const Bid floor = round > 0 ? simt_load(bids + u) : 0;
        const unsigned highest = round > 0 ? last[u] : 0xffffffffu;
        Bid choice = 0;
        for (long long e = begin + threadIdx.x; e < end; e += blockDim.x) {
            const Bid edge = pack(weights[e], indices[e]);
            if (round == 0 ? edge > choice : eligible(state, u, edge, floor, highest, choice))
                choice = edge;
        }
        choice = group_max(choice, 32);
        if (lane == 0) partial[warp] = choice;
        __syncthreads();
        if (warp == 0) choice = group_max(lane < warps ? partial[lane] : 0, 32);
        if (threadIdx.x == 0) {
            Bid previous = 0;
            bool accepted = false;
            if (choice != 0) {
                const Bid bid = with_vertex(choice, u);
                last[u] = (unsigned)(choice >> 32);
                previous = atomicMax(bids + vertex_of(choice), bid);
                accepted = previous < bid;
                const int unplaced = accepted ? vertex_of(previous) : u;
                if (unplaced >= 0) stamp[unplaced] = (unsigned char)(round + 1);
            }
            RECORD_COUNTERS(
                const int row = (n + 31) / 32 + blockIdx.x;     // behind the rows of the warps
                const unsigned slots = (unsigned)((end - begin + blockDim.x - 1) / blockDim.x);
                record_row(rec, row, round, 1, (unsigned)(end - begin), slots * blockDim.x,
                           choice != 0, accepted, accepted && previous != 0, choice == 0,
                           accepted ? weight_of(choice) - weight_of(previous) : 0.0f);)
            RECORD_EVENTS(
                const unsigned kind = choice == 0       ? EXHAUSTED
                                      : !accepted       ? OUTBID
                                      : previous != 0   ? DISPLACE
                                                        : PROPOSE_FREE;
                record_event(rec, round, row, kind, u, vertex_of(choice), vertex_of(previous),
                             weight_of(choice), (round << 20) + i);)
        }
        __syncthreads();                                // `partial` and the stamps may change again
    }
}

SIMT_EXPORT(suitor_fast_round)
SIMT_EXPORT(suitor_fast_hubs)
