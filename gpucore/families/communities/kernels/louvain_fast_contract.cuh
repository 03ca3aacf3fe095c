// Contraction in the tuned search: the table of pairs of communities, and the new lists from it.  Its steps
// are for the threads of a launch: each has a kernel of its own, and all are in one launch for small stages.
#pragma once

#include "louvain_fast_number.cuh"
#include "louvain_fast_teams.cuh"

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
    const long long* starts;    // most pairs of all communities before
    double spread;              // slots for a pair; 0: one may begin anywhere
};

// The slots in use of a table, a power of two.  `most`: where communities have shares, the most pairs of all
// of them: often far fewer than the host has to allow for.
__device__ inline unsigned long long slots_in_use(unsigned long long slots, const long long* most, int shared)
{
    if (!shared) return slots;
    unsigned long long used = 1024;
    while (used < slots && 2 * used < 3 * (unsigned long long)*most) used *= 2;
    return used;
}

// The table of a launch.
__device__ inline Pairs pairs_in(Slot* slots, unsigned long long count, Weight* inner, int* length, int* overflowed,
                                 unsigned most_probes, const long long* starts, const long long* most, int shared)
{
    const unsigned long long used = slots_in_use(count, most, shared);
    const double spread = shared && *most ? (double)used / (double)*most : 0.0;
    return {slots, used - 1, inner, length, overflowed, most_probes, starts, spread};
}

// Where a pair's search begins.  With `spread` every community has its own share of the slots: then what is
// written for a vertex, and for a list in the end, is close together.
__device__ inline unsigned long long first_slot(Pairs pairs, unsigned from, Weight key)
{
    // From bit 32 on both numbers count; below it, only `to` does.
    const unsigned long long bits = (key * 0x9e3779b97f4a7c15ull) >> 32;
    if (pairs.spread == 0.0) return bits & pairs.mask;
    const double start = (double)pairs.starts[from], end = (double)pairs.starts[from + 1];
    return (unsigned long long)((start + (end - start) * ((double)bits / 4294967296.0)) *
                                pairs.spread) & pairs.mask;
}

// Add the weights of COUNT pairs with one `from`; `to`: -1: none, and never `from`.  The searches go side by side:
// each step is an access to the table's memory, and another one need not wait for it.  All lanes call.
template <int COUNT>
__device__ inline void add_pairs(Pairs pairs, int from, const int* to, const Weight* weight
                                 RECORD_COUNTERS(, Effort& effort))
{
    unsigned long long slot[COUNT];
    bool open[COUNT], left = false;
    for (int i = 0; i < COUNT; ++i) {
        open[i] = to[i] >= 0;
        left |= open[i];
        slot[i] = open[i] ? first_slot(pairs, from, (Weight)from << 32 | (unsigned)to[i]) : 0;
    }
    int fresh = 0;
    for (unsigned probe = 1; __any_sync(ALL_LANES, left); ++probe) {
        Weight found[COUNT];
        for (int i = 0; i < COUNT; ++i) found[i] = open[i] ? simt_load(&pairs.slots[slot[i]].key) : 0;
        for (int i = 0; i < COUNT; ++i)
            if (open[i] && found[i] == NO_PAIR) {
                const Weight key = (Weight)from << 32 | (unsigned)to[i];
                found[i] = atomicCAS(&pairs.slots[slot[i]].key, NO_PAIR, key);
                fresh += found[i] == NO_PAIR;
            }
        left = false;
        for (int i = 0; i < COUNT; ++i) {
            RECORD_COUNTERS(
                effort.probes += open[i];
                effort.collisions += open[i] && probe > 1;)
            const bool ends = found[i] == NO_PAIR || found[i] == ((Weight)from << 32 | (unsigned)to[i]);
            if (open[i] && ends) atomicAdd(&pairs.slots[slot[i]].sum, weight[i]);
            open[i] &= !ends;
            left |= open[i];
            slot[i] = (slot[i] + 1) & pairs.mask;
        }
        const bool full = probe >= pairs.most_probes || (probe % LONG_SEARCH == 0 && simt_load(pairs.overflowed));
        if (left && full) {
            simt_store(pairs.overflowed, 1);
            left = false;
            for (int i = 0; i < COUNT; ++i) open[i] = false;
        }
    }
    if (fresh) atomicAdd(pairs.length + from, fresh);
}

// Empty the slots from `first` on, `stride` apart.
__device__ inline void clear_pairs(long long slots, Slot* table, long long first, long long stride)
{
    for (long long i = first; i < slots; i += stride) table[i] = {NO_PAIR, 0};
}

// Add a vertex's entries to those of its community, by the new numbers: a community has no more pairs.  All lanes
// of the warp call, each with its own vertex.
__device__ inline void add_entries(long long v, int n, const long long* indptr, const int* mapping, int* entries)
{
    const int community = v < n ? mapping[v] : -1;
    const unsigned peers = __match_any_sync(ALL_LANES, community);
    const Weight sum = sum_of_peers(peers, v < n ? (Weight)(indptr[v + 1] - indptr[v]) : 0);
    if (community >= 0 && (peers & ((1u << threadIdx.x % 32) - 1)) == 0 && sum)
        atomicAdd(entries + community, (int)sum);
}

