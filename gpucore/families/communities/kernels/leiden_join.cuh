// One vertex's choice of a part in the refinement: for a group of lanes, for a warp, for a block.
#pragma once

#include "leiden.cuh"

// Where the record has an event: the launch's step, the warp, and the warp's how many-th vertex.
struct Batch {
    int step, warp, number;
};

__device__ inline unsigned seed_of_round(unsigned seed, int round)
{
    return seed + (unsigned)round * 0x632be5abu;
}

// One vertex for each group of lanes, at most 32 edges (-1: none).  All lanes of the warp call.
__device__ inline void join_lanes(const Refinement& r, Level level, Place place, int* joined,
                                  [[maybe_unused]] Batch batch RECORD_PARAMS)
{
    const int width = place.width, member = place.member;
    int vertex = -1;                                        // one lane reads: others may see a change
    if (place.vertex >= 0 && member == 0 && simt_load(r.claim + place.vertex) == FREE)
        vertex = place.vertex;
    vertex = __shfl_sync(ALL_LANES, vertex, 0, width);
    if (!__any_sync(ALL_LANES, vertex >= 0)) return;
    const long long begin = vertex < 0 ? 0 : level.indptr[vertex] + member;
    const long long end = vertex < 0 ? 0 : level.indptr[vertex + 1];
    Edges<LANE_EDGES> edges = edges_of_lane<LANE_EDGES>(r.parts.community, level, vertex, begin, end, width, false);
    sum_up<true>(edges, level, width, r.parts.two_m);
    Choice best = {0.0, -1};
    for (int i = 0; i < LANE_EDGES; ++i)
        if (edges.first[i])
            best = better(best, part_choice(r, vertex, edges.community[i], edges.sum[i]));
    best = best_of_group(best, width);
    float gain = 0.0f;
    int to = -1;
    if (vertex >= 0 && member == 0) to = join(r, vertex, best, gain);
    RECORD_EVENTS(
        record_events(rec, batch.step, batch.warp,
                      to >= 0 ? JOIN : NO_EVENT, vertex, vertex < 0 ? 0 : r.community[vertex], to,
                      gain, batch.number);)
    RECORD_COUNTERS(
        Effort effort = effort_of_lane<LANE_EDGES>(begin, end, width);
        effort.vertices = member == 0 && vertex >= 0;
        effort = sum_of_warp(effort);
        if (threadIdx.x % 32 == 0)
            record_effort(rec, batch.warp, batch.step, effort);)
    const int count = warp_count(to >= 0);
    if (threadIdx.x % 32 == 0 && count) atomicAdd(joined, count);
}

// Shared memory of a block that works on one vertex.
struct Found {
    Choice* best;               // one a warp
    int* due;                   // one
};

// One vertex of more than 32 edges; all threads of the team call.  `found` is for a block.
__device__ inline void join_by_team(const Refinement& r, Level level, int vertex, Team team,
                                    Room room, Found found, int* joined,
                                    [[maybe_unused]] Batch batch RECORD_PARAMS)
{
    int due = 0;                                            // one asks: others may see a change
    if (team.member == 0) due = simt_load(r.claim + vertex) == FREE;
    const int degree = (int)(level.indptr[vertex + 1] - level.indptr[vertex]);
    if (!team.tell(due, found.due)) {
        team.meet();                                        // the note may be written again
        return;
    }
    const Tables tables = tables_of(degree, room);
    clear(tables, team.member, team.width);
    team.meet();
    RECORD_COUNTERS(Effort effort = {0, 0, 0, 0, 0, 0, 0, 0};)
    add_edges(r.parts.community, level, tables, vertex, team.member, team.width, false
              RECORD_COUNTERS(, effort));
    team.meet();
    Choice best = best_of_group(
        best_part(r, tables, vertex, team.member, team.width RECORD_COUNTERS(, effort)), 32);
    if (team.is_block) {
        if (threadIdx.x % 32 == 0) found.best[threadIdx.x / 32] = best;
        __syncthreads();
        if (team.member == 0)
            for (int i = 1; i < team.width / 32; ++i) best = better(best, found.best[i]);
    }
    if (team.member == 0) {
        float gain = 0.0f;
        const int to = join(r, vertex, best, gain);
        if (to >= 0) atomicAdd(joined, 1);
        RECORD_EVENTS(
            if (to >= 0)
                record_event(rec, batch.step, batch.warp, JOIN, vertex, r.community[vertex], to, gain,
                             batch.number);)
    }
    RECORD_COUNTERS(
        count_share(effort, degree, tables.near.size + tables.far.size, team.member, team.width);
        record_share(rec, batch.warp, batch.step, effort);)
    team.meet();                                            // tables and choices are free again
}

