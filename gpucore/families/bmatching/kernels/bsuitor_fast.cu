// b-Suitor, tuned, on one device; see bsuitor_fast.cuh.
#include "simt.h"

#include "bsuitor_fast.cuh"

// Clear the state and list the hubs.
SIMT_KERNEL(bsuitor_fast_begin)
(int n, const long long* indptr, int capacity, Bid* slots, unsigned char* owed, HUB_PARAMS)
{
    const long long u = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (u >= n) return;
    for (int i = 0; i < capacity; ++i) slots[(long long)i * n + u] = 0;
    owed[u] = 0;
    list_hub(HUBS, (int)u, indptr[u + 1] - indptr[u], capacity);
}

#define SEARCH_PARAMS                                                                         \
    int n, const long long *indptr, const int *indices, const float *weights, int capacity,   \
        Bid *slots, unsigned *worst, Bid *cursors, unsigned char *owed, HUB_PARAMS,           \
        int hub_blocks

// The first round.  Shared memory: 33 bids, and 32 bytes for each warp.
SIMT_KERNEL(bsuitor_fast_first, __launch_bounds__(256, FIRST_BLOCKS))(SEARCH_PARAMS RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    first_round(Part{n, 0, indptr, indices, weights},
                Alone{{capacity, slots, worst, cursors, owed}}, HUBS, hub_blocks, shared RECORD_COUNTERS(, rec));
}

// The weights of the worst offers after the first round.
SIMT_KERNEL(bsuitor_fast_worst)(int n, int capacity, const Bid* slots, unsigned* worst)
{
    const long long u = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (u < n) worst[u] = (unsigned)(slots[(u + 1) * capacity - 1] >> 32);
}

// Everything after the first round.  Shared memory: 33 bids, and WARP_VERTICES ints and 32 bytes for
// each warp.
SIMT_KERNEL(bsuitor_fast_rest, __launch_bounds__(256, REST_BLOCKS))(SEARCH_PARAMS RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    follow_proposals(Part{n, 0, indptr, indices, weights},
                     Alone{{capacity, slots, worst, cursors, owed}}, HUBS,
                     counters + Hubs::TAKEN_LATER, hub_blocks, {1, 1}, shared RECORD_COUNTERS(, rec));
}

// All of it in one launch, for a small graph: all blocks take the hubs, then the other vertices.
// Shared memory: 33 bids, and SMALL_VERTICES ints and 32 bytes for each warp.
SIMT_KERNEL(bsuitor_fast_small, __launch_bounds__(512, 2))
(int n, const long long* indptr, const int* indices, const float* weights, int capacity, Bid* slots,
 unsigned* worst, Bid* cursors, unsigned char* owed, HUB_PARAMS, unsigned* barrier RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    const Part p = {n, 0, indptr, indices, weights};
    const Alone state = {{capacity, slots, worst, cursors, owed}};
    const Hubs all = HUBS;
    const Desk desk = desk_of_warp<SMALL_VERTICES>(shared);
    const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    const int warp = thread / 32, warps = threads / 32;
    for (int u = thread; u < n; u += threads) {
        for (int i = 0; i < capacity; ++i) slots[(long long)i * n + u] = 0;
        owed[u] = 0;
        list_hub(all, u, indptr[u + 1] - indptr[u], capacity);
    }
    simt_grid_sync(barrier);
    const bool any_hubs = all.count() > 0;
    if (any_hubs) first_of_hubs(p, state, all, 0, shared RECORD_COUNTERS(, rec));
    for (int k = warp; k < (n + 31) / 32; k += warps)
        first_of_warp(p, state, k, desk.order RECORD_COUNTERS(, rec));
    simt_grid_sync(barrier);
    for (int u = thread; u < n; u += threads)
        worst[u] = (unsigned)(slots[(u + 1ll) * capacity - 1] >> 32);
    simt_grid_sync(barrier);
    if (any_hubs)
        rest_of_hubs(p, state, all, counters + Hubs::TAKEN_LATER, HUBS_AT_A_TIME, 0, {1, 1},
                     shared RECORD_COUNTERS(, rec));
    for (int k = warp; k < (n + SMALL_VERTICES - 1) / SMALL_VERTICES; k += warps)
        rest_of_warp<SMALL_VERTICES>(p, state, k, desk, {1, 1} RECORD_COUNTERS(, rec));
}

SIMT_EXPORT(bsuitor_fast_begin)
SIMT_EXPORT(bsuitor_fast_first)
SIMT_EXPORT(bsuitor_fast_worst)
SIMT_EXPORT(bsuitor_fast_rest)
SIMT_EXPORT(bsuitor_fast_small)
