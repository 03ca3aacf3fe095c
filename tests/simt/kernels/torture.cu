// Everything at once: divergence, partial and nested masks, lanes that leave early, shared memory,
// locks.  Every output is fixed by CUDA's rules, so all schedules and a GPU have to agree on it.
#include "simt.h"

constexpr unsigned EVERYONE = 0xffffffffu;

__device__ inline unsigned stir(unsigned state, unsigned x)
{
    state = (state ^ x) * 0x85ebca6bu + 0x9e3779b9u;
    return state ^ state >> 15;
}

// All 32 lanes: every kind of collective once.
__device__ inline unsigned whole_warp(unsigned h, unsigned turn)
{
    h = stir(h, __shfl_sync(EVERYONE, h, int(turn % 32)));
    h = stir(h, __shfl_sync(EVERYONE, h, int(turn % 8), 8));
    h = stir(h, __shfl_up_sync(EVERYONE, h, turn % 9, 16));
    h = stir(h, __shfl_down_sync(EVERYONE, h, turn % 5, 4));
    h = stir(h, __shfl_xor_sync(EVERYONE, h, int(turn % 32)));
    h = stir(h, __ballot_sync(EVERYONE, int(h & 4)));
    h = stir(h, unsigned(__any_sync(EVERYONE, h % 97 == 0) * 2 + __all_sync(EVERYONE, h % 97 < 96)));
    h = stir(h, __match_any_sync(EVERYONE, h % 5));
    int equal = 0;
    h = stir(h, __match_all_sync(EVERYONE, h >> 31, &equal));
    h = stir(h, unsigned(equal));
    h = stir(h, __reduce_add_sync(EVERYONE, h));
    h = stir(h, unsigned(__reduce_min_sync(EVERYONE, int(h))));
    const unsigned long long wide = (unsigned long long)h << 17 | threadIdx.x;
    h = stir(h, unsigned(__shfl_xor_sync(EVERYONE, wide, 16) >> 9));
    const double exact = __shfl_down_sync(EVERYONE, double(h), 3);
    return stir(h, unsigned(__double_as_longlong(exact) >> 20));
}

// Groups that do different things at the same time, and groups within them.
__device__ inline unsigned divergent_groups(unsigned h, unsigned lane)
{
    const unsigned group = __match_any_sync(EVERYONE, lane * 7 % 3);
    const int leader = __ffs(int(group)) - 1;
    if (lane * 7 % 3 == 0) {
        h = stir(h, __reduce_xor_sync(group, h));
    } else if (lane * 7 % 3 == 1) {
        h = stir(h, __shfl_sync(group, h, leader));
        const unsigned odd = __ballot_sync(group, int(h & 1));
        if (h & 1)
            for (int i = 0; i < 3; ++i) h = stir(h, __reduce_max_sync(odd, h));
        else
            h = stir(h, __ballot_sync(group & ~odd, int(h & 2)));
    } else {
        h = stir(h, unsigned(__all_sync(group, h != 0)));
    }
    __syncwarp();
    return h;
}

// Lanes of odd warps leave the loop one after the other; the masks shrink with them.
__device__ inline unsigned shrinking_masks(unsigned h, unsigned lane, unsigned warp)
{
    unsigned here = EVERYONE;
    for (unsigned i = 0; i < 6; ++i) {
        if (warp % 2 == 1) {
            const unsigned rest = __ballot_sync(here, lane % 6 != i);
            if (lane % 6 == i) break;
            here = rest;
        }
        h = stir(h, __reduce_or_sync(here, h & 0x11111111u));
    }
    return h;
}

__device__ inline unsigned through_shared(unsigned h, unsigned t, unsigned* dynamic)
{
    SIMT_SHARED(int[64], histogram);
    SIMT_SHARED(unsigned long long[32], squares);
    const unsigned warps = blockDim.x / 32;
    if (t < 64) histogram[t] = 0;
    dynamic[t] = h;
    __syncthreads();
    h = stir(h, dynamic[(t + 41) % blockDim.x]);
    atomicAdd(&histogram[h % 64], 1);
    if (t % 32 == 0) squares[t / 32] = (unsigned long long)t * t;
    h = stir(h, unsigned(__syncthreads_count(int(h & 1))));
    h = stir(h, unsigned(histogram[t % 64]));
    h = stir(h, unsigned(squares[(t / 32 + 1) % warps]));
    h = stir(h, unsigned(__syncthreads_or(h % 1000 == 0) + 2 * __syncthreads_and(h % 1000 != 1)));
    return h;
}

// Orders do not matter to what is left in the cells.
__device__ inline void through_global(unsigned h, unsigned long long* cells, int* lock, int* guarded)
{
    unsigned long long seen = simt_load(&cells[0]);
    for (;;) {
        const unsigned long long before = atomicCAS(&cells[0], seen, seen + h % 1024);
        if (before == seen) break;
        seen = before;
    }
    atomicMax(&cells[1], (unsigned long long)h);
    atomicMin(&cells[2], (unsigned long long)h);
    atomicXor(&cells[3], (unsigned long long)h << 13);
    if (threadIdx.x % 32 == 7) {
        while (atomicCAS(lock, 0, 1) != 0) {}
        __threadfence();
        simt_store(guarded, simt_load(guarded) + 1);
        __threadfence();
        atomicExch(lock, 0);
    }
}

// Dynamic shared memory: one word a thread.  Blocks of at least two whole warps.
SIMT_KERNEL(torture)(int rounds, unsigned* digest, unsigned long long* cells, int* lock,
                     int* guarded)
{
    SIMT_DYN_SHARED(unsigned, dynamic);
    const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
    const unsigned thread = blockIdx.x * blockDim.x + t;
    unsigned h = stir(thread, 1);
    for (unsigned i = 0; i < unsigned(rounds) + warp * 2; ++i) {
        h = whole_warp(h, i);
        h = divergent_groups(h, lane);
    }
    h = shrinking_masks(h, lane, warp);
    h = through_shared(h, t, dynamic);
    through_global(h, cells, lock, guarded);
    digest[thread] = h;
    if (t % 3 == 1) return;    // the others still meet at the barrier
    __syncthreads();
    digest[thread] = stir(h, 2);
}
SIMT_EXPORT(torture)