// Make the joins that wait.  A vertex that others chose is the root of a part from now on, and stays;
// who has chosen it goes in this round, or comes to a root.  All threads of all blocks call.
__device__ inline void make_joins(const Refinement& r, int n, int* joined,
                                  [[maybe_unused]] Batch batch RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32, warps = gridDim.x * (blockDim.x / 32);
    for (long long first = 32ll * warp_in_grid(); first < n; first += 32ll * warps) {
        const int vertex = (int)first + lane;
        const bool single = first + lane < n && simt_load(r.claim + vertex) == FREE;
        const bool stays = single && simt_load(r.waiting.wanted + vertex) == r.waiting.round;
        const Weight choice = single && !stays ? simt_load(r.waiting.choice + vertex) : 0;
        const int root = (int)(choice >> 32) - 1;
        if (stays) simt_store(r.claim + vertex, ROOT);
        if (root >= 0) {
            atomicAdd(r.parts.total + root, r.parts.strength[vertex]);
            atomicAdd(r.parts.total + vertex, 0 - r.parts.strength[vertex]);
            simt_store(r.parts.community + vertex, root);
            simt_store(r.claim + vertex, GONE);
        }
        RECORD_EVENTS(
            record_events(rec, batch.step, batch.warp, root >= 0 ? JOIN : NO_EVENT, vertex,
                          root < 0 ? 0 : r.community[vertex], root,
                          __uint_as_float((unsigned)choice), batch.number++);)
        const int count = warp_count(root >= 0);
        if (lane == 0 && count) atomicAdd(joined, count);
    }
}

// When the rounds end: at most `most`, and the last is one, after `least`, in which at most `few`
// vertices joined; `joined` has a place for each.
struct Rounds {
    int most, least, few;
    int* joined;
};

// All rounds: the blocks go over all classes, then meet.  `later`: all vertices, if joins wait; else 0.
// `room` is a block's, and its memory that of its warps.  All threads of all blocks call.
__device__ inline void join_together(Refinement r, Level level, const int* order,
                                     const Ranges& ranges, Rounds rounds, int later, Room room,
                                     Found found, unsigned* barrier,
                                     [[maybe_unused]] int step RECORD_PARAMS)
{
    const unsigned seed = r.seed;
    for (int round = 0;; ++round) {
        r.seed = seed_of_round(seed, round);
        r.waiting.round = round + 1;
        int* const joined = rounds.joined + round;
        const Batch batch = {step + round, warp_in_grid(), 0};
        for_each_lane(ranges, order, {0, 1, 0}, [&](Place place) {
            join_lanes(r, level, place, joined, batch RECORD_COUNTERS(, rec));
        });
        for_each_team(ranges, {0, 1, 0}, [&](int place, Team team) {
            join_by_team(r, level, order[place], team,
                         team.is_block ? room : room_of_warp(room.near), found, joined,
                         batch RECORD_COUNTERS(, rec));
        });
        if (later) {
            simt_grid_sync(barrier);
            make_joins(r, later, joined, batch RECORD_COUNTERS(, rec));
        }
        if (round + 1 == rounds.most) return;
        simt_grid_sync(barrier);
        if (round + 1 >= rounds.least && simt_load(joined) <= rounds.few) return;
    }
}
