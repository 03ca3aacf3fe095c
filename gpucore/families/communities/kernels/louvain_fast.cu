// Louvain, tuned.  The method is that of louvain.cu and louvain_contract.cu.  Our changes, and why:
//   * Moves take effect at once, not after a bucket: a sweep sees most of its own changes, so far
//     fewer sweeps are needed.  (This makes the result depend on the schedule.)
//   * A vertex is visited again only if a neighbour in another community has moved since: after the
//     first sweeps this holds for few.
//   * Up to 32 edges never leave the registers: the lanes of a group compare their communities by
//     shuffles.  Up to 128 a warp hashes, above that a block, in shared memory while it fits.
//   * a is read once for each neighbouring community, not once for each edge.
//   * Contraction first sums up the weight from every vertex to every community, the same way, and
//     hashes only these sums, by pairs of communities, in one table for all: it suits communities
//     of every size.
//   * The sums give the modularity at no extra cost; no phase waits for the host.
#include "simt.h"

#include "louvain_fast_judge.cuh"
#include "louvain_fast_moves.cuh"

// Vertices of every class.
SIMT_KERNEL(fast_count)(int n, const long long* indptr, int* counts)
{
    SIMT_SHARED(int[CLASSES], block_counts);
    if (threadIdx.x < CLASSES) block_counts[threadIdx.x] = 0;
    __syncthreads();
    const long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) atomicAdd(block_counts + class_of(indptr[v + 1] - indptr[v]), 1);
    __syncthreads();
    if (threadIdx.x < CLASSES && block_counts[threadIdx.x])
        atomicAdd(counts + threadIdx.x, block_counts[threadIdx.x]);
}

// The vertices, class by class; `cursors` initially hold the starts of the classes.  A block's
// vertices stay together, so that neighbours in the order are near each other in memory.
SIMT_KERNEL(fast_place)(int n, const long long* indptr, int* cursors, int* order)
{
    SIMT_SHARED(int[CLASSES], block_counts);
    SIMT_SHARED(int[CLASSES], first);
    if (threadIdx.x < CLASSES) block_counts[threadIdx.x] = 0;
    __syncthreads();
    const long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const int mine = v < n ? class_of(indptr[v + 1] - indptr[v]) : 0;
    int place = 0;
    if (v < n) place = atomicAdd(block_counts + mine, 1);
    __syncthreads();
    if (threadIdx.x < CLASSES)
        first[threadIdx.x] = atomicAdd(cursors + threadIdx.x, block_counts[threadIdx.x]);
    __syncthreads();
    if (v < n) order[first[mine] + place] = (int)v;
}

// Vertices of at most 32 edges, a range of blocks for each class; see place_of_lane.
SIMT_KERNEL(fast_move_lanes)
(const int* order, int begin1, int begin2, int begin3, int begin4, int begin5, int block2,
 int block3, int block4, const long long* indptr, const int* indices, const float* weights,
 const Weight* sums, double unit, int kind, const Weight* strength, int* community, Weight* total,
 double two_m, double resolution, int parts, unsigned char* awake, double* gained, int* moved,
 const int* state, int step RECORD_PARAMS)
{
    if (state[DONE]) return;
    const Place place = place_of_lane(
        {{begin1, begin2, begin3, begin4, begin5}, {0, block2, block3, block4}}, order, blockIdx.x);
    const Search s = {
        {strength, community, total, 0, two_m, resolution, direction_of(state[LAUNCHES] / parts)},
        {indptr, indices, weights, sums, unit, kind},
        {awake, gained + tally_of_block(), moved + tally_of_block(), state[LAUNCHES] % parts, parts}};
    Effects effects = {0.0, 0, step, warp_in_grid(), 0};
    move_lanes(s, place, effects RECORD_COUNTERS(, rec));
    effects.report(s.partition, s.sweep);
}

// Vertices of 33 to WARP_DEGREE edges, a warp each.  Shared memory: WARP_SLOTS times 12 bytes for
// each warp.
SIMT_KERNEL(fast_move_warp)
(const int* order, int begin, int end, const long long* indptr, const int* indices,
 const float* weights, const Weight* sums, double unit, int kind, const Weight* strength,
 int* community, Weight* total, double two_m, double resolution, int parts,
 unsigned char* awake, double* gained, int* moved, const int* state, int first_warp,
 int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned, memory);
    if (state[DONE]) return;
    const int warp = warp_in_grid();
    if (begin + warp >= end) return;
    const Search s = {
        {strength, community, total, 0, two_m, resolution, direction_of(state[LAUNCHES] / parts)},
        {indptr, indices, weights, sums, unit, kind},
        {awake, gained + tally_of_block(), moved + tally_of_block(), state[LAUNCHES] % parts, parts}};
    Effects effects = {0.0, 0, step, first_warp + warp, 0};
    move_warp(s, order[begin + warp], memory + threadIdx.x / 32 * WARP_SLOTS * SLOT_WORDS,
              effects RECORD_COUNTERS(, rec));
    effects.report(s.partition, s.sweep);
}

