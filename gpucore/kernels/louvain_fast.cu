// Louvain, tuned.  The method is that of louvain.cu and louvain_contract.cu; what is ours, and why:
//   * Moves count at once, not after a bucket: a sweep sees most of what it changes itself, so far
//     fewer sweeps are needed.  (This makes the result depend on the schedule.)
//   * A vertex is looked at again only if a neighbour in another community has moved since: after
//     the first sweeps few are.
//   * Up to 32 edges never leave the registers: the lanes of a group compare their communities by
//     shuffles.  Up to 128 a warp hashes, above that a block, in shared memory while it fits.
//   * a is read once for each neighbouring community, not once for each edge.
//   * Contraction first sums up what every vertex sends to every community, the same way, and
//     hashes only these sums, by pairs of communities, in one table for all: no community is too
//     large for it, and none too small.
//   * The sums give the modularity for nothing; nothing waits for the host inside a phase.
#include "simt.h"

#include "louvain_fast.cuh"

// Vertices of every class.
SIMT_KERNEL(fast_count)(int n, const long long* indptr, int* counts)
{
    SIMT_SHARED(int[CLASSES], block_counts);
    if (threadIdx.x < CLASSES) block_counts[threadIdx.x] = 0;
    __syncthreads();
    const long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) atomicAdd(block_counts + class_of(indptr[v + 1] - indptr[v]), 1);
    __syncthreads();
    if (threadIdx.x < CLASSES && block_counts[threadIdx.x])
        atomicAdd(counts + threadIdx.x, block_counts[threadIdx.x]);
}

// The vertices, class by class; `cursors` begin where the classes do.  A block's vertices stay
// together, so that neighbours in the order are near each other in memory.
SIMT_KERNEL(fast_place)(int n, const long long* indptr, int* cursors, int* order)
{
    SIMT_SHARED(int[CLASSES], block_counts);
    SIMT_SHARED(int[CLASSES], first);
    if (threadIdx.x < CLASSES) block_counts[threadIdx.x] = 0;
    __syncthreads();
    const long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const int mine = v < n ? class_of(indptr[v + 1] - indptr[v]) : 0;
    int place = 0;
    if (v < n) place = atomicAdd(block_counts + mine, 1);
    __syncthreads();
    if (threadIdx.x < CLASSES)
        first[threadIdx.x] = atomicAdd(cursors + threadIdx.x, block_counts[threadIdx.x]);
    __syncthreads();
    if (v < n) order[first[mine] + place] = (int)v;
}

// What a sweep changes beside the partition.
struct Sweep {
    unsigned char* awake;       // 1: a neighbour has moved since the vertex was looked at
    double* gained;             // modularity, as the movers saw it
    int* moved;
    int part, parts;            // the share of the vertices that this launch looks at
};

// The state of a phase: 1 when it has ended (launches that are still queued do nothing), launches,
// sweeps in a row that gained little, all moves.
enum { DONE, LAUNCHES, IDLE, MOVES };

// In the first two sweeps of four, moves go to smaller, then to larger numbers only.
__device__ inline int direction_of(int sweep)
{
    return sweep % 4 == 0 ? -1 : sweep % 4 == 1 ? 1 : 0;
}

// Whether the vertex has to be looked at now.  Where all vertices of a stage are in flight at once,
// nobody sees what the others do; so a small stage is swept over in parts.
__device__ inline bool is_due(Sweep sweep, int vertex)
{
    if (sweep.parts > 1 && (int)(((unsigned)vertex * 0x9e3779b1u) >> 16) % sweep.parts != sweep.part)
        return false;
    return simt_load(sweep.awake + vertex) != 0;
}

// The rule for lone vertices needs no sizes: a vertex is alone if its community weighs what it
// does, and so is the vertex that gave the other community its number, if it is still there.
__device__ inline bool may_go(Partition p, int vertex, Weight strength, Weight home_total, int from,
                              int to, Weight to_total)
{
    if (p.direction != 0 && (to > from) != (p.direction > 0)) return false;
    if (to < from || home_total != strength) return true;
    return to_total != p.strength[to] || simt_load(p.community + to) != to;
}

