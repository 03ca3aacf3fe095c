// Marks that ranks set in each other's memory: a byte for each vertex, which any rank sets and its
// owner takes.  gpucore/ranks/marks.py has the arrays and reads the counts.
#pragma once

#include "ranks.cuh"

// Words that a tally is spread over, so that warps do not wait for each other.
constexpr int SPREAD = 256;

// Counts of what a rank does to others: proposals and marks that it sent, marks that it took.
struct Tally {
    unsigned* words;

    enum { ASKED, MARKED, TAKEN };
    __device__ inline void add(int what, unsigned number = 1) const
    {
        atomicAdd(words + SPREAD * what + (blockIdx.x + threadIdx.x / 32) % SPREAD, number);
    }
};

// Vertices that a warp of a sweep looks after: 32 groups.
constexpr int GROUP = 64, SWEPT = 32 * GROUP;

// All lanes of a warp call `work` for the first vertex of each group, from `first` on, in which a
// byte of `marks` is not 0.  The array has a whole number of sweeps.
template <class Work>
__device__ inline void for_marked_groups(const unsigned char* marks, long long first, Work work)
{
    const int lane = threadIdx.x % 32;
    const auto* eight = reinterpret_cast<const unsigned long long*>(marks + first);
    unsigned groups = 0;
#pragma unroll
    for (int k = 0; k < SWEPT / 256; ++k) {
        const unsigned who = __ballot_sync(0xffffffffu, simt_load(eight + 32 * k + lane) != 0);
#pragma unroll
        for (int quarter = 0; quarter < 4; ++quarter)
            groups |= (unsigned)((who >> 8 * quarter & 255) != 0) << (4 * k + quarter);
    }
    for (; groups != 0; groups &= groups - 1) {
        work(first + GROUP * (__ffs(groups) - 1));
        __syncwarp();
    }
}
