// Louvain, tuned: contraction.
//
// Every vertex first sums up its weight to each community (louvain_fast.cuh); the sums go into one
// hash table for all pairs of communities, those inside a community into an array.  So the work is
// divided by vertices, however unequal the communities are, and many edges between two communities
// need few atomics.
//   fast_clear      empty the table
//   fast_mark       mark the communities that have members
//   fast_pairs_*    fill the table, and the inner weights
//   fast_lengths    edges of every new vertex; sums for the modularity
//   fast_edges      write the new lists
//
// A table may also hold the pairs of a range of communities only, see louvain_fast_batches.cu; the
// last two kernels go over the communities of that range.
#include "simt.h"

#include "louvain_fast.cuh"

#define NO_PAIR 0xffffffffffffffffull

// Two communities by their new numbers, and the weight between them, adjacent, so that both are in
// one memory sector.
struct Pairs {
    Weight* slots;              // key, sum, key, sum, ...; NO_PAIR: empty
    unsigned long long mask;    // number of slots, a power of two, less one
    Weight* inner;              // weight inside every new community
};

// The table has more slots than there are edges, so the search ends.  Return the probes.
__device__ inline unsigned add_pair(Pairs pairs, unsigned from, unsigned to, Weight weight)
{
    if (from == to) {
        atomicAdd(pairs.inner + from, weight);
        return 0;
    }
    const Weight key = (Weight)from << 32 | to;
    unsigned long long slot = (key * 0x9e3779b97f4a7c15ull) >> 20 & pairs.mask;
    for (unsigned probes = 1;; ++probes) {
        Weight* place = pairs.slots + 2 * slot;
        Weight found = simt_load(place);
        if (found == NO_PAIR) found = atomicCAS(place, NO_PAIR, key);
        if (found == NO_PAIR || found == key) {
            atomicAdd(place + 1, weight);
            return probes;
        }
        slot = (slot + 1) & pairs.mask;
    }
}

// Empty slots: an all-ones key, a zero sum.
SIMT_KERNEL(fast_clear)(long long slots, Weight* table)
{
    const long long stride = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < 2 * slots; i += stride)
        table[i] = i % 2 ? 0 : NO_PAIR;
}

SIMT_KERNEL(fast_mark)(int n, const int* community, int* used)
{
    const long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) simt_store(used + community[v], 1);
}

// `number`: used communities up to each one.  Write the new vertex of every old one.
SIMT_KERNEL(fast_renumber)
(int n, const int* community, const int* number, const int* used, const Weight* total, int* mapping,
 Weight* new_total)
{
    const long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    mapping[v] = number[community[v]] - 1;
    if (used[v]) new_total[number[v] - 1] = total[v];
}

#if RECORD >= 1
// All lanes of a warp call: its row of the contraction, if it had edges.
__device__ inline void record_pairs(Recorder* rec, int warp, int step, Effort mine)
{
    const Effort effort = sum_of_warp(mine);
    if (threadIdx.x % 32 == 0 && effort.edges > 0) record_effort(rec, warp, step, effort);
}
#endif

// The classes of at most 32 edges; communities by their new numbers, here and below.
SIMT_KERNEL(fast_pairs_lanes)
(const int* order, int begin1, int begin2, int begin3, int begin4, int begin5, int block2,
 int block3, int block4, const long long* indptr, const int* indices, const float* weights,
 const Weight* sums, double unit, int kind, const int* mapping, Weight* pairs,
 unsigned long long mask, Weight* inner, int step RECORD_PARAMS)
{
    const Place place = place_of_lane(
        {{begin1, begin2, begin3, begin4, begin5}, {0, block2, block3, block4}}, order, blockIdx.x);
    const Level level = {indptr, indices, weights, sums, unit, kind};
    const int vertex = place.vertex;
    const long long e = vertex < 0 ? 0 : indptr[vertex] + place.member;
    const long long end = vertex < 0 ? 0 : indptr[vertex + 1];
    const Edge edge = edge_of_lane(mapping, level, vertex, e, end, place.width, true);
    [[maybe_unused]] unsigned probes = 0;
    if (edge.first)
        probes = add_pair({pairs, mask, inner}, mapping[vertex], edge.community, edge.sum);
    RECORD_COUNTERS(
        const bool real = vertex >= 0 && e < end;
        record_pairs(rec, warp_in_grid(), step,
                     {place.member == 0 && vertex >= 0, real, 1, probes, probes > 1 ? probes - 1 : 0,
                      0, 0, 0});)
}

// Add a vertex's sums; count its edges and their table, and the probes for the sums.
__device__ inline void add_table(Pairs pairs, HalfTable table, int from, int member, int width
                                 RECORD_COUNTERS(, Effort& effort))
{
    for (unsigned slot = member; slot < table.size; slot += width) {
        if (table.keys[slot] == NO_KEY) continue;
        [[maybe_unused]] const unsigned probes =
            add_pair(pairs, from, table.keys[slot], sum_at(table, slot));
        RECORD_COUNTERS(
            effort.probes += probes;
            effort.collisions += probes > 1 ? probes - 1 : 0;
            effort.occupied += 1;)
    }
    RECORD_COUNTERS(effort.slots += member == 0 ? table.size : 0;)
}

#if RECORD >= 1
// This thread's share of a vertex's edges; `member` of `width` threads.
__device__ inline void count_edges(Effort& effort, long long degree, int member, int width)
{
    effort.vertices += member == 0;
    effort.edges += degree > member ? (unsigned)((degree - member + width - 1) / width) : 0;
    effort.lane_slots += (unsigned)((degree + width - 1) / width);
}
#endif