// Choose for one vertex, which `s` describes; returns where it goes, or -1.  One thread calls.
__device__ inline int settle(Partition p, Sweep sweep, int vertex, int home, Weight strength,
                             Weight inner, Choice best, double& gained, int& moved)
{
    if (best.community < 0) return -1;
    const Weight home_total = simt_load(p.total + home);
    const double gain = best.score - score(p, inner, strength, home_total - strength);
    if (!(gain > 0.0)) return -1;
    const Weight to_total = simt_load(p.total + best.community);
    if (!may_go(p, vertex, strength, home_total, home, best.community, to_total)) {
        simt_store(sweep.awake + vertex, 1);                // it may be allowed next time
        return -1;
    }
    simt_store(p.community + vertex, best.community);
    atomicAdd(p.total + best.community, strength);
    atomicAdd(p.total + home, 0 - strength);                // modulo 2^64
    gained += gain;
    moved += 1;
    return best.community;
}

__device__ inline void report(Partition p, Sweep sweep, double gained, int moved)
{
    for (int d = 16; d > 0; d /= 2) {
        gained += __shfl_xor_sync(ALL_LANES, gained, d);
        moved += __shfl_xor_sync(ALL_LANES, moved, d);
    }
    if (threadIdx.x % 32 == 0 && moved > 0) {
        atomicAdd(sweep.gained, 2.0 * gained / (p.two_m * p.two_m));
        atomicAdd(sweep.moved, moved);
    }
}

// Vertices of at most 32 edges.
SIMT_KERNEL(fast_move_lanes)
(const int* order, int begin1, int begin2, int begin3, int begin4, int begin5, int block2,
 int block3, int block4, const long long* indptr, const int* indices, const float* weights,
 const Weight* sums, double unit, int kind, const Weight* strength, int* community, Weight* total,
 double two_m, double resolution, int parts, unsigned char* awake, double* gained, int* moved,
 const int* state, int step RECORD_PARAMS)
{
    if (state[DONE]) return;
    const Place place = place_of_lane(
        {{begin1, begin2, begin3, begin4, begin5}, {0, block2, block3, block4}}, order);
    const int width = place.width, member = place.member;
    const Level level = {indptr, indices, weights, sums, unit, kind};
    const Partition p = {strength, community, total, 0, two_m, resolution,
                         direction_of(state[LAUNCHES] / parts)};
    const Sweep sweep = {awake, gained, moved, state[LAUNCHES] % parts, parts};

    int vertex = place.vertex;
    if (vertex >= 0 && !is_due(sweep, vertex)) vertex = -1;
    if (!__any_sync(ALL_LANES, vertex >= 0)) return;
    __syncwarp();                                           // all lanes have looked at `awake`
    if (vertex >= 0 && member == 0) simt_store(awake + vertex, 0);
    const long long e = vertex < 0 ? 0 : indptr[vertex] + member;
    const long long end = vertex < 0 ? 0 : indptr[vertex + 1];
    const Edge edge = edge_of_lane(community, level, vertex, e, end, width, false);
    const int home = vertex < 0 ? -1 : simt_load(community + vertex);
    const Weight k_i = vertex < 0 ? 0 : strength[vertex];

    Choice best = {0.0, -1};
    Weight inner = 0;
    if (edge.first && edge.community == home) inner = edge.sum;
    if (edge.first && edge.community != home)
        best = {score(p, edge.sum, k_i, simt_load(total + edge.community)), edge.community};
    best = best_of_group(best, width);
    inner = largest_of_group(inner, width);
    double gain = 0.0;
    int count = 0, to = -1;
    if (vertex >= 0 && member == 0)
        to = settle(p, sweep, vertex, home, k_i, inner, best, gain, count);
    RECORD_EVENTS(
        record_events(rec, step, (int)((blockIdx.x * blockDim.x + threadIdx.x) / 32),
                      to >= 0 ? MOVE : NO_EVENT, vertex, home, to,
                      (float)(2.0 * gain / (two_m * two_m)), 0);)
    RECORD_COUNTERS(
        const bool real = vertex >= 0 && e < end;
        Effort effort = {member == 0 && vertex >= 0, real, 1, 0, 0, edge.first, 0, to >= 0};
        effort = sum_of_warp(effort);
        if (threadIdx.x % 32 == 0)
            record_effort(rec, (blockIdx.x * blockDim.x + threadIdx.x) / 32, step, effort);)
    to = __shfl_sync(ALL_LANES, to, (threadIdx.x % 32) & ~(width - 1));
    if (to >= 0 && edge.other >= 0 && edge.community != to) simt_store(awake + edge.other, 1);
    report(p, sweep, gain, count);
}

