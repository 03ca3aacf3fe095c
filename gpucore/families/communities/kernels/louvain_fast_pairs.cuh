// Contraction in the tuned search: the table of pairs of communities, and how vertices fill it.  Its steps are
// for the threads of a launch.
#pragma once

#include "louvain_fast_teams.cuh"
#include "louvain_fast_walk.cuh"

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

// Add the weights of COUNT pairs; `to`: -1: none, and never `from`.  Returns, as bits, which of them are new to the
// table.  The searches go side by side: each step is an access to the table's memory, and another one need not wait
// for it.  All lanes call.
template <int COUNT>
__device__ inline unsigned add_pairs(Pairs pairs, const int* from, const int* to, const Weight* weight
                                     RECORD_COUNTERS(, Effort& effort))
{
    unsigned long long slot[COUNT];
    bool open[COUNT], left = false;
    for (int i = 0; i < COUNT; ++i) {
        open[i] = to[i] >= 0;
        left |= open[i];
        slot[i] = open[i] ? first_slot(pairs, from[i], (Weight)from[i] << 32 | (unsigned)to[i]) : 0;
    }
    unsigned fresh = 0;
    for (unsigned probe = 1; __any_sync(ALL_LANES, left); ++probe) {
        Weight found[COUNT];
        for (int i = 0; i < COUNT; ++i) found[i] = open[i] ? simt_load(&pairs.slots[slot[i]].key) : 0;
        for (int i = 0; i < COUNT; ++i)
            if (open[i] && found[i] == NO_PAIR) {
                const Weight key = (Weight)from[i] << 32 | (unsigned)to[i];
                found[i] = atomicCAS(&pairs.slots[slot[i]].key, NO_PAIR, key);
                fresh |= (unsigned)(found[i] == NO_PAIR) << i;
            }
        left = false;
        for (int i = 0; i < COUNT; ++i) {
            RECORD_COUNTERS(
                effort.probes += open[i];
                effort.collisions += open[i] && probe > 1;)
            const bool ends = found[i] == NO_PAIR || found[i] == ((Weight)from[i] << 32 | (unsigned)to[i]);
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
    return fresh;
}

// The same for pairs with one `from`, whose length it adds to.
template <int COUNT>
__device__ inline void add_pairs_of(Pairs pairs, int from, const int* to, const Weight* weight
                                    RECORD_COUNTERS(, Effort& effort))
{
    int same[COUNT];
    for (int i = 0; i < COUNT; ++i) same[i] = from;
    const unsigned fresh = add_pairs<COUNT>(pairs, same, to, weight RECORD_COUNTERS(, effort));
    if (fresh) atomicAdd(pairs.length + from, __popc(fresh));
}

// Empty the slots from `first` on, `stride` apart.
__device__ inline void clear_pairs(long long slots, Slot* table, long long first, long long stride)
{
    for (long long i = first; i < slots; i += stride) table[i] = {NO_PAIR, 0};
}

// Add a vertex's entries to those of its community, by its new number: a community has no more pairs.  All lanes
// of the warp call, each with its own vertex.
__device__ inline void add_entries(long long v, int n, const long long* indptr, int community, int* entries)
{
    const unsigned peers = __match_any_sync(ALL_LANES, community);
    const Weight sum = sum_of_peers(peers, v < n ? (Weight)(indptr[v + 1] - indptr[v]) : 0);
    if (community >= 0 && (peers & ((1u << threadIdx.x % 32) - 1)) == 0 && sum)
        atomicAdd(entries + community, (int)sum);
}

// So few edges of a warp that leave their communities are added each on its own: few are to the same one.
#define MOST_APART 32

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
    RECORD_COUNTERS(Effort effort = effort_of_lane<LANE_EDGES>(begin, end, place.width);)
    const int from = vertex < 0 ? -1 : mapping[vertex];
    Weight inside = 0;
    int outside = 0;                                        // edges of all lanes
    for (int i = 0; i < LANE_EDGES; ++i) {
        const bool mine = edges.community[i] >= 0 && edges.community[i] == from;
        inside += mine ? edges.sum[i] : 0;
        if (mine) edges.community[i] = -1;
        edges.first[i] = edges.community[i] >= 0;
        outside += __popc(__ballot_sync(ALL_LANES, edges.first[i]));
    }
    if (outside > MOST_APART) sum_up<true>(edges, level, place.width);
    // Where most vertices are in a few communities, their weights would be added one after the other.
    const unsigned peers = __match_any_sync(ALL_LANES, inside ? from : -1);
    const Weight sum = sum_of_peers(peers, inside);
    if (inside && (peers & ((1u << threadIdx.x % 32) - 1)) == 0) atomicAdd(table.inner + from, sum);
    for (int i = 0; i < LANE_EDGES; ++i)
        if (!edges.first[i]) edges.community[i] = -1;
    add_pairs_of<LANE_EDGES>(table, from, edges.community, edges.sum RECORD_COUNTERS(, effort));
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
        add_pairs_of<AHEAD>(pairs, from, to, sum RECORD_COUNTERS(, effort));
    }
    for (unsigned i = member; i - member % 32 < count_far(tables); i += width) {
        Weight sum = 0;
        int to = i < count_far(tables) ? taken_from_far(tables, i, sum) : NO_KEY;
        RECORD_COUNTERS(effort.occupied += to != NO_KEY;)
        if (to == from) {
            atomicAdd(pairs.inner + from, sum);
            to = NO_KEY;
        }
        add_pairs_of<1>(pairs, from, &to, &sum RECORD_COUNTERS(, effort));
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

// Lanes with the same key as this one: all of them, or this one alone if another lane's key has the same bits of a hash.
// To compare all keys takes a GPU many times as long where most are different.  All lanes call.
__device__ inline unsigned lanes_with(Weight key)
{
    const unsigned bits = (unsigned)(key * 0x9e3779b97f4a7c15ull >> 59);
    unsigned alike = ALL_LANES;
    for (int b = 0; b < 5; ++b) {
        const bool set = bits >> b & 1;
        const unsigned lanes = __ballot_sync(ALL_LANES, set);
        alike &= set ? lanes : ~lanes;
    }
    const bool same = __shfl_sync(ALL_LANES, key, __ffs(alike) - 1) == key;
    const unsigned peers = alike & __ballot_sync(ALL_LANES, same);
    return same ? peers : 1u << threadIdx.x % 32;
}

// All edges of a small stage, whose table of pairs is near enough to add them as they are: warp `warp` of `warps`
// goes over its share of them in the order of the lists.  All lanes call.
__device__ inline void pairs_of_edges(Pairs table, Level level, int n, const int* mapping, int warp, int warps,
                                      [[maybe_unused]] int step RECORD_PARAMS)
{
    int home = -1;                                          // a lane's weight inside a community waits
    Weight inside = 0;
    RECORD_COUNTERS(Effort effort = {0, 0, 0, 0, 0, 0, 0, 0};)
    const auto add = [&](const int (&vertices)[AT_A_TIME], const long long (&edges)[AT_A_TIME]) {
        int from[AT_A_TIME], to[AT_A_TIME];
        Weight weight[AT_A_TIME];
        for (int i = 0; i < AT_A_TIME; ++i) {
            to[i] = edges[i] < 0 ? -1 : level.indices[edges[i]];
            from[i] = edges[i] < 0 ? -1 : mapping[vertices[i]];
            weight[i] = edges[i] < 0 ? 0 : weight_of(level, edges[i]);
            RECORD_COUNTERS(
                effort.vertices += edges[i] >= 0 && edges[i] == level.indptr[vertices[i]];
                effort.edges += edges[i] >= 0;
                effort.lane_slots += 1;)
        }
        for (int i = 0; i < AT_A_TIME; ++i) to[i] = to[i] < 0 ? -1 : mapping[to[i]];
        for (int i = 0; i < AT_A_TIME; ++i) {
            if (to[i] >= 0 && to[i] == from[i]) {
                if (home != from[i] && inside) atomicAdd(table.inner + home, inside);
                inside = (home == from[i] ? inside : 0) + weight[i];
                home = from[i];
                to[i] = -1;
            }
            unsigned peers = lanes_with((Weight)from[i] << 32 | (unsigned)to[i]);
            if (to[i] < 0) peers = 1u << threadIdx.x % 32;  // nothing to add
            weight[i] = sum_of_peers(peers, weight[i]);
            if (peers & ((1u << threadIdx.x % 32) - 1)) to[i] = -1;
        }
        const unsigned fresh = add_pairs<AT_A_TIME>(table, from, to, weight RECORD_COUNTERS(, effort));
        for (int i = 0; i < AT_A_TIME; ++i)
            if (fresh >> i & 1) atomicAdd(table.length + from[i], 1);
    };
    for_each_edges(level.indptr, n, warp, add, entries_of_walk(level.indptr[n], warps));
    const unsigned peers = lanes_with((unsigned)home);
    inside = sum_of_peers(peers, inside);
    if (inside && (peers & ((1u << threadIdx.x % 32) - 1)) == 0) atomicAdd(table.inner + home, inside);
    RECORD_COUNTERS(record_share(rec, warp, step, effort);)
}
