// Distribute the users of every tile over the workers: by falling number of ratings, each to the
// worker that has least so far.
//
// Source: Graham, "Bounds on multiprocessing timing anomalies", 1969 (longest processing time
// first).  A warp has a tile; each lane keeps the loads of some workers.
#include "simt.h"

#define LOADS 4                 // workers of a lane: at most 128 in all

// The users of tile t have the numbers `begins[t]` to `begins[t + 1] - 1`.
SIMT_KERNEL(sgd_deal)
(const int* lengths, const long long* begins, int tiles, int workers, int* worker_of)
{
    const int lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
    for (int tile = (blockIdx.x * blockDim.x + threadIdx.x) / 32; tile < tiles; tile += warps) {
        unsigned load[LOADS] = {0, 0, 0, 0};
        for (long long i = begins[tile]; i < begins[tile + 1]; ++i) {
            // The smallest load, and of equal ones that of the worker with the smallest number.
            unsigned best = 0;
            for (int j = 0; j < LOADS; ++j) {
                const unsigned number = lane + 32 * j;
                const unsigned key = ~(load[j] << 7 | number);
                if (number < (unsigned)workers && key > best) best = key;
            }
            for (int d = 16; d > 0; d /= 2) best = max(best, __shfl_xor_sync(0xffffffffu, best, d));
            const int chosen = (int)(~best & 127u);
            for (int j = 0; j < LOADS; ++j)
                if (chosen == lane + 32 * j) load[j] += lengths[i];
            if (lane == 0) worker_of[i] = chosen;
        }
    }
}

SIMT_EXPORT(sgd_deal)
