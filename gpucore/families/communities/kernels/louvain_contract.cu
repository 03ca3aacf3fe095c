// Louvain, second phase of a stage: communities become the vertices of a smaller graph.
//
// Source: Naim et al., "Community detection on the GPU", IPDPS 2017, algorithm 3 and section IV-A.
// The host computes the prefix sums; the tasks here are
//   contract_count   size of every community, and the sum of its vertices' degrees (lines 4-6)
//   contract_order   the vertices, ordered by community (lines 17-19)
//   contract_warp, contract_block, contract_global
//                    mergeCommunity: the edges of all vertices of a community go into one hash
//                    table; a warp for a community whose degrees sum up to 127, a block up to 479,
//                    a block with its table in global memory for more
//   contract_pack    closes the gaps between the lists, for whose lengths only bounds were known
// The paper's threads store which slots they claimed and use a prefix sum.  Here the lanes walk
// over the table and count with votes: the result is the same, and the writes are coalesced.
#include "simt.h"

#include "louvain.cuh"

SIMT_KERNEL(contract_count)
(int n, const long long* indptr, const int* community, int* size, unsigned long long* degree)
{
    const long long vertex = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (vertex >= n) return;
    const int c = community[vertex];
    atomicAdd(size + c, 1);
    atomicAdd(degree + c, (unsigned long long)(indptr[vertex + 1] - indptr[vertex]));
}

// `cursor` initially holds the place of each community's first member.
SIMT_KERNEL(contract_order)(int n, const int* community, int* cursor, int* members)
{
    const long long vertex = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (vertex < n) members[atomicAdd(cursor + community[vertex], 1)] = (int)vertex;
}

// Input and output of mergeCommunity; arrays by community, in the old numbering.
struct Merge {
    const int* community;
    const int* new_id;
    const int* first_member;                // of each community in `members`
    const int* size;
    const int* members;
    const unsigned long long* degree;       // sum of the members' degrees
    const long long* first_edge;            // where its list begins
    int* neighbours;
    Weight* sums;
    int* length;                            // of its list
    const int* sizes;
    int size_count;
    int communities;                        // of the new graph: no list is longer
};

__device__ inline unsigned slots_for(Merge m, int c)
{
    const unsigned long long most = m.communities;
    return table_size(m.sizes, m.size_count, m.degree[c] < most ? m.degree[c] : most);
}

// Hash the edges of all members; `member` of `width` threads.
__device__ inline void hash_members(Merge m, Level level, Table table, int c, int member, int width
                                    RECORD_COUNTERS(, Effort& effort))
{
    for (int i = 0; i < m.size[c]; ++i) {
        const int vertex = m.members[m.first_member[c] + i];
        const long long begin = level.indptr[vertex], end = level.indptr[vertex + 1];
        for (long long e = begin + member; e < end; e += width) {
            [[maybe_unused]] const Insertion in =
                insert(table, m.new_id[m.community[level.indices[e]]], weight_of(level, e));
            RECORD_COUNTERS(
                effort.edges += 1;
                effort.probes += in.probes;
                effort.collisions += in.probes - 1;
                effort.occupied += in.fresh;)
        }
        RECORD_COUNTERS(
            effort.vertices += member == 0;
            effort.lane_slots += (unsigned)((end - begin + width - 1) / width);)
    }
    RECORD_COUNTERS(effort.slots += member == 0 ? table.size : 0;)
}

// One thread for a merged community: it becomes the vertex new_id[c].  The row is that of the
// warp's number in the record, since a launch may have more warps.
#if RECORD >= 2
__device__ inline void record_merge(Recorder* rec, Merge m, int c, int step, int warp, int batch)
{
    if (m.size[c] > 1)
        record_event(rec, step, warp % (int)rec->warps, MERGE, m.new_id[c], c, m.size[c], 0.0f,
                     batch);
}
#endif

// Write one slot's edge if it has one; all lanes of the warp call. `place` is shared by the
// warp's lanes, or by the block's warps.
__device__ inline void write_slot(Merge m, Table table, unsigned slot, long long first, int* place)
{
    const int lane = threadIdx.x % 32;
    const bool used = slot < table.size && table.keys[slot] != NO_KEY;
    const unsigned who = __ballot_sync(ALL_LANES, used);
    int base = 0;
    if (lane == 0 && who) base = atomicAdd(place, __popc(who));
    base = __shfl_sync(ALL_LANES, base, 0);
    if (!used) return;
    const long long e = first + base + __popc(who & ((1u << lane) - 1));
    m.neighbours[e] = table.keys[slot];
    m.sums[e] = table.sums[slot];
}

#if RECORD >= 1
// All lanes of a warp call: its row of a launch, if it had work.
__device__ inline void record_merging(Recorder* rec, int warp, int step, Effort mine)
{
    const Effort effort = sum_of_warp(mine);
    if (threadIdx.x % 32 == 0 && effort.lane_slots > 0) record_effort(rec, warp, step, effort);
}
#endif

