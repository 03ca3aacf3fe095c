// Static and dynamic shared memory, private to every block.
#include "simt.h"

struct Pair {
    double value;
    char tag;
};

// Every thread writes what only its block knows, and reads what its neighbour wrote.
SIMT_KERNEL(neighbours)(unsigned long long* out)
{
    SIMT_DYN_SHARED(unsigned, dynamic);
    SIMT_SHARED(unsigned[256], numbers);
    SIMT_SHARED(Pair[256], pairs);
    SIMT_SHARED(int, leader);
    const unsigned t = threadIdx.x, next = (t + 1) % blockDim.x;
    const unsigned mine = blockIdx.x * 1000 + t;
    dynamic[t] = mine;
    numbers[t] = mine * 3;
    pairs[t] = {mine * 0.5, char(t % 100)};
    if (t == 0) leader = int(blockIdx.x) * 7;
    for (int i = 0; i < 5; ++i) __syncwarp();
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] = dynamic[next] + (unsigned long long)numbers[next] * 4096 +
                                       (unsigned long long)(pairs[next].value * 2) * (1ull << 26) +
                                       (unsigned long long)leader * (1ull << 44) +
                                       (unsigned long long)pairs[next].tag * (1ull << 57);
}
SIMT_EXPORT(neighbours)

SIMT_KERNEL(addresses)(unsigned long long* out)
{
    SIMT_DYN_SHARED(char, dynamic);
    SIMT_SHARED(char, byte);
    SIMT_SHARED(double, number);
    byte = 1;
    number = 2;
    out[0] = (unsigned long long)dynamic;
    out[1] = (unsigned long long)&byte;
    out[2] = (unsigned long long)&number;
}
SIMT_EXPORT(addresses)

// Contents of shared memory before the first write.
SIMT_KERNEL(untouched)(unsigned char* out)
{
    SIMT_DYN_SHARED(unsigned char, dynamic);
    SIMT_SHARED(unsigned char[32], fixed);
    out[threadIdx.x] = dynamic[threadIdx.x];
    out[32 + threadIdx.x] = fixed[threadIdx.x];
    dynamic[threadIdx.x] = fixed[threadIdx.x] = 1;
}
SIMT_EXPORT(untouched)

SIMT_KERNEL(forty_kilobytes)(int* out)
{
    SIMT_SHARED(int[10240], numbers);
    numbers[threadIdx.x] = int(threadIdx.x);
    out[threadIdx.x] = numbers[threadIdx.x];
}
SIMT_EXPORT(forty_kilobytes)
