// Preparation of b-Suitor: the cleared state, and the sorted heads of the lists of neighbours.
//
// Source: Khan et al., SIAM J. Sci. Comput. 38(5), 2016, section on partial sorting: a vertex rarely
// proposes further than along its 3 b heaviest edges, so only these are put in order.
//
// A warp reads the edges of a vertex in chunks of 32, one a lane, and keeps the best 32 of all in
// falling order, one a lane: a chunk is sorted the other way round, the larger of each pair of lanes
// stays, and five steps of a bitonic merge restore the order.  Longer heads take several walks.
#include "simt.h"

#include "bsuitor.cuh"

// One step of a bitonic network: lanes `distance` apart keep the larger or the smaller edge.
__device__ inline Bid keep(Bid edge, int distance, bool larger)
{
    const Bid other = __shfl_xor_sync(ALL_LANES, edge, distance);
    return (other > edge) == larger ? other : edge;
}

// Sort the warp's edges, one a lane, in rising order.
__device__ inline Bid sort_rising(Bid edge, int lane)
{
    for (int size = 2; size <= 32; size *= 2)
        for (int d = size / 2; d > 0; d /= 2)
            edge = keep(edge, d, ((lane & d) != 0) == ((lane & size) == 0));
    return edge;
}

// Merge a rising chunk into the falling best: the best 32 of both, falling.
__device__ inline Bid merge_best(Bid best, Bid chunk, int lane)
{
    if (chunk > best) best = chunk;
    for (int d = 16; d > 0; d /= 2) best = keep(best, d, (lane & d) == 0);
    return best;
}

// The first `head_starts[u + 1] - head_starts[u]` edges of every vertex by falling (weight,
// neighbour), a warp a vertex.
SIMT_KERNEL(bsuitor_heads)
(int n, const long long* indptr, const int* indices, const float* weights,
 const long long* head_starts, int* head_indices, float* head_weights)
{
    const long long u = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (u >= n) return;
    const long long begin = indptr[u], end = indptr[u + 1];
    const long long last = head_starts[u + 1];
    Bid below = ~0ull;                              // edges from here on are placed already
    for (long long place = head_starts[u]; place < last; place += 32) {
        Bid best = 0;
        for (long long base = begin; base < end; base += 32) {
            const long long e = base + lane;
            Bid edge = e < end ? pack(weights[e], indices[e]) : 0;
            if (edge >= below) edge = 0;
            best = merge_best(best, sort_rising(edge, lane), lane);
        }
        if (place + lane < last) {
            head_indices[place + lane] = vertex_of(best);
            head_weights[place + lane] = weight_of(best);
        }
        below = __shfl_sync(ALL_LANES, best, 31);
    }
}

// Clear the state.  A vertex of capacity 0 refuses every offer.
SIMT_KERNEL(bsuitor_begin)
(int n, const long long* starts, unsigned* worst, int* locks, int* sizes, Bid* cursors)
{
    const long long u = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (u >= n) return;
    worst[u] = starts[u + 1] == starts[u] ? ~0u : 0u;
    locks[u] = 0;
    sizes[u] = 0;
    cursors[u] = ~0ull;
}

SIMT_EXPORT(bsuitor_heads)
SIMT_EXPORT(bsuitor_begin)
