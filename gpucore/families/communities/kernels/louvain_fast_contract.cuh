// Contraction in the tuned search: the new lists from the table of pairs.  The steps are for the threads of a
// launch: each has a kernel of its own, and all are in one launch for small stages.
#pragma once

#include "louvain_fast_number.cuh"
#include "louvain_fast_pairs.cuh"

// A loop is a pair too.  `inside`: weight inside the communities from `first` to `end` - 1, `stride` apart.  Returns
// how many of a warp's communities have no other pair.
__device__ inline int add_loops(long long first, long long end, long long stride, const Weight* inner, int* length,
                                Weight* inside, Weight* shares)
{
    Weight mine = 0;
    int loners = 0;
    for (long long c = first; c < end; c += stride)
        if (inner[c]) {
            loners += length[c] == 0;
            length[c] += 1;
            mine += inner[c];
        }
    mine = block_sum(mine, shares);
    if (threadIdx.x == 0 && mine) atomicAdd(inside, mine);
    for (int d = 16; d > 0; d /= 2) loners += __shfl_xor_sync(ALL_LANES, loners, d);
    return loners;
}

// Where the lists of the block's chunk begin, in n + 1 elements, from their lengths, each `most_each` at most;
// calls `f(c, length)` for every list.  All threads of the block call.
template <class F>
__device__ inline void starts_of_chunk(int n, Chunk chunk, const int* length, const long long* parts,
                                       long long* indptr, Sums room, int most_each, F f)
{
    long long before = before_block(parts, room.memory);
#pragma unroll 1
    for (long long tile = chunk.begin; tile < chunk.end; tile += blockDim.x) {
        const long long c = tile + threadIdx.x;
        const long long edges = c < chunk.end ? min(length[c], most_each) : 0;
        long long sum = 0;
        const long long place = block_scan(edges, sum, room.warps);
        if (c < chunk.end) indptr[c] = before + place;
        before += sum;
        f(c, edges);
    }
    if (threadIdx.x == 0 && chunk.end == n && chunk.begin < n) indptr[n] = before;
}

// The same for new lists; also how many these have in all, `classes`: new vertices of every class, and
// `longest`: most edges of one.
__device__ inline void rows_of_chunk(int n, Chunk chunk, const int* length, const long long* parts,
                                     int count, long long* indptr, long long* entries, int* classes,
                                     int* longest, Sums room, int most_each = UNBOUNDED)
{
    int* const counts = room.counts;
    if (threadIdx.x < CLASSES) counts[threadIdx.x] = 0;
    int most = 0;
    starts_of_chunk(n, chunk, length, parts, indptr, room, most_each, [&](long long c, long long edges) {
        most = max(most, (int)edges);
        const int mine = c < chunk.end && c < count ? class_of(edges) : -1;
        const unsigned peers = __match_any_sync(ALL_LANES, mine);
        if (mine >= 0 && (peers & ((1u << threadIdx.x % 32) - 1)) == 0)
            atomicAdd(counts + mine, __popc(peers));
    });
    for (int d = 16; d > 0; d /= 2) most = max(most, __shfl_xor_sync(ALL_LANES, most, d));
    if (threadIdx.x % 32 == 0 && most > 0) atomicMax(longest, most);
    __syncthreads();
    if (threadIdx.x < CLASSES && counts[threadIdx.x])
        atomicAdd(classes + threadIdx.x, counts[threadIdx.x]);
    if (threadIdx.x == 0 && chunk.end == n && chunk.begin < n) *entries = indptr[n];
}

// What is found about the smaller graph: zero before.
struct Counts {
    int* communities;
    Weight* squares;
    Weight* inside;
    long long* entries;
    int* classes;
    int* longest;
    int* loners = nullptr;      // vertices with no edge but a loop, if asked for
};

// Give every community as large a share of the slots as it may have pairs, by the entries of its members;
// returns the most pairs of all.  The blocks meet between the steps and in the end; all threads of all blocks call.
__device__ inline long long share_out(int n, Chunk chunk, int communities, Numbers to, Sums room, unsigned* barrier)
{
    sum_chunk(chunk, to.entries, to.parts, room.memory, communities);
    simt_grid_sync(barrier);
    starts_of_chunk(n, chunk, to.entries, to.parts, to.indptr, room, communities, [](long long, long long) {});
    simt_grid_sync(barrier);
    return to.indptr[n];
}

// Whether communities have shares of the slots in a small stage: of so many entries a vertex.  Where lists are
// short, shares take more time than they save.
#define SHARED_LENGTH 16

