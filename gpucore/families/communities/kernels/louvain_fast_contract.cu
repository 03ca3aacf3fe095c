// Louvain, tuned: contraction.
//
// Every vertex first sums up its weight to each community (louvain_fast.cuh,
// louvain_fast_tables.cuh); the sums go into one hash table for all pairs of communities, those
// inside a community into an array.  So the work is divided by vertices, however unequal the
// communities are, and many edges between two communities need few atomics.  In fast_contract a warp adds
// its share of all edges to the table as they are.
//   fast_clear      empty the table
//   fast_used, fast_number   number the communities that have members from 0, each a new vertex
//   fast_map        the new vertex of every old one
//   fast_entries    entries of every new vertex, where the table has a share of its slots for each:
//                   as many as it may have pairs, or more
//   fast_pairs_*    fill the table, and the inner weights
//   fast_loops      add the loops to the lengths; weight inside for the modularity
//   fast_parts, fast_rows   where the shares, and the new lists, begin, and how many new vertices each class has
//   fast_contract   all of these for a small stage
//   fast_edges      write the new lists
// What the host has to know is in the facts of the stage (facts.py), which it reads together.
//
// A table may also hold the pairs of a range of communities only, see louvain_fast_batches.cu.
#include "simt.h"

#include "louvain_fast_contract.cuh"
#include "louvain_fast_hubs.cuh"

SIMT_KERNEL(fast_clear)(long long slots, Slot* table, const long long* most, int shared)
{
    clear_pairs((long long)slots_in_use(slots, most, shared), table,
                (long long)blockIdx.x * blockDim.x + threadIdx.x, (long long)gridDim.x * blockDim.x);
}

// How many of `chunk` communities a block have members.
SIMT_KERNEL(fast_used)(int n, int chunk, const int* community, const Weight* total, long long* parts)
{
    SIMT_SHARED(long long[32], lanes);
    count_chunk(chunk_of_block(n, chunk), community, total, parts, lanes);
}

// Sums of `chunk` numbers a block, each `most` at most if they are `bounded`.
SIMT_KERNEL(fast_parts)(int n, int chunk, const int* numbers, const int* most, int bounded, long long* parts)
{
    SIMT_SHARED(long long[32], lanes);
    sum_chunk(chunk_of_block(n, chunk), numbers, parts, lanes, bounded ? *most : UNBOUNDED);
}

SIMT_KERNEL(fast_number)
(int n, int chunk, const int* community, const Weight* total, const long long* parts, double two_m,
 int* number, Weight* new_total, int* communities, Weight* squares)
{
    SIMT_SHARED(long long[33], memory);
    SIMT_SHARED(int[33], counts);
    SIMT_SHARED(Weight[32], shares);
    number_chunk(n, chunk_of_block(n, chunk), community, total, parts, two_m, number, new_total,
                 communities, squares, {memory, 0, counts, shares});
}

SIMT_KERNEL(fast_map)(int n, const int* community, const int* number, int* mapping)
{
    const long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) mapping[v] = number[community[v]];
}

SIMT_KERNEL(fast_entries)(int n, const long long* indptr, const int* mapping, int* entries)
{
    const long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    add_entries(v, n, indptr, v < n ? mapping[v] : -1, entries);
}

// The classes of at most 32 edges.
SIMT_KERNEL(fast_pairs_lanes)
(const int* order, int begin1, int begin2, int begin3, int begin4, int begin5, int block2,
 int block3, int block4, const long long* indptr, const int* indices, const float* weights,
 const Weight* sums, double unit, int kind, const int* mapping, Slot* pairs,
 unsigned long long slots_of_pairs, Weight* inner, int* length, int* overflowed, unsigned most_probes,
 const long long* starts, const long long* most, int shared, int step RECORD_PARAMS)
{
    const Place place = place_of_lane(
        {{begin1, begin2, begin3, begin4, begin5}, {0, block2, block3, block4}}, order, blockIdx.x,
        {0, 1, 0});
    pairs_of_lanes(pairs_in(pairs, slots_of_pairs, inner, length, overflowed, most_probes, starts, most, shared),
                   {indptr, indices, weights, sums, unit, kind}, place, mapping, warp_in_grid(),
                   step RECORD_COUNTERS(, rec));
}

