// Leiden: refinement of the communities of the moving phase, on the tuned kernels of Louvain.
//
// Source: Traag, Waltman, van Eck, "From Louvain to Leiden: guaranteeing well-connected
// communities", Scientific Reports 9:5233 (2019), section "Leiden algorithm".  In parallel:
//   * Every vertex starts as a part of its own, called by its number.  Only a single vertex may
//     join a part, of the same community; a vertex that has been joined never leaves.
//   * In every round a coin decides which single vertices may join others that are single, and
//     which may be joined, so that no two join each other.  Any single vertex may join a part that
//     has members already.
//   * As in the paper a vertex joins only with a gain, best first (`noise` 0), or at random with
//     probability proportional to exp(gain / theta): the largest of gain / theta plus noise with
//     Gumbel's distribution.
//   * Joins take effect at once; in a reproducible run, after all of a round are decided.  Then a
//     vertex that others chose becomes a root, whatever it chose itself.
//
// Why parts are connected, whatever the interleaving.  A vertex's claim goes FREE -> LEAVING ->
// GONE, or back from LEAVING to FREE, by its own thread; or FREE -> ROOT for ever, by a thread that
// joins it.  All leave FREE by a CAS, so a vertex is never both.  part[v] is written once, after
// v's claim is LEAVING and the claim of its root is ROOT; where joins wait, in the same step.  So
//   (1) part[u] = r != u is final, and r is a ROOT, for which part[r] = r is final too;
//   (2) a vertex v that joins r has read part[u] = r from a neighbour u of its community.  If
//       u != r, then u is in the part for ever by (1).  If u = r, then r is a ROOT when v joins.
// So v has an edge to a vertex that was in the part earlier and never leaves, and by induction over
// the order of the joins a path to r inside the part.  The totals only steer the choice.
//   leiden_join_*     one round
//   leiden_rounds     all rounds
//   leiden_carry      communities of the contracted graph: the vertices' labels, and strengths
//   leiden_modularity   weight inside the communities, and squares of their strengths
//   leiden_hook       connected components of communities, by union-find
//   leiden_root
//   leiden_totals     strengths summed by part
#include "simt.h"

#include "leiden_join.cuh"

// The classes of at most 32 edges.
SIMT_KERNEL(leiden_join_lanes)
(const int* order, int begin1, int begin2, int begin3, int begin4, int begin5, int block2,
 int block3, int block4, const long long* indptr, const int* indices, const float* weights,
 const Weight* sums, double unit, int kind, const Weight* strength, const int* community, int* part,
 Weight* total, int* claim, Weight* choice, int* wanted, int later, double two_m, double resolution,
 double noise, unsigned seed, int round, int* joined, [[maybe_unused]] int step RECORD_PARAMS)
{
    const Place place = place_of_lane(
        {{begin1, begin2, begin3, begin4, begin5}, {0, block2, block3, block4}}, order, blockIdx.x,
        {0, 1, 0});
    const Refinement r = {{strength, part, total, 0, two_m, resolution, 0}, community, claim, noise,
                          seed_of_round(seed, round),
                          {later ? choice : nullptr, wanted, round + 1}};
    join_lanes(r, {indptr, indices, weights, sums, unit, kind}, place, joined + round,
               {step, warp_in_grid(), 0} RECORD_COUNTERS(, rec));
}

// Vertices of 33 to WARP_DEGREE edges, a warp each.  Shared memory: WARP_SLOTS times 12 bytes for
// each warp.
SIMT_KERNEL(leiden_join_warp)
(const int* order, int begin, int end, const long long* indptr, const int* indices,
 const float* weights, const Weight* sums, double unit, int kind, const Weight* strength,
 const int* community, int* part, Weight* total, int* claim, Weight* choice,
 int* wanted, int later, double two_m, double resolution, double noise, unsigned seed, int round,
 int* joined, [[maybe_unused]] int first_warp, [[maybe_unused]] int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned, memory);
    const int warp = warp_in_grid();
    if (begin + warp >= end) return;
    const Refinement r = {{strength, part, total, 0, two_m, resolution, 0}, community, claim, noise,
                          seed_of_round(seed, round),
                          {later ? choice : nullptr, wanted, round + 1}};
    join_by_team(r, {indptr, indices, weights, sums, unit, kind}, order[begin + warp], warp_team(),
                 room_of_warp(memory), {0, 0}, joined + round,
                 {step, first_warp + warp, 0} RECORD_COUNTERS(, rec));
}

// Vertices of more edges, a block each.  Shared memory: `near_slots` times 12 bytes; `slots` times
// 16 bytes outside for each block.
SIMT_KERNEL(leiden_join_block, __launch_bounds__(1024))
(const int* order, int begin, int end, const long long* indptr, const int* indices,
 const float* weights, const Weight* sums, double unit, int kind, const Weight* strength,
 const int* community, int* part, Weight* total, int* claim, Weight* choice,
 int* wanted, int later, double two_m, double resolution, double noise, unsigned seed, int round,
 int* joined, int near_slots, long long slots, unsigned* outside, int* queue, [[maybe_unused]] int first_warp,
 [[maybe_unused]] int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned, memory);
    SIMT_SHARED(Choice[32], found);
    SIMT_SHARED(int[2], due);
    SIMT_SHARED(unsigned[1], claimed);
    const Room room = {memory, near_slots, outside + blockIdx.x * slots * FAR_WORDS, slots,
                       claimed};
    const Refinement r = {{strength, part, total, 0, two_m, resolution, 0}, community, claim, noise,
                          seed_of_round(seed, round),
                          {later ? choice : nullptr, wanted, round + 1}};
    Batch batch = {step, first_warp + warp_in_grid(), 0};
    const int count = end - begin;
    for (int i = -1; (i = next_in_block(i, slots > 1, count, queue, due + 1)) < count;) {
        join_by_team(r, {indptr, indices, weights, sums, unit, kind}, order[begin + i], block_team(),
                     room, {found, due}, joined + round, batch RECORD_COUNTERS(, rec));
        batch.number += 1;
    }
}

