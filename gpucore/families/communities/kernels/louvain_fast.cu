// Louvain, tuned.  The method is that of louvain.cu and louvain_contract.cu.  Our changes, and why:
//   * Moves take effect at once, not after a bucket: a sweep sees most of its own changes, so far
//     fewer sweeps are needed.  This makes the result depend on the schedule; a run that has to be
//     reproducible decides the moves of a part from one state, and makes them afterwards.
//   * A vertex is visited again only if a neighbour in another community has moved since: after the
//     first sweeps this holds for few.
//   * Up to 32 edges never leave the registers: the lanes of a group compare their communities by
//     shuffles or by a match.  Up to 128 the lanes of a warp hold the edges, up to four each, above that
//     the threads of a block; a hash table in shared memory adds them up, and whoever brings a
//     community first looks at its sum.  Of more edges than the threads hold, lanes with the same
//     community add once.
//   * Where a stage has few hubs, several blocks share each; see louvain_fast_hubs.cuh.
//   * A small stage is swept in parts, since of vertices that are processed at once none sees the
//     moves of the others.
//   * a is read once for each neighbouring community, not once for each edge.
//   * Contraction first sums up the weight from every vertex to every community, the same way, and
//     hashes only these sums, by pairs of communities, in one table for all: it suits communities
//     of every size.  In a small stage the edges of vertices with more than 32 go there at once.
//   * Where a search of one lane would leave the others behind, the lanes of a warp search together: they
//     would go on one by one after it.
//   * The sums give the modularity at no extra cost; the host reads once a stage, twice where a table is large.
#include "simt.h"

#include "louvain_fast_hubs.cuh"
#include "louvain_fast_place.cuh"
#include "louvain_fast_phase.cuh"

SIMT_KERNEL(fast_count)(int n, const long long* indptr, int* counts, int* longest)
{
    SIMT_SHARED(int[CLASSES], block_counts);
    count_classes(n, indptr, counts, longest, block_counts);
}

// What a stage begins with.
struct Beginning {
    const Weight* strength;
    int* community;
    Weight* total;
    int* waiting;
    int later;
};

// A vertex becomes a community of its own; where moves wait, `later` vertices have no target, and there are no movers.
__device__ inline void begin_alone(const Beginning& to, long long v)
{
    to.community[v] = (int)v;
    to.total[v] = to.strength[v];
    if (v < to.later) to.waiting[v + 1] = -1;
    if (v == 0 && to.later) *to.waiting = -1;
}

SIMT_KERNEL(fast_place)
(int n, const long long* indptr, int begin1, int begin2, int begin3, int begin4, int begin5,
 int begin6, int begin7, int* cursors, int* order, const Weight* strength, int* community,
 Weight* total, int* waiting, int later)
{
    SIMT_SHARED(int[CLASSES + 1], block_counts);
    SIMT_SHARED(int[CLASSES + 1], first);
    const int begins[CLASSES] = {0,      begin1, begin2, begin3,
                                 begin4, begin5, begin6, begin7};
    place_by_class(n, indptr, blockIdx.x, begins, cursors, order, block_counts, first);
    const long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) begin_alone({strength, community, total, waiting, later}, v);
}

// The same with each class in ascending order.
SIMT_KERNEL(fast_place_in_order, __launch_bounds__(256))
(int n, const long long* indptr, int begin1, int begin2, int begin3, int begin4, int begin5,
 int begin6, int begin7, int* parts, unsigned* barrier, int* order, const Weight* strength, int* community,
 Weight* total, int* waiting, int later)
{
    SIMT_SHARED(int[8 * CLASSES], counts);
    SIMT_SHARED(int[CLASSES], first);
    const int begins[CLASSES] = {0,      begin1, begin2, begin3,
                                 begin4, begin5, begin6, begin7};
    place_in_order(n, indptr, begins, parts, order, counts, first, barrier);
    for (long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x; v < n; v += (long long)gridDim.x * blockDim.x)
        begin_alone({strength, community, total, waiting, later}, v);
}

