// Kernels whose memory accesses, divergence and contention are known exactly.
#include "simt.h"

#define LANE (threadIdx.x % 32)

template <class T>
__device__ void copy_strided(int stride, int offset, const T* in, T* out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const T value = in[i * stride + offset];    // LOAD
    out[i] = value;                             // STORE
}

SIMT_KERNEL(copy_bytes)(int stride, int offset, const unsigned char* in, unsigned char* out)
{
    copy_strided(stride, offset, in, out);
}

SIMT_KERNEL(copy_ints)(int stride, int offset, const int* in, int* out)
{
    copy_strided(stride, offset, in, out);
}

SIMT_KERNEL(copy_doubles)(int stride, int offset, const double* in, double* out)
{
    copy_strided(stride, offset, in, out);
}

SIMT_KERNEL(gather)(const int* index, const int* in, int* out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int at = index[i];     // INDEX
    const int value = in[at];    // GATHER
    out[i] = value;              // STORE
}

SIMT_KERNEL(shared_ints)(int stride, int* out)
{
    SIMT_SHARED(int[32 * 34], tile);
    tile[LANE * stride] = LANE;                // WRITE
    __syncwarp();
    const int value = tile[LANE * stride];     // READ
    out[LANE] = value;
}

SIMT_KERNEL(shared_doubles)(int stride, double* out)
{
    SIMT_SHARED(double[32 * 18], tile);
    tile[LANE * stride] = LANE;                // WRITE
    __syncwarp();
    const double value = tile[LANE * stride];  // READ
    out[LANE] = value;
}

SIMT_KERNEL(shared_atomics)(int words, int* out)
{
    SIMT_SHARED(int[32], counts);
    counts[LANE] = 0;
    __syncwarp();
    atomicAdd(counts + LANE % words, 1);       // ADD
    __syncwarp();
    out[LANE] = counts[LANE];
}

SIMT_KERNEL(branch)(unsigned taken, int* out)
{
    int value = LANE;
    if (taken >> LANE & 1)
        out[LANE] = value * 3;   // THEN
    else
        out[LANE] = value + 7;   // ELSE
    value += out[LANE];
    out[LANE] = value;           // JOIN
}

// Two nested loops whose trip counts differ from lane to lane.
SIMT_KERNEL(loops)(int outer, const int* trips, int* out)
{
    int total = 0;
    for (int i = 0; i < outer; ++i) {
        for (int j = 0; j < trips[LANE * outer + i]; ++j)
            total += out[j];           // INNER
        out[32 + LANE] = total;        // OUTER
    }
}

// A loop far longer than what is kept of a lane's walk.
SIMT_KERNEL(long_loop)(const int* trips, const int* in, int* out)
{
    int total = 0;
    for (int i = 0; i < trips[LANE]; ++i)
        total += in[i];          // INNER
    out[LANE] = total;           // AFTER
}

__device__ __attribute__((noinline)) int helper(const int* in, int i)
{
    return in[i] * in[i + 1];    // HELPER
}

// The same function called by each half of the warp, from two places.
SIMT_KERNEL(calls)(const int* in, int* out)
{
    if (LANE < 16)
        out[LANE] = helper(in, LANE);
    else
        out[LANE] = helper(in, 63 - LANE) + 1;
    out[32 + LANE] = helper(in, LANE);
}

// Lanes that part, meet in groups in between, and join again.
SIMT_KERNEL(partial_meetings)(int* out)
{
    const unsigned low = 0x0000ffffu, mask = LANE < 16 ? low : ~low;
    int value = LANE;
    for (int i = 0; i < (LANE < 16 ? 3 : 5); ++i) {
        value = __shfl_xor_sync(mask, value, 1 + i);
        out[LANE] = value;       // STORE
    }
    out[32 + LANE] = value;      // JOIN
}

SIMT_KERNEL(compare_once)(int* cells, int targets, int* out)
{
    const int found = atomicCAS(cells + LANE % targets, 0, LANE + 1);    // CAS
    out[LANE] = found;
}

SIMT_KERNEL(racy_counter)(int* flag, int* out)
{
    const int seen = simt_load(flag);    // LOOK
    simt_store(flag, seen + 1);          // SET
    atomicMax(out, seen);                // MAX
}

SIMT_EXPORT(copy_bytes)
SIMT_EXPORT(copy_ints)
SIMT_EXPORT(copy_doubles)
SIMT_EXPORT(gather)
SIMT_EXPORT(shared_ints)
SIMT_EXPORT(shared_doubles)
SIMT_EXPORT(shared_atomics)
SIMT_EXPORT(branch)
SIMT_EXPORT(loops)
SIMT_EXPORT(long_loop)
SIMT_EXPORT(calls)
SIMT_EXPORT(partial_meetings)
SIMT_EXPORT(compare_once)
SIMT_EXPORT(racy_counter)
