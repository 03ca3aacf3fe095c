// GPU-LD: half-approximate weighted matching by locally dominant edges.
//
// Source: Naim et al., HiPC 2015, section 2.1, algorithms 1 and 2; the GPU form (the host launches
// one kernel a round, as many threads as the queue has vertices) is that of Halappanavar, Feo,
// Villa, Tumeo, Pothen, "Approximate weighted matching on emerging manycore and multithreaded
// architectures", IJHPCA 2012, as section 6 of the paper describes it.
//
// Every unmatched vertex points to its heaviest unmatched neighbour, its candidate.  An edge whose
// ends point to each other is locally dominant and is matched; its ends go into the queue of the
// next round, in which the unmatched neighbours that pointed to them look for a new candidate.
//
// The paper's form has a thread for a vertex: ld_first and ld_round.  Ours beside it has a warp for a
// vertex, so that the lanes read one adjacency side by side: ld_warp_first and ld_warp_round.
//
// Two ends may point to each other at the same moment.  Each writes its own candidate by an atomic,
// then fences, then reads the other's, so at least one of them sees the pair; a CAS on the mate of
// the larger end lets exactly one of them match it.
#include "simt.h"

#include "matching.cuh"
#include "record.cuh"

#ifndef LANE_EDGES
#define LANE_EDGES 4
#endif

struct Problem {
    const long long* indptr;
    const int* indices;
    const float* weights;
};

struct Queue {
    int* vertices;
    int* count;
};

// What a thread did in a round; `slots` are lanes, busy or idle, of a warp that reads adjacencies.
struct Tally {
    unsigned vertices, edges, matched;
    float gain;
    unsigned slots;
};

// Lanes that a warp spends on an adjacency.
__device__ inline unsigned slots_of(Problem p, int s)
{
    return (unsigned)(p.indptr[s + 1] - p.indptr[s] + 31) / 32 * 32;
}

// Algorithm 2, once the heaviest edge to an unmatched neighbour is known.  One thread calls.
// `tally` and `order` (the thread's own event counter) serve the record.
__device__ inline void point(Problem p, int s, Bid best, int* mate, int* candidate, Queue next,
                             int round, Tally& tally RECORD_PARAMS)
{
    const int t = vertex_of(best);
    RECORD_COUNTERS(tally.vertices += 1; tally.edges += (unsigned)(p.indptr[s + 1] - p.indptr[s]);)
    RECORD_EVENTS(
        const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
        record_event(rec, round, warp, t < 0 ? EXHAUSTED : POINT, s, t, -1, weight_of(best), 0);)
    atomicExch(candidate + s, t);
    if (t < 0) return;
    __threadfence();
    if (simt_load(candidate + t) != s) return;
    const int low = min(s, t), high = max(s, t);
    if (atomicCAS(mate + high, -1, low) != -1) return;      // the other end was faster
    simt_store(mate + low, high);
    const int place = atomicAdd(next.count, 2);
    next.vertices[place] = s;
    next.vertices[place + 1] = t;
    RECORD_COUNTERS(tally.matched += 1; tally.gain += weight_of(best);)
    RECORD_EVENTS(record_event(rec, round, warp, MATCH, s, t, -1, weight_of(best), 1);)
}

// Algorithm 2 by one thread.
__device__ inline void process_vertex(Problem p, int s, int* mate, int* candidate, Queue next,
                                      int round, Tally& tally RECORD_PARAMS)
{
    Bid best = 0;
    const long long end = p.indptr[s + 1];
    for (long long e = p.indptr[s]; e < end; ++e) {
        const int t = p.indices[e];
        if (simt_load(mate + t) < 0) {
            const Bid edge = pack(p.weights[e], t);
            if (edge > best) best = edge;
        }
    }
    point(p, s, best, mate, candidate, next, round, tally RECORD_COUNTERS(, rec));
}

// Algorithm 2 by a warp, LANE_EDGES edges a lane at a time.  The neighbour is looked up only where
// the edge is heavier than the best one so far.
__device__ inline void process_by_warp(Problem p, int s, int lane, int* mate, int* candidate,
                                       Queue next, int round, Tally& tally RECORD_PARAMS)
{
    Bid best = 0;
    const long long end = p.indptr[s + 1];
    for (long long base = p.indptr[s] + lane; base < end; base += 32 * LANE_EDGES) {
        Bid edge[LANE_EDGES];
#pragma unroll
        for (int j = 0; j < LANE_EDGES; ++j) {
            const long long e = base + 32 * j;
            edge[j] = e < end ? pack(p.weights[e], p.indices[e]) : 0;
        }
        int taken[LANE_EDGES];
#pragma unroll
        for (int j = 0; j < LANE_EDGES; ++j)
            taken[j] = edge[j] > best ? simt_load(mate + vertex_of(edge[j])) : 0;
#pragma unroll
        for (int j = 0; j < LANE_EDGES; ++j)
            if (taken[j] < 0 && edge[j] > best) best = edge[j];
    }
    best = warp_max(best);
    if (lane == 0) point(p, s, best, mate, candidate, next, round, tally RECORD_COUNTERS(, rec));
    RECORD_COUNTERS(tally.slots += slots_of(p, s);)
}

