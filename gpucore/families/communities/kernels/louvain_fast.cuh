// Shared by the tuned kernels of the Louvain method: classes of degrees, and the weight that a
// vertex sends to every neighbouring community, summed up by a group of lanes, a warp, or a block.
#pragma once

#include "louvain.cuh"

// Degrees of a class: none; 1 to 4, 8, 16, 32 (lanes of a warp); 128 (a warp); SHARED_DEGREE (a
// block, shared memory); more (a block, global memory).
#ifndef WARP_DEGREE
#define WARP_DEGREE 128
#endif
#ifndef SHARED_DEGREE
#define SHARED_DEGREE 1536
#endif
#define CLASSES 8
// From this width on, lanes of one community find each other by `__match_any_sync`.
#ifndef MATCHED_WIDTH
#define MATCHED_WIDTH 16
#endif
#define WARP_SLOTS (2 * WARP_DEGREE)
#define SHARED_SLOTS 2048

__device__ inline int class_of(long long degree)
{
    return degree == 0               ? 0
           : degree <= 4             ? 1
           : degree <= 8             ? 2
           : degree <= 16            ? 3
           : degree <= 32            ? 4
           : degree <= WARP_DEGREE   ? 5
           : degree <= SHARED_DEGREE ? 6
                                     : 7;
}

// Number of the warp in the launch. Threads of a launch do not fit into 32 bits, warps do.
__device__ inline int warp_in_grid()
{
    return (int)(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32);
}

// A warp's place in a launch for the four classes of at most 32 edges: each class has its
// range of vertices in the order, and its range of blocks.
struct Classes {
    int begin[5];
    int block[4];
};

struct Place {
    int vertex;                 // -1: none
    int width, member;          // lanes of the vertex, and which of them this is
};

// Of the vertices of each class, those whose places are `part` modulo `parts`.
__device__ inline Place place_of_lane(Classes c, const int* order, int block, int part, int parts)
{
    int k = 0;
    while (k < 3 && block >= c.block[k + 1]) ++k;
    const int width = 4 << k;
    const long long group = ((long long)(block - c.block[k]) * blockDim.x + threadIdx.x) / width;
    const long long place = c.begin[k] + part + parts * group;
    return {place < c.begin[k + 1] ? order[place] : -1, width, (int)threadIdx.x & (width - 1)};
}

// A lane's edge.
struct Edge {
    int other;                  // -1: no edge
    int community;              // of the other end
    bool first;                 // the group's first lane with this community
    Weight sum;                 // that lane's: weight to the community from all lanes of the group
};

// Sum up `weight` over the lanes `peers`, which all bring the same bits.  The sum is that of the first
// of them; all lanes of the warp call.  A round halves the lanes that still hold a part of a sum.
__device__ inline Weight sum_of_peers(unsigned peers, Weight weight)
{
    const int lane = threadIdx.x % 32;
    const unsigned before = (1u << lane) - 1;
    unsigned above = peers & ~before & ~(1u << lane);
    for (int rank = __popc(peers & before); __any_sync(ALL_LANES, above != 0); rank /= 2) {
        const int next = above ? __ffs(above) - 1 : lane;
        const Weight theirs = __shfl_sync(ALL_LANES, weight, next);
        if (above) weight += theirs;
        above &= __ballot_sync(ALL_LANES, rank % 2 == 0);
    }
    return weight;
}

// Sum up over aligned groups of `width` lanes, an edge a lane, by comparing all with all.
__device__ inline Edge sum_by_pairs(Edge mine, Weight weight, int width)
{
    mine.sum = weight;
    mine.first = mine.other >= 0;
    const int member = threadIdx.x & (width - 1);
    for (int d = 1; d < width; ++d) {
        const int community = __shfl_xor_sync(ALL_LANES, mine.community, d);
        const Weight theirs = __shfl_xor_sync(ALL_LANES, weight, d);
        if (community == mine.community && mine.other >= 0) {
            mine.sum += theirs;
            if ((member ^ d) < member) mine.first = false;
        }
    }
    return mine;
}

