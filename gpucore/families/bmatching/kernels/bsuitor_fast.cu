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

SIMT_EXPORT(bsuitor_fast_begin)
SIMT_EXPORT(bsuitor_fast_first)
SIMT_EXPORT(bsuitor_fast_worst)
SIMT_EXPORT(bsuitor_fast_rest)