// Vertices of more edges, a block each.  Shared memory: SHARED_SLOTS times 12 bytes; `slots` times
// 16 bytes outside for each block.
SIMT_KERNEL(fast_move_block)
(const int* order, int begin, int end, const long long* indptr, const int* indices,
 const float* weights, const Weight* sums, double unit, int kind, const Weight* strength,
 int* community, Weight* total, double two_m, double resolution, int parts,
 unsigned char* awake, double* gained, int* moved, const int* state, long long slots,
 unsigned* outside, int first_warp, int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned, memory);
    SIMT_SHARED(Choice[32], best);
    SIMT_SHARED(Weight[32], inner);
    SIMT_SHARED(int[1], note);
    SIMT_SHARED(unsigned[1], claimed);
    if (state[DONE]) return;
    const Room room = {memory, outside + blockIdx.x * slots * FAR_WORDS, slots, claimed};
    const Search s = {
        {strength, community, total, 0, two_m, resolution, direction_of(state[LAUNCHES] / parts)},
        {indptr, indices, weights, sums, unit, kind},
        {awake, gained + tally_of_block(), moved + tally_of_block(), state[LAUNCHES] % parts, parts}};
    Effects effects = {0.0, 0, step, first_warp + (int)(blockIdx.x * (blockDim.x / 32)), 0};
    for (int place = begin + blockIdx.x; place < end; place += gridDim.x)
        move_block(s, order[place], room, {best, inner, note}, effects RECORD_COUNTERS(, rec));
    effects.report(s.partition, s.sweep);
}

// End of a launch, one block: after the last part of a sweep, has the phase ended?  It has when
// `patience` sweeps in a row gained little, or there were too many.
SIMT_KERNEL(fast_judge)
(double* gained, int* moved, double* reached, double threshold, double least, int relative,
 int parts, int patience, int max_sweeps, int* state)
{
    SIMT_SHARED(double[32], gains);
    SIMT_SHARED(int[32], counts);
    if (state[DONE]) return;
    const Tally tally = collect(gained, moved, gains, counts);
    if (threadIdx.x == 0)
        judge(tally, reached, threshold, least, relative, parts, patience, max_sweeps, state);
}

// A whole phase in one cooperative launch, for small stages, whose time would be that of the
// launches: the blocks go over all classes, then meet.  Blocks of 128 threads; shared memory:
// SHARED_SLOTS times 12 bytes; `slots` times 16 bytes outside for each block.
SIMT_KERNEL(fast_phase)
(const int* order, int begin1, int begin2, int begin3, int begin4, int begin5, int block2,
 int block3, int block4, int blocks, int begin6, int end, const long long* indptr,
 const int* indices, const float* weights, const Weight* sums, double unit, int kind,
 const Weight* strength, int* community, Weight* total, double two_m, double resolution, int parts,
 unsigned char* awake, double* gained, int* moved, int* state, double* reached, double threshold,
 double least, int relative, int patience, int max_sweeps, long long slots, unsigned* outside,
 unsigned* barrier, int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned, memory);
    SIMT_SHARED(Choice[32], best);
    SIMT_SHARED(Weight[32], inner);
    SIMT_SHARED(int[1], note);
    SIMT_SHARED(unsigned[1], claimed);
    SIMT_SHARED(double[32], gains);
    SIMT_SHARED(int[32], counts);
    const Room room = {memory, outside + blockIdx.x * slots * FAR_WORDS, slots, claimed};
    const int in_block = threadIdx.x / 32, warps = blockDim.x / 32;
    const Classes classes = {{begin1, begin2, begin3, begin4, begin5}, {0, block2, block3, block4}};
    for (;;) {
        const int launches = simt_load(state + LAUNCHES);
        const Search s = {
            {strength, community, total, 0, two_m, resolution, direction_of(launches / parts)},
            {indptr, indices, weights, sums, unit, kind},
            {awake, gained + tally_of_block(), moved + tally_of_block(), launches % parts, parts}};
        Effects effects = {0.0, 0, step + launches / parts,
                           warp_in_grid(), 0};
        for (int block = blockIdx.x; block < blocks; block += gridDim.x)
            move_lanes(s, place_of_lane(classes, order, block), effects RECORD_COUNTERS(, rec));
        for (int place = begin5 + blockIdx.x * warps + in_block; place < begin6;
             place += gridDim.x * warps)
            move_warp(s, order[place], memory + in_block * WARP_SLOTS * SLOT_WORDS,
                      effects RECORD_COUNTERS(, rec));
        __syncthreads();
        for (int place = begin6 + blockIdx.x; place < end; place += gridDim.x)
            move_block(s, order[place], room, {best, inner, note}, effects RECORD_COUNTERS(, rec));
        effects.report(s.partition, s.sweep);
        simt_grid_sync(barrier);
        if (blockIdx.x == 0) {
            const Tally tally = collect(gained, moved, gains, counts);
            if (threadIdx.x == 0)
                judge(tally, reached, threshold, least, relative, parts, patience, max_sweeps, state);
        }
        simt_grid_sync(barrier);
        if (simt_load(state + DONE)) return;
    }
}

SIMT_EXPORT(fast_count)
SIMT_EXPORT(fast_place)
SIMT_EXPORT(fast_move_lanes)
SIMT_EXPORT(fast_move_warp)
SIMT_EXPORT(fast_move_block)
SIMT_EXPORT(fast_judge)
SIMT_EXPORT(fast_phase)