// Shared memory: WARP_SLOTS times 12 bytes for each warp.
SIMT_KERNEL(fast_pairs_warp)
(const int* order, int begin, int end, const long long* indptr, const int* indices,
 const float* weights, const Weight* sums, double unit, int kind, const int* mapping, Slot* pairs,
 unsigned long long slots_of_pairs, Weight* inner, int* length, int* overflowed, unsigned most_probes,
 const long long* starts, const long long* most, int shared, [[maybe_unused]] int first_warp, int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned, memory);
    const int place = begin + warp_in_grid();
    if (place >= end) return;
    RECORD_COUNTERS(Effort effort = {0, 0, 0, 0, 0, 0, 0, 0};)
    pairs_of_team(pairs_in(pairs, slots_of_pairs, inner, length, overflowed, most_probes, starts, most, shared),
                  {indptr, indices, weights, sums, unit, kind}, order[place], mapping, warp_team(),
                  room_of_warp(memory) RECORD_COUNTERS(, effort));
    RECORD_COUNTERS(
        record_share(rec, first_warp + warp_in_grid(), step, effort);)
}

// Shared memory: `near_slots` times 12 bytes; `slots` times 16 bytes outside for each block, 1 where the
// vertices are no hubs.  `queue`: see next_in_block.
SIMT_KERNEL(fast_pairs_block, __launch_bounds__(1024))
(const int* order, int begin, int end, const long long* indptr, const int* indices,
 const float* weights, const Weight* sums, double unit, int kind, const int* mapping, Slot* pairs,
 unsigned long long slots_of_pairs, Weight* inner, int* length, int* overflowed, unsigned most_probes,
 const long long* starts, const long long* most, int shared, int near_slots, long long slots, unsigned* outside, int* queue, [[maybe_unused]] int first_warp,
 int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned, memory);
    SIMT_SHARED(unsigned[1], claimed);
    SIMT_SHARED(int[1], note);
    const Room room = {memory, near_slots, outside + blockIdx.x * slots * FAR_WORDS, slots,
                       claimed};
    RECORD_COUNTERS(Effort effort = {0, 0, 0, 0, 0, 0, 0, 0};)
    const int count = end - begin;
    for (int i = -1; (i = next_in_block(i, slots > 1, count, queue, note)) < count;)
        pairs_of_team(pairs_in(pairs, slots_of_pairs, inner, length, overflowed, most_probes, starts, most, shared),
                      {indptr, indices, weights, sums, unit, kind}, order[begin + i], mapping,
                      block_team(), room RECORD_COUNTERS(, effort));
    RECORD_COUNTERS(
        record_share(rec, first_warp + warp_in_grid(), step, effort);)
}

// Hubs that several blocks share; see piece_of_block().  Shared memory: `near_slots` times 12 bytes.
SIMT_KERNEL(fast_pairs_hubs, __launch_bounds__(1024))
(const int* order, int begin, int end, const long long* indptr, const int* indices,
 const float* weights, const Weight* sums, double unit, int kind, const int* mapping, Slot* pairs,
 unsigned long long slots_of_pairs, Weight* inner, int* length, int* overflowed, unsigned most_probes,
 const long long* starts, const long long* most, int shared, int near_slots, [[maybe_unused]] int first_warp, [[maybe_unused]] int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned, memory);
    const Piece piece = piece_of_block(order, begin, end, {0, 1, 0}, indptr, near_slots);
    if (piece.number >= piece.count) return;
    RECORD_COUNTERS(Effort effort = {0, 0, 0, 0, 0, 0, 0, 0};)
    const Tables tables =
        tables_of_piece({indptr, indices, weights, sums, unit, kind}, mapping, piece, memory, true
                        RECORD_COUNTERS(, effort));
    add_tables(pairs_in(pairs, slots_of_pairs, inner, length, overflowed, most_probes, starts, most, shared), tables,
               mapping[piece.vertex], threadIdx.x, blockDim.x RECORD_COUNTERS(, effort));
    RECORD_COUNTERS(
        record_share(rec, first_warp + warp_in_grid(), step, effort);)
}

