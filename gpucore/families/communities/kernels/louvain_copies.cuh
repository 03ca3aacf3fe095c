// Louvain, tuned: copies of a graph, which are searched side by side (see fast/copies.py).
#pragma once

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

// Where copies of a graph of `n` vertices are made.
struct Copying {
    int n, count, half;         // 2 * `half` bits have at least n numbers
    const long long* indptr;    // the given graph
    const int* indices;
    const float* weights;
    bool weighted;
    int* number;                // of every vertex in each copy
    int* length;
    long long* start;           // the copies' lists
    int* others;
    float* own;                 // their weights, if `weighted`
    long long* parts;           // a place for each block
};

// Number the vertices, and write the copies' lists.  All threads of all blocks call, and must meet in the end;
// `memory` and `warps` are shared memory for 33 values each.
__device__ inline void make_copies(const Copying& c, unsigned* barrier, long long* memory, long long* warps)
{
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long stride = (long long)gridDim.x * blockDim.x;
    const int n = c.n, size = n * c.count;
    for (long long i = thread; i < size; i += stride) {
        const int copy = (int)(i / n), v = (int)(i % n);
        const int mine = copy * n + place_in_copy(copy, v, n, c.half);
        c.number[i] = mine;
        c.length[mine] = (int)(c.indptr[v + 1] - c.indptr[v]);
    }
    simt_grid_sync(barrier);
    const Chunk chunk = chunk_of_block(size, (size + (int)gridDim.x - 1) / (int)gridDim.x);
    sum_chunk(chunk, c.length, c.parts, memory);
    simt_grid_sync(barrier);
    long long before = before_block(c.parts, memory);
#pragma unroll 1
    for (long long tile = chunk.begin; tile < chunk.end; tile += blockDim.x) {
        const long long v = tile + threadIdx.x;
        long long sum = 0;
        const long long place = block_scan(v < chunk.end ? (long long)c.length[v] : 0, sum, warps);
        if (v < chunk.end) c.start[v] = before + place;
        before += sum;
    }
    if (thread == 0) c.start[size] = c.count * c.indptr[n];
    simt_grid_sync(barrier);
    const long long walks = walks_of(c.indptr, n);
    for (long long i = thread / 32; i < c.count * walks; i += stride / 32) {
        const int* const mine = c.number + i / walks * n;
        for_each_edges(c.indptr, n, i % walks, [&](const int (&vertices)[AT_A_TIME], const long long (&edges)[AT_A_TIME]) {
            int others[AT_A_TIME];
            long long places[AT_A_TIME];
#pragma unroll
            for (int k = 0; k < AT_A_TIME; ++k) others[k] = edges[k] < 0 ? 0 : c.indices[edges[k]];
#pragma unroll
            for (int k = 0; k < AT_A_TIME; ++k)
                places[k] = edges[k] < 0 ? 0 : c.start[mine[vertices[k]]] + (edges[k] - c.indptr[vertices[k]]);
#pragma unroll
            for (int k = 0; k < AT_A_TIME; ++k) others[k] = mine[others[k]];
#pragma unroll
            for (int k = 0; k < AT_A_TIME; ++k) {
                if (edges[k] < 0) continue;
                c.others[places[k]] = others[k];
                if (c.weighted) c.own[places[k]] = c.weights[edges[k]];
            }
        });
    }
}
