// GPU-Suitor: half-approximate weighted matching, a warp for a chunk of vertices.
//
// Source: Naim, Manne, Halappanavar, Tumeo, Langguth, "Optimizing approximate weighted matching on
// Nvidia Kepler K40", HiPC 2015, algorithm 4 and section 4 (variants 1-4); the rule by which a
// vertex chooses is algorithm 3 of the same paper.
//
// Every vertex u proposes to the heaviest neighbour v that would accept it, that is, whose best
// bid so far is lighter than the edge (u, v).  A displaced vertex has to propose again.  Bids
// only grow, so any order of proposals ends in the same bids: the suitors of the greedy matching.
//
// A warp keeps its unplaced vertices in a list in shared memory.
//   Initial phase     it walks through its vertices one by one; all 32 lanes read the vertex's
//                     adjacency and find the best candidate by a reduction over the warp; then
//                     each lane proposes for one vertex (batches of 32, candidates kept in
//                     registers).
//   Recurrent phase   vertices that were outbid, and vertices that were displaced, are gathered by
//                     a prefix sum in the same shared memory and go through it again.
// suitor_nosync lets every warp run alone.  suitor_sync holds the warps of a block together in
// every iteration and, in the first iterations, levels their lists (SyncLB); without levelling it
// is SyncNoLB, and released after the levelled iterations it is Hybrid.
#include "simt.h"

#include "matching.cuh"
#include "record.cuh"

// Blocks of 256 threads that a multiprocessor is to hold: bounds the registers.
#ifndef NOSYNC_BLOCKS
#define NOSYNC_BLOCKS 8
#endif
#ifndef SYNC_BLOCKS
#define SYNC_BLOCKS (RECORD ? 5 : 6)
#endif

struct Adjacency {
    const long long* indptr;
    const int* indices;
    const float* weights;
};

// Best candidate of u: the heaviest edge that is not lighter than u's own best bid (a lighter one
// would never be matched) and that beats the best bid at its other end.
__device__ inline Bid best_candidate(Adjacency graph, Bid* bids, int u, int lane)
{
    const Bid floor = simt_load(bids + u);
    const long long end = graph.indptr[u + 1];
    Bid choice = 0;
    for (long long e = graph.indptr[u] + lane; e < end; e += 32) {
        const int v = graph.indices[e];
        const float w = graph.weights[e];
        const Bid edge = pack(w, v);
        if (edge >= floor && edge > choice && pack(w, u) > simt_load(bids + v)) choice = edge;
    }
    return warp_max(choice);
}

// The result of one lane's proposal.
struct Outcome {
    int unplaced;     // the vertex that has to propose again, -1 for none
    Bid previous;     // bid that the target held before
    bool accepted;
};

__device__ inline Outcome propose(Bid* bids, int u, Bid choice)
{
    const Bid bid = with_vertex(choice, u);
    const Bid previous = atomicMax(bids + vertex_of(choice), bid);
    const bool accepted = previous < bid;
    return {accepted ? vertex_of(previous) : u, previous, accepted};
}

// One warp's view of its own run; only the recording needs it.
struct WarpClock {
    int warp, iteration, batch;
};

#if RECORD >= 1
// Add what the lanes did in one batch to the warp's row of this iteration.  All lanes call.
// No state is kept between batches: that would take registers from the search.
__device__ inline void record_batch(Recorder* rec, WarpClock clock, bool first, Adjacency graph,
                                    int u, Bid choice, Outcome outcome)
{
    const unsigned degree = u < 0 ? 0 : (unsigned)(graph.indptr[u + 1] - graph.indptr[u]);
    const bool displacing = outcome.accepted && outcome.previous != 0;
    const unsigned edges = warp_sum(degree), slots = warp_sum((degree + 31) / 32 * 32);
    const unsigned counts = warp_sum((unsigned)(u >= 0) | (choice != 0) << 8 |
                                     outcome.accepted << 16 | displacing << 24);
    const float gain =
        warp_sum(outcome.accepted ? weight_of(choice) - weight_of(outcome.previous) : 0.0f);
    if (threadIdx.x % 32 != 0) return;
    const unsigned vertices = counts & 255, proposals = counts >> 8 & 255;
    const Row row = {vertices, edges, slots, proposals, counts >> 16 & 255, counts >> 24,
                     vertices - proposals, gain};
    if (first) record_row(rec, clock.warp, clock.iteration, row);
    else add_to_row(rec, clock.warp, clock.iteration, row);
}
#endif