// Shared memory: WARP_SLOTS times 12 bytes for each warp.
SIMT_KERNEL(fast_pairs_warp)
(const int* order, int begin, int end, const long long* indptr, const int* indices,
 const float* weights, const Weight* sums, double unit, int kind, const int* mapping, Weight* pairs,
 unsigned long long mask, Weight* inner, [[maybe_unused]] int first_warp, int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned, memory);
    const int lane = threadIdx.x % 32, in_block = threadIdx.x / 32, warps = blockDim.x / 32;
    const int place = begin + blockIdx.x * warps + in_block;
    if (place >= end) return;
    const int vertex = order[place];
    const Tables table = tables_of(indptr[vertex + 1] - indptr[vertex],
                                   memory + in_block * WARP_SLOTS * SLOT_WORDS, 0);
    clear(table, lane, 32);
    __syncwarp();
    add_edges(mapping, {indptr, indices, weights, sums, unit, kind}, table, vertex, lane, 32, true);
    __syncwarp();
    RECORD_COUNTERS(
        Effort effort = {0, 0, 0, 0, 0, 0, 0, 0};
        count_edges(effort, indptr[vertex + 1] - indptr[vertex], lane, 32);)
    add_table({pairs, mask, inner}, table.near, mapping[vertex], lane, 32
              RECORD_COUNTERS(, effort));
    RECORD_COUNTERS(record_pairs(rec, first_warp + place - begin, step, effort);)
}

// Shared memory: SHARED_SLOTS times 12 bytes; `slots` times 12 bytes outside for each block.
SIMT_KERNEL(fast_pairs_block)
(const int* order, int begin, int end, const long long* indptr, const int* indices,
 const float* weights, const Weight* sums, double unit, int kind, const int* mapping, Weight* pairs,
 unsigned long long mask, Weight* inner, long long slots, unsigned* outside,
 [[maybe_unused]] int first_warp, int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned, memory);
    RECORD_COUNTERS(Effort effort = {0, 0, 0, 0, 0, 0, 0, 0};)
    for (int place = begin + blockIdx.x; place < end; place += gridDim.x) {
        const int vertex = order[place];
        const Tables table = tables_of(indptr[vertex + 1] - indptr[vertex], memory,
                                       outside + blockIdx.x * slots * SLOT_WORDS);
        clear(table, threadIdx.x, blockDim.x);
        __syncthreads();
        add_edges(mapping, {indptr, indices, weights, sums, unit, kind}, table, vertex, threadIdx.x,
                  blockDim.x, true);
        __syncthreads();
        const Pairs all = {pairs, mask, inner};
        add_table(all, table.near, mapping[vertex], threadIdx.x, blockDim.x
                  RECORD_COUNTERS(, effort));
        add_table(all, table.far, mapping[vertex], threadIdx.x, blockDim.x
                  RECORD_COUNTERS(, effort));
        RECORD_COUNTERS(
            count_edges(effort, indptr[vertex + 1] - indptr[vertex], threadIdx.x, blockDim.x);)
        __syncthreads();
    }
    RECORD_COUNTERS(
        record_pairs(rec, first_warp + warp_in_grid(), step, effort);)
}

SIMT_KERNEL(fast_lengths)
(long long slots, const Weight* pairs, int begin, int end, const Weight* inner, const Weight* total,
 double two_m, int* length, double* inner_share, double* squares)
{
    SIMT_SHARED(double[32], lanes);
    const long long stride = (long long)gridDim.x * blockDim.x;
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (long long slot = thread; slot < slots; slot += stride)
        if (pairs[2 * slot] != NO_PAIR) atomicAdd(length + (pairs[2 * slot] >> 32), 1);
    double inside = 0.0, expected = 0.0;
    for (long long c = begin + thread; c < end; c += stride) {
        if (inner[c]) atomicAdd(length + c, 1);
        const double share = (double)total[c] / two_m;
        inside += (double)inner[c] / two_m;
        expected += share * share;
    }
    inside = block_sum(inside, lanes);
    __syncthreads();
    expected = block_sum(expected, lanes);
    if (threadIdx.x == 0) {
        inner_share[blockIdx.x] = inside;
        squares[blockIdx.x] = expected;
    }
}

// `cursor` initially holds the start of each list.
SIMT_KERNEL(fast_edges)
(long long slots, const Weight* pairs, int begin, int end, const Weight* inner,
 unsigned long long* cursor, int* neighbours, Weight* edge_sums)
{
    const long long stride = (long long)gridDim.x * blockDim.x;
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (long long slot = thread; slot < slots; slot += stride) {
        const Weight key = pairs[2 * slot];
        if (key == NO_PAIR) continue;
        const unsigned long long e = atomicAdd(cursor + (key >> 32), 1ull);
        neighbours[e] = (int)(key & 0xffffffffu);
        edge_sums[e] = pairs[2 * slot + 1];
    }
    for (long long c = begin + thread; c < end; c += stride)
        if (inner[c]) {
            const unsigned long long e = atomicAdd(cursor + c, 1ull);
            neighbours[e] = (int)c;
            edge_sums[e] = inner[c];
        }
}

SIMT_EXPORT(fast_clear)
SIMT_EXPORT(fast_mark)
SIMT_EXPORT(fast_renumber)
SIMT_EXPORT(fast_pairs_lanes)
SIMT_EXPORT(fast_pairs_warp)
SIMT_EXPORT(fast_pairs_block)
SIMT_EXPORT(fast_lengths)
SIMT_EXPORT(fast_edges)
