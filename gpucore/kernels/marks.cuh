// Marks that ranks set in each other's memory: a byte for each vertex, which any rank sets and its
// owner takes; and what is done for each ghost.  gpucore/ranks/marks.py has the arrays and reads the
// counts.
#pragma once

#include "bytes.cuh"
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
    // All lanes of a warp call.
    __device__ inline void add_of_warp(int what, unsigned number) const
    {
        for (int d = 16; d > 0; d /= 2) number += __shfl_xor_sync(0xffffffffu, number, d);
        if (threadIdx.x % 32 == 0 && number > 0) add(what, number);
    }
};

// Take a vertex's byte, and leave 0.  The atomic is done when its value is here, so whoever sees what
// the caller does next sets the byte after it was cleared: nothing gets lost, without a fence.
__device__ inline unsigned take_byte(unsigned char* bytes, int u)
{
    const unsigned byte = 255u << bit_of(u);
    if (simt_load(bytes + u) == 0) return 0;
    return (ATOMIC_OF_ALL_RANKS(atomicAnd)(word_of(bytes, u), ~byte) & byte) >> bit_of(u);
}

// Vertices that a warp of a sweep looks after: 32 groups.
constexpr int GROUP = 64, SWEPT = 32 * GROUP;

// Vertices that a warp of a sweep lists before it works them off: two groups, so that most lanes have
// one although a group has few.
constexpr int SWEEP_LIST = 2 * GROUP;

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

// Ghosts that a warp looks at when it delivers: few of them have something to deliver.
constexpr int GHOSTS_OF_WARP = 256;

// All threads of a grid call `wanted` for each ghost, with the word that its owner has for it, and then
// `work` for those that are wanted, listed by their warps.  The owners' words are read together.
// `lists`: GHOSTS_OF_WARP ints of shared memory a warp.
template <class Wanted, class Work>
__device__ inline void for_ghosts_of_warp(Ghosts ghosts, const long long* bounds, int ranks,
                                          const unsigned long long* words_of, int* lists,
                                          Wanted wanted, Work work)
{
    constexpr int EACH = GHOSTS_OF_WARP / 32;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int* list = lists + GHOSTS_OF_WARP * warp;
    const long long begin =
        ((long long)blockIdx.x * (blockDim.x / 32) + warp) * GHOSTS_OF_WARP;
    int vertices[EACH];
    unsigned theirs[EACH];
#pragma unroll
    for (int k = 0; k < EACH; ++k) {
        const long long i = begin + 32 * k + lane;
        const int v = i < ghosts.count() ? ghosts.vertex(i) : -1;
        vertices[k] = v;
        theirs[k] = v < 0 ? 0 : simt_load(reinterpret_cast<const unsigned*>(
                                              words_of[owner_of(bounds, ranks, v)]) + v);
    }
    int count = 0;
#pragma unroll
    for (int k = 0; k < EACH; ++k) {
        const int v = vertices[k];
        const bool listed = v >= 0 && wanted(v, theirs[k]);
        const unsigned who = __ballot_sync(0xffffffffu, listed);
        if (listed) list[count + __popc(who & ((1u << lane) - 1))] = v;
        count += __popc(who);
    }
    __syncwarp();
    for (int i = lane; i < count; i += 32) work(list[i]);
}
