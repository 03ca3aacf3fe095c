// Louvain: kernels before and after the search for moves.
//
// Source: Naim et al., "Community detection on the GPU", IPDPS 2017, algorithm 1 and equation 1.
//   louvain_strength   k of every vertex (line 2)
//   louvain_commit     C = newComm, and the update of a (lines 8-11)
//   louvain_tally      a and the sizes of a given partition
//   louvain_inner      first sum of the modularity (equation 1), an edge a thread
//   louvain_squares    second sum
// The paper recomputes a after every bucket.  We add and subtract the strengths of moved vertices:
// weights are integers, so the result is the same, and only moved vertices cost time.
#include "simt.h"

#include "louvain_strength.cuh"

// A group of `width` lanes for a vertex.
SIMT_KERNEL(louvain_strength)
(int n, const long long* indptr, const int* indices, const float* weights, const Weight* sums,
 double unit, int kind, int width, Weight* strength)
{
    sum_strength({indptr, indices, weights, sums, unit, kind}, n, width,
                 (long long)blockIdx.x * blockDim.x + threadIdx.x, strength);
}

SIMT_KERNEL(louvain_commit)
(int count, const int* vertices, const Weight* strength, const int* next, int* community,
 Weight* total, int* size)
{
    const long long place = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (place >= count) return;
    const int vertex = vertices[place], from = community[vertex], to = next[vertex];
    if (from == to) return;
    community[vertex] = to;
    atomicAdd(total + to, strength[vertex]);
    atomicAdd(total + from, 0 - strength[vertex]);          // modulo 2^64
    atomicAdd(size + to, 1);
    atomicSub(size + from, 1);
}

// a and the sizes from the communities; both begin as zero.
SIMT_KERNEL(louvain_tally)
(int n, const Weight* strength, const int* community, Weight* total, int* size)
{
    const long long vertex = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (vertex >= n) return;
    atomicAdd(total + community[vertex], strength[vertex]);
    atomicAdd(size + community[vertex], 1);
}

// `source` is the vertex in whose list an entry stands; one partial sum a block.
SIMT_KERNEL(louvain_inner)
(long long entries, const int* source, const int* indices, const float* weights,
 const Weight* sums, double unit, int kind, const int* community, Weight* partial)
{
    SIMT_SHARED(Weight[32], lanes);
    const Level level = {0, indices, weights, sums, unit, kind};
    const long long stride = (long long)gridDim.x * blockDim.x;
    Weight inner = 0;
    for (long long e = (long long)blockIdx.x * blockDim.x + threadIdx.x; e < entries; e += stride)
        if (community[source[e]] == community[indices[e]]) inner += weight_of(level, e);
    inner = block_sum(inner, lanes);
    if (threadIdx.x == 0) partial[blockIdx.x] = inner;
}

// `partial`: a sum for each block, in SQUARE_UNITS.
SIMT_KERNEL(louvain_squares)(int n, const Weight* total, double two_m, Weight* partial)
{
    SIMT_SHARED(Weight[32], lanes);
    const long long stride = (long long)gridDim.x * blockDim.x;
    Weight squares = 0;
    for (long long c = (long long)blockIdx.x * blockDim.x + threadIdx.x; c < n; c += stride)
        squares += squared_share(total[c], two_m);
    squares = block_sum(squares, lanes);
    if (threadIdx.x == 0) partial[blockIdx.x] = squares;
}

SIMT_EXPORT(louvain_strength)
SIMT_EXPORT(louvain_commit)
SIMT_EXPORT(louvain_tally)
SIMT_EXPORT(louvain_inner)
SIMT_EXPORT(louvain_squares)