// Best community in the table, and the weight to the vertex's own, as far as this thread looks.
__device__ inline Choice best_in_table(Partition p, HalfTable table, int home, Weight strength,
                                       Weight& inner, int member, int width)
{
    Choice best = {0.0, -1};
    for (unsigned slot = member; slot < table.size; slot += width) {
        const int key = table.keys[slot];
        if (key == NO_KEY) continue;
        if (key == home) inner = sum_at(table, slot);
        else
            best = better(best, {score(p, sum_at(table, slot), strength, simt_load(p.total + key)),
                                 key});
    }
    return best;
}

__device__ inline void wake(Partition p, Level level, Sweep sweep, int vertex, int to, int member,
                            int width)
{
    const long long end = level.indptr[vertex + 1];
    for (long long e = level.indptr[vertex] + member; e < end; e += width) {
        const int other = level.indices[e];
        if (simt_load(p.community + other) != to && other != vertex)
            simt_store(sweep.awake + other, 1);
    }
}

// Vertices of 33 to WARP_DEGREE edges, a warp each.  Shared memory: WARP_SLOTS times 12 bytes for
// each warp.
SIMT_KERNEL(fast_move_warp)
(const int* order, int begin, int end, const long long* indptr, const int* indices,
 const float* weights, const Weight* sums, double unit, int kind, const Weight* strength,
 int* community, Weight* total, double two_m, double resolution, int parts,
 unsigned char* awake, double* gained, int* moved, const int* state, int first_warp,
 int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned, memory);
    if (state[DONE]) return;
    const int lane = threadIdx.x % 32, in_block = threadIdx.x / 32, warps = blockDim.x / 32;
    const int warp = blockIdx.x * warps + in_block;
    const Level level = {indptr, indices, weights, sums, unit, kind};
    const Partition p = {strength, community, total, 0, two_m, resolution,
                         direction_of(state[LAUNCHES] / parts)};
    const Sweep sweep = {awake, gained, moved, state[LAUNCHES] % parts, parts};
    if (begin + warp >= end) return;
    const int vertex = order[begin + warp];
    if (!is_due(sweep, vertex)) return;
    __syncwarp();
    if (lane == 0) simt_store(awake + vertex, 0);
    const HalfTable table = half_table(memory + in_block * WARP_SLOTS * SLOT_WORDS,
                                       slots_of(indptr[vertex + 1] - indptr[vertex], 64));
    clear(table, lane, 32);
    __syncwarp();
    add_edges(community, level, table, vertex, lane, 32, false);
    __syncwarp();
    const int home = simt_load(community + vertex);
    Weight inner = 0;
    Choice best = best_in_table(p, table, home, strength[vertex], inner, lane, 32);
    best = best_of_group(best, 32);
    inner = largest_of_group(inner, 32);
    double gain = 0.0;
    int count = 0, to = -1;
    if (lane == 0)
        to = settle(p, sweep, vertex, home, strength[vertex], inner, best, gain, count);
    RECORD_EVENTS(
        record_events(rec, step, first_warp + warp, to >= 0 ? MOVE : NO_EVENT, vertex, home, to,
                      (float)(2.0 * gain / (two_m * two_m)), 0);)
    RECORD_COUNTERS(
        const unsigned degree = (unsigned)(indptr[vertex + 1] - indptr[vertex]);
        if (lane == 0)
            record_effort(rec, first_warp + warp, step,
                          {1, degree, (degree + 31) / 32 * 32, degree, 0, 0, table.size, to >= 0});)
    to = __shfl_sync(ALL_LANES, to, 0);
    if (to >= 0) wake(p, level, sweep, vertex, to, lane, 32);
    report(p, sweep, gain, count);
}

