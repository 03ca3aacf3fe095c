// The schedule of "fast" and what a block has in shared memory: vectors of items in fixed point,
// ratings, and the numbers of its tiles.  The kernels of sgd_stripes.cu say what it is for.
#pragma once

#include "async_copy.cuh"
#include "sgd.cuh"
#include "sgd_half.cuh"

#define TOGETHER 4.0f           // ratings of a round that may move an item by their sum
#define WIDE 128                // half vectors of this length have eight components a lane, others four
#define SHARES 256              // one more than the most ratings of a round that have an item

// The components of a lane: component N lane + j is part j.
template <int N> struct __align__(16) Parts {
    float part[N];
};

template <int N> struct __align__(2 * N) HalfParts {
    Half part[N];
};

// What they are in memory.
template <class Number, int N> struct Stored;
template <int N> struct Stored<float, N> { typedef Parts<N> type; };
template <int N> struct Stored<Half, N> { typedef HalfParts<N> type; };

template <int N, class Number>
__device__ inline typename Stored<Number, N>::type fetch_parts(const Number* at)
{
    return *reinterpret_cast<const typename Stored<Number, N>::type*>(at);
}

template <int N> __device__ inline Parts<N> single_parts(Parts<N> parts) { return parts; }

template <int N> __device__ inline Parts<N> single_parts(HalfParts<N> half)
{
    Parts<N> parts;
    for (int j = 0; j < N; ++j) parts.part[j] = single_of(half.part[j]);
    return parts;
}

template <int N> __device__ inline void store_parts(float* at, Parts<N> parts)
{
    *reinterpret_cast<Parts<N>*>(at) = parts;
}

template <int N> __device__ inline void store_parts(Half* at, Parts<N> parts)
{
    HalfParts<N> half;
    for (int j = 0; j < N; ++j) half.part[j] = half_of(parts.part[j]);
    *reinterpret_cast<HalfParts<N>*>(at) = half;
}

// The number that memory would give back.
__device__ inline float as_stored(float value, const float*) { return value; }
__device__ inline float as_stored(float value, const Half*) { return single_of(half_of(value)); }

// Fixed point: a number is an integer divided by `scale`, a power of two.
struct Fixed {
    float scale, unit;          // unit: 1 / scale
};

__device__ inline int fixed_of(float value, Fixed fixed)
{
    return __float2int_rn(__fmul_rn(value, fixed.scale));
}

// The integer as it is read: with POSITIVE it is 0 or above.
__device__ inline int read_fixed(const int* at, Rule rule)
{
    return rule.flags & POSITIVE ? max(*at, 0) : *at;
}

// sum - count number, where the sum may have gone round.
__device__ inline int less(int sum, int count, int number)
{
    return (int)((unsigned)sum - (unsigned)count * (unsigned)number);
}

__device__ inline float value_of(int number, Fixed fixed)
{
    return __fmul_rn(__int2float_rn(number), fixed.unit);
}

// The part of their sum by which `count` changes count.
__device__ inline float share_of(int count)
{
    return count <= TOGETHER ? 1.0f : __fdiv_rn(TOGETHER, (float)count);
}

// A word for each rating: the item's row, whether the rating is the first one of its user for the
// worker, how many of the round have the item, and the user's place among those that are split.
__device__ inline int row_of(int word) { return word & 0x7fff; }
__device__ inline bool is_first(int word) { return word & 0x8000; }
__device__ inline int sharing(int word) { return word >> 16 & 0xff; }
__device__ inline int split_of(int word) { return (word >> 24) - 1; }

// A rating as it is stored; `which` is its number.
struct __align__(16) Entry {
    int user, word;
    float value;
    int which;
};

// The schedule: tile t of stripe s is number s turns + t, its workers' ratings begin at
// `starts[tile workers + worker]`, and it takes `rounds[tile]` rounds; `steps` are those before each
// turn.  The items of a stripe are `columns[begins[s]]` to `columns[begins[s + 1] - 1]`.  The split
// users of a tile, and their numbers of parts, are those from `splits[tile]` to `splits[tile + 1]`.
struct Stripes {
    const Entry* entries;
    const int* starts;
    const int* rounds;
    const int* steps;
    const int* columns;
    const int* begins;
    const int* splits;
    const int* split_users;
    const int* split_parts;
    int stripes, turns, workers, most_rows, most_splits, most_ratings;
};

// The shared memory of a block: items, split users, by what changes are multiplied if so many
// ratings of a round have the item, two lists of ratings, and three of the tiles' numbers.
struct Shared {
    int* rows;
    int* sums;
    float* shares;
    Entry* ratings;
    int* numbers;
};

__device__ inline Shared shared_in(int* memory, Stripes plan, int stride)
{
    // Entries come first: they are read 16 bytes at a time.
    Entry* const ratings = reinterpret_cast<Entry*>(memory);
    int* const rows = memory + 2 * plan.most_ratings * (int)(sizeof(Entry) / sizeof(int));
    int* const sums = rows + plan.most_rows * stride;
    int* const shares = sums + plan.most_splits * stride;
    return {rows, sums, reinterpret_cast<float*>(shares), ratings, shares + SHARES};
}