// The joins of a round that wait.
SIMT_KERNEL(leiden_make_joins)
(int n, const Weight* strength, const int* community, int* part, Weight* total, int* claim,
 Weight* choice, int* wanted, int round, int* joined, [[maybe_unused]] int step RECORD_PARAMS)
{
    const Refinement r = {{strength, part, total, 0, 0.0, 0.0, 0}, community, claim, 0.0, 0,
                          {choice, wanted, round + 1}};
    make_joins(r, n, joined + round, {step, warp_in_grid(), 0} RECORD_COUNTERS(, rec));
}

// All rounds in one cooperative launch, for small stages: the blocks go over all classes, then meet.
// A round is the last if at most `few` vertices joined, after `least` rounds.  Shared memory: for a
// block's warps, at least `near_slots` times 12 bytes.
SIMT_KERNEL(leiden_rounds, __launch_bounds__(128, 8))
(const int* order, int begin1, int begin2, int begin3, int begin4, int begin5, int warp2,
 int warp3, int warp4, int warps, int begin6, int end, const long long* indptr,
 const int* indices, const float* weights, const Weight* sums, double unit, int kind,
 const Weight* strength, const int* community, int* part, Weight* total, int* claim, Weight* choice,
 int* wanted, int later, double two_m, double resolution, double noise,
 unsigned seed, int rounds, int* joined, int least, int few,
 int near_slots, unsigned* barrier, [[maybe_unused]] int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned, memory);
    SIMT_SHARED(Choice[32], found);
    SIMT_SHARED(int[1], due);
    const Room room = {memory, near_slots, 0, 0, 0};
    const Ranges ranges = {{{begin1, begin2, begin3, begin4, begin5}, {0, warp2, warp3, warp4}},
                           warps, begin6, end, false, false};
    const Level level = {indptr, indices, weights, sums, unit, kind};
    const Refinement r = {{strength, part, total, 0, two_m, resolution, 0}, community, claim, noise,
                          seed, {later ? choice : nullptr, wanted, 0}};
    join_together(r, level, order, ranges, {rounds, least, few, joined}, later, room, {found, due},
                  barrier, step RECORD_COUNTERS(, rec));
}

// The communities of the contracted graph, whose `parts` vertices `mapping` has: the smallest of a community is its
// number.  All members of a part write the same label, and all of a community its strength.  `least`: a place for
// each of the n vertices.  The blocks meet between the steps.
SIMT_KERNEL(leiden_carry, __launch_bounds__(256, 4))
(int n, int parts, const int* community, const Weight* total, const int* mapping, int* least, int* start,
 int* label, Weight* new_total, unsigned* barrier)
{
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long stride = (long long)gridDim.x * blockDim.x;
    for (long long v = thread; v < n; v += stride) least[v] = parts;
    for (long long c = thread; c < parts; c += stride) new_total[c] = 0;
    simt_grid_sync(barrier);
    for (long long v = thread; v < n; v += stride) atomicMin(least + community[v], mapping[v]);
    simt_grid_sync(barrier);
    for (long long v = thread; v < n; v += stride) {
        const int mine = least[community[v]];
        simt_store(start + mapping[v], mine);
        simt_store(label + mapping[v], mine);
        simt_store(new_total + mine, total[community[v]]);
    }
}

// WALK_ENTRIES edges and vertices a thread.  `squares`: sum of the squared shares of all strength, in
// SQUARE_UNITS.
SIMT_KERNEL(leiden_modularity)
(int n, const long long* indptr, const int* indices, const float* weights, const Weight* sums,
 double unit, int kind, const int* community, const Weight* total, double two_m, Weight* inner,
 Weight* squares)
{
    SIMT_SHARED(Weight[32], lanes);
    SIMT_SHARED(Weight[32], shares);
    add_inside({indptr, indices, weights, sums, unit, kind}, n, community, inner, lanes);
    add_squares(n, total, two_m, squares, shares);
}

// See hook().
SIMT_KERNEL(leiden_hook)
(int n, const long long* indptr, const int* indices, const float* weights, const Weight* sums,
 double unit, int kind, const int* community, int* parent)
{
    hook({indptr, indices, weights, sums, unit, kind}, n, community, parent,
         ((long long)blockIdx.x * blockDim.x + threadIdx.x) / 32);
}

SIMT_KERNEL(leiden_root)(int n, int* parent, int* root)
{
    const long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) root[v] = root_of(parent, (int)v);
}

SIMT_KERNEL(leiden_totals)(int n, const Weight* strength, const int* part, Weight* total)
{
    const long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) atomicAdd(total + part[v], strength[v]);
}

SIMT_EXPORT(leiden_join_lanes)
SIMT_EXPORT(leiden_join_warp)
SIMT_EXPORT(leiden_join_block)
SIMT_EXPORT(leiden_make_joins)
SIMT_EXPORT(leiden_rounds)
SIMT_EXPORT(leiden_carry)
SIMT_EXPORT(leiden_modularity)
SIMT_EXPORT(leiden_hook)
SIMT_EXPORT(leiden_root)
SIMT_EXPORT(leiden_totals)
