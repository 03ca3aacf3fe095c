// The sum of squared errors of a factorisation over some ratings.
//
// A worker's lanes share a rating, as in the updates; sums are in double precision.
#include "simt.h"

#include "sgd.cuh"

SIMT_KERNEL(sgd_rmse)
(const int* users, const int* items, const float* values, int count, const float* user_vectors,
 const float* item_vectors, int k, const float* user_bias, const float* item_bias, float mean,
 int flags, int workers, double* sum)
{
    const Worker me = my_worker(k, workers);
    double mine = 0.0;
    for (int base = me.first; base < count; base += workers) {
        const int i = base + me.number - me.first;
        const bool works = me.number < workers && i < count;
        const int which = works ? i : 0, user = users[which], item = items[which];
        const float* p = user_vectors + (long long)user * k;
        const float* q = item_vectors + (long long)item * k;
        float dot = 0.0f;
        for (int c = 2 * me.lane; c < k; c += 2 * me.width) {
            dot = __fmaf_rn(p[c], q[c], dot);
            dot = __fmaf_rn(p[c + 1], q[c + 1], dot);
        }
        for (int d = me.width / 2; d > 0; d /= 2)
            dot = __fadd_rn(dot, __shfl_xor_sync(ALL_LANES, dot, d));
        float predicted = __fadd_rn(dot, mean);
        if (flags & BIASES)
            predicted = __fadd_rn(__fadd_rn(predicted, user_bias[user]), item_bias[item]);
        const double error = (double)values[which] - predicted;
        if (works && me.lane == 0) mine += error * error;
    }
    for (int d = 16; d > 0; d /= 2) mine += __shfl_xor_sync(ALL_LANES, mine, d);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

SIMT_EXPORT(sgd_rmse)