// Vertices of at most 32 edges, a range of blocks for each class; see place_of_lane.
SIMT_KERNEL(fast_move_lanes)
(const int* order, int begin1, int begin2, int begin3, int begin4, int begin5, int block2,
 int block3, int block4, const long long* indptr, const int* indices, const float* weights,
 const Weight* sums, double unit, int kind, const Weight* strength, int* community, Weight* total,
 double two_m, double resolution, int near, int parts, unsigned char* rested, Weight* gained, int* moved,
 int* waiting, int later, int settles, const int* state, int step RECORD_PARAMS)
{
    if (state[DONE]) return;
    refresh_some();
    const Search s = search_of({strength, community, total, 0, two_m, resolution, 0, near != 0},
                               {indptr, indices, weights, sums, unit, kind}, rested, gained, moved,
                               waiting, later, settles, state[LAUNCHES], parts);
    const Place place = place_of_lane(
        {{begin1, begin2, begin3, begin4, begin5}, {0, block2, block3, block4}}, order, blockIdx.x,
        s.sweep.visit);
    Effects effects = effects_of(two_m, step, warp_in_grid());
    move_lanes<LANE_EDGES>(s, place, effects RECORD_COUNTERS(, rec));
    effects.report(s.sweep.gained, s.sweep.moved);
}

// Vertices of 33 to WARP_DEGREE edges, a warp each.  Shared memory: WARP_SLOTS times 12 bytes for
// each warp.
SIMT_KERNEL(fast_move_warp, __launch_bounds__(128, 10))
(const int* order, int begin, int end, const long long* indptr, const int* indices,
 const float* weights, const Weight* sums, double unit, int kind, const Weight* strength,
 int* community, Weight* total, double two_m, double resolution, int near, int parts,
 unsigned char* rested, Weight* gained, int* moved, int* waiting, int later, int settles, const int* state,
 int first_warp, int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned, memory);
    if (state[DONE]) return;
    refresh_some();
    const int warp = warp_in_grid();
    const Search s = search_of({strength, community, total, 0, two_m, resolution, 0, near != 0},
                               {indptr, indices, weights, sums, unit, kind}, rested, gained, moved,
                               waiting, later, settles, state[LAUNCHES], parts);
    const long long place = place_of(s.sweep.visit, begin, warp);
    if (place >= end) return;
    Effects effects = effects_of(two_m, step, first_warp + warp);
    const Team team = warp_team();
    const Room room = {memory, (int)blockDim.x / 32 * WARP_SLOTS, 0, 0, 0};
    if (!team.tell(team.member == 0 && is_due(s.sweep, order[place]), nullptr)) return;
    clear(table_of(team, room), team.member, team.width);
    team.meet();
    move_by_team(s, order[place], team, room, {0, 0, 0}, effects RECORD_COUNTERS(, rec));
    effects.report(s.sweep.gained, s.sweep.moved);
}

// Vertices of more edges, a block each.  Shared memory: `near_slots` times 12 bytes; `slots` times
// 16 bytes outside for each block, 1 where the vertices are no hubs.  `queue`: see next_in_block.
SIMT_KERNEL(fast_move_block, __launch_bounds__(1024))
(const int* order, int begin, int end, const long long* indptr, const int* indices,
 const float* weights, const Weight* sums, double unit, int kind, const Weight* strength,
 int* community, Weight* total, double two_m, double resolution, int near, int parts,
 unsigned char* rested, Weight* gained, int* moved, int* waiting, int later, int settles, const int* state,
 int near_slots, long long slots, unsigned* outside, int* queue, int first_warp,
 int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned, memory);
    SIMT_SHARED(Choice[32], best);
    SIMT_SHARED(Weight[32], inner);
    SIMT_SHARED(int[2], note);
    SIMT_SHARED(unsigned[1], claimed);
    if (state[DONE]) return;
    refresh_some();
    const Room room = {memory, near_slots, outside + blockIdx.x * slots * FAR_WORDS, slots,
                       claimed};
    const Search s = search_of({strength, community, total, 0, two_m, resolution, 0, near != 0},
                               {indptr, indices, weights, sums, unit, kind}, rested, gained, moved,
                               waiting, later, settles, state[LAUNCHES], parts);
    Effects effects = effects_of(two_m, step, first_warp + warp_in_grid());
    const Team team = block_team();
    bool empty = false;                                     // the tables
    const int count = (end - begin + parts - 1) / parts;
    for (int i = -1; (i = next_in_block(i, slots > 1, count, queue, note + 1)) < count;) {
        const long long place = place_of(s.sweep.visit, begin, i);
        if (place >= end) continue;
        if (slots > 1 && team.member == 0) simt_refresh();
        const int due = team.tell(team.member == 0 && is_due(s.sweep, order[place]), note);
        if (due && !empty) clear(table_of(team, room), team.member, team.width);
        empty |= due;
        team.meet();
        if (due) move_by_team(s, order[place], team, room, {best, inner, note}, effects RECORD_COUNTERS(, rec));
    }
    effects.report(s.sweep.gained, s.sweep.moved);
}

