// Weights of the entries of some rows, hashes of the seed and of both ends.  A warp has a row.
#include "simt.h"

#include "rows.cuh"

SIMT_KERNEL(row_weights)
(int first, int rows, const long long* indptr, const int* indices, Word key, int kind,
 float* weights)
{
    const long long warps = thread_count() / 32;
    for (long long row = thread_number() / 32; row < rows; row += warps) {
        const long long end = indptr[row + 1];
        for (long long e = indptr[row] + threadIdx.x % 32; e < end; e += 32)
            weights[e] = weight_of(key, kind, first + (int)row, indices[e]);
    }
}

SIMT_EXPORT(row_weights)
