// Suitor, tuned: the same proposals as GPU-Suitor (suitor.cu), organised around memory traffic.
//
// Source of the algorithm: Naim et al., HiPC 2015, algorithm 3.  Our changes, and why:
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
//     those over HUB_DEGREE a whole block, one of the first of the grid, so that they start early.
//   * No wait for the host: the second part follows every chain of displacements to its end.
#include "simt.h"

#include "matching.cuh"
#include "record.cuh"

#ifndef HUB_DEGREE
#define HUB_DEGREE 1024
#endif
#ifndef LONG_DEGREE
#define LONG_DEGREE 96
#endif
#ifndef WARP_VERTICES
#define WARP_VERTICES 64
#endif
#ifndef LANE_EDGES
#define LANE_EDGES 4
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

// Arrays of one entry a vertex.
struct State {
    Bid* bids;                  // best bid so far
    unsigned* offers;           // weight bits of a bid it has had: a lower bound of `bids`
    unsigned* last;             // weight bits of the vertex's last proposal
    unsigned char* unplaced;    // 1: the vertex has to propose again
};

// A vertex that looks for a neighbour to propose to.
struct Seeker {
    int vertex;                 // -1: none
    int degree;
    long long begin;
    Bid floor;                  // its own best bid: a lighter edge is useless
    unsigned last;              // weight bits of its last proposal: a heavier edge has refused
};

__device__ inline Seeker nobody() { return {-1, 0, 0, 0, 0}; }

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

// Heaviest of the edges that fall to lane `member` of `width` lanes; as the pair (weight,
// position), which is ordered like (weight, neighbour) because rows are sorted by neighbour.
__device__ inline Bid heaviest(Problem p, Seeker s, int member, int width)
{
    Bid choice = 0;
    for (int base = member; base < s.degree; base += LANE_EDGES * width) {
        float weight[LANE_EDGES];
#pragma unroll
        for (int j = 0; j < LANE_EDGES; ++j) {
            const int i = base + j * width;
            weight[j] = i < s.degree ? __ldcs(p.weights + s.begin + i) : 0.0f;
        }
#pragma unroll
        for (int j = 0; j < LANE_EDGES; ++j) {
            const Bid edge = pack(weight[j], base + j * width);
            if (edge > choice) choice = edge;
        }
    }
    return choice;
}

// Heaviest edge inside the seeker's window whose other end has no better offer.  The window is
// tested first, for all edges of a step; only what passes costs a random read.  Where the weights
// are equal the bid itself decides: it contains the proposer and is up to date, so no vertex
// proposes to the same neighbour in vain again and again.
__device__ inline Bid acceptable(Problem p, State state, Seeker s, int member, int width)
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
            if (sure || with_vertex(edge[j], s.vertex) > simt_load(state.bids + vertex_of(edge[j])))
                choice = edge[j];
        }
    }
    return choice;
}

// Work of one search, for the record: edges of this lane's share, lane slots of the warp.
struct Effort {
    unsigned edges, lane_slots;
};