// Hubs that several blocks share, in three launches; see louvain_fast_hubs.cuh.  Shared memory of the
// first one: `near_slots` times 12 bytes; `slots` times 16 bytes outside for each hub.
SIMT_KERNEL(fast_sum_hubs, __launch_bounds__(1024))
(const int* order, int begin, int end, const long long* indptr, const int* indices,
 const float* weights, const Weight* sums, double unit, int kind, const Weight* strength,
 int* community, Weight* total, double two_m, double resolution, int near, int parts,
 unsigned char* rested, Weight* gained, int* moved, int* waiting, int later, int settles, const int* state,
 int near_slots, long long slots, unsigned* outside, [[maybe_unused]] int first_warp,
 [[maybe_unused]] int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned, memory);
    if (state[DONE]) return;
    const Search s = search_of({strength, community, total, 0, two_m, resolution, 0, near != 0},
                               {indptr, indices, weights, sums, unit, kind}, rested, gained, moved,
                               waiting, later, settles, state[LAUNCHES], parts);
    const Piece piece = piece_of_block(order, begin, end, s.sweep.visit, indptr, near_slots);
    if (piece.number >= piece.count || !is_hub_due(s.sweep, piece.vertex)) return;
    RECORD_COUNTERS(Effort effort = {0, 0, 0, 0, 0, 0, 0, 0};)
    const Tables tables =
        tables_of_piece(s.level, community, piece, memory, false RECORD_COUNTERS(, effort));
    add_sums(tables, table_of_hub(outside, slots, piece) RECORD_COUNTERS(, effort));
    RECORD_COUNTERS(
        record_share(rec, first_warp + warp_in_grid(), step, effort);)
}

SIMT_KERNEL(fast_move_hubs, __launch_bounds__(1024))
(const int* order, int begin, int end, const long long* indptr, const int* indices,
 const float* weights, const Weight* sums, double unit, int kind, const Weight* strength,
 int* community, Weight* total, double two_m, double resolution, int near, int parts,
 unsigned char* rested, Weight* gained, int* moved, int* waiting, int later, int settles, const int* state,
 int near_slots, long long slots, unsigned* outside, Finding* findings, int first_warp,
 int step RECORD_PARAMS)
{
    SIMT_SHARED(Choice[32], best);
    SIMT_SHARED(Weight[32], inner);
    SIMT_SHARED(int[1], note);
    if (state[DONE]) return;
    const Search s = search_of({strength, community, total, 0, two_m, resolution, 0, near != 0},
                               {indptr, indices, weights, sums, unit, kind}, rested, gained, moved,
                               waiting, later, settles, state[LAUNCHES], parts);
    const Piece piece = piece_of_block(order, begin, end, s.sweep.visit, indptr, near_slots);
    if (piece.number >= piece.count || !is_hub_due(s.sweep, piece.vertex)) return;
    Effects effects = effects_of(two_m, step, first_warp + warp_in_grid());
    move_hub(s, piece, table_of_hub(outside, slots, piece), findings, {best, inner, note},
             effects RECORD_COUNTERS(, rec));
    effects.report(s.sweep.gained, s.sweep.moved);
}

SIMT_KERNEL(fast_wake_hubs, __launch_bounds__(1024))
(const int* order, int begin, int end, const long long* indptr, const int* indices,
 const float* weights, const Weight* sums, double unit, int kind, const Weight* strength,
 int* community, Weight* total, double two_m, double resolution, int near, int parts,
 unsigned char* rested, Weight* gained, int* moved, int* waiting, int later, int settles, const int* state,
 int near_slots, const Finding* findings)
{
    if (state[DONE]) return;
    const Search s = search_of({strength, community, total, 0, two_m, resolution, 0, near != 0},
                               {indptr, indices, weights, sums, unit, kind}, rested, gained, moved,
                               waiting, later, settles, state[LAUNCHES], parts);
    const Piece piece = piece_of_block(order, begin, end, s.sweep.visit, indptr, near_slots);
    const int to = findings[piece.hub].moved;
    if (piece.number >= piece.count || to < 0 || s.sweep.duty == ALL || s.sweep.target) return;
    wake_between(s, piece.begin, piece.end, piece.vertex, to, threadIdx.x, blockDim.x);
}