__device__ inline Entry* ratings_of(Stripes plan, Shared shared, int n)
{
    return shared.ratings + n % 2 * plan.most_ratings;
}

// The n-th tile of this block.
__device__ inline int tile_number(Stripes plan, int n)
{
    return ((int)blockIdx.x + n / plan.turns * (int)gridDim.x) * plan.turns + n % plan.turns;
}

// The numbers of the n-th tile: where the ratings of its workers begin and the last ones end, its
// rounds, where its split users begin and end.
__device__ inline int* numbers_of(Stripes plan, Shared shared, int n)
{
    return shared.numbers + n % 3 * (plan.workers + 4);
}

// Begin to copy the numbers of the n-th tile.
__device__ inline void fetch_numbers(Stripes plan, Shared shared, int n)
{
    const int tile = tile_number(plan, n), workers = plan.workers;
    int* const to = numbers_of(plan, shared, n);
    for (int i = threadIdx.x; i < workers + 4; i += blockDim.x)
        copy_word(to + i, i <= workers        ? plan.starts + tile * workers + i
                          : i == workers + 1 ? plan.rounds + tile
                                             : plan.splits + tile + (i - workers - 2));
}

// Begin to copy the ratings of the n-th tile, whose numbers are here.
__device__ inline void fetch_ratings(Stripes plan, Shared shared, int n)
{
    const int* const numbers = numbers_of(plan, shared, n);
    const int begin = numbers[0], count = numbers[plan.workers] - begin;
    Entry* const to = ratings_of(plan, shared, n);
    for (int i = threadIdx.x; i < count; i += blockDim.x) copy_16(to + i, plan.entries + begin + i);
}

// Wait until the users of the n-th tile are free.  In the turn before they were with the next block;
// the last block's were with the first one, more turns ago if there are more stripes than blocks.
// One thread calls; the others wait at a barrier.
__device__ inline void await_users(Stripes plan, const int* progress, int n)
{
    const int blocks = gridDim.x, next = (blockIdx.x + 1) % blocks;
    const int wanted = n - (next == 0 ? plan.turns - blocks : 0);
    while (simt_load(progress + next) < wanted) __nanosleep(20);
    __threadfence();
}

// Let the next block have the users of the n-th tile.
__device__ inline void release_users(int* progress, int n)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        simt_store(progress + blockIdx.x, n + 1);
    }
}

// The lanes of a worker, and where they are in its block.
struct Group {
    int lane, width, worker;
    int stride;                 // words from row to row, which begin in different banks
    int warp;
};

// Where part j of a lane is in a row of shared memory: the lanes of a group in neighbouring banks.
__device__ inline int part_at(int j, Group me) { return j * me.width + me.lane; }

// Where component c is in a row.
__device__ inline int place_in_row(int c, int k, Group me)
{
    const int parts = k / me.width;
    return c % parts * me.width + c / parts;
}

// Copy the vectors of a stripe's items to shared memory.
__device__ inline void read_items(Stripes plan, int stripe, const float* item_vectors, int k,
                                  Rule rule, Fixed fixed, Shared shared, Group me)
{
    const int first = plan.begins[stripe], count = plan.begins[stripe + 1] - first;
    for (int i = threadIdx.x; i < count * k; i += blockDim.x) {
        const int row = i / k, c = i % k;
        const float own = item_vectors[(long long)plan.columns[first + row] * k + c];
        shared.rows[row * me.stride + place_in_row(c, k, me)] = fixed_of(own, fixed);
    }
    for (int row = threadIdx.x; rule.flags & BIASES && row < count; row += blockDim.x)
        shared.rows[row * me.stride + k] =
            fixed_of(rule.item_bias[plan.columns[first + row]], fixed);
}

__device__ inline void write_items(Stripes plan, int stripe, float* item_vectors, int k, Rule rule,
                                   Fixed fixed, Shared shared, Group me)
{
    const int first = plan.begins[stripe], count = plan.begins[stripe + 1] - first;
    for (int i = threadIdx.x; i < count * k; i += blockDim.x) {
        const int row = i / k, c = i % k;
        const int at = row * me.stride + place_in_row(c, k, me);
        item_vectors[(long long)plan.columns[first + row] * k + c] =
            value_of(read_fixed(shared.rows + at, rule), fixed);
    }
    for (int row = threadIdx.x; rule.flags & BIASES && row < count; row += blockDim.x)
        rule.item_bias[plan.columns[first + row]] =
            value_of(shared.rows[row * me.stride + k], fixed);
}

// The part of a tile that a worker has: its ratings, and the tile's rounds and split users.
struct Share {
    const Entry* ratings;
    int count, rounds, first_split, end_split;
};

__device__ inline Share share_in(Stripes plan, Shared shared, int n, Group me)
{
    const int* const numbers = numbers_of(plan, shared, n);
    const int begin = numbers[me.worker];
    return {ratings_of(plan, shared, n) + begin - numbers[0], numbers[me.worker + 1] - begin,
            numbers[plan.workers + 1], numbers[plan.workers + 2], numbers[plan.workers + 3]};
}
