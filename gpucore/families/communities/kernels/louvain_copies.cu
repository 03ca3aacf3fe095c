// Copies of a graph, which are searched side by side (see fast/copies.py); each kernel is one cooperative
// launch, since launches would take longer than their work.
//   copies_make   number of every vertex in each copy, and the copies' lists
//   copies_sums   weight inside the communities of each copy, and their squared shares
#include "simt.h"

#include "louvain_fast_number.cuh"
#include "louvain_fast_walk.cuh"

#define ROUNDS 4

// Where vertex `v` of `n` is in a copy, 0 to n - 1: as it is in the first one, else at random.  Rounds of
// a Feistel network permute the numbers of twice `half` bits; numbers beyond the last go on.
__device__ inline int place_in_copy(int copy, int v, int n, int half)
{
    if (copy == 0) return v;
    const unsigned mask = (1u << half) - 1;
    unsigned place = v;
    do {
        unsigned high = place >> half, low = place & mask;
        for (int round = 0; round < ROUNDS; ++round) {
            const unsigned next = high ^ (mixed(low + mixed(copy * ROUNDS + round)) & mask);
            high = low;
            low = next;
        }
        place = high << half | low;
    } while (place >= (unsigned)n);
    return (int)place;
}

// Number the vertices, and write the copies' lists.  2 * `half` bits have at least n numbers.  `weights`: of the given
// graph; `own` gets them, one place if they are all 1.  `parts`: a place for each block.
SIMT_KERNEL(copies_make, __launch_bounds__(256, 4))
(int n, int count, int half, const long long* indptr, const int* indices, const float* weights,
 int weighted, int* number, int* length, long long* start, int* others, float* own, long long* parts,
 unsigned* barrier)
{
    SIMT_SHARED(long long[33], memory);
    SIMT_SHARED(long long[33], warps);
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long stride = (long long)gridDim.x * blockDim.x;
    const int size = n * count;
    for (long long i = thread; i < size; i += stride) {
        const int copy = (int)(i / n), v = (int)(i % n);
        const int mine = copy * n + place_in_copy(copy, v, n, half);
        number[i] = mine;
        length[mine] = (int)(indptr[v + 1] - indptr[v]);
    }
    simt_grid_sync(barrier);
    const Chunk chunk = chunk_of_block(size, (size + (int)gridDim.x - 1) / (int)gridDim.x);
    sum_chunk(chunk, length, parts, memory);
    simt_grid_sync(barrier);
    long long before = before_block(parts, memory);
#pragma unroll 1
    for (long long tile = chunk.begin; tile < chunk.end; tile += blockDim.x) {
        const long long v = tile + threadIdx.x;
        long long sum = 0;
        const long long place = block_scan(v < chunk.end ? (long long)length[v] : 0, sum, warps);
        if (v < chunk.end) start[v] = before + place;
        before += sum;
    }
    if (thread == 0) start[size] = count * indptr[n];
    simt_grid_sync(barrier);
    const long long walks = walks_of(indptr, n);
    for (long long i = thread / 32; i < count * walks; i += stride / 32) {
        const int* const mine = number + i / walks * n;
        for_each_edge(indptr, n, i % walks, [&](int vertex, long long edge) {
            if (edge < 0) return;
            const long long place = start[mine[vertex]] + (edge - indptr[vertex]);
            others[place] = mine[indices[edge]];
            if (weighted) own[place] = weights[edge];
        });
    }
}

// Sums at one level of the hierarchy.  `depth`: 0 for single vertices; 1 where `mapping` is of vertices, more
// where it is of the communities before, which are in `community`.  The number of a community, by which
// `total` has its strength, is that of a member, and so of a vertex of its copy.
SIMT_KERNEL(copies_sums, __launch_bounds__(256, 4))
(int n, int count, int depth, const int* mapping, const long long* indptr, const int* indices,
 const float* weights, const Weight* sums, double unit, int kind, const int* number, int* community,
 int* member, Weight* total, double two_m, Weight* inner, Weight* squares, unsigned* barrier)
{
    const Level level = {indptr, indices, weights, sums, unit, kind};
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long stride = (long long)gridDim.x * blockDim.x;
    for (long long v = thread; v < (long long)n * count; v += stride) {
        const int mine = depth == 0 ? (int)v : mapping[depth == 1 ? v : community[v]];
        community[v] = mine;
        simt_store(member + mine, (int)v);
        total[v] = 0;
    }
    simt_grid_sync(barrier);
    const long long walks = walks_of(indptr, n);
    for (long long i = thread / 32; i < count * walks; i += stride / 32) {
        const int* const mine = number + i / walks * n;
        Weight inside = 0;
        for_each_edge(indptr, n, i % walks, [&](int vertex, long long edge) {
            const int home = edge < 0 ? -1 : community[mine[vertex]];
            const Weight weight = edge < 0 ? 0 : weight_of(level, edge);
            if (edge >= 0 && community[mine[indices[edge]]] == home) inside += weight;
            const unsigned peers = __match_any_sync(ALL_LANES, home);
            const Weight strength = sum_of_peers(peers, weight);
            if (strength && (peers & ((1u << threadIdx.x % 32) - 1)) == 0) atomicAdd(total + member[home], strength);
        });
        for (int d = 16; d > 0; d /= 2) inside += __shfl_xor_sync(ALL_LANES, inside, d);
        if (threadIdx.x % 32 == 0 && inside) atomicAdd(inner + i / walks, inside);
    }
    simt_grid_sync(barrier);
    const long long wide = ((long long)n + 31) / 32 * 32;
    for (long long i = thread; i < count * wide; i += stride) {
        const long long copy = i / wide, c = i % wide;
        Weight share = c < n ? squared_share(total[copy * n + c], two_m) : 0;
        for (int d = 16; d > 0; d /= 2) share += __shfl_xor_sync(ALL_LANES, share, d);
        if (threadIdx.x % 32 == 0 && share) atomicAdd(squares + copy, share);
    }
}

SIMT_EXPORT(copies_make)
SIMT_EXPORT(copies_sums)
