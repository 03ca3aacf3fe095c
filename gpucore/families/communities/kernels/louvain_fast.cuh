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

__device__ inline Place place_of_lane(Classes c, const int* order, int block)
{
    int k = 0;
    while (k < 3 && block >= c.block[k + 1]) ++k;
    const int width = 4 << k;
    const long long place =
        c.begin[k] + ((long long)(block - c.block[k]) * blockDim.x + threadIdx.x) / width;
    return {place < c.begin[k + 1] ? order[place] : -1, width, (int)threadIdx.x & (width - 1)};
}

// A lane's edge.
struct Edge {
    int other;                  // -1: no edge
    int community;              // of the other end
    Weight sum;                 // weight to that community from all lanes of the group
    bool first;                 // the group's first lane with this community
};

// Sum up over aligned groups of `width` lanes, an edge a lane, by comparing all with all.
__device__ inline Edge sum_of_lanes(Edge mine, Weight weight, int width)
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

// A lane's edge `e`, before `end`; with `loops` a loop is an edge like others.
__device__ inline Edge edge_of_lane(const int* communities, Level level, int vertex, long long e,
                                    long long end, int width, bool loops)
{
    Edge edge = {-1, -1, 0, false};
    Weight weight = 0;
    if (vertex >= 0 && e < end) {
        const int other = level.indices[e];
        if (loops || other != vertex) {
            weight = weight_of(level, e);
            edge.other = other;
            edge.community = simt_load(communities + other);
        }
    }
    return sum_of_lanes(edge, weight, width);
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

#define SLOT_WORDS 3

__device__ inline HalfTable half_table(unsigned* memory, unsigned size)
{
    return {(int*)memory, memory + size, memory + 2 * size, size};
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
__device__ inline unsigned slot_for(HalfTable table, int key, unsigned limit)
{
    unsigned slot = ((unsigned)key * 0x9e3779b1u) >> 7 & (table.size - 1);
    for (unsigned probes = 0; probes < limit; ++probes) {
        int found = simt_load(table.keys + slot);
        if (found == NO_KEY) found = atomicCAS(table.keys + slot, NO_KEY, key);
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
// slots: all fit).  The communities to which a hub has most edges come early, so they fit.  Slots
// are never given back, so a community is in one of the two tables only.
struct Tables {
    HalfTable near, far;
};

#define NEAR_PROBES 16

__device__ inline void clear(Tables tables, int member, int width)
{
    clear(tables.near, member, width);
    clear(tables.far, member, width);
}

__device__ inline void add(Tables tables, int key, Weight weight)
{
    const unsigned limit = tables.far.size ? NEAR_PROBES : tables.near.size;
    const unsigned slot = slot_for(tables.near, key, limit);
    if (slot < tables.near.size) add_at(tables.near, slot, weight);
    else add_at(tables.far, slot_for(tables.far, key, tables.far.size), weight);
}

// Tables of a vertex with more than 32 edges: in `memory`, and in `outside` if it has more.
__device__ inline Tables tables_of(long long degree, unsigned* memory, unsigned* outside)
{
    if (degree <= SHARED_DEGREE) {
        const unsigned slots = slots_of(degree, 64);
        return {half_table(memory, slots < SHARED_SLOTS ? slots : SHARED_SLOTS), {0, 0, 0, 0}};
    }
    return {half_table(memory, SHARED_SLOTS), half_table(outside, slots_of(degree, 64))};
}

// Add up a vertex's edges by community; `member` of `width` threads.
__device__ inline void add_edges(const int* communities, Level level, Tables tables, int vertex,
                                 int member, int width, bool loops)
{
    const long long end = level.indptr[vertex + 1];
    for (long long e = level.indptr[vertex] + member; e < end; e += width) {
        const int other = level.indices[e];
        if (loops || other != vertex)
            add(tables, simt_load(communities + other), weight_of(level, e));
    }
}
