// Shared by the kernels of the Louvain method: weights, hash tables, the gain of a move.
//
// Weights are unsigned integers in fixed point (the driver chooses the unit so that the sum of all
// is below 2^52).  Integers can be added in any order with the same result, so a kernel's
// result from a given state does not depend on the schedule, and contraction is exact.
#pragma once

#include "record.cuh"

#define ALL_LANES 0xffffffffu

typedef unsigned long long Weight;

// The graph of one stage, as adjacency lists.  A vertex's loop counts both its ends.
struct Level {
    const long long* indptr;
    const int* indices;
    const float* weights;       // of the graph that was given
    const Weight* sums;         // of a contracted graph
    double unit;                // fixed-point units of a weight of 1
    int kind;                   // one of those below
};

enum WeightKind { ONES = 0, FLOATS = 1, SUMS = 2 };

__device__ inline Weight weight_of(Level level, long long e)
{
    if (level.kind == SUMS) return level.sums[e];
    if (level.kind == FLOATS) return (Weight)((double)level.weights[e] * level.unit + 0.5);
    return 1;
}

// The partition, one entry a vertex or a community.
struct Partition {
    const Weight* strength;     // k: sum of a vertex's weights
    int* community;             // C
    Weight* total;              // a: sum of k over a community
    int* size;                  // vertices in a community
    double two_m;               // sum of all k
    double resolution;
    int direction;              // -1, 1: to smaller or larger numbers only; 0: anywhere
    bool near = false;          // totals may be read from the first-level cache
};

// What is in global memory; pointers from shared memory could be any.
__device__ inline Level in_global_memory(Level level)
{
    return {simt_global(level.indptr), simt_global(level.indices), simt_global(level.weights),
            simt_global(level.sums), level.unit, level.kind};
}

__device__ inline Partition in_global_memory(Partition p)
{
    p.strength = simt_global(p.strength);
    p.community = simt_global(p.community);
    p.total = simt_global(p.total);
    p.near = false;                                         // barriers between sweeps keep the cache
    return p;
}

// A community to move to.  `score` orders the choices of one vertex like the gain in modularity
// (equation 2 without the terms that all choices share, times 2 m^2).
struct Choice {
    double score;
    int community;              // -1: none
};

__device__ inline double score(Partition p, Weight edges, Weight strength, Weight total)
{
    return (double)edges * p.two_m - p.resolution * (double)strength * (double)total;
}

// Without a branch: a warp takes a comparison for each of its lanes' edges.
__device__ inline Choice better(Choice a, Choice b)
{
    const bool higher = (b.score > a.score) | (a.community < 0);
    const bool equal = (b.score == a.score) & (b.community < a.community);
    const bool takes = (b.community >= 0) & (higher | equal);
    return {takes ? b.score : a.score, takes ? b.community : a.community};
}

// Best choice, and largest weight, of every aligned group of `width` lanes; all lanes call.
__device__ inline Choice best_of_group(Choice mine, int width)
{
    for (int d = width / 2; d > 0; d /= 2) {
        const Choice other = {__shfl_xor_sync(ALL_LANES, mine.score, d),
                              __shfl_xor_sync(ALL_LANES, mine.community, d)};
        mine = better(mine, other);
    }
    return mine;
}

__device__ inline Weight largest_of_group(Weight mine, int width)
{
    for (int d = width / 2; d > 0; d /= 2) {
        const Weight other = __shfl_xor_sync(ALL_LANES, mine, d);
        if (other > mine) mine = other;
    }
    return mine;
}

// Neighbours that move at the same time may swap, or join a community that is empty by then.  Two
// single vertices never do: only one of them may move, towards the smaller number.  For the others
// the driver can allow one direction at a time.
__device__ inline bool allowed(Partition p, int from, int to)
{
    if (p.direction != 0 && (to > from) != (p.direction > 0)) return false;
    return to < from || p.size[from] != 1 || p.size[to] != 1;
}

// The same over the warp.  The bits of a score are in its order if those of a negative one are turned over.
__device__ inline Choice best_of_warp(Choice mine)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    return best_of_group(mine, 32);
#else
    const long long bits = __double_as_longlong(mine.score);
    const Weight key = mine.community < 0 ? 0 : (Weight)bits ^ ((Weight)(bits >> 63) | 1ull << 63);
    const unsigned high = __reduce_max_sync(ALL_LANES, (unsigned)(key >> 32));
    const bool highest = (unsigned)(key >> 32) == high;
    const unsigned low = __reduce_max_sync(ALL_LANES, highest ? (unsigned)key : 0u);
    const bool best = highest && (unsigned)key == low;
    const int community = (int)__reduce_min_sync(ALL_LANES, best ? (unsigned)mine.community : ~0u);
    const Weight found = (Weight)high << 32 | low;
    const Weight turned = found >> 63 ? found ^ 1ull << 63 : ~found;
    return {community < 0 ? 0.0 : __longlong_as_double((long long)turned), community};
