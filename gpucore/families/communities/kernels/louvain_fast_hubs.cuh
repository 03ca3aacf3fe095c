// Louvain, tuned: hubs that several blocks share, if a stage has so few that each block can have one.
//
// A block reads four thousand edges in about five microseconds, and a hub of R-MAT may have hundreds of
// thousands, for which most multiprocessors would wait.  So a block takes a piece of a hub's edges, as many as its
// shared memory has sums for, and adds these sums to the hub's table in global memory.  In a second
// launch each of the same blocks looks for the best community in its share of the table, and the last
// one to finish moves the hub; in a third one they mark its neighbours.  Contraction adds a piece's sums
// to those of all pairs.
//
// Where moves take effect at once shared hubs are visited in every sweep: of so many neighbours some have
// moved.  Where moves wait they are visited as a block's: a reproducible run does not depend on the device.
#pragma once

#include "louvain_fast_moves.cuh"

// What a block found in its share of a hub's table.  In that of the hub's first one, how many blocks have
// finished, 0 before and after, and where the hub moved, or -1.
struct Finding {
    Choice best;
    Weight inner;
    int finished, moved;
};

#define FINDING_WORDS 4

// A block's piece of a hub; of `hub`, the block of number `number` among `count`.
struct Piece {
    int hub, hubs;              // of the part
    int number, count, vertex;
    long long degree;           // of the hub
    long long begin, end;       // of the piece's edges
};

// Of the hubs from `begin` to `end` - 1 in the order, those of one part.
__device__ inline Piece piece_of_block(const int* order, int begin, int end, Visit visit,
                                       const long long* indptr, int near_slots)
{
    const int hubs = (end - begin + visit.parts - 1) / visit.parts;
    const int hub = (int)blockIdx.x % hubs, number = (int)blockIdx.x / hubs, each = near_slots / 2;
    const long long place = place_of(visit, begin, hub);
    if (place >= end) return {hub, hubs, number, 0, -1, 0, 0, 0};
    const int vertex = order[place];
    const long long degree = indptr[vertex + 1] - indptr[vertex];
    const long long first = (long long)number * each, last = min(degree, first + each);
    return {hub, hubs, number, (int)((degree + each - 1) / each), vertex, degree,
            indptr[vertex] + first, indptr[vertex] + last};
}

__device__ inline HalfTable table_of_hub(unsigned* outside, long long slots, Piece piece)
{
    return half_table(outside + piece.hub * slots * FAR_WORDS, slots_of(piece.degree, 64), slots);
}

// Whether the hub of a piece has to be visited; all threads of its blocks find the same, in two launches.  The hub is
// visited once the last block has called rest().
__device__ inline bool is_hub_due(Sweep sweep, int vertex)
{
    return !sweep.target || sweep.duty == ALL || simt_load(sweep.rested + vertex) == 0;
}

__device__ inline void rest(Sweep sweep, int vertex)
{
    if (sweep.target && sweep.duty != ALL) simt_store(sweep.rested + vertex, 1);
}

// Sum up a piece's edges by community in shared memory.  All threads of the block call.
__device__ inline Tables tables_of_piece(Level level, const int* communities, Piece piece,
                                         unsigned* memory, bool loops
                                         RECORD_COUNTERS(, Effort& effort))
{
    const unsigned slots = slots_of(piece.end - piece.begin, 64);
    const Tables tables = {half_table(memory, slots, slots), {0, 0, 0, 0}, 0, 0};
    clear(tables, threadIdx.x, blockDim.x);
    __syncthreads();
    add_edges_between(piece.begin, piece.end, communities, level, tables, piece.vertex, threadIdx.x,
                      blockDim.x, loops RECORD_COUNTERS(, effort));
    RECORD_COUNTERS(
        count_share(effort, piece.end - piece.begin, slots, threadIdx.x, blockDim.x);
        effort.vertices = 0;)
    __syncthreads();
    return tables;
}

