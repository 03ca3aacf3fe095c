// One vertex's move in the tuned search: for a group of lanes, for a warp, for a block.
#pragma once

#include "louvain_fast_tables.cuh"

// Best community among a lane's sums, and the weight to the vertex's own.
template <int EDGES>
__device__ inline Choice best_of_lane(Partition p, const Edges<EDGES>& edges, int home, Weight strength,
                                      Weight& inner)
{
    Weight total[EDGES];
    int elsewhere[EDGES];                                   // another community, or -1
    for (int i = 0; i < EDGES; ++i) {
        elsewhere[i] = edges.community[i] == home ? -1 : edges.community[i];
        total[i] = elsewhere[i] < 0 ? 0 : total_of(p, elsewhere[i]);
    }
    Choice best = {0.0, -1};
    for (int i = 0; i < EDGES; ++i) {
        inner = edges.community[i] == home ? edges.sum[i] : inner;
        best = better(best, {score(p, edges.sum[i], strength, total[i]), elsewhere[i]});
    }
    return best;
}

// Mark a lane's neighbours in other communities.
template <int EDGES> __device__ inline void wake_lane(Sweep sweep, const Edges<EDGES>& edges, int to)
{
    for (int i = 0; i < EDGES; ++i)
        if (edges.other[i] >= 0 && edges.community[i] != to)
            simt_store(sweep.rested + edges.other[i], 0);
}

// One vertex for each group of lanes, at most 32 edges (-1: none).  All lanes of the warp call.
template <int EDGES>
__device__ inline void move_lanes(Search s, Place place, Effects& effects RECORD_PARAMS)
{
    const Partition p = s.partition;
    const int width = place.width, member = place.member;
    int vertex = -1;
    if (place.vertex >= 0 && member == 0 && is_due(s.sweep, place.vertex)) vertex = place.vertex;
    vertex = __shfl_sync(ALL_LANES, vertex, 0, width);
    if (!__any_sync(ALL_LANES, vertex >= 0)) return;
    const long long begin = vertex < 0 ? 0 : s.level.indptr[vertex] + member;
    const long long end = vertex < 0 ? 0 : s.level.indptr[vertex + 1];
    Edges<EDGES> edges = edges_of_lane<EDGES>(p.community, s.level, vertex, begin, end, width, false);
    const int home = vertex < 0 ? -1 : simt_load(p.community + vertex);
    const Weight strength = vertex < 0 ? 0 : p.strength[vertex];

    bool leaves = false;                                    // has it a neighbour elsewhere?
    for (int i = 0; i < EDGES; ++i) leaves |= edges.other[i] >= 0 && edges.community[i] != home;
    RECORD_COUNTERS(leaves = true;)                         // the record has the communities of all
    Choice best = {0.0, -1};
    Weight inner = 0, home_total = 0;
    if (__any_sync(ALL_LANES, leaves)) {
        if (vertex >= 0 && member == 0) home_total = total_of(p, home);
        sum_up<false>(edges, s.level, width, p.two_m);
        best = best_of_lane(p, edges, home, strength, inner);
        best = best_of_group(best, width);
        inner = largest_of_group(inner, width);
    }
    double gain = 0.0;
    int to = -1;
    if (vertex >= 0 && member == 0)
        to = settle(p, s.sweep, vertex, home, home_total, strength, inner, best, gain);
    effects.add(gain, to);
    RECORD_EVENTS(
        record_events(rec, effects.step, effects.warp, to >= 0 ? MOVE : NO_EVENT, vertex, home, to,
                      modularity(p, gain), effects.batch++);)
    RECORD_COUNTERS(
        Effort effort = effort_of_lane<EDGES>(begin, end, width);
        effort.vertices = member == 0 && vertex >= 0;
        effort.moves = to >= 0;
        effort = sum_of_warp(effort);
        if (threadIdx.x % 32 == 0) record_effort(rec, effects.warp, effects.step, effort);)
    to = __shfl_sync(ALL_LANES, to, (threadIdx.x % 32) & ~(width - 1));
    if (to < 0 || s.sweep.duty == ALL || s.sweep.target) return;
    wake_lane(s.sweep, edges, to);
}

// Best community among this thread's sums, and the weight to the vertex's own; empties the tables.  The totals
// of several slots are read before the first is used.
__device__ inline Choice best_in_tables(Partition p, Tables tables, int home, Weight strength,
                                        Weight& inner, int member, int width
                                        RECORD_COUNTERS(, Effort& effort))
{
    Choice best = {0.0, -1};
    const auto consider = [&](int community, Weight sum, Weight total) {
        RECORD_COUNTERS(effort.occupied += 1;)
        if (community == home) inner = sum;
        else best = better(best, {score(p, sum, strength, total), community});
    };
    const HalfTable near = tables.near;
    for (unsigned first = member; first < near.size; first += AHEAD * width) {
        int key[AHEAD];
        Weight total[AHEAD];
        for (int i = 0; i < AHEAD; ++i) {
            const unsigned slot = first + i * width;
            key[i] = slot < near.size ? near.keys[slot] : NO_KEY;
        }
        for (int i = 0; i < AHEAD; ++i) total[i] = key[i] == NO_KEY ? 0 : total_of(p, key[i]);
        for (int i = 0; i < AHEAD; ++i)
            if (key[i] != NO_KEY) consider(key[i], taken_from(near, first + i * width), total[i]);
    }
    for_each_far(tables, member, width, [&](int community, Weight sum) {
        consider(community, sum, total_of(p, community));
    });
    return best;
}

