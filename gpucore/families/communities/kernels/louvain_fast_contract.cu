// Louvain, tuned: contraction.
//
// Every vertex first sums up its weight to each community (louvain_fast.cuh); the sums go into one
// hash table for all pairs of communities, those inside a community into an array.  So the work is
// divided by vertices, however unequal the communities are, and many edges between two communities
// need few atomics.
//   fast_clear      empty the table
//   fast_mark       mark the communities that have members
//   fast_parts, fast_number   number these from 0, each a new vertex
//   fast_map        the new vertex of every old one
//   fast_pairs_*    fill the table, and the inner weights
//   fast_loops      add the loops to the lengths; weight inside for the modularity
//   fast_parts, fast_rows   where the new lists begin, and how many new vertices each class has
//   fast_edges      write the new lists
// What the host has to know is in the facts of the stage (fast_facts.py), which it reads once.
//
// A table may also hold the pairs of a range of communities only, see louvain_fast_batches.cu.
#include "simt.h"

#include "louvain_fast.cuh"

#define NO_PAIR 0xffffffffffffffffull
// After so many probes a search asks whether the table has overflowed; then all that it has is void.
#define LONG_SEARCH 64

// A pair of communities, from << 32 | to by their new numbers, and the weight between them, adjacent,
// so that both are in one memory sector.
struct __align__(16) Slot {
    Weight key, sum;            // NO_PAIR: empty
};

struct Pairs {
    Slot* slots;
    unsigned long long mask;    // number of slots, a power of two, less one
    Weight* inner;              // weight inside every new community
    int* length;                // pairs of every new community
    int* overflowed;            // 1: a search took more than `most_probes`
    unsigned most_probes;
};

// Return the probes.
__device__ inline unsigned add_pair(Pairs pairs, unsigned from, unsigned to, Weight weight)
{
    if (from == to) {
        atomicAdd(pairs.inner + from, weight);
        return 0;
    }
    const Weight key = (Weight)from << 32 | to;
    unsigned long long slot = (key * 0x9e3779b97f4a7c15ull) >> 20 & pairs.mask;
    for (unsigned probes = 1; probes <= pairs.most_probes; ++probes) {
        Slot* place = pairs.slots + slot;
        Weight found = simt_load(&place->key);
        if (found == NO_PAIR) {
            found = atomicCAS(&place->key, NO_PAIR, key);
            if (found == NO_PAIR) atomicAdd(pairs.length + from, 1);
        }
        if (found == NO_PAIR || found == key) {
            atomicAdd(&place->sum, weight);
            return probes;
        }
        slot = (slot + 1) & pairs.mask;
        if (probes % LONG_SEARCH == 0 && simt_load(pairs.overflowed)) break;
    }
    simt_store(pairs.overflowed, 1);
    return 0;
}

SIMT_KERNEL(fast_clear)(long long slots, Slot* table)
{
    const long long stride = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < slots; i += stride)
        table[i] = {NO_PAIR, 0};
}

SIMT_KERNEL(fast_mark)(int n, const int* community, int* used)
{
    const long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    // Few communities: a million stores to the same places would wait for each other.
    if (v < n && simt_load(used + community[v]) == 0) simt_store(used + community[v], 1);
}

// Exclusive sum over the block, and the sum of all in `total`; `warps` is shared memory for 33 values.
template <class T> __device__ inline T block_scan(T mine, T& total, T* warps)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, count = blockDim.x / 32;
    T sum = mine;
    for (int d = 1; d < 32; d *= 2) {
        const T other = __shfl_up_sync(ALL_LANES, sum, d);
        if (lane >= d) sum += other;
    }
    if (lane == 31) warps[warp] = sum;
    __syncthreads();
    T before = 0;
    total = 0;
    for (int w = 0; w < count; ++w) {
        if (w < warp) before += warps[w];
        total += warps[w];
    }
    __syncthreads();                                        // the memory is free again
    return before + sum - mine;
}