__device__ inline bool has_shares(int n, long long entries) { return entries > (long long)SHARED_LENGTH * n; }

// Sum up the edges between communities, and find where their lists begin; returns the most pairs of all
// communities, if these have `shares` of the slots; or -1 as soon as the communities are numbered, if all threads
// say that it `is_last`.  The blocks meet between the steps, and all threads of all blocks call.
template <class F>
__device__ inline long long contract_together(int n, Level level, const int* community, const Weight* total,
                                              double two_m, Numbers to, Pairs table, bool shares, Counts found,
                                              Sums room, unsigned* barrier, F is_last,
                                              [[maybe_unused]] int step RECORD_PARAMS)
{
    level = in_global_memory(level);
    community = simt_global(community);
    total = simt_global(total);
    to.mapping = simt_global(to.mapping);
    table.slots = simt_global(table.slots);
    table.inner = simt_global(table.inner);
    table.length = simt_global(table.length);
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long stride = (long long)gridDim.x * blockDim.x;
    const Chunk chunk = chunk_of_block(n, (n + (int)gridDim.x - 1) / (int)gridDim.x);
    for (long long v = thread; v < n; v += stride) {
        table.length[v] = 0;
        table.inner[v] = 0;
        if (shares) to.entries[v] = 0;
    }
    clear_pairs((long long)table.mask + 1, table.slots, thread, stride);
    number_together(n, community, total, two_m, to, found.communities, found.squares, room, barrier,
                    [&](long long v, int number) {
        if (shares) add_entries(v, n, level.indptr, number, to.entries);
    });
    if (is_last()) return -1;
    long long most = 0;
    if (shares) {
        most = share_out(n, chunk, simt_load(found.communities), to, room, barrier);
        table = pairs_in(table.slots, table.mask + 1, table.inner, table.length, table.overflowed, table.most_probes,
                         to.indptr, &most, 1);
    }
    pairs_of_edges(table, level, n, to.mapping, warp_in_grid(), (int)(stride / 32), step RECORD_COUNTERS(, rec));
    simt_grid_sync(barrier);
    const int loners = add_loops(chunk.begin + threadIdx.x, chunk.end, blockDim.x, table.inner, table.length,
                                 found.inside, room.shares);
    if (found.loners && threadIdx.x % 32 == 0 && loners) atomicAdd(found.loners, loners);
    sum_chunk(chunk, table.length, to.parts, room.memory);
    simt_grid_sync(barrier);
    rows_of_chunk(n, chunk, table.length, to.parts, simt_load(found.communities), to.indptr,
                  found.entries, found.classes, found.longest, room);
    return most;
}

// The place of a pair in the list of its community `from` (-1: no pair), from the end.  Where
// communities have shares of the table, most lanes of a warp have the same one, and count down once.
// All lanes call.
__device__ inline int place_in_list(int from, int* length, bool shares)
{
    if (!shares) return from < 0 ? -1 : atomicSub(length + from, 1) - 1;
    const unsigned peers = __match_any_sync(ALL_LANES, from);
    const int rank = __popc(peers & ((1u << threadIdx.x % 32) - 1));
    int left = 0;
    if (from >= 0 && rank == 0) left = atomicSub(length + from, __popc(peers));
    return __shfl_sync(ALL_LANES, left, __ffs(peers) - 1) - 1 - rank;
}

// Write the lists of communities `begin` to `end` - 1; `length` counts down to zero.  A thread reads
// several slots at a time: most are empty.
#define SLOTS_AHEAD 4

__device__ inline void write_pairs(long long slots, const Slot* pairs, int begin, int end,
                                   const Weight* inner, const long long* indptr, int* length,
                                   int* neighbours, Weight* edge_sums, bool shares = false)
{
    const long long stride = (long long)gridDim.x * blockDim.x;
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (long long first = thread; first < slots; first += SLOTS_AHEAD * stride) {
        Slot slot[SLOTS_AHEAD];
        for (int i = 0; i < SLOTS_AHEAD; ++i)
            slot[i] = first + i * stride < slots ? pairs[first + i * stride] : Slot{NO_PAIR, 0};
        int from[SLOTS_AHEAD], place[SLOTS_AHEAD];
        for (int i = 0; i < SLOTS_AHEAD; ++i) {
            from[i] = slot[i].key == NO_PAIR ? -1 : (int)(slot[i].key >> 32);
            place[i] = place_in_list(from[i], length, shares);
        }
        for (int i = 0; i < SLOTS_AHEAD; ++i) {
            if (from[i] < 0) continue;
            const long long e = indptr[from[i]] + place[i];
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