SIMT_KERNEL(fast_loops)
(int begin, int end, const Weight* inner, int* length, Weight* inside)
{
    SIMT_SHARED(Weight[32], shares);
    add_loops(begin + (long long)blockIdx.x * blockDim.x + threadIdx.x, end, (long long)gridDim.x * blockDim.x, inner,
              length, inside, shares);
}

// `bounded`: a list counts as `communities` long at most.
SIMT_KERNEL(fast_rows)
(int n, int chunk, const int* length, const long long* parts, const int* communities, int bounded,
 long long* indptr, long long* entries, int* classes, int* longest)
{
    SIMT_SHARED(long long[33], memory);
    SIMT_SHARED(long long[33], warps);
    SIMT_SHARED(int[33], counts);
    const int count = *communities;
    rows_of_chunk(n, chunk_of_block(n, chunk), length, parts, count, indptr, entries, classes, longest,
                  {memory, warps, counts, 0}, bounded ? count : UNBOUNDED);
}

// All of the above in one cooperative launch, for small stages, without tables for a vertex.
SIMT_KERNEL(fast_contract, __launch_bounds__(128, 4))
(int n, const long long* indptr, const int* indices, const float* weights, const Weight* sums, double unit, int kind,
 const int* community, const Weight* total, double two_m, int* shared_entries, int* number, int* mapping,
 Weight* new_total, Slot* pairs, unsigned long long mask, Weight* inner, int* length,
 long long* new_indptr, long long* parts, int* communities, Weight* squares, Weight* inside,
 long long* entries, int* classes, int* longest, int* overflowed, unsigned most_probes, int shared,
 long long* most, unsigned* barrier, int step RECORD_PARAMS)
{
    SIMT_SHARED(long long[33], lanes);
    SIMT_SHARED(long long[33], warps);
    SIMT_SHARED(int[33], counts);
    SIMT_SHARED(Weight[32], shares);
    const long long bound = contract_together(
        n, {indptr, indices, weights, sums, unit, kind}, community, total, two_m,
        {shared_entries, number, mapping, new_total, new_indptr, parts},
        {pairs, mask, inner, length, overflowed, most_probes}, shared != 0,
        {communities, squares, inside, entries, classes, longest}, {lanes, warps, counts, shares}, barrier,
        [] { return false; }, step RECORD_COUNTERS(, rec));
    if (blockIdx.x == 0 && threadIdx.x == 0) *most = bound;
}

SIMT_KERNEL(fast_edges)
(long long slots, const Slot* pairs, int begin, int end, const Weight* inner,
 const long long* indptr, int* length, int* neighbours, Weight* edge_sums, const long long* most, int shared)
{
    write_pairs((long long)slots_in_use(slots, most, shared), pairs, begin, end, inner, indptr, length,
                neighbours, edge_sums, shared);
}

SIMT_EXPORT(fast_clear)
SIMT_EXPORT(fast_used)
SIMT_EXPORT(fast_number)
SIMT_EXPORT(fast_map)
SIMT_EXPORT(fast_entries)
SIMT_EXPORT(fast_pairs_lanes)
SIMT_EXPORT(fast_pairs_warp)
SIMT_EXPORT(fast_pairs_block)
SIMT_EXPORT(fast_pairs_hubs)
SIMT_EXPORT(fast_loops)
SIMT_EXPORT(fast_parts)
SIMT_EXPORT(fast_rows)
SIMT_EXPORT(fast_contract)
SIMT_EXPORT(fast_edges)