// Sums of `chunk` numbers a block.
SIMT_KERNEL(fast_parts)(int n, int chunk, const int* numbers, long long* parts)
{
    SIMT_SHARED(long long[32], lanes);
    const long long begin = (long long)blockIdx.x * chunk;
    const long long end = begin + chunk < n ? begin + chunk : n;
    long long mine = 0;
    for (long long c = begin + threadIdx.x; c < end; c += blockDim.x) mine += numbers[c];
    mine = block_sum(mine, lanes);
    if (threadIdx.x == 0) parts[blockIdx.x] = mine;
}

// Sum of the parts before this block's; all threads get it.  `memory` is for 33 values.
__device__ inline long long before_block(const long long* parts, long long* memory)
{
    long long mine = 0;
    for (int b = threadIdx.x; b < (int)blockIdx.x; b += blockDim.x) mine += parts[b];
    mine = block_sum(mine, memory);
    if (threadIdx.x == 0) memory[32] = mine;
    __syncthreads();
    return memory[32];
}

// The numbers do not depend on the schedule, and what was near stays near.  `parts`: communities of
// every block's chunk; `squares`: sum of the squared shares of all strength.
SIMT_KERNEL(fast_number)
(int n, int chunk, const int* used, const long long* parts, const Weight* total, double two_m,
 int* number, Weight* new_total, int* communities, double* squares)
{
    SIMT_SHARED(long long[33], memory);
    SIMT_SHARED(int[33], warps);
    SIMT_SHARED(double[32], lanes);
    int before = (int)before_block(parts, memory);
    const long long begin = (long long)blockIdx.x * chunk;
    const long long end = begin + chunk < n ? begin + chunk : n;
    double share = 0.0;
    for (long long tile = begin; tile < end; tile += blockDim.x) {
        const long long v = tile + threadIdx.x;
        const bool real = v < end && used[v];
        int count = 0;
        const int mine = before + block_scan((int)real, count, warps);
        before += count;
        if (!real) continue;
        number[v] = mine;
        new_total[mine] = total[v];
        const double own = (double)total[v] / two_m;
        share += own * own;
    }
    share = block_sum(share, lanes);
    if (threadIdx.x != 0) return;
    if (share > 0.0) atomicAdd(squares, share);
    if (end == n) *communities = before;
}

SIMT_KERNEL(fast_map)(int n, const int* community, const int* number, int* mapping)
{
    const long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) mapping[v] = number[community[v]];
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
 const Weight* sums, double unit, int kind, const int* mapping, Slot* pairs,
 unsigned long long mask, Weight* inner, int* length, int* overflowed, unsigned most_probes,
 int step RECORD_PARAMS)
{
    const Place place = place_of_lane(
        {{begin1, begin2, begin3, begin4, begin5}, {0, block2, block3, block4}}, order, blockIdx.x, 0,
        1);
    const Level level = {indptr, indices, weights, sums, unit, kind};
    const int vertex = place.vertex;
    const long long begin = vertex < 0 ? 0 : indptr[vertex] + place.member;
    const long long end = vertex < 0 ? 0 : indptr[vertex + 1];
    Edges edges = edges_of_lane(mapping, level, vertex, begin, end, place.width, true);
    sum_up(edges, level, begin, place.width);
    RECORD_COUNTERS(Effort effort = effort_of_lane(edges, begin, end, place.width);)
    const int from = vertex < 0 ? -1 : mapping[vertex];
    const Pairs table = {pairs, mask, inner, length, overflowed, most_probes};
    for (int i = 0; i < LANE_EDGES; ++i) {
        if (!edges.first[i]) continue;
        [[maybe_unused]] const unsigned probes =
            add_pair(table, from, edges.community[i], edges.sum[i]);
        RECORD_COUNTERS(
            effort.probes += probes;
            effort.collisions += probes > 1 ? probes - 1 : 0;)
    }
    RECORD_COUNTERS(
        effort.vertices = place.member == 0 && vertex >= 0;
        effort.occupied = 0;
        record_pairs(rec, warp_in_grid(), step, effort);)
}

