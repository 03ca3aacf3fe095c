// Suitor, tuned, on one device; see suitor_fast.cuh.
#include "simt.h"

#include "suitor_fast.cuh"

// Clear the state and list the hubs.
SIMT_KERNEL(suitor_fast_begin)(int n, const long long* indptr, Bid* bids, unsigned char* unplaced,
                               HUB_PARAMS)
{
    const long long u = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (u >= n) return;
    bids[u] = 0;
    unplaced[u] = 0;
    list_hub(HUBS, (int)u, indptr[u + 1] - indptr[u], 1);
}

// The first round.  Shared memory: 33 bids, and 32 bytes for each warp.
SIMT_KERNEL(suitor_fast_first, __launch_bounds__(256, FIRST_BLOCKS))
(int n, const long long* indptr, const int* indices, const float* weights, Bid* bids,
 unsigned* offers, unsigned* last, unsigned char* unplaced, HUB_PARAMS,
 int hub_blocks RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    first_round(Problem{n, indptr, indices, weights}, State{bids, offers, last, unplaced}, Alone{},
                HUBS, hub_blocks, shared RECORD_COUNTERS(, rec));
}

// The weights of the bids after the first round.
SIMT_KERNEL(suitor_fast_offers)(int n, const Bid* bids, unsigned* offers)
{
    const long long u = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (u < n) offers[u] = (unsigned)(bids[u] >> 32);
}

// Everything after the first round.  Shared memory: 33 bids, and WARP_VERTICES ints and 32 bytes for
// each warp.
SIMT_KERNEL(suitor_fast_rest, __launch_bounds__(256, REST_BLOCKS))
(int n, const long long* indptr, const int* indices, const float* weights, Bid* bids,
 unsigned* offers, unsigned* last, unsigned char* unplaced, HUB_PARAMS,
 int hub_blocks RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    follow_chains(Problem{n, indptr, indices, weights}, State{bids, offers, last, unplaced},
                  Alone{}, HUBS, counters + Hubs::TAKEN_LATER, hub_blocks, {1, 1},
                  shared RECORD_COUNTERS(, rec));
}

// All of it in one launch, for a small graph: all blocks take the hubs, then the other vertices.
// Shared memory: 33 bids, and SMALL_VERTICES ints and 32 bytes for each warp.
SIMT_KERNEL(suitor_fast_small, __launch_bounds__(512, 2))
(int n, const long long* indptr, const int* indices, const float* weights, Bid* bids,
 unsigned* offers, unsigned* last, unsigned char* unplaced, HUB_PARAMS, int* mate,
 unsigned* barrier RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    const Problem p = {n, indptr, indices, weights};
    const State state = {bids, offers, last, unplaced};
    const Hubs all = HUBS;
    const Desk desk = desk_of_warp<SMALL_VERTICES>(shared);
    const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    const int warp = thread / 32, warps = threads / 32;
    for (int u = thread; u < n; u += threads) {
        bids[u] = 0;
        unplaced[u] = 0;
        list_hub(all, u, indptr[u + 1] - indptr[u], 1);
    }
    simt_grid_sync(barrier);
    const bool any_hubs = all.count() > 0;
    if (any_hubs) first_of_hubs(p, state, Alone{}, all, 0, shared RECORD_COUNTERS(, rec));
    for (int k = warp; k < (n + 31) / 32; k += warps)
        first_of_warp(p, state, Alone{}, k, desk.order RECORD_COUNTERS(, rec));
    simt_grid_sync(barrier);
    for (int u = thread; u < n; u += threads) offers[u] = (unsigned)(bids[u] >> 32);
    simt_grid_sync(barrier);
    if (any_hubs)
        rest_of_hubs(p, state, Alone{}, all, counters + Hubs::TAKEN_LATER, HUBS_AT_A_TIME, 0, {1, 1},
                     shared RECORD_COUNTERS(, rec));
    for (int k = warp; k < (n + SMALL_VERTICES - 1) / SMALL_VERTICES; k += warps)
        rest_of_warp<SMALL_VERTICES>(p, state, Alone{}, k, desk, {1, 1} RECORD_COUNTERS(, rec));
    simt_grid_sync(barrier);
    for (int u = thread; u < n; u += threads) mate[u] = vertex_of(bids[u]);
}

SIMT_EXPORT(suitor_fast_begin)
SIMT_EXPORT(suitor_fast_first)
SIMT_EXPORT(suitor_fast_offers)
SIMT_EXPORT(suitor_fast_rest)
SIMT_EXPORT(suitor_fast_small)
