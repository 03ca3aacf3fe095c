// The weight that a vertex of more than 32 edges sends to every neighbouring community, summed up in
// hash tables by a team of threads, a warp or a block.
#pragma once

#include "louvain_fast_teams.cuh"

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

// The sum of a slot, which is empty then.
__device__ inline Weight taken_from(HalfTable table, unsigned slot)
{
    const Weight sum = sum_at(table, slot);
    table.keys[slot] = NO_KEY;
    table.low[slot] = table.high[slot] = 0;
    return sum;
}

__device__ inline unsigned first_slot(HalfTable table, int key)
{
    return ((unsigned)key * 0x9e3779b1u) >> 7 & (table.size - 1);
}

// Slot of `key`, claimed if it is new; the table's size if none of `limit` slots is free or its own.
__device__ inline unsigned slot_for(HalfTable table, int key, unsigned limit, bool& fresh
                                    RECORD_COUNTERS(, Effort& effort))
{
    unsigned slot = first_slot(table, key);
#pragma unroll 1
    for (unsigned probes = 0; probes < limit; ++probes) {
        RECORD_COUNTERS(
            effort.probes += 1;
            effort.collisions += probes > 0;)
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

// The same for those of AHEAD communities that are others than `home`, in steps that do not wait for each
// other.  The lanes of a warp search side by side until all have found a slot: lanes that left a loop one by one
// would go on one by one, and a warp would take the steps that follow several times.  `other`: these
// communities, or -1.  All lanes call.
__device__ inline void slots_for(HalfTable table, const int* community, int home, unsigned* slot, int* other,
                                 bool* fresh RECORD_COUNTERS(, Effort& effort))
{
    int found[AHEAD];
    for (int i = 0; i < AHEAD; ++i) {
        other[i] = community[i] == home ? -1 : community[i];
        slot[i] = other[i] < 0 ? threadIdx.x % 32 : first_slot(table, other[i]);
        found[i] = simt_load(table.keys + slot[i]);
        if (other[i] < 0) found[i] = -1;
        RECORD_COUNTERS(effort.probes += other[i] >= 0;)
    }
    for (int i = 0; i < AHEAD; ++i) {
        fresh[i] = false;
        if (other[i] >= 0 && found[i] == NO_KEY) {
            found[i] = atomicCAS(table.keys + slot[i], NO_KEY, other[i]);
            fresh[i] = found[i] == NO_KEY;
        }
    }
    for (;;) {
        bool left = false;
        for (int i = 0; i < AHEAD; ++i) left |= !fresh[i] && found[i] != other[i];
        if (!__any_sync(ALL_LANES, left)) return;
        for (int i = 0; i < AHEAD; ++i) {
            if (fresh[i] || found[i] == other[i]) continue;
            RECORD_COUNTERS(
                effort.probes += 1;
                effort.collisions += 1;)
            slot[i] = (slot[i] + 1) & (table.size - 1);
            found[i] = simt_load(table.keys + slot[i]);
            if (found[i] != NO_KEY) continue;
            found[i] = atomicCAS(table.keys + slot[i], NO_KEY, other[i]);
            fresh[i] = found[i] == NO_KEY;
        }
    }
}

__device__ inline void add_at(HalfTable table, unsigned slot, Weight weight)
{
    const unsigned low = (unsigned)weight;
    const unsigned before = atomicAdd(table.low + slot, low);
    const unsigned high = (unsigned)(weight >> 32) + (before + low < before);
    if (high) atomicAdd(table.high + slot, high);
}

// Add the weights of communities that are not -1, at their slots; the others add nothing anywhere, which takes
// fewer instructions than a branch.
__device__ inline void add_all(HalfTable table, const unsigned* slot, const int* community, const Weight* weight)
{
    unsigned low[AHEAD], high[AHEAD], carries = 0;
    for (int i = 0; i < AHEAD; ++i) low[i] = community[i] < 0 ? 0 : (unsigned)weight[i];
    for (int i = 0; i < AHEAD; ++i) {
        const unsigned before = atomicAdd(table.low + slot[i], low[i]);
        high[i] = community[i] < 0 ? 0 : (unsigned)(weight[i] >> 32) + (before + low[i] < before);
        carries |= high[i];
    }
    if (carries == 0) return;
    for (int i = 0; i < AHEAD; ++i)
        if (high[i]) atomicAdd(table.high + slot[i], high[i]);
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

// Of a hub in contraction and refinement, before the edges are added; then all must meet.
__device__ inline void clear(Tables tables, int member, int width)
{
    clear(tables.near, member, width);
    if (tables.far.size && member == 0) *tables.count = 0;
}

__device__ inline void add(Tables tables, int key, Weight weight RECORD_COUNTERS(, Effort& effort))
{
    bool fresh = false;
    const unsigned limit = tables.far.size ? NEAR_PROBES : tables.near.size;
    unsigned slot = slot_for(tables.near, key, limit, fresh RECORD_COUNTERS(, effort));
    if (slot < tables.near.size) return add_at(tables.near, slot, weight);
    fresh = false;
    slot = slot_for(tables.far, key, tables.far.size, fresh RECORD_COUNTERS(, effort));
    if (fresh) tables.claimed[atomicAdd(tables.count, 1u)] = slot;
    add_at(tables.far, slot, weight);
}

// Memory for the tables of one vertex.
struct Room {
    unsigned* near;             // shared memory for `near_slots` slots, a power of two
    int near_slots;
    unsigned* far;              // FAR_WORDS words for each of `slots` slots, all empty
    long long slots;
    unsigned* count;            // one, in shared memory
};

// A warp's, in the block's memory; enough for WARP_DEGREE edges.
__device__ inline Room room_of_warp(unsigned* memory)
{
    return {memory + threadIdx.x / 32 * WARP_SLOTS * SLOT_WORDS, WARP_SLOTS, 0, 0, 0};
}

// All slots of a block in shared memory, or a warp's share of them: what is empty for one is for the other.
__device__ inline HalfTable table_of(Team team, Room room)
{
    unsigned* const first = room.near + (team.is_block ? 0 : threadIdx.x / 32 * WARP_SLOTS);
    return half_table(first, team.is_block ? room.near_slots : WARP_SLOTS, room.near_slots);
}

// Tables of a vertex with more than 32 edges.  A room without slots outside has as many here as there
// are communities.
__device__ inline Tables tables_of(long long degree, Room room)
{
    const unsigned slots = slots_of(degree, 64), near = room.near_slots;
    if (degree <= SHARED_DEGREE || slots <= near || room.slots == 0) {
        const unsigned size = slots < near ? slots : near;
        return {half_table(room.near, size, room.near_slots), {0, 0, 0, 0}, 0, 0};
    }
    return {half_table(room.near, near, room.near_slots), half_table(room.far, slots, room.slots),
            room.far + 3 * room.slots, room.count};
}

// How many slots of the far table are in use; all must meet before.
__device__ inline unsigned count_far(Tables tables) { return tables.far.size ? *tables.count : 0; }

// The community in the far table that is number `i` there, and its sum; empties the slot.
__device__ inline int taken_from_far(Tables tables, unsigned i, Weight& sum)
{
    const unsigned slot = tables.claimed[i];
    const int community = tables.far.keys[slot];
    sum = taken_from(tables.far, slot);
    return community;
}

// Call `f(community, sum)` for every community in the far table, and empty it.  All threads of the group
// call; all must meet before and after.
template <class F> __device__ inline void for_each_far(Tables tables, int member, int width, F f)
{
    for (unsigned i = member; i < count_far(tables); i += width) {
        Weight sum = 0;
        const int community = taken_from_far(tables, i, sum);
        f(community, sum);
    }
}

// The same for every community in both tables.
template <class F>
__device__ inline void for_each_sum(Tables tables, int member, int width, F f)
{
    for (unsigned slot = member; slot < tables.near.size; slot += width)
        if (tables.near.keys[slot] != NO_KEY) f(tables.near.keys[slot], sum_at(tables.near, slot));
    for_each_far(tables, member, width, f);
}

// Call `f(community, sum)` for AHEAD edges a thread of those of a vertex from `begin` to `end` - 1; -1: none.
// `member` of `width` threads, whole warps.  The lanes of a warp that have the same community leave it to the
// first of them: where a hub has most of its edges to one community, a thousand threads would wait for one
// place.
template <class F>
__device__ inline void for_each_of_warp(long long begin, long long end, const int* communities, Level level,
                                        int vertex, int member, int width, bool loops, F f)
{
    const int lane = member % 32;
    for (long long first = begin + member - lane; first < end; first += AHEAD * width) {
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
            weight[i] = level.kind == ONES ? (Weight)__popc(peers) : sum_of_peers(peers, weight[i]);
            if (peers & ((1u << lane) - 1)) community[i] = -1;
        }
        f(community, weight);
    }
}

// Add up those edges by community.
__device__ inline void add_edges_between(long long begin, long long end, const int* communities,
                                         Level level, Tables tables, int vertex, int member,
                                         int width, bool loops RECORD_COUNTERS(, Effort& effort))
{
    for_each_of_warp(begin, end, communities, level, vertex, member, width, loops,
                     [&](const int* community, const Weight* sum) {
        for (int i = 0; i < AHEAD; ++i) {
            if (community[i] >= 0) add(tables, community[i], sum[i] RECORD_COUNTERS(, effort));
            __syncwarp();                                   // after a search lanes go one by one till they meet
        }
    });
}

// All edges of a vertex.
__device__ inline void add_edges(const int* communities, Level level, Tables tables, int vertex,
                                 int member, int width, bool loops
                                 RECORD_COUNTERS(, Effort& effort))
{
    add_edges_between(level.indptr[vertex], level.indptr[vertex + 1], communities, level, tables,
                      vertex, member, width, loops RECORD_COUNTERS(, effort));
}

#if RECORD >= 1
// This thread's share of a vertex's edges, and of the slots of its tables.
__device__ inline void count_share(Effort& effort, long long degree, unsigned slots, int member,
                                   int width)
{
    effort.vertices += member == 0;
    effort.edges += degree > member ? (unsigned)((degree - member + width - 1) / width) : 0;
    effort.lane_slots += (unsigned)((degree + width - 1) / width);
    effort.slots += slots / width;
}

// All lanes of a warp call: its row of the launch, if it had edges.
__device__ inline void record_share(Recorder* rec, int warp, int step, Effort mine)
{
    const Effort effort = sum_of_warp(mine);
    if (threadIdx.x % 32 == 0 && effort.edges > 0) record_effort(rec, warp, step, effort);
}
#endif