// Add a vertex's sums; count its edges and their table, and the probes for the sums.
__device__ inline void add_tables(Pairs pairs, Tables tables, int from, int member, int width
                                  RECORD_COUNTERS(, Effort& effort))
{
    for_each_sum(tables, member, width, [&](int to, Weight sum) {
        [[maybe_unused]] const unsigned probes = add_pair(pairs, from, to, sum);
        RECORD_COUNTERS(
            effort.probes += probes;
            effort.collisions += probes > 1 ? probes - 1 : 0;
            effort.occupied += 1;)
    });
    RECORD_COUNTERS(effort.slots += member == 0 ? tables.near.size + tables.far.size : 0;)
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
 const float* weights, const Weight* sums, double unit, int kind, const int* mapping, Slot* pairs,
 unsigned long long mask, Weight* inner, int* length, int* overflowed, unsigned most_probes,
 [[maybe_unused]] int first_warp, int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned, memory);
    const int lane = threadIdx.x % 32, in_block = threadIdx.x / 32, warps = blockDim.x / 32;
    const int place = begin + blockIdx.x * warps + in_block;
    if (place >= end) return;
    const int vertex = order[place];
    const Tables tables = tables_of(indptr[vertex + 1] - indptr[vertex],
                                    {memory + in_block * WARP_SLOTS * SLOT_WORDS, WARP_SLOTS, 0, 0, 0});
    clear(tables, lane, 32);
    __syncwarp();
    add_edges(mapping, {indptr, indices, weights, sums, unit, kind}, tables, vertex, lane, 32, true);
    __syncwarp();
    RECORD_COUNTERS(
        Effort effort = {0, 0, 0, 0, 0, 0, 0, 0};
        count_edges(effort, indptr[vertex + 1] - indptr[vertex], lane, 32);)
    const Pairs table = {pairs, mask, inner, length, overflowed, most_probes};
    add_tables(table, tables, mapping[vertex], lane, 32 RECORD_COUNTERS(, effort));
    RECORD_COUNTERS(record_pairs(rec, first_warp + place - begin, step, effort);)
}

// Shared memory: `near_slots` times 12 bytes; `slots` times 16 bytes outside for each block.
SIMT_KERNEL(fast_pairs_block, __launch_bounds__(1024))
(const int* order, int begin, int end, const long long* indptr, const int* indices,
 const float* weights, const Weight* sums, double unit, int kind, const int* mapping, Slot* pairs,
 unsigned long long mask, Weight* inner, int* length, int* overflowed, unsigned most_probes,
 int near_slots, long long slots, unsigned* outside, [[maybe_unused]] int first_warp, int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned, memory);
    SIMT_SHARED(unsigned[1], claimed);
    const Room room = {memory, near_slots, outside + blockIdx.x * slots * FAR_WORDS, slots,
                       claimed};
    const Pairs table = {pairs, mask, inner, length, overflowed, most_probes};
    RECORD_COUNTERS(Effort effort = {0, 0, 0, 0, 0, 0, 0, 0};)
    for (int place = begin + blockIdx.x; place < end; place += gridDim.x) {
        const int vertex = order[place];
        const Tables tables = tables_of(indptr[vertex + 1] - indptr[vertex], room);
        clear(tables, threadIdx.x, blockDim.x);
        __syncthreads();
        add_edges(mapping, {indptr, indices, weights, sums, unit, kind}, tables, vertex, threadIdx.x,
                  blockDim.x, true);
        __syncthreads();
        add_tables(table, tables, mapping[vertex], threadIdx.x, blockDim.x RECORD_COUNTERS(, effort));
        RECORD_COUNTERS(
            count_edges(effort, indptr[vertex + 1] - indptr[vertex], threadIdx.x, blockDim.x);)
        __syncthreads();
    }
    RECORD_COUNTERS(
        record_pairs(rec, first_warp + warp_in_grid(), step, effort);)
}

// A loop is a pair too.  `inside`: share of the weight inside the communities `begin` to `end` - 1.
SIMT_KERNEL(fast_loops)
(int begin, int end, const Weight* inner, double two_m, int* length, double* inside)
{
    SIMT_SHARED(double[32], lanes);
    const long long stride = (long long)gridDim.x * blockDim.x;
    double mine = 0.0;
    for (long long c = begin + (long long)blockIdx.x * blockDim.x + threadIdx.x; c < end; c += stride)
        if (inner[c]) {
            length[c] += 1;
            mine += (double)inner[c] / two_m;
        }
    mine = block_sum(mine, lanes);
    if (threadIdx.x == 0 && mine > 0.0) atomicAdd(inside, mine);
}