// Vertices of more edges, a block each; with `slots` 0 the table is in shared memory, otherwise it
// has that many slots of global memory for each block.
SIMT_KERNEL(fast_move_block)
(const int* order, int begin, int end, const long long* indptr, const int* indices,
 const float* weights, const Weight* sums, double unit, int kind, const Weight* strength,
 int* community, Weight* total, double two_m, double resolution, int parts,
 unsigned char* awake, double* gained, int* moved, const int* state, long long slots,
 unsigned* tables, int first_warp, int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned, memory);
    SIMT_SHARED(Choice[32], bests);
    SIMT_SHARED(Weight[32], inners);
    SIMT_SHARED(int[1], goal);
    if (state[DONE]) return;
    const int lane = threadIdx.x % 32, in_block = threadIdx.x / 32, warps = blockDim.x / 32;
    const Level level = {indptr, indices, weights, sums, unit, kind};
    const Partition p = {strength, community, total, 0, two_m, resolution,
                         direction_of(state[LAUNCHES] / parts)};
    const Sweep sweep = {awake, gained, moved, state[LAUNCHES] % parts, parts};
    double gain = 0.0;
    int count = 0;
    for (int place = begin + blockIdx.x; place < end; place += gridDim.x) {
        const int vertex = order[place];
        if (threadIdx.x == 0) {
            goal[0] = is_due(sweep, vertex);
            if (goal[0]) simt_store(awake + vertex, 0);
        }
        __syncthreads();
        const bool sleeps = goal[0] == 0;
        __syncthreads();
        if (sleeps) continue;
        const unsigned size = slots_of(indptr[vertex + 1] - indptr[vertex], 64);
        const HalfTable table =
            half_table(slots ? tables + blockIdx.x * slots * SLOT_WORDS : memory, size);
        clear(table, threadIdx.x, blockDim.x);
        __syncthreads();
        add_edges(community, level, table, vertex, threadIdx.x, blockDim.x, false);
        __syncthreads();
        const int home = simt_load(community + vertex);
        Weight inner = 0;
        Choice best = best_in_table(p, table, home, strength[vertex], inner, threadIdx.x,
                                    blockDim.x);
        best = best_of_group(best, 32);
        inner = largest_of_group(inner, 32);
        if (lane == 0) {
            bests[in_block] = best;
            inners[in_block] = inner;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int i = 1; i < warps; ++i) {
                best = better(best, bests[i]);
                inner = inners[i] > inner ? inners[i] : inner;
            }
            const double before = gain;
            const int to = settle(p, sweep, vertex, home, strength[vertex], inner, best, gain,
                                  count);
            goal[0] = to;
            RECORD_EVENTS(
                if (to >= 0)
                    record_event(rec, step, first_warp + blockIdx.x * warps, MOVE, vertex, home, to,
                                 (float)(2.0 * (gain - before) / (two_m * two_m)), place);)
            RECORD_COUNTERS(
                const unsigned degree = (unsigned)(indptr[vertex + 1] - indptr[vertex]);
                const unsigned rounds = (degree + blockDim.x - 1) / blockDim.x;
                record_effort(rec, first_warp + blockIdx.x * warps, step,
                              {1, degree, rounds * blockDim.x, degree, 0, 0, size, to >= 0});)
            (void)before;
        }
        __syncthreads();
        if (goal[0] >= 0) wake(p, level, sweep, vertex, goal[0], threadIdx.x, blockDim.x);
        __syncthreads();                                    // table and desk are free again
    }
    report(p, sweep, gain, count);
}

// End of a launch, one thread: after the last part of a sweep, has the phase ended?  It has when
// `patience` sweeps in a row gained little, or there were too many.
SIMT_KERNEL(fast_judge)
(double* gained, int* moved, double* modularity, double threshold, int parts, int patience,
 int max_sweeps, int* state)
{
    if (state[DONE]) return;
    state[LAUNCHES] += 1;
    if (state[LAUNCHES] % parts) return;
    *modularity += *gained;
    const double wanted = *modularity > 0.0 ? threshold * *modularity : 0.0;
    const bool little = *moved == 0 || *gained < wanted;
    state[IDLE] = little ? state[IDLE] + 1 : 0;
    state[MOVES] += *moved;
    if (state[IDLE] >= patience || state[LAUNCHES] / parts >= max_sweeps) state[DONE] = 1;
    *gained = 0.0;
    *moved = 0;
}

SIMT_EXPORT(fast_count)
SIMT_EXPORT(fast_place)
SIMT_EXPORT(fast_move_lanes)
SIMT_EXPORT(fast_move_warp)
SIMT_EXPORT(fast_move_block)
SIMT_EXPORT(fast_judge)