// Add a piece's sums to those of its hub.
__device__ inline void add_sums(Tables tables, HalfTable hub RECORD_COUNTERS(, Effort& effort))
{
    for_each_sum(tables, threadIdx.x, blockDim.x, [&](int community, Weight sum) {
        bool fresh = false;
        RECORD_COUNTERS(effort.occupied += 1;)
        add_at(hub, slot_for(hub, community, hub.size, fresh RECORD_COUNTERS(, effort)), sum);
    });
}

// Best community in a piece's share of its hub's table, which is emptied.
__device__ inline Choice best_in_share(Partition p, HalfTable hub, Piece piece, int home,
                                       Weight strength, Weight& inner)
{
    Choice best = {0.0, -1};
    const unsigned stride = piece.count * blockDim.x;
    for (unsigned first = piece.number * blockDim.x + threadIdx.x; first < hub.size;
         first += AHEAD * stride) {
        int key[AHEAD];
        Weight sum[AHEAD], total[AHEAD];
        for (int i = 0; i < AHEAD; ++i) {
            const unsigned slot = first + i * stride;
            key[i] = slot < hub.size ? hub.keys[slot] : NO_KEY;
            sum[i] = slot < hub.size ? sum_at(hub, slot) : 0;
        }
        for (int i = 0; i < AHEAD; ++i) total[i] = key[i] == NO_KEY ? 0 : total_of(p, key[i]);
        for (int i = 0; i < AHEAD; ++i) {
            if (key[i] == NO_KEY) continue;
            const unsigned slot = first + i * stride;
            hub.keys[slot] = NO_KEY;
            hub.low[slot] = hub.high[slot] = 0;
            if (key[i] == home) inner = sum[i];
            else best = better(best, {score(p, sum[i], strength, total[i]), key[i]});
        }
    }
    return best;
}

// Find the best community in a piece's share; the last block of the hub moves it, and notes where.
// All threads of the block call.
__device__ inline void move_hub(Search s, Piece piece, HalfTable hub, Finding* findings, Desk desk,
                                Effects& effects RECORD_PARAMS)
{
    const Partition p = s.partition;
    const int vertex = piece.vertex, home = simt_load(p.community + vertex);
    const Weight strength = p.strength[vertex];
    const Team team = block_team();
    Weight inner = 0;
    Choice best = best_in_share(p, hub, piece, home, strength, inner);
    best = best_of_team(team, best, inner, desk);
    Finding* const first = findings + piece.hub;
    int last = 0;
    if (team.member == 0) {
        findings[blockIdx.x].best = best;
        findings[blockIdx.x].inner = inner;
        __threadfence();
        last = atomicAdd(&first->finished, 1) == piece.count - 1;
        __threadfence();
    }
    if (!team.tell(last, desk.note)) return;
    best = {0.0, -1};
    inner = 0;
    for (int i = team.member; i < piece.count; i += team.width) {
        const Finding& found = first[(long long)i * piece.hubs];
        best = better(best, found.best);
        inner = max(inner, found.inner);
    }
    best = best_of_team(team, best, inner, desk);
    if (team.member != 0) return;
    rest(s.sweep, vertex);
    double gain = 0.0;
    const Weight home_total = total_of(p, home);
    const int to = settle(p, s.sweep, vertex, home, home_total, strength, inner, best, gain);
    effects.add(gain, to);
    first->finished = 0;
    first->moved = to;
    RECORD_EVENTS(
        if (to >= 0)
            record_event(rec, effects.step, effects.warp, MOVE, vertex, home, to, modularity(p, gain),
                         effects.batch++);)
    RECORD_COUNTERS(
        Effort effort = {0, 0, 0, 0, 0, 0, 0, 0};
        effort.vertices = 1;
        effort.moves = to >= 0;
        record_effort(rec, effects.warp, effects.step, effort);)
}