// The moves of a part that were decided from one state of the partition.
SIMT_KERNEL(fast_make_moves)
(const long long* indptr, const int* indices, const float* weights, const Weight* sums,
 double unit, int kind, const Weight* strength, int* community, Weight* total, int parts,
 unsigned char* rested, int* waiting, int later, const int* state)
{
    if (state[DONE]) return;
    make_moves({{strength, community, total, 0, 0.0, 0.0, 0},
                {indptr, indices, weights, sums, unit, kind},
                {rested, nullptr, nullptr, state[LAUNCHES] / parts == 0 ? ALL : WHO_DOES_NOT_REST, {0, parts, 0},
                 waiting + 1, later}},
               0, count_movers(waiting));
}

// End of a launch, one block: no moves wait any more; and after the last part of a sweep, has the phase ended?  It
// has when `patience` sweeps in a row gained little, or there were too many.
SIMT_KERNEL(fast_judge)
(Weight* gained, int* moved, double* gain, double start, double threshold, double least,
 int relative, int parts, int patience, int max_sweeps, int* state, int* waiting, int later)
{
    SIMT_SHARED(Weight[32], sums);
    SIMT_SHARED(int[32], counts);
    if (state[DONE]) return;
    if (later && threadIdx.x == 0) *waiting = -1;
    const bool ends = (state[LAUNCHES] + 1) % parts == 0;
    __syncthreads();
    if (!ends) {
        if (threadIdx.x == 0) state[LAUNCHES] += 1;
        return;
    }
    const Tally sweep = collect(gained, moved, TALLIES, sums, counts);
    if (threadIdx.x == 0)
        judge(sweep, gain, start, threshold, least, relative, parts, patience, max_sweeps, state);
}

// A whole phase in one cooperative launch, for small stages, whose time would be that of the
// launches.  Shared memory: for a block's warps, at least `near_slots` times 12 bytes; `slots` times
// 16 bytes outside for each block.
SIMT_KERNEL(fast_phase, __launch_bounds__(512))
(const int* order, int begin1, int begin2, int begin3, int begin4, int begin5, int warp2,
 int warp3, int warp4, int warps, int begin6, int end, const long long* indptr,
 const int* indices, const float* weights, const Weight* sums, double unit, int kind,
 const Weight* strength, int* community, Weight* total, double two_m, double resolution, [[maybe_unused]] int near, int parts,
 unsigned char* rested, Weight* gained, int* moved, int* waiting, int later, int settles, int* state,
 double* gain, double start, double threshold, double least, int relative, int patience,
 int max_sweeps, int apart, int passes, int pass_sweeps, int near_slots, long long slots,
 unsigned* outside, unsigned* barrier, int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned, memory);
    SIMT_SHARED(Choice[32], best);
    SIMT_SHARED(Weight[32], inner);
    SIMT_SHARED(int[1], note);
    SIMT_SHARED(unsigned[1], claimed);
    SIMT_SHARED(Pace[1], pace);
    const Room room = {memory, near_slots, outside + blockIdx.x * slots * FAR_WORDS, slots,
                       claimed};
    if (threadIdx.x == 0) pace->set = 0;
    sweep_together({strength, community, total, 0, two_m, resolution, 0},
                   {indptr, indices, weights, sums, unit, kind}, order,
                   {{{begin1, begin2, begin3, begin4, begin5}, {0, warp2, warp3, warp4}}, warps,
                    begin6, end, false, false},
                   {rested, gained, moved, waiting, state, gain},
                   {start, threshold, least, relative, patience, max_sweeps, passes, pass_sweeps,
                    settles},
                   parts, apart, false, later, room, {best, inner, note}, pace, barrier,
                   step RECORD_COUNTERS(, rec));
}

SIMT_EXPORT(fast_count)
SIMT_EXPORT(fast_place)
SIMT_EXPORT(fast_place_in_order)
SIMT_EXPORT(fast_move_lanes)
SIMT_EXPORT(fast_move_warp)
SIMT_EXPORT(fast_move_block)
SIMT_EXPORT(fast_sum_hubs)
SIMT_EXPORT(fast_move_hubs)
SIMT_EXPORT(fast_wake_hubs)
SIMT_EXPORT(fast_make_moves)
SIMT_EXPORT(fast_judge)
SIMT_EXPORT(fast_phase)