// The same in wider groups: the lanes of a community find each other in one step.  The sum is that of
// its first lane only.  Edges that all weigh 1 are counted.
__device__ inline Edge sum_of_lanes(Edge mine, Weight weight, int width, bool ones)
{
    if (width < MATCHED_WIDTH) return sum_by_pairs(mine, weight, width);
    const int lane = threadIdx.x % 32;
    const unsigned group = width == 32 ? ALL_LANES : ((1u << width) - 1) << (lane & ~(width - 1));
    const unsigned peers = __match_any_sync(ALL_LANES, mine.community) & group;
    mine.first = mine.other >= 0 && (peers & ((1u << lane) - 1)) == 0;
    mine.sum = ones ? (Weight)__popc(peers) : sum_of_peers(peers, weight);
    return mine;
}

// A lane's edge `e`, before `end`; with `loops` a loop is an edge like others.
__device__ inline Edge edge_of_lane(const int* communities, Level level, int vertex, long long e,
                                    long long end, int width, bool loops)
{
    Edge edge = {-1, -1, false, 0};
    Weight weight = 0;
    if (vertex >= 0 && e < end) {
        const int other = level.indices[e];
        if (loops || other != vertex) {
            weight = weight_of(level, e);
            edge.other = other;
            edge.community = simt_load(communities + other);
        }
    }
    return sum_of_lanes(edge, weight, width, level.kind == ONES);
}

// A hash table with a power of two of slots, and linear probing.  Sums are kept as two halves: GPUs
// add 32 bits in shared memory by one atomic, 64 bits only by a CAS loop, which fails whenever
// another thread writes; where a hub has most of its edges to one community, all threads do.
struct HalfTable {
    int* keys;                  // NO_KEY: empty
    unsigned* low;
    unsigned* high;
    unsigned size;
};

// Words of a slot in shared memory; outside, a list of the claimed slots comes with it.
#define SLOT_WORDS 3
#define FAR_WORDS 4

// The arrays lie `stride` words apart.
__device__ inline HalfTable half_table(unsigned* memory, unsigned size, long long stride)
{
    return {(int*)memory, memory + stride, memory + 2 * stride, size};
}

__device__ inline void clear(HalfTable table, int member, int width)
{
    for (unsigned slot = member; slot < table.size; slot += width) {
        table.keys[slot] = NO_KEY;
        table.low[slot] = table.high[slot] = 0;
    }
}

__device__ inline Weight sum_at(HalfTable table, unsigned slot)
{
    return (Weight)table.high[slot] << 32 | table.low[slot];
}

// Slot of `key`, claimed if it is new; the table's size if none of `limit` slots is free or its own.
__device__ inline unsigned slot_for(HalfTable table, int key, unsigned limit, bool& fresh)
{
    unsigned slot = ((unsigned)key * 0x9e3779b1u) >> 7 & (table.size - 1);
    for (unsigned probes = 0; probes < limit; ++probes) {
        int found = simt_load(table.keys + slot);
        if (found == NO_KEY) {
            found = atomicCAS(table.keys + slot, NO_KEY, key);
            fresh = found == NO_KEY;
        }
        if (found == NO_KEY || found == key) return slot;
        slot = (slot + 1) & (table.size - 1);
    }
    return table.size;
}

__device__ inline void add_at(HalfTable table, unsigned slot, Weight weight)
{
    const unsigned low = (unsigned)weight;
    const unsigned before = atomicAdd(table.low + slot, low);
    const unsigned high = (unsigned)(weight >> 32) + (before + low < before);
    if (high) atomicAdd(table.high + slot, high);
}

__device__ inline unsigned slots_of(long long degree, unsigned least)
{
    unsigned slots = least;
    while (slots < 2 * degree) slots *= 2;
    return slots;
}

// A table in shared memory, and one in global memory for communities that do not fit there (no
// slots: all fit).  The communities to which a hub has most edges come early, so they fit.  A slot
// stays claimed, so a community is in one of the two tables only.  The far table is empty between
// vertices: its claimed slots are listed, and whoever reads them empties them.  So a hub pays for the
// communities around it, not for the slots that it might have needed.
struct Tables {
    HalfTable near, far;
    unsigned* claimed;          // slots of the far table
    unsigned* count;            // how many
};