// Shared memory: `slots` times 12 bytes for each warp, the sums first.
SIMT_KERNEL(contract_warp)
(int count, const int* communities, const long long* indptr, const int* indices,
 const float* weights, const Weight* level_sums, double unit, int kind, const int* community,
 const int* new_id, const int* first_member, const int* size, const int* members,
 const unsigned long long* degree, const long long* first_edge, int* neighbours, Weight* sums,
 int* length, const int* sizes, int size_count, int new_count, int slots, int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Weight, memory);
    SIMT_SHARED(int[32], places);
    const int lane = threadIdx.x % 32, in_block = threadIdx.x / 32, warps = blockDim.x / 32;
    const int i = blockIdx.x * warps + in_block;
    if (i >= count) return;
    const int c = communities[i];
    const Merge m = {community, new_id, first_member, size, members, degree, first_edge, neighbours,
                     sums, length, sizes, size_count, new_count};
    const Table table = {(int*)(memory + warps * slots) + in_block * slots,
                         memory + in_block * slots, slots_for(m, c)};
    clear(table, lane, 32);
    if (lane == 0) places[in_block] = 0;
    __syncwarp();
    RECORD_COUNTERS(Effort effort = {0, 0, 0, 0, 0, 0, 0, 0};)
    hash_members(m, {indptr, indices, weights, level_sums, unit, kind}, table, c, lane, 32
                 RECORD_COUNTERS(, effort));
    __syncwarp();
    for (unsigned slot = lane; slot < table.size + lane; slot += 32)
        write_slot(m, table, slot, first_edge[c], places + in_block);
    __syncwarp();
    if (lane == 0) length[c] = places[in_block];
    RECORD_EVENTS(if (lane == 0) record_merge(rec, m, c, step, i, 0);)
    RECORD_COUNTERS(record_merging(rec, i, step, effort);)
}

__device__ inline void merge_with_block(Merge m, Level level, Table table, int c, int* place
                                        RECORD_COUNTERS(, Effort& effort))
{
    clear(table, threadIdx.x, blockDim.x);
    if (threadIdx.x == 0) *place = 0;
    __syncthreads();
    hash_members(m, level, table, c, threadIdx.x, blockDim.x RECORD_COUNTERS(, effort));
    __syncthreads();
    for (unsigned slot = threadIdx.x; slot < table.size + threadIdx.x; slot += blockDim.x)
        write_slot(m, table, slot, m.first_edge[c], place);
    __syncthreads();
    if (threadIdx.x == 0) m.length[c] = *place;
    __syncthreads();
}

// Shared memory: `slots` times 12 bytes, the sums first.
SIMT_KERNEL(contract_block)
(int count, const int* communities, const long long* indptr, const int* indices,
 const float* weights, const Weight* level_sums, double unit, int kind, const int* community,
 const int* new_id, const int* first_member, const int* size, const int* members,
 const unsigned long long* degree, const long long* first_edge, int* neighbours, Weight* sums,
 int* length, const int* sizes, int size_count, int new_count, int slots, int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Weight, memory);
    SIMT_SHARED(int[1], place);
    const Merge m = {community, new_id, first_member, size, members, degree, first_edge, neighbours,
                     sums, length, sizes, size_count, new_count};
    RECORD_COUNTERS(
        SIMT_SHARED(Weight[32], filled);
        const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
        Effort effort = {0, 0, 0, 0, 0, 0, 0, 0};)
    RECORD_EVENTS(int batch = 0;)
    for (int i = blockIdx.x; i < count; i += gridDim.x) {
        const int c = communities[i];
        const Table table = {(int*)(memory + slots), memory, slots_for(m, c)};
        merge_with_block(m, {indptr, indices, weights, level_sums, unit, kind}, table, c, place
                         RECORD_COUNTERS(, effort));
        RECORD_EVENTS(if (threadIdx.x == 0) record_merge(rec, m, c, step, warp, batch++);)
    }
    RECORD_COUNTERS(
        gather_occupied(effort, filled);
        record_merging(rec, warp, step, effort);)
}

// `slots` slots of global memory for each block.
SIMT_KERNEL(contract_global)
(int count, const int* communities, const long long* indptr, const int* indices,
 const float* weights, const Weight* level_sums, double unit, int kind, const int* community,
 const int* new_id, const int* first_member, const int* size, const int* members,
 const unsigned long long* degree, const long long* first_edge, int* neighbours, Weight* sums,
 int* length, const int* sizes, int size_count, int new_count, long long slots, int* table_keys,
 Weight* table_sums, int step RECORD_PARAMS)
{
    SIMT_SHARED(int[1], place);
    const Merge m = {community, new_id, first_member, size, members, degree, first_edge, neighbours,
                     sums, length, sizes, size_count, new_count};
    RECORD_COUNTERS(
        SIMT_SHARED(Weight[32], filled);
        const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
        Effort effort = {0, 0, 0, 0, 0, 0, 0, 0};)
    RECORD_EVENTS(int batch = 0;)
    for (int i = blockIdx.x; i < count; i += gridDim.x) {
        const int c = communities[i];
        const Table table = {table_keys + blockIdx.x * slots, table_sums + blockIdx.x * slots,
                             slots_for(m, c)};
        merge_with_block(m, {indptr, indices, weights, level_sums, unit, kind}, table, c, place
                         RECORD_COUNTERS(, effort));
        RECORD_EVENTS(if (threadIdx.x == 0) record_merge(rec, m, c, step, warp, batch++);)
    }
    RECORD_COUNTERS(
        gather_occupied(effort, filled);
        record_merging(rec, warp, step, effort);)
}

// A warp for each old community that is not empty.
SIMT_KERNEL(contract_pack)
(int n, const int* size, const int* new_id, const long long* first_edge, const int* length,
 const int* neighbours, const Weight* sums, const long long* indptr, int* packed_neighbours,
 Weight* packed_sums)
{
    const long long c = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (c >= n || size[c] == 0) return;
    const long long from = first_edge[c], to = indptr[new_id[c]];
    for (int i = threadIdx.x % 32; i < length[c]; i += 32) {
        packed_neighbours[to + i] = neighbours[from + i];
        packed_sums[to + i] = sums[from + i];
    }
}

SIMT_EXPORT(contract_count)
SIMT_EXPORT(contract_order)
SIMT_EXPORT(contract_warp)
SIMT_EXPORT(contract_block)
SIMT_EXPORT(contract_global)
SIMT_EXPORT(contract_pack)
