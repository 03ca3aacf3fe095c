// Suitor, tuned, on one device; see suitor_fast.cuh.
#include "simt.h"

#include "suitor_fast.cuh"

// Clear the state and list the hubs.  `counters`, zeroed before: number of hubs; hubs taken in the
// first round; hubs taken in the second part.
SIMT_KERNEL(suitor_fast_begin)(int n, const long long* indptr, Bid* bids, unsigned char* unplaced,
                               int* hubs, int* counters)
{
    const long long u = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (u >= n) return;
    bids[u] = 0;
    unplaced[u] = 0;
    if (indptr[u + 1] - indptr[u] > HUB_DEGREE) hubs[atomicAdd(counters, 1)] = (int)u;
}

// The first round.  Shared memory: 33 bids, and 32 bytes for each warp.
SIMT_KERNEL(suitor_fast_first, __launch_bounds__(256, FIRST_BLOCKS))
(int n, const long long* indptr, const int* indices, const float* weights, Bid* bids,
 unsigned* offers, unsigned* last, unsigned char* unplaced, const int* hubs, int* counters,
 int hub_blocks RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    first_round(Problem{n, indptr, indices, weights}, State{bids, offers, last, unplaced}, Alone{},
                hubs, counters, hub_blocks, shared RECORD_COUNTERS(, rec));
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
 unsigned* offers, unsigned* last, unsigned char* unplaced, const int* hubs, int* counters,
 int hub_blocks RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    follow_chains(Problem{n, indptr, indices, weights}, State{bids, offers, last, unplaced},
                  Alone{}, hubs, counters[0], counters + 2, hub_blocks, {1, 1},
                  shared RECORD_COUNTERS(, rec));
}

SIMT_EXPORT(suitor_fast_begin)
SIMT_EXPORT(suitor_fast_first)
SIMT_EXPORT(suitor_fast_offers)
SIMT_EXPORT(suitor_fast_rest)
