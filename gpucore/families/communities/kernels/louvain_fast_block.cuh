// Louvain, tuned: the graph of a small stage in the memory of one block, and its contraction there.
#pragma once

#include "louvain_fast_tables.cuh"

// Arrays in shared memory while there is room, then outside.
struct Pool {
    unsigned char* near;
    int room;                   // bytes left there
    unsigned char* far;

    __device__ bool fits(int bytes) const { return bytes <= room; }
};

__device__ inline int padded(long long bytes) { return (int)((bytes + 7) / 8 * 8); }

template <class T> __device__ inline T* take(Pool& pool, int count)
{
    const int bytes = padded(count * (long long)sizeof(T));
    if (!pool.fits(bytes)) {
        T* const array = (T*)pool.far;
        pool.far += bytes;
        return array;
    }
    T* const array = (T*)pool.near;
    pool.near += bytes;
    pool.room -= bytes;
    return array;
}

// An array, copied to shared memory if it fits; then all must meet.
template <class T> __device__ inline const T* nearer(Pool& pool, const T* array, int count)
{
    if (!pool.fits(padded(count * (long long)sizeof(T)))) return array;
    T* const copy = take<T>(pool, count);
    for (int i = threadIdx.x; i < count; i += blockDim.x) copy[i] = array[i];
    return copy;
}

// The graph of a stage.
struct Lists {
    long long* indptr;
    int* indices;
    Weight* sums;
    Weight* strength;
};

__device__ inline Lists lists_in(Pool& pool, int n, int entries)
{
    return {take<long long>(pool, n + 1), take<int>(pool, entries), take<Weight>(pool, entries),
            take<Weight>(pool, n)};
}

// Exclusive sums of `n` numbers; element `n` gets the sum of all.  All threads of the block call.
__device__ inline void prefix_sums(int* numbers, int n, int* warps)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int each = (n + blockDim.x - 1) / blockDim.x;
    const int from = min(n, (int)threadIdx.x * each), to = min(n, from + each);
    int mine = 0;
    for (int i = from; i < to; ++i) mine += numbers[i];
    int before = mine;
    for (int d = 1; d < 32; d *= 2) {
        const int other = __shfl_up_sync(ALL_LANES, before, d);
        if (lane >= d) before += other;
    }
    if (lane == 31) warps[warp] = before;
    __syncthreads();
    before -= mine;
    for (int w = 0; w < warp; ++w) before += warps[w];
    for (int i = from; i < to; ++i) {
        const int number = numbers[i];
        numbers[i] = before;
        before += number;
    }
    if (threadIdx.x == blockDim.x - 1) numbers[n] = before;
    __syncthreads();
}

// Copy the vertices with edges, `live`, numbered in this order.  `number` has n + 1 places.
__device__ inline void gather(const Lists& to, int n, const int* live, int* number_of, const Level& level,
                              const Weight* strength, int* number, int* warps)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const int v = live[i];
        number_of[v] = i;
        number[i] = (int)(level.indptr[v + 1] - level.indptr[v]);
        to.strength[i] = strength[v];
    }
    __syncthreads();
    prefix_sums(number, n, warps);
    for (int i = threadIdx.x; i <= n; i += blockDim.x) to.indptr[i] = number[i];
    const int member = threadIdx.x % 8;                     // eight threads copy a list
    for (int i = threadIdx.x / 8; i < n; i += blockDim.x / 8) {
        const long long begin = level.indptr[live[i]] - number[i];
        for (int e = number[i] + member; e < number[i + 1]; e += 8) {
            to.indices[e] = number_of[level.indices[begin + e]];
            to.sums[e] = weight_of(level, begin + e);
        }
    }
    __syncthreads();
}