// One vertex for each group of lanes, at most 32 edges (-1: none); communities by their new numbers,
// here and below.  All lanes of the warp call.
__device__ inline void pairs_of_lanes(Pairs table, Level level, Place place, const int* mapping,
                                      [[maybe_unused]] int warp,
                                      [[maybe_unused]] int step RECORD_PARAMS)
{
    const int vertex = place.vertex;
    const long long begin = vertex < 0 ? 0 : level.indptr[vertex] + place.member;
    const long long end = vertex < 0 ? 0 : level.indptr[vertex + 1];
    Edges<LANE_EDGES> edges = edges_of_lane<LANE_EDGES>(mapping, level, vertex, begin, end, place.width, true);
    sum_up<true>(edges, level, place.width);
    RECORD_COUNTERS(Effort effort = effort_of_lane<LANE_EDGES>(begin, end, place.width);)
    const int from = vertex < 0 ? -1 : mapping[vertex];
    // Where most vertices are in a few communities, their weights would be added one after the other.
    Weight inside = 0;
    for (int i = 0; i < LANE_EDGES; ++i) {
        const bool mine = edges.first[i] && edges.community[i] == from;
        inside += mine ? edges.sum[i] : 0;
        edges.first[i] &= !mine;
    }
    const unsigned peers = __match_any_sync(ALL_LANES, inside ? from : -1);
    const Weight sum = sum_of_peers(peers, inside);
    if (inside && (peers & ((1u << threadIdx.x % 32) - 1)) == 0) atomicAdd(table.inner + from, sum);
    for (int i = 0; i < LANE_EDGES; ++i)
        if (!edges.first[i]) edges.community[i] = -1;
    add_pairs<LANE_EDGES>(table, from, edges.community, edges.sum RECORD_COUNTERS(, effort));
    RECORD_COUNTERS(
        effort.vertices = place.member == 0 && vertex >= 0;
        record_share(rec, warp, step, effort);)
}

// Add a vertex's sums to those of pairs.
__device__ inline void add_tables(Pairs pairs, Tables tables, int from, int member, int width
                                  RECORD_COUNTERS(, Effort& effort))
{
    const HalfTable near = tables.near;
    for (unsigned first = member; first < near.size; first += AHEAD * width) {
        int to[AHEAD];
        Weight sum[AHEAD];
        for (int i = 0; i < AHEAD; ++i) {
            const unsigned slot = first + i * width;
            to[i] = slot < near.size ? near.keys[slot] : NO_KEY;
            sum[i] = to[i] == NO_KEY ? 0 : sum_at(near, slot);
            RECORD_COUNTERS(effort.occupied += to[i] != NO_KEY;)
            if (to[i] == from) {
                atomicAdd(pairs.inner + from, sum[i]);
                to[i] = NO_KEY;
            }
        }
        add_pairs<AHEAD>(pairs, from, to, sum RECORD_COUNTERS(, effort));
    }
    for (unsigned i = member; i - member % 32 < count_far(tables); i += width) {
        Weight sum = 0;
        int to = i < count_far(tables) ? taken_from_far(tables, i, sum) : NO_KEY;
        RECORD_COUNTERS(effort.occupied += to != NO_KEY;)
        if (to == from) {
            atomicAdd(pairs.inner + from, sum);
            to = NO_KEY;
        }
        add_pairs<1>(pairs, from, &to, &sum RECORD_COUNTERS(, effort));
    }
}

// One vertex of more than 32 edges; all threads of the team call.
__device__ inline void pairs_of_team(Pairs table, Level level, int vertex, const int* mapping,
                                     Team team, Room room RECORD_COUNTERS(, Effort& effort))
{
    const long long degree = level.indptr[vertex + 1] - level.indptr[vertex];
    const Tables tables = tables_of(degree, room);
    clear(tables, team.member, team.width);
    team.meet();
    add_edges(mapping, level, tables, vertex, team.member, team.width, true
              RECORD_COUNTERS(, effort));
    team.meet();
    add_tables(table, tables, mapping[vertex], team.member, team.width RECORD_COUNTERS(, effort));
    RECORD_COUNTERS(count_share(effort, degree, tables.near.size + tables.far.size, team.member, team.width);)
    team.meet();                                            // the tables are free again
}

// The same without tables of a vertex, for a small stage, whose table of pairs is near enough: then threads
// need not meet.  `member` of `width` threads: a warp, or LIST_THREADS for more edges than a warp holds.
#define LIST_THREADS 128

