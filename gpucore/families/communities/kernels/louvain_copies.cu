// Copies of a graph, which are searched side by side (see fast/copies.py).
//   copies_number      number of every vertex in each copy, and the length of its list there
//   copies_lists       the lists
//   copies_modularity  weight inside the communities of each copy, and their squared shares
#include "simt.h"

#include "louvain_fast.cuh"
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

// A thread for each vertex of each copy.
SIMT_KERNEL(copies_number)
(int n, int count, int half, const long long* indptr, int* number, long long* length)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (long long)n * count) return;
    const int copy = (int)(i / n), v = (int)(i % n);
    const int mine = copy * n + place_in_copy(copy, v, n, half);
    number[i] = mine;
    length[mine] = indptr[v + 1] - indptr[v];
}

// `blocks` blocks for each copy, WALK_ENTRIES edges a thread.  `weights`: of the given graph; `own` gets them,
// one place if they are all 1.
SIMT_KERNEL(copies_lists)
(int n, int blocks, const long long* indptr, const int* indices, const float* weights, int weighted,
 const int* number, const long long* start, int* others, float* own)
{
    const int copy = blockIdx.x / blocks;
    const int* const mine = number + (long long)copy * n;
    const long long thread = (long long)(blockIdx.x % blocks) * blockDim.x + threadIdx.x;
    for (Walk walk = walk_from(indptr, n, thread * WALK_ENTRIES); walk.edge < walk.end; step(walk, indptr)) {
        const long long place = start[mine[walk.vertex]] + (walk.edge - indptr[walk.vertex]);
        others[place] = mine[indices[walk.edge]];
        if (weighted) own[place] = weights[walk.edge];
    }
}

// `blocks` blocks for each copy, WALK_ENTRIES edges and vertices a thread.  The number of a community, by
// which `total` has its strength, is that of a vertex of its copy.
SIMT_KERNEL(copies_modularity)
(int n, int blocks, const long long* indptr, const int* indices, const float* weights,
 const Weight* sums, double unit, int kind, const int* number, const int* community,
 const Weight* total, double two_m, Weight* inner, Weight* squares)
{
    SIMT_SHARED(Weight[32], lanes);
    SIMT_SHARED(Weight[32], shares);
    const Level level = {indptr, indices, weights, sums, unit, kind};
    const int copy = blockIdx.x / blocks;
    const int* const mine = number + (long long)copy * n;
    const long long thread = (long long)(blockIdx.x % blocks) * blockDim.x + threadIdx.x;
    Weight inside = 0;
    for (Walk walk = walk_from(indptr, n, thread * WALK_ENTRIES); walk.edge < walk.end; step(walk, indptr))
        if (community[mine[walk.vertex]] == community[mine[indices[walk.edge]]])
            inside += weight_of(level, walk.edge);
    Weight share = 0;
    for (long long c = thread; c < n; c += (long long)blocks * blockDim.x)
        share += squared_share(total[(long long)copy * n + c], two_m);
    inside = block_sum(inside, lanes);
    share = block_sum(share, shares);
    if (threadIdx.x != 0) return;
    if (inside) atomicAdd(inner + copy, inside);
    if (share) atomicAdd(squares + copy, share);
}

SIMT_EXPORT(copies_number)
SIMT_EXPORT(copies_lists)
SIMT_EXPORT(copies_modularity)