// A thread's edges, if the team's threads hold all of a vertex.
struct Held {
    int other[AHEAD];           // -1: no edge, or a loop
    int community[AHEAD];       // of the other end; -1: no edge
};

static_assert(WARP_DEGREE <= AHEAD * 32, "a warp holds all edges of its vertices");

// Each edge may lead to another community, so the table needs room for them.
__device__ inline bool can_hold(Team team, Room room, int degree)
{
    return !team.is_block || (degree <= AHEAD * team.width && 2 * degree <= room.near_slots);
}

// Read the edges, and add up the weight to the vertex's own community; `begin`: where its list begins.
__device__ inline Held held_edges(const int* communities, Level level, int vertex, long long begin, int degree,
                                  int home, Team team, Weight* weight, Weight& inner)
{
    Held held;
    for (int i = 0; i < AHEAD; ++i) {
        const int place = team.member + i * team.width;
        held.other[i] = place < degree ? level.indices[begin + place] : -1;
    }
    weights_of<AHEAD>(level, begin + team.member, begin + degree, team.width, weight);
    for (int i = 0; i < AHEAD; ++i) {
        if (held.other[i] == vertex) held.other[i] = -1;
        held.community[i] = held.other[i] < 0 ? -1 : simt_load(communities + held.other[i]);
    }
    for (int i = 0; i < AHEAD; ++i) inner += held.community[i] == home ? weight[i] : 0;
    return held;
}

// Best community among those of the edges that this thread is the first to bring to the table, which is
// empty before and after.
__device__ inline Choice best_of_held(Partition p, const Held& held, const Weight* weight, HalfTable table,
                                      int home, Weight strength, Team team
                                      RECORD_COUNTERS(, Effort& effort))
{
    unsigned slot[AHEAD];
    int community[AHEAD];                                   // another one, or -1
    bool fresh[AHEAD];
    slots_for(table, held.community, home, slot, community, fresh RECORD_COUNTERS(, effort));
    add_all(table, slot, community, weight);
    Weight sum[AHEAD], total[AHEAD];
    for (int i = 0; i < AHEAD; ++i) {
        if (!fresh[i]) community[i] = -1;                   // the first considers it
        total[i] = community[i] < 0 ? 0 : total_of(p, community[i]);
    }
    team.meet();
    for (int i = 0; i < AHEAD; ++i) {
        RECORD_COUNTERS(effort.occupied += fresh[i];)
        sum[i] = fresh[i] ? taken_from(table, slot[i]) : 0;
    }
    Choice best = {0.0, -1};
    for (int i = 0; i < AHEAD; ++i)
        best = better(best, {score(p, sum[i], strength, total[i]), community[i]});
    return best;
}

// Mark a thread's neighbours in other communities.
__device__ inline void wake_held(Sweep sweep, const Held& held, int to)
{
    for (int i = 0; i < AHEAD; ++i)
        if (held.other[i] >= 0 && held.community[i] != to) simt_store(sweep.rested + held.other[i], 0);
}

// A vertex's community, after its move if that has been decided; others may make it meanwhile.
__device__ inline int community_after(Search s, int vertex)
{
    const int to = s.sweep.target ? simt_load(s.sweep.target + vertex) : -1;
    return to < 0 ? simt_load(s.partition.community + vertex) : to;
}

// Mark the neighbours in other communities by the edges from `begin` to `end` - 1.
__device__ inline void wake_between(Search s, long long begin, long long end, int vertex, int to,
                                    int member, int width)
{
    for (long long first = begin + member; first < end; first += AHEAD * width) {
        int other[AHEAD], community[AHEAD];
        for (int i = 0; i < AHEAD; ++i) {
            const long long e = first + i * width;
            other[i] = e < end ? s.level.indices[e] : vertex;
            community[i] = community_after(s, other[i]);
        }
        for (int i = 0; i < AHEAD; ++i)
            if (community[i] != to && other[i] != vertex) simt_store(s.sweep.rested + other[i], 0);
    }
}

__device__ inline void wake(Search s, int vertex, int to, int member, int width)
{
    wake_between(s, s.level.indptr[vertex], s.level.indptr[vertex + 1], vertex, to, member, width);
}

// Shared memory of a block that works on one vertex.
struct Desk {
    Choice* best;               // one a warp
    Weight* inner;
    int* note;                  // one
};