#endif
}

// The sum of weights over the warp; all weights are below 2^52.
__device__ inline Weight weight_of_warp(Weight mine)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int d = 16; d > 0; d /= 2) mine += __shfl_xor_sync(ALL_LANES, mine, d);
    return mine;
#else
    const unsigned low = __reduce_add_sync(ALL_LANES, (unsigned)mine & 0x7ffffffu);
    return ((Weight)__reduce_add_sync(ALL_LANES, (unsigned)(mine >> 27)) << 27) + low;
#endif
}

// A hash table from communities to weights; open addressing, the size a prime.
struct Table {
    int* keys;                  // NO_KEY: empty
    Weight* sums;
    unsigned size;
};

#define NO_KEY -1

struct Insertion {
    unsigned slot, probes;
    Weight sum;                 // of the key, this insertion included
    bool fresh;                 // the key was new
};

__device__ inline void clear(Table table, int member, int width)
{
    for (unsigned slot = member; slot < table.size; slot += width) {
        table.keys[slot] = NO_KEY;
        table.sums[slot] = 0;
    }
}

// Add `weight` to `key`.  Double hashing: the step depends on the key, and as the size is prime,
// every step visits every slot.  A slot is claimed by a CAS; a thread that loses the CAS adds
// to the slot if it holds the same key, else it takes the next slot.
__device__ inline Insertion insert(Table table, int key, Weight weight)
{
    unsigned slot = (unsigned)key % table.size, step = 0;
    for (unsigned probes = 1;; ++probes) {
        int found = simt_load(table.keys + slot);
        const bool empty = found == NO_KEY;
        if (empty) found = atomicCAS(table.keys + slot, NO_KEY, key);
        if (found == NO_KEY || found == key)
            return {slot, probes, atomicAdd(table.sums + slot, weight) + weight,
                    empty && found == NO_KEY};
        if (step == 0) step = 1 + (unsigned)key % (table.size - 1);
        slot += step;
        if (slot >= table.size) slot -= table.size;
    }
}

// Smallest prime that is larger than 1.5 times `degree`.  `sizes` begins with the answers for the
// degrees below DIRECT_SIZES; the primes for larger ones follow, ascending.
#define DIRECT_SIZES 512

__device__ inline unsigned table_size(const int* sizes, int count, long long degree)
{
    if (degree < DIRECT_SIZES) return sizes[degree];
    int low = DIRECT_SIZES, high = count - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (2ll * sizes[middle] > 3 * degree) high = middle;
        else low = middle + 1;
    }
    return sizes[low];
}

// Squares of shares of all strength are added in these parts: sums of integers do not depend on the
// order.
#define SQUARE_UNITS 1152921504606846976.0

__device__ inline Weight squared_share(Weight total, double two_m)
{
    const double share = (double)total / two_m;
    return (Weight)(share * share * SQUARE_UNITS + 0.5);
}

// Sum over the block in an order that is always the same; thread 0 gets it.  `lanes` is shared
// memory for one value a warp.
template <class T> __device__ inline T block_sum(T value, T* lanes)
{
    for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(ALL_LANES, value, d);
    if (threadIdx.x % 32 == 0) lanes[threadIdx.x / 32] = value;
    __syncthreads();
    T sum = 0;
    if (threadIdx.x != 0) return sum;
#pragma unroll 1
    for (unsigned i = 0; i < blockDim.x / 32; ++i) sum += lanes[i];
    return sum;
}

// A warp's row of the record for one launch.
struct Effort {
    unsigned vertices, edges, lane_slots, probes, collisions, occupied, slots, moves;
};

enum LouvainEvent : unsigned {
    NO_EVENT = 0, MOVE = 1, HASH = 2, HELD = 3, MERGE = 4, JOIN = 6
};

#if RECORD >= 1
// One lane of the warp calls.  Launches are the steps of the record.
__device__ inline void record_effort(Recorder* rec, int warp, int step, Effort e)
{
    add_words_to_row(rec, warp, step,
                     {e.vertices, e.edges, e.lane_slots, e.probes, e.collisions, e.occupied,
                      e.slots, e.moves});
}

// A block's first warp, whose row has the slots of the block's table, gets what all warps filled.
// All threads call; `lanes` is shared memory for one value a warp.
__device__ inline void gather_occupied(Effort& e, Weight* lanes)
{
    e.occupied = (unsigned)block_sum((Weight)e.occupied, lanes);
}

__device__ inline Effort sum_of_warp(Effort e)
{
    return {warp_sum(e.vertices), warp_sum(e.edges),    warp_sum(e.lane_slots), warp_sum(e.probes),
            warp_sum(e.collisions), warp_sum(e.occupied), warp_sum(e.slots),    warp_sum(e.moves)};
}
#endif
