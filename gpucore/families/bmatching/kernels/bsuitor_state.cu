// Preparation of b-Suitor: the cleared state, and the sorted heads of the lists of neighbours.
//
// Source: Khan et al., SIAM J. Sci. Comput. 38(5), 2016, section on partial sorting: a vertex rarely
// proposes further than along its 3 b heaviest edges, so only these are put in order.
#include "simt.h"

#include "best_of_warp.cuh"
#include "bsuitor.cuh"

// Edges that a lane reads in one step.
constexpr int STEP = 8;

// The first `head_starts[u + 1] - head_starts[u]` edges of every vertex by falling (weight,
// neighbour), a warp a vertex, 32 edges a walk.
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
        const Bid best = best_of_warp<STEP>(begin, end, below, lane, [&](long long e, Bid) {
            return pack(weights[e], indices[e]);
        });
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