#if RECORD >= 1
// One row for the warp from the tallies of its lanes; a lane's slots are those of the longest.
__device__ inline void record_tally(Recorder* rec, int round, Tally tally, bool busy)
{
    const unsigned longest = warp_largest(tally.edges);
    const bool active = __any_sync(ALL_LANES, busy);
    const unsigned vertices = warp_sum(tally.vertices), edges = warp_sum(tally.edges);
    const unsigned matched = warp_sum(tally.matched);
    const float gain = warp_sum(tally.gain);
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (threadIdx.x % 32 == 0 && active)
        record_row(rec, warp, round,
                   {vertices, edges, 32 * longest, vertices, matched, 0, 0, gain});
}

// One row from a warp whose first lane has the tally.
__device__ inline void record_warp(Recorder* rec, int round, int warp, Tally tally)
{
    if (threadIdx.x % 32 == 0)
        record_row(rec, warp, round,
                   {tally.vertices, tally.edges, tally.slots, tally.vertices, tally.matched, 0, 0,
                    tally.gain});
}
#endif

// Algorithm 1, lines 6-7: every vertex.
SIMT_KERNEL(ld_first)(int n, const long long* indptr, const int* indices, const float* weights,
                      int* mate, int* candidate, int* next, int* next_count RECORD_PARAMS)
{
    const long long s = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    Tally tally = {0, 0, 0, 0.0f, 0};
    if (s < n)
        process_vertex({indptr, indices, weights}, (int)s, mate, candidate, {next, next_count}, 0,
                       tally RECORD_COUNTERS(, rec));
    RECORD_COUNTERS(record_tally(rec, 0, tally, s < n);)
}

// Algorithm 1, lines 9-12: the neighbours of the vertices matched in the round before.
SIMT_KERNEL(ld_round)(int count, const int* queue, const long long* indptr, const int* indices,
                      const float* weights, int* mate, int* candidate, int* next, int* next_count,
                      int round RECORD_PARAMS)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    Tally tally = {0, 0, 0, 0.0f, 0};
    if (i < count) {
        const int u = queue[i];
        const long long end = indptr[u + 1];
        RECORD_COUNTERS(tally.edges += (unsigned)(end - indptr[u]);)
        for (long long e = indptr[u]; e < end; ++e) {
            const int v = indices[e];
            if (simt_load(candidate + v) == u && simt_load(mate + v) < 0)
                process_vertex({indptr, indices, weights}, v, mate, candidate, {next, next_count},
                               round, tally RECORD_COUNTERS(, rec));
        }
    }
    RECORD_COUNTERS(record_tally(rec, round, tally, i < count);)
}

// Algorithm 1, lines 6-7, a warp for a vertex.
SIMT_KERNEL(ld_warp_first)(int n, const long long* indptr, const int* indices,
                           const float* weights, int* mate, int* candidate, int* next,
                           int* next_count RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32, warps = (int)(gridDim.x * (blockDim.x / 32));
    const int warp = (int)(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32);
    Tally tally = {0, 0, 0, 0.0f, 0};
    if (warp >= n) return;
    for (long long s = warp; s < n; s += warps)
        process_by_warp({indptr, indices, weights}, (int)s, lane, mate, candidate,
                        {next, next_count}, 0, tally RECORD_COUNTERS(, rec));
    RECORD_COUNTERS(record_warp(rec, 0, warp, tally);)
}

// Algorithm 1, lines 9-12, a warp for a vertex that was matched in the round before.
SIMT_KERNEL(ld_warp_round)(int count, const int* queue, const long long* indptr,
                           const int* indices, const float* weights, int* mate, int* candidate,
                           int* next, int* next_count, int round RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32, warps = (int)(gridDim.x * (blockDim.x / 32));
    const int warp = (int)(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32);
    const Problem p = {indptr, indices, weights};
    Tally tally = {0, 0, 0, 0.0f, 0};
    if (warp >= count) return;
    for (long long i = warp; i < count; i += warps) {
        const int u = queue[i];
        const long long end = indptr[u + 1];
        RECORD_COUNTERS(
            tally.edges += lane == 0 ? (unsigned)(end - indptr[u]) : 0u;
            tally.slots += slots_of(p, u);)
        for (long long base = indptr[u]; base < end; base += 32) {
            const int v = base + lane < end ? indices[base + lane] : -1;
            const bool due = v >= 0 && simt_load(candidate + v) == u && simt_load(mate + v) < 0;
            for (unsigned left = __ballot_sync(ALL_LANES, due); left != 0; left &= left - 1) {
                const int s = __shfl_sync(ALL_LANES, v, __ffs((int)left) - 1);
                process_by_warp(p, s, lane, mate, candidate, {next, next_count}, round,
                                tally RECORD_COUNTERS(, rec));
            }
        }
    }
    RECORD_COUNTERS(record_warp(rec, round, warp, tally);)
}

SIMT_EXPORT(ld_first)
SIMT_EXPORT(ld_round)
SIMT_EXPORT(ld_warp_first)
SIMT_EXPORT(ld_warp_round)