// Let every vertex of the list propose once; keep the unplaced ones and return their number.
__device__ inline int iterate(Adjacency graph, Bid* bids, int* list, int count, int lane,
                              WarpClock& clock RECORD_PARAMS)
{
    int kept = 0;
    RECORD_COUNTERS(                                        // it waits for the block's other warps
        if (count == 0 && lane == 0) record_row(rec, clock.warp, clock.iteration, Row{});)
    for (int base = 0; base < count; base += 32) {
        const int batch = min(32, count - base);
        int my_vertex = -1;
        Bid my_choice = 0;
        for (int j = 0; j < batch; ++j) {
            const int u = list[base + j];
            const Bid choice = best_candidate(graph, bids, u, lane);
            if (lane == j) {
                my_vertex = u;
                my_choice = choice;
            }
        }
        Outcome outcome = {-1, 0, false};
        if (my_choice != 0) outcome = propose(bids, my_vertex, my_choice);

        const unsigned again = __ballot_sync(ALL_LANES, outcome.unplaced >= 0);
        __syncwarp();     // all lanes have read the batch: shuffles and votes order no memory
        if (outcome.unplaced >= 0)
            list[kept + __popc(again & ((1u << lane) - 1))] = outcome.unplaced;
        kept += __popc(again);
        __syncwarp();

        RECORD_COUNTERS(
            record_batch(rec, clock, base == 0, graph, my_vertex, my_choice, outcome);)
        RECORD_EVENTS(
            const unsigned kind = my_vertex < 0              ? NO_EVENT
                                  : my_choice == 0           ? EXHAUSTED
                                  : !outcome.accepted        ? OUTBID
                                  : outcome.previous != 0    ? DISPLACE
                                                             : PROPOSE_FREE;
            record_events(rec, clock.iteration, clock.warp, kind, my_vertex, vertex_of(my_choice),
                          vertex_of(outcome.previous), weight_of(my_choice), clock.batch++);)
    }
    ++clock.iteration;
    return kept;
}

// Load the warp's chunk of vertex indices into its list; returns how many there are.
__device__ inline int load_chunk(int n, int vertices_per_warp, int warp, int lane, int* list)
{
    const long long first = (long long)warp * vertices_per_warp;
    const long long left = n - first;
    const int count = left <= 0 ? 0 : left < vertices_per_warp ? (int)left : vertices_per_warp;
    for (int i = lane; i < count; i += 32) list[i] = (int)first + i;
    __syncwarp();
    return count;
}

// Shared memory: vertices_per_warp ints for each warp.
SIMT_KERNEL(suitor_nosync, __launch_bounds__(256, NOSYNC_BLOCKS))
(int n, const long long* indptr, const int* indices, const float* weights, Bid* bids,
 int vertices_per_warp RECORD_PARAMS)
{
    SIMT_DYN_SHARED(int, lists);
    const int lane = threadIdx.x % 32, warp_in_block = threadIdx.x / 32;
    const int warp = blockIdx.x * (blockDim.x / 32) + warp_in_block;
    int* list = lists + warp_in_block * vertices_per_warp;
    const Adjacency graph = {indptr, indices, weights};

    WarpClock clock = {warp, 0, 0};
    int count = load_chunk(n, vertices_per_warp, warp, lane, list);
    while (count > 0)
        count = iterate(graph, bids, list, count, lane, clock RECORD_COUNTERS(, rec));
}