__device__ inline void pairs_of_list(Pairs table, Level level, int vertex, const int* mapping,
                                     int member, int width RECORD_COUNTERS(, Effort& effort))
{
    const long long begin = level.indptr[vertex], end = level.indptr[vertex + 1];
    const int from = mapping[vertex];
    Weight inside = 0;
    for_each_of_warp(begin, end, mapping, level, vertex, member, width, true,
                     [&](int* to, const Weight* sum) {
        for (int i = 0; i < AHEAD; ++i) {
            inside += to[i] == from ? sum[i] : 0;
            to[i] = to[i] == from ? -1 : to[i];
        }
        add_pairs<AHEAD>(table, from, to, sum RECORD_COUNTERS(, effort));
    });
    inside = weight_of_warp(inside);
    if (member % 32 == 0 && inside) atomicAdd(table.inner + from, inside);
    RECORD_COUNTERS(count_share(effort, end - begin, 0, member, width);)
}

// A loop is a pair too.  `inside`: weight inside the communities `begin` to `end` - 1.
__device__ inline void add_loops(int begin, int end, const Weight* inner, int* length,
                                 Weight* inside, Weight* shares)
{
    const long long stride = (long long)gridDim.x * blockDim.x;
    Weight mine = 0;
    for (long long c = begin + (long long)blockIdx.x * blockDim.x + threadIdx.x; c < end; c += stride)
        if (inner[c]) {
            length[c] += 1;
            mine += inner[c];
        }
    mine = block_sum(mine, shares);
    if (threadIdx.x == 0 && mine) atomicAdd(inside, mine);
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
};

// Give every community as large a share of the slots as it may have pairs, from the entries of its members;
// returns the most pairs of all.  The blocks meet between the steps and in the end; all threads of all blocks call.
__device__ inline long long share_out(int n, Chunk chunk, const long long* indptr, int communities, Numbers to,
                                      Sums room, unsigned* barrier)
{
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long stride = (long long)gridDim.x * blockDim.x;
    for (long long v = thread; v < n; v += stride) to.used[v] = 0;
    simt_grid_sync(barrier);
    for (long long v = thread; v - threadIdx.x % 32 < n; v += stride) add_entries(v, n, indptr, to.mapping, to.used);
    simt_grid_sync(barrier);
    sum_chunk(chunk, to.used, to.parts, room.memory, communities);
    simt_grid_sync(barrier);
    starts_of_chunk(n, chunk, to.used, to.parts, to.indptr, room, communities, [](long long, long long) {});
    simt_grid_sync(barrier);
    return to.indptr[n];
}

// Whether communities have shares of the slots in a small stage: of so many entries a vertex.  Where lists are
// short, shares take more time than they save.
#define SHARED_LENGTH 16

__device__ inline bool has_shares(int n, long long entries) { return entries > (long long)SHARED_LENGTH * n; }

// Sum up the edges between communities, and find where their lists begin; returns the most pairs of all
// communities, if these have `shares` of the slots.  The blocks meet between the steps, and all threads of all
// blocks call.
__device__ inline long long contract_together(int n, const int* order, const Ranges& ranges, Level level,
                                              const int* community, const Weight* total, double two_m,
                                              Numbers to, Pairs table, bool shares, Counts found, Sums room,
                                              unsigned* barrier, [[maybe_unused]] int step RECORD_PARAMS)
{
    level = in_global_memory(level);
    order = simt_global(order);
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
    }
    clear_pairs((long long)table.mask + 1, table.slots, thread, stride);
    number_together(n, community, total, two_m, to, found.communities, found.squares, room, barrier);
    long long most = 0;
    if (shares) {
        most = share_out(n, chunk, level.indptr, simt_load(found.communities), to, room, barrier);
        table = pairs_in(table.slots, table.mask + 1, table.inner, table.length, table.overflowed, table.most_probes,
                         to.indptr, &most, 1);
    }
    for_each_lane(ranges, order, {0, 1, 0}, [&](Place place) {
        pairs_of_lanes(table, level, place, to.mapping, warp_in_grid(),
                       step RECORD_COUNTERS(, rec));
    });
    RECORD_COUNTERS(Effort effort = {0, 0, 0, 0, 0, 0, 0, 0};)
    for (int width = 32; width <= LIST_THREADS; width *= LIST_THREADS / 32) {
        const int first = width == 32 ? ranges.lanes.begin[4] : ranges.blocks;
        const int last = width == 32 ? ranges.blocks : ranges.end;
        const int team = threadIdx.x / width * gridDim.x + blockIdx.x;
        for (int place = first + team; place < last; place += gridDim.x * (blockDim.x / width))
            pairs_of_list(table, level, order[place], to.mapping, threadIdx.x % width, width
                          RECORD_COUNTERS(, effort));
    }
    RECORD_COUNTERS(record_share(rec, warp_in_grid(), step, effort);)
    simt_grid_sync(barrier);
    add_loops(0, n, table.inner, table.length, found.inside, room.shares);
    simt_grid_sync(barrier);
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