// Best choice, and sum of weights, of the team's threads, for its first member; all call.
__device__ inline Choice best_of_team(Team team, Choice best, Weight& inner, Desk desk)
{
    best = best_of_warp(best);
    inner = weight_of_warp(inner);
    if (!team.is_block) return best;
    if (threadIdx.x % 32 == 0) {
        desk.best[threadIdx.x / 32] = best;
        desk.inner[threadIdx.x / 32] = inner;
    }
    __syncthreads();
    if (threadIdx.x >= 32) return best;
    const bool used = team.member < team.width / 32;
    inner = weight_of_warp(used ? desk.inner[team.member] : 0);
    return best_of_warp(used ? desk.best[team.member] : Choice{0.0, -1});
}

// One vertex of more than 32 edges, which is due; all threads of the team call.  `room` is the block's; its tables are empty before and after.  `desk` is for a block.
__device__ inline void move_by_team(Search s, int vertex, Team team, Room room, Desk desk, Effects& effects
                                    RECORD_PARAMS)
{
    const Partition p = s.partition;
    const long long begin = s.level.indptr[vertex];
    const int degree = (int)(s.level.indptr[vertex + 1] - begin);
    const int home = simt_load(p.community + vertex);       // only this team moves the vertex
    const Weight strength = p.strength[vertex];
    const bool holds = can_hold(team, room, degree);
    Weight inner = 0, home_total = 0;
    Choice best = {0.0, -1};
    Held held;
    RECORD_COUNTERS(Effort effort = {0, 0, 0, 0, 0, 0, 0, 0};)
    if (holds) {
        Weight weight[AHEAD];
        held = held_edges(p.community, s.level, vertex, begin, degree, home, team, weight, inner);
        bool leaves = team.is_block;                        // has it a neighbour elsewhere?
        for (int i = 0; i < AHEAD; ++i) leaves |= held.other[i] >= 0 && held.community[i] != home;
        RECORD_COUNTERS(leaves = true;)                     // the record has the communities of all
        if (!__any_sync(ALL_LANES, leaves)) return;
        if (team.member == 0) home_total = total_of(p, home);
        best = best_of_held(p, held, weight, table_of(team, room), home, strength, team
                            RECORD_COUNTERS(, effort));
    } else {
        const Tables tables = tables_of(degree, room);
        if (tables.far.size && team.member == 0) *tables.count = 0;
        team.meet();
        add_edges(p.community, s.level, tables, vertex, team.member, team.width, false
                  RECORD_COUNTERS(, effort));
        team.meet();
        if (team.member == 0) home_total = total_of(p, home);
        best = best_in_tables(p, tables, home, strength, inner, team.member, team.width
                              RECORD_COUNTERS(, effort));
    }
    best = best_of_team(team, best, inner, desk);
    double gain = 0.0;
    int to = -1;
    if (team.member == 0) {
        to = settle(p, s.sweep, vertex, home, home_total, strength, inner, best, gain);
        RECORD_EVENTS(
            if (to >= 0)
                record_event(rec, effects.step, effects.warp, MOVE, vertex, home, to,
                             modularity(p, gain), effects.batch++);)
    }
    RECORD_COUNTERS(
        count_share(effort, degree, table_of(team, room).size, team.member, team.width);
        effort.moves = to >= 0;
        record_share(rec, effects.warp, effects.step, effort);)
    effects.add(gain, to);
    to = team.tell(to, desk.note);
    if (to >= 0 && s.sweep.duty != ALL && !s.sweep.target) {
        if (holds) wake_held(s.sweep, held, to);
        else wake(s, vertex, to, team.member, team.width);
    }
    team.meet();                                            // tables and desk are free again
}

// Make the moves from turn `begin` to `end` - 1, which wait, and mark the movers' neighbours in other
// communities.  Each mover has a team of a block's warps, several where there are fewer movers than warps.  All
// threads of all blocks call.
__device__ inline void make_moves(Search s, int begin, int end)
{
    if (begin == end) return;
    const Partition p = s.partition;
    const int warps = blockDim.x / 32, warp = threadIdx.x / 32;
    const int each = max(1, min(warps, (int)gridDim.x * warps / (end - begin))), teams = warps / each;
    const int member = warp % each * 32 + threadIdx.x % 32;
    for (int turn = begin + warp / each * gridDim.x + blockIdx.x; warp < teams * each && turn < end;
         turn += teams * gridDim.x) {
        const int vertex = simt_load(mover_of(s.sweep, turn));
        const int to = simt_load(s.sweep.target + vertex);
        if (member == 0) {
            const Weight strength = p.strength[vertex];
            atomicAdd(p.total + simt_load(p.community + vertex), 0 - strength);
            simt_store(p.community + vertex, to);
            atomicAdd(p.total + to, strength);
        }
        if (s.sweep.duty != ALL) wake(s, vertex, to, member, 32 * each);
    }
}