// Level the lists of a block's warps: a warp with over 25 % more than the average gives away the
// excess, a warp with less takes from it.  `counts` holds every warp's count, the same for all
// threads.  Both sides find their places in the common pool by prefix sums over the (at most 32)
// warps.
__device__ inline int level(int* list, int* pool, const int* counts, int warp_in_block, int warps,
                            int lane, WarpClock& clock RECORD_PARAMS)
{
    int total = 0, most = 0;
    for (int i = 0; i < warps; ++i) {
        total += counts[i];
        most = max(most, counts[i]);
    }
    const int average = (total + warps - 1) / warps;
    if (4 * most <= 5 * average) return counts[warp_in_block];

    int surplus = 0, my_surplus = 0, wanted = 0, my_wanted = 0;   // sums; those before this warp
    for (int i = 0; i < warps; ++i) {
        if (i == warp_in_block) {
            my_surplus = surplus;
            my_wanted = wanted;
        }
        if (4 * counts[i] > 5 * average) surplus += counts[i] - average;
        if (counts[i] < average) wanted += average - counts[i];
    }
    int count = counts[warp_in_block];
    if (4 * count > 5 * average) {
        for (int i = average + lane; i < count; i += 32) pool[my_surplus + i - average] = list[i];
        count = average;
    }
    __syncthreads();
    const int taken = max(0, min(my_wanted + max(0, average - count), surplus) - my_wanted);
    for (int base = 0; base < taken; base += 32) {
        const int i = base + lane;
        if (i < taken) list[count + i] = pool[my_wanted + i];
        RECORD_EVENTS(
            int giver = 0;                                  // the warp that gave it to the pool
            for (int k = 0, end = 0; k < warps; ++k) {
                if (4 * counts[k] > 5 * average) end += counts[k] - average;
                if (my_wanted + i < end) { giver = k; break; }
            }
            record_events(rec, clock.iteration, clock.warp, i < taken ? MOVE : NO_EVENT,
                          i < taken ? pool[my_wanted + i] : -1, clock.warp - warp_in_block + giver,
                          clock.warp, 0.0f, clock.batch++);)
    }
    __syncwarp();    // the list is complete; the block meets again before the pool is written
    return count + taken;
}

// `level_iterations`: how many iterations of the recurrent phase begin with levelled lists; -1:
// as long as the block still holds a tenth of its vertices.  `stay_synchronous`: keep the warps
// together afterwards too (SyncLB, SyncNoLB), or let them go (Hybrid).
// Shared memory: 2 * vertices_per_warp ints for each warp, and 64 ints.
SIMT_KERNEL(suitor_sync, __launch_bounds__(256, SYNC_BLOCKS))
(int n, const long long* indptr, const int* indices, const float* weights, Bid* bids,
 int vertices_per_warp, int level_iterations, int stay_synchronous RECORD_PARAMS)
{
    SIMT_DYN_SHARED(int, shared);
    const int lane = threadIdx.x % 32, warp_in_block = threadIdx.x / 32, warps = blockDim.x / 32;
    const int warp = blockIdx.x * warps + warp_in_block;
    int* all_counts = shared;                               // two halves, used in turn
    int* pool = shared + 64;
    int* list = pool + (warps + warp_in_block) * vertices_per_warp;
    const Adjacency graph = {indptr, indices, weights};

    WarpClock clock = {warp, 0, 0};
    int count = load_chunk(n, vertices_per_warp, warp, lane, list);
    bool levelling = level_iterations != 0;
    bool synchronous = true;
    for (int iteration = 0;; ++iteration) {
        if (synchronous) {
            int* counts = all_counts + 32 * (iteration & 1);
            if (lane == 0) counts[warp_in_block] = count;
            if (!__syncthreads_or(count > 0)) break;
            if (level_iterations > 0 && iteration > level_iterations) levelling = false;
            if (level_iterations < 0 && iteration > 0) {
                int total = 0;
                for (int i = 0; i < warps; ++i) total += counts[i];
                if (10 * total < warps * vertices_per_warp) levelling = false;
            }
            if (levelling && iteration > 0)
                count = level(list, pool, counts, warp_in_block, warps, lane,
                              clock RECORD_COUNTERS(, rec));
            synchronous = levelling || stay_synchronous;
        }
        if (!synchronous && count == 0) break;
        count = iterate(graph, bids, list, count, lane, clock RECORD_COUNTERS(, rec));
    }
}

// The mates, from the final bids: every final suitor is also the mate.
SIMT_KERNEL(suitor_mates)(int n, const Bid* bids, int* mate)
{
    const long long u = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (u < n) mate[u] = vertex_of(bids[u]);
}

SIMT_EXPORT(suitor_nosync)
SIMT_EXPORT(suitor_sync)
SIMT_EXPORT(suitor_mates)