#define NEAR_PROBES 4

// Before the edges are added, then all must meet.
__device__ inline void clear(Tables tables, int member, int width)
{
    clear(tables.near, member, width);
    if (tables.far.size && member == 0) *tables.count = 0;
}

__device__ inline void add(Tables tables, int key, Weight weight)
{
    bool fresh = false;
    const unsigned limit = tables.far.size ? NEAR_PROBES : tables.near.size;
    unsigned slot = slot_for(tables.near, key, limit, fresh);
    if (slot < tables.near.size) return add_at(tables.near, slot, weight);
    fresh = false;
    slot = slot_for(tables.far, key, tables.far.size, fresh);
    if (fresh) tables.claimed[atomicAdd(tables.count, 1u)] = slot;
    add_at(tables.far, slot, weight);
}

// Memory of a block for the tables of one vertex.
struct Room {
    unsigned* near;             // shared memory
    unsigned* far;              // FAR_WORDS words for each of `slots` slots, all empty
    long long slots;
    unsigned* count;            // one, in shared memory
};

// Tables of a vertex with more than 32 edges.
__device__ inline Tables tables_of(long long degree, Room room)
{
    const unsigned slots = slots_of(degree, 64);
    if (degree <= SHARED_DEGREE) {
        const unsigned size = slots < SHARED_SLOTS ? slots : SHARED_SLOTS;
        return {half_table(room.near, size, size), {0, 0, 0, 0}, 0, 0};
    }
    return {half_table(room.near, SHARED_SLOTS, SHARED_SLOTS),
            half_table(room.far, slots, room.slots), room.far + 3 * room.slots, room.count};
}

// Call `f(community, sum)` for every community in the tables, and empty the far one.  All threads of
// the group call; all must meet before and after.
template <class F>
__device__ inline void for_each_sum(Tables tables, int member, int width, F f)
{
    for (unsigned slot = member; slot < tables.near.size; slot += width)
        if (tables.near.keys[slot] != NO_KEY) f(tables.near.keys[slot], sum_at(tables.near, slot));
    if (tables.far.size == 0) return;
    const HalfTable far = tables.far;
    for (unsigned i = member; i < *tables.count; i += width) {
        const unsigned slot = tables.claimed[i];
        f(far.keys[slot], sum_at(far, slot));
        far.keys[slot] = NO_KEY;
        far.low[slot] = far.high[slot] = 0;
    }
}

// Entries that a thread reads before it adds the first of them, so that their reads overlap.
#define AHEAD 4

// Add up a vertex's edges by community; `member` of `width` threads, whole warps.  The lanes of a warp
// that have the same community add once: where a hub has most of its edges to one community, a
// thousand threads would wait for one slot.
__device__ inline void add_edges(const int* communities, Level level, Tables tables, int vertex,
                                 int member, int width, bool loops)
{
    const int lane = member % 32;
    const long long end = level.indptr[vertex + 1];
    for (long long first = level.indptr[vertex] + member - lane; first < end;
         first += AHEAD * width) {
        int community[AHEAD];
        Weight weight[AHEAD];
        for (int i = 0; i < AHEAD; ++i) {
            const long long e = first + i * width + lane;
            const int other = e < end ? level.indices[e] : -1;
            const bool counts = other >= 0 && (loops || other != vertex);
            community[i] = counts ? simt_load(communities + other) : -1;
            weight[i] = counts ? weight_of(level, e) : 0;
        }
        for (int i = 0; i < AHEAD && first + i * width < end; ++i) {
            const unsigned peers = __match_any_sync(ALL_LANES, community[i]);
            const Weight sum = level.kind == ONES ? (Weight)__popc(peers)
                                                  : sum_of_peers(peers, weight[i]);
            if (community[i] >= 0 && (peers & ((1u << lane) - 1)) == 0)
                add(tables, community[i], sum);
        }
    }
}