// `indptr` has n + 1 elements.  `classes`: new vertices of every class; `longest`: most edges of one.
SIMT_KERNEL(fast_rows)
(int n, int chunk, const int* length, const long long* parts, const int* communities,
 long long* indptr, long long* entries, int* classes, int* longest)
{
    SIMT_SHARED(long long[33], memory);
    SIMT_SHARED(long long[33], warps);
    SIMT_SHARED(int[CLASSES], counts);
    const int count = *communities;
    if (threadIdx.x < CLASSES) counts[threadIdx.x] = 0;
    long long before = before_block(parts, memory);
    int most = 0;
    const long long begin = (long long)blockIdx.x * chunk;
    const long long end = begin + chunk < n ? begin + chunk : n;
    for (long long tile = begin; tile < end; tile += blockDim.x) {
        const long long c = tile + threadIdx.x;
        const long long edges = c < end ? length[c] : 0;
        long long sum = 0;
        const long long place = block_scan(edges, sum, warps);
        if (c < end) indptr[c] = before + place;
        before += sum;
        most = max(most, (int)edges);
        const int mine = c < end && c < count ? class_of(edges) : -1;
        const unsigned peers = __match_any_sync(ALL_LANES, mine);
        if (mine >= 0 && (peers & ((1u << threadIdx.x % 32) - 1)) == 0)
            atomicAdd(counts + mine, __popc(peers));
    }
    for (int d = 16; d > 0; d /= 2) most = max(most, __shfl_xor_sync(ALL_LANES, most, d));
    if (threadIdx.x % 32 == 0 && most > 0) atomicMax(longest, most);
    __syncthreads();
    if (threadIdx.x < CLASSES && counts[threadIdx.x])
        atomicAdd(classes + threadIdx.x, counts[threadIdx.x]);
    if (threadIdx.x == 0 && end == n) *entries = indptr[n] = before;
}

// `length` counts down to zero.  A thread reads several slots at a time: most are empty.
#define SLOTS_AHEAD 4

SIMT_KERNEL(fast_edges)
(long long slots, const Slot* pairs, int begin, int end, const Weight* inner,
 const long long* indptr, int* length, int* neighbours, Weight* edge_sums)
{
    const long long stride = (long long)gridDim.x * blockDim.x;
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (long long first = thread; first < slots; first += SLOTS_AHEAD * stride) {
        Slot slot[SLOTS_AHEAD];
        for (int i = 0; i < SLOTS_AHEAD; ++i)
            slot[i] = first + i * stride < slots ? pairs[first + i * stride] : Slot{NO_PAIR, 0};
        for (int i = 0; i < SLOTS_AHEAD; ++i) {
            if (slot[i].key == NO_PAIR) continue;
            const int from = (int)(slot[i].key >> 32);
            const long long e = indptr[from] + atomicSub(length + from, 1) - 1;
            neighbours[e] = (int)(slot[i].key & 0xffffffffu);
            edge_sums[e] = slot[i].sum;
        }
    }
    for (long long c = begin + thread; c < end; c += stride)
        if (inner[c]) {
            const long long e = indptr[c] + atomicSub(length + c, 1) - 1;
            neighbours[e] = (int)c;
            edge_sums[e] = inner[c];
        }
}

SIMT_EXPORT(fast_clear)
SIMT_EXPORT(fast_mark)
SIMT_EXPORT(fast_number)
SIMT_EXPORT(fast_map)
SIMT_EXPORT(fast_pairs_lanes)
SIMT_EXPORT(fast_pairs_warp)
SIMT_EXPORT(fast_pairs_block)
SIMT_EXPORT(fast_loops)
SIMT_EXPORT(fast_parts)
SIMT_EXPORT(fast_rows)
SIMT_EXPORT(fast_edges)