// The vertices by class of degree; class k begins at `first[k]`, and `cursor` has a place for each
// class.  All threads of the block call.
__device__ inline void sort_by_class(const long long* indptr, int n, int* order, int* first, int* cursor)
{
    if (threadIdx.x <= CLASSES) first[threadIdx.x] = 0;
    __syncthreads();
    for (int v = threadIdx.x; v < n; v += blockDim.x)
        atomicAdd(first + 1 + class_of(indptr[v + 1] - indptr[v]), 1);
    __syncthreads();
    if (threadIdx.x == 0)
        for (int k = 0; k < CLASSES; ++k) {
            cursor[k] = first[k];
            first[k + 1] += first[k];
        }
    __syncthreads();
    for (int v = threadIdx.x; v < n; v += blockDim.x)
        order[atomicAdd(cursor + class_of(indptr[v + 1] - indptr[v]), 1)] = v;
    __syncthreads();
}

// Number the communities that have members from 0, write every vertex's number, and their strengths;
// returns how many there are.  `number` has n + 1 places.  All threads of the block call.
__device__ inline int renumber(Partition p, int n, int* number, int* label, int* mapping, Weight* strength,
                               int* warps)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) number[i] = 0;
    __syncthreads();
    for (int v = threadIdx.x; v < n; v += blockDim.x) simt_store(number + p.community[v], 1);
    __syncthreads();
    prefix_sums(number, n, warps);
    for (int v = threadIdx.x; v < n; v += blockDim.x) {
        label[v] = mapping[v] = number[p.community[v]];
        if (number[v + 1] != number[v]) strength[number[v]] = p.total[v];
    }
    __syncthreads();
    return number[n];
}

// Add up the edges between all pairs of communities; edges without weight are left out.  Eight
// threads add those of a vertex, those inside its community once.  All threads of the block call.
__device__ inline void add_pairs(Level level, int n, const int* label, int communities,
                                 HalfTable pairs)
{
    RECORD_COUNTERS(Effort effort = {0, 0, 0, 0, 0, 0, 0, 0};)
    const auto add_pair = [&](int one, int two, Weight sum) {
        bool fresh = false;
        add_at(pairs,
               slot_for(pairs, one * communities + two, pairs.size, fresh
                        RECORD_COUNTERS(, effort)),
               sum);
    };
    const int member = threadIdx.x % 8, each = blockDim.x / 8;
    for (int first = 0; first < n; first += each) {         // all lanes meet at the shuffles
        const int v = first + threadIdx.x / 8;
        const long long end = v < n ? level.indptr[v + 1] : 0;
        const int mine = v < n ? label[v] : -1;
        Weight inside = 0;
        for (long long e = v < n ? level.indptr[v] + member : 0; e < end; e += 8) {
            const int other = label[level.indices[e]];
            if (other == mine) inside += level.sums[e];
            else if (level.sums[e]) add_pair(mine, other, level.sums[e]);
        }
        for (int d = 4; d > 0; d /= 2) inside += __shfl_xor_sync(ALL_LANES, inside, d);
        if (member == 0 && inside) add_pair(mine, mine, inside);
    }
}

// Write the lists of the communities from the sums of pairs; returns this thread's share of the
// modularity.  `number` has a place for each, and one.  All threads of the block call.
__device__ inline double write_lists(Partition p, Lists to, int communities, HalfTable pairs, int* number,
                                     int* warps)
{
    double share = 0.0;
    for (int c = threadIdx.x; c < communities; c += blockDim.x) {
        const double part = (double)to.strength[c] / p.two_m;
        share -= p.resolution * part * part;
        number[c] = 0;
    }
    __syncthreads();
    for (unsigned slot = threadIdx.x; slot < pairs.size; slot += blockDim.x) {
        const int key = pairs.keys[slot];
        if (key == NO_KEY) continue;
        atomicAdd(number + key / communities, 1);
        if (key / communities == key % communities) share += (double)sum_at(pairs, slot) / p.two_m;
    }
    __syncthreads();
    prefix_sums(number, communities, warps);
    for (int c = threadIdx.x; c <= communities; c += blockDim.x) to.indptr[c] = number[c];
    __syncthreads();
    for (unsigned slot = threadIdx.x; slot < pairs.size; slot += blockDim.x) {
        const int key = pairs.keys[slot];
        if (key == NO_KEY) continue;
        const int place = atomicAdd(number + key / communities, 1);
        to.indices[place] = key % communities;
        to.sums[place] = sum_at(pairs, slot);
    }
    __syncthreads();
    return share;
}
