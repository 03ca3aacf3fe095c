// Facts about the entries of rows, in one pass: loops, and kinds of weights.
//
// A warp takes SHARE consecutive entries at a time, however long their rows are, and looks up the
// row of the first one; a lane goes on from its row to that of its next entry.
#include "simt.h"

#include "rows.cuh"

#define SHARE 1024
#define ALL_LANES 0xffffffffu

// The order of the counters is that of `Facts` (facts.py).
enum Fact { LOOPS, NOT_ABOVE_ZERO, BELOW_ZERO, NOT_ONE, NOT_WHOLE, FACTS };

// The row of entry `e`, which is `row` or a later one: strides double, so that near rows are found
// fast, and many rows without entries are passed.
__device__ inline int row_from(const long long* indptr, int row, int rows, long long e)
{
    long long low = row, stride = 1;
    while (low + stride < rows && indptr[low + stride] <= e) {
        low += stride;
        stride *= 2;
    }
    long long high = low + stride < rows ? low + stride : rows;
    while (high - low > 1) {
        const long long middle = (low + high) / 2;
        if (indptr[middle] <= e) low = middle;
        else high = middle;
    }
    return (int)low;
}

template <class T> __device__ inline T sum_of_lanes(T value)
{
    for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(ALL_LANES, value, d);
    return value;
}

// `first`: number of the first row's vertex.  `stride`: 1, or 0 if one weight is that of all
// entries.  `counts` has FACTS counters, `sums` a sum of weights for each warp.
SIMT_KERNEL(row_facts)
(int first, int rows, const long long* indptr, const int* indices, const float* weights, int stride,
 Word* counts, double* sums)
{
    unsigned found[FACTS] = {0, 0, 0, 0, 0};
    double sum = 0.0;
    const int lane = threadIdx.x % 32;
    const long long warp = thread_number() / 32, warps = thread_count() / 32;
    const long long start = indptr[0], stop = indptr[rows];
    for (long long begin = start + warp * SHARE; begin < stop; begin += warps * SHARE) {
        const long long end = begin + SHARE < stop ? begin + SHARE : stop;
        int row = 0;
        for (long long e = begin + lane; e < end; e += 32) {
            row = row_from(indptr, row, rows, e);
            const float weight = weights[e * stride];
            found[LOOPS] += indices[e] == first + row;
            found[NOT_ABOVE_ZERO] += !(weight > 0.0f);
            found[BELOW_ZERO] += weight < 0.0f;
            found[NOT_ONE] += weight != 1.0f;
            found[NOT_WHOLE] += weight != rintf(weight);
            sum += (double)weight;
        }
    }
    for (int k = 0; k < FACTS; ++k) {
        const Word all = sum_of_lanes((Word)found[k]);
        if (lane == 0 && all) atomicAdd(counts + k, all);
    }
    sum = sum_of_lanes(sum);
    if (lane == 0) sums[warp] = sum;
}

SIMT_EXPORT(row_facts)