// Each lane passes a seeker and gets its best candidate, 0 if there is none.  Short adjacencies
// are searched side by side by groups of lanes that fit their average length, then long ones by
// the whole warp.  `order` are 32 bytes of shared memory.
template <bool FIRST>
__device__ inline Bid search(Problem p, State state, Seeker mine, unsigned char* order, int lane,
                             Effort& effort)
{
    Bid result = 0;
#pragma unroll 1
    for (int part = 0; part < 2; ++part) {
        const bool in_part = mine.degree > 0 && (mine.degree > LONG_DEGREE) == (part == 1);
        const unsigned who = __ballot_sync(ALL_LANES, in_part);
        if (who == 0) continue;
        const int seekers = __popc(who), rank = __popc(who & ((1u << lane) - 1));
        int width = 32;
        if (part == 0) {
            int edges = in_part ? mine.degree : 0;
            for (int d = 16; d > 0; d /= 2) edges += __shfl_xor_sync(ALL_LANES, edges, d);
            width = 1;
            while (width < 32 && LANE_EDGES * width * seekers < edges) width *= 2;
        }
        const int groups = 32 / width, group = lane / width, member = lane % width;
        if (in_part) order[rank] = (unsigned char)lane;
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
                s.last = __shfl_sync(ALL_LANES, mine.last, owner);
                choice = acceptable(p, state, s, member, width);
            }
            choice = group_max(choice, width);
            const Bid found = __shfl_sync(ALL_LANES, choice, (rank % groups) * width);
            if (in_part && rank / groups == base / groups) result = found;
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

// The result of a proposal.
struct Outcome {
    Bid previous;               // the target's bid before
    bool accepted;
    int unplaced;               // the vertex that has to propose again, -1 for none
};

template <bool FIRST>
__device__ inline Outcome propose(State state, int u, Bid choice)
{
    const Bid bid = with_vertex(choice, u);
    simt_store(state.last + u, (unsigned)(choice >> 32));
    const Bid previous = atomicMax(state.bids + vertex_of(choice), bid);
    const bool accepted = previous < bid;
    if (!FIRST && accepted) simt_store(state.offers + vertex_of(choice), (unsigned)(choice >> 32));
    return {previous, accepted, accepted ? vertex_of(previous) : u};
}

__device__ inline unsigned event_kind(int u, Bid choice, Outcome outcome)
{
    if (u < 0) return NO_EVENT;
    if (choice == 0) return EXHAUSTED;
    if (!outcome.accepted) return OUTBID;
    return outcome.previous != 0 ? DISPLACE : PROPOSE_FREE;
}

// Let the lanes' seekers propose once, and record it.
template <bool FIRST>
__device__ inline Outcome turn(Problem p, State state, Seeker mine, unsigned char* order, int lane,
                               int warp, int iteration RECORD_PARAMS)
{
    Effort effort = {0, 0};
    const Bid choice = search<FIRST>(p, state, mine, order, lane, effort);
    Outcome outcome = {0, false, -1};
    if (choice != 0) outcome = propose<FIRST>(state, mine.vertex, choice);
    RECORD_COUNTERS(
        const bool displacing = outcome.accepted && outcome.previous != 0;
        const unsigned counts = warp_sum((unsigned)(mine.vertex >= 0) | (choice != 0) << 8 |
                                         outcome.accepted << 16 | displacing << 24);
        const unsigned seekers = counts & 255, proposals = counts >> 8 & 255;
        const float gain = warp_sum(
            outcome.accepted ? weight_of(choice) - weight_of(outcome.previous) : 0.0f);
        const unsigned edges = warp_sum(effort.edges);
        if (lane == 0)
            record_row(rec, warp, iteration,
                       {seekers, edges, effort.lane_slots, proposals, counts >> 16 & 255,
                        counts >> 24, seekers - proposals, gain});)
    RECORD_EVENTS(
        record_events(rec, iteration, warp, event_kind(mine.vertex, choice, outcome), mine.vertex,
                      vertex_of(choice), vertex_of(outcome.previous), weight_of(choice),
                      iteration);)
    return outcome;
}

// A block takes one hub after the other; in the second part it follows the hub's chain of
// displacements.  `shared`: 33 bids.
template <bool FIRST>
__device__ inline void search_hubs(Problem p, State state, const int* hubs, int count, int* taken,
                                   int hub_blocks, Bid* shared RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    int* next = reinterpret_cast<int*>(shared + 32);
    RECORD_COUNTERS(int iteration = FIRST ? 0 : 1;)
    int u = -1;                                         // the same for the whole block
    for (;;) {
        if (u < 0) {
            if (threadIdx.x == 0) {
                const int i = atomicAdd(taken, 1);
                *next = i < count ? hubs[i] : -1;
            }
            __syncthreads();
            u = *next;
            __syncthreads();
            if (u < 0) return;
            if (!FIRST && !state.unplaced[u]) { u = -1; continue; }
        }
        const Seeker s = FIRST ? newcomer(p, u) : returner(p, state, u);
        Bid choice = warp_max(FIRST ? heaviest(p, s, threadIdx.x, blockDim.x)
                                    : acceptable(p, state, s, threadIdx.x, blockDim.x));
        if (lane == 0) shared[warp] = choice;
        __syncthreads();
        if (warp == 0) {
            choice = warp_max(lane < warps ? shared[lane] : 0);
            if (FIRST) choice = with_vertex(choice, p.indices[s.begin + vertex_of(choice)]);
            if (lane == 0) {
                Outcome outcome = {0, false, -1};
                if (choice != 0) outcome = propose<FIRST>(state, u, choice);
                if (FIRST && outcome.unplaced >= 0) state.unplaced[outcome.unplaced] = 1;
                *next = FIRST ? -1 : outcome.unplaced;
                RECORD_COUNTERS(
                    const int row = (int)rec->warps - hub_blocks + blockIdx.x;  // the last rows
                    const unsigned trips = (s.degree + blockDim.x - 1) / blockDim.x;
                    const float gain = weight_of(choice) - weight_of(outcome.previous);
                    add_to_row(rec, row, iteration,
                               {1, (unsigned)s.degree, trips * blockDim.x, choice != 0,
                                outcome.accepted, outcome.accepted && outcome.previous != 0,
                                choice == 0, outcome.accepted ? gain : 0.0f});)
                RECORD_EVENTS(
                    record_event(rec, iteration, row, event_kind(u, choice, outcome), u,
                                 vertex_of(choice), vertex_of(outcome.previous), weight_of(choice),
                                 iteration);)
            }
        }
        __syncthreads();
        u = *next;
        __syncthreads();                                // `shared` may be written again
        RECORD_COUNTERS(if (!FIRST) ++iteration;)
    }
}

// Clear the state and list the hubs.  `counters`, zeroed before: number of hubs; hubs taken in the
// first round; hubs taken in the second part.
SIMT_KERNEL(suitor_fast_begin)(int n, const long long* indptr, Bid* bids, unsigned char* unplaced,
                               int* hubs, int* counters)
{
    const long long u = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (u >= n) return;
    bids[u] = 0;
    unplaced[u] = 0;
    if (indptr[u + 1] - indptr[u] > HUB_DEGREE) hubs[atomicAdd(counters, 1)] = (int)u;
}

// The first round, 32 neighbouring vertices a warp; the first `hub_blocks` blocks take the hubs.
// Shared memory: 33 bids, and 32 bytes for each warp.
SIMT_KERNEL(suitor_fast_first, __launch_bounds__(256, FIRST_BLOCKS))
(int n, const long long* indptr, const int* indices, const float* weights, Bid* bids,
 unsigned* offers, unsigned* last, unsigned char* unplaced, const int* hubs, int* counters,
 int hub_blocks RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    const Problem p = {n, indptr, indices, weights};
    const State state = {bids, offers, last, unplaced};
    if ((int)blockIdx.x < hub_blocks) {
        search_hubs<true>(p, state, hubs, counters[0], counters + 1, hub_blocks,
                          shared RECORD_COUNTERS(, rec));
        return;
    }
    const int lane = threadIdx.x % 32, warp_in_block = threadIdx.x / 32;
    const int warp = (blockIdx.x - hub_blocks) * (blockDim.x / 32) + warp_in_block;
    unsigned char* order = reinterpret_cast<unsigned char*>(shared + 33) + 32 * warp_in_block;

    const long long id = (long long)warp * 32 + lane;
    Seeker mine = id < n ? newcomer(p, (int)id) : nobody();
    if (mine.degree > HUB_DEGREE) mine = nobody();
    const Outcome outcome = turn<true>(p, state, mine, order, lane, warp,
                                       0 RECORD_COUNTERS(, rec));
    if (outcome.unplaced >= 0) unplaced[outcome.unplaced] = 1;
}

// The weights of the bids after the first round.
SIMT_KERNEL(suitor_fast_offers)(int n, const Bid* bids, unsigned* offers)
{
    const long long u = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (u < n) offers[u] = (unsigned)(bids[u] >> 32);
}

// Everything after the first round.  A warp lists the unplaced among WARP_VERTICES neighbouring
// vertices; a lane takes one, follows its chain of displacements to the end, and takes the next.
// Shared memory: 33 bids, and WARP_VERTICES ints and 32 bytes for each warp.
SIMT_KERNEL(suitor_fast_rest, __launch_bounds__(256, REST_BLOCKS))
(int n, const long long* indptr, const int* indices, const float* weights, Bid* bids,
 unsigned* offers, unsigned* last, unsigned char* unplaced, const int* hubs, int* counters,
 int hub_blocks RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    const Problem p = {n, indptr, indices, weights};
    const State state = {bids, offers, last, unplaced};
    if ((int)blockIdx.x < hub_blocks) {
        search_hubs<false>(p, state, hubs, counters[0], counters + 2, hub_blocks,
                           shared RECORD_COUNTERS(, rec));
        return;
    }
    const int lane = threadIdx.x % 32, warp_in_block = threadIdx.x / 32, warps = blockDim.x / 32;
    const int warp = (blockIdx.x - hub_blocks) * warps + warp_in_block;
    int* lists = reinterpret_cast<int*>(shared + 33);
    int* list = lists + WARP_VERTICES * warp_in_block;
    unsigned char* order =
        reinterpret_cast<unsigned char*>(lists + WARP_VERTICES * warps) + 32 * warp_in_block;
    const unsigned before = (1u << lane) - 1;

    const long long first = (long long)warp * WARP_VERTICES;
    int count = 0;
    for (int k = lane; k < WARP_VERTICES; k += 32) {
        const long long u = first + k;
        const bool waiting = u < n && unplaced[u] && indptr[u + 1] - indptr[u] <= HUB_DEGREE;
        const unsigned who = __ballot_sync(ALL_LANES, waiting);
        if (waiting) list[count + __popc(who & before)] = (int)u;
        count += __popc(who);
    }
    __syncwarp();

    int u = -1;                                         // the vertex this lane goes on with
    for (int taken = 0, iteration = 1;; ++iteration) {
        const unsigned idle = __ballot_sync(ALL_LANES, u < 0);
        const int place = taken + __popc(idle & before);
        if (u < 0 && place < count) u = list[place];
        taken += __popc(idle);
        if (!__any_sync(ALL_LANES, u >= 0)) break;
        const Seeker mine = u >= 0 ? returner(p, state, u) : nobody();
        u = turn<false>(p, state, mine, order, lane, warp,
                        iteration RECORD_COUNTERS(, rec)).unplaced;
    }
}

SIMT_EXPORT(suitor_fast_begin)
SIMT_EXPORT(suitor_fast_first)
SIMT_EXPORT(suitor_fast_offers)
SIMT_EXPORT(suitor_fast_rest)
