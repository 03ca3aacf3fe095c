// CUDA's small functions, element by element.
#include "simt.h"

SIMT_KERNEL(bits)(const unsigned long long* in, int* out, unsigned long long* reversed)
{
    const unsigned long long x = in[threadIdx.x];
    const unsigned low = unsigned(x);
    int* mine = out + threadIdx.x * 6;
    mine[0] = __popc(low);
    mine[1] = __popcll(x);
    mine[2] = __clz(int(low));
    mine[3] = __clzll((long long)x);
    mine[4] = __ffs(int(low));
    mine[5] = __ffsll((long long)x);
    reversed[threadIdx.x * 2] = __brev(low);
    reversed[threadIdx.x * 2 + 1] = __brevll(x);
}
SIMT_EXPORT(bits)

SIMT_KERNEL(casts)(const float* floats, const double* doubles, unsigned* words, long long* longs,
                   int* same)
{
    const unsigned t = threadIdx.x;
    words[t] = __float_as_uint(floats[t]);
    longs[t] = __double_as_longlong(doubles[t]);
    same[t] = __float_as_int(__int_as_float(int(words[t]))) == int(words[t]) &&
              __float_as_uint(__uint_as_float(words[t])) == words[t] &&
              __double_as_longlong(__longlong_as_double(longs[t])) == longs[t];
}
SIMT_EXPORT(casts)

SIMT_KERNEL(extremes)(const int* a, const unsigned* b, const float* c, const double* d,
                      unsigned* mixed, double* floating, int* plain)
{
    const unsigned t = threadIdx.x;
    mixed[t * 2] = min(a[t], b[t]);
    mixed[t * 2 + 1] = max(a[t], b[t]);
    floating[t * 2] = min(c[t], d[t]);
    floating[t * 2 + 1] = max(c[t], d[t]);
    plain[t] = max(min(a[t], 100), -100);
}
SIMT_EXPORT(extremes)

// One parameter of every type that a launch has to check.
SIMT_KERNEL(parameters)(bool flag, signed char small, unsigned short medium, int number,
                        unsigned count, long long wide, unsigned long long word, float single,
                        double twice, const float* weights, int* out, const void* anything,
                        const bool* flags, int* const* table)
{
    (void)anything;
    out[0] = flag + small + medium + number + int(count) + int(wide) + int(word) + int(single) +
             int(twice) + int(weights[0]) + flags[0] + table[0][0];
}
SIMT_EXPORT(parameters)

SIMT_KERNEL(clock_runs)(long long* out)
{
    const long long before = clock64();
    __syncwarp();
    out[threadIdx.x] = clock64() - before;
}
SIMT_EXPORT(clock_runs)

SIMT_KERNEL(time_runs)(unsigned long long* first, unsigned long long* last)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    first[i] = simt_time();
    __syncthreads();
    last[i] = simt_time();
}
SIMT_EXPORT(time_runs)
