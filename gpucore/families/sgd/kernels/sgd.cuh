// Shared by the kernels of matrix factorisation by stochastic gradient descent: one update, and the
// lanes that do it.
//
// Source: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU implementations of
// graph algorithms", IPDPS 2016, section II.  The paper leaves the rule of an update open; this is
// the usual one (Koren, Bell, Volinsky, "Matrix factorization techniques for recommender systems",
// 2009): with e = r - p.q, p += rate (e q - reg p) and q += rate (e p - reg q).
//
// A worker, the paper's thread, is a group of neighbouring lanes; each lane has some pairs of
// components.  Every multiplication and addition has a fixed place and rounding, so an update gives
// the same bits on every machine, and a sweep depends only on the order of its updates.
#pragma once

#include "record.cuh"

#define ALL_LANES 0xffffffffu
#define NONE -1
#define BIASES 1                // users and items have biases
#define POSITIVE 2              // components are kept at 0 or above
#define MOST_PAIRS 2            // pairs of components of a lane: k is at most 128

// The ratings in the order of the items; `count` of them.
struct Ratings {
    const int* users;
    const int* items;
    const float* values;
};

// What an update reads and writes besides the two vectors.
struct Rule {
    float* user_bias;           // read only with BIASES
    float* item_bias;
    float mean;                 // added to every prediction
    float rate, decay;          // decay: rate times regularisation
    int flags;                  // BIASES, POSITIVE
};

// The lanes of a worker: `width` of them, a power of two, from `lane` 0 on.  All workers of a warp
// come to an update together, with or without a rating: shuffles of a whole warp are several times
// as fast as those of a group of lanes.
struct Worker {
    int number, count;          // of this worker, and of all
    int first;                  // number of the first worker of the warp
    int lane, width;
    int pairs;                  // of components of a lane
    int warp;
};

__device__ inline Worker my_worker(int k, int workers)
{
    const int width = k / 2 < 32 ? k / 2 : 32;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    return {thread / width, workers, thread / 32 * 32 / width, (int)threadIdx.x % width, width,
            k / 2 / width, thread / 32};
}

struct Pair {
    float x, y;
};

// A vector that other workers may write is read and written whole words at a time, past the cache
// of the multiprocessor.
template <bool RACY> __device__ inline Pair load_pair(const float* at)
{
    if (!RACY) return {at[0], at[1]};
    const unsigned long long both = simt_load(reinterpret_cast<const unsigned long long*>(at));
    return {__uint_as_float((unsigned)both), __uint_as_float((unsigned)(both >> 32))};
}

template <bool RACY> __device__ inline void store_pair(float* at, Pair pair)
{
    if (!RACY) {
        at[0] = pair.x;
        at[1] = pair.y;
        return;
    }
    const unsigned long long both =
        (unsigned long long)__float_as_uint(pair.y) << 32 | __float_as_uint(pair.x);
    simt_store(reinterpret_cast<unsigned long long*>(at), both);
}

template <bool RACY> __device__ inline float load_one(const float* at)
{
    return RACY ? simt_load(at) : *at;
}

template <bool RACY> __device__ inline void store_one(float* at, float value)
{
    if (RACY)
        simt_store(at, value);
    else
        *at = value;
}

// One component after an update: own + rate (error other - reg own).
__device__ inline float moved(float own, float other, float step, Rule rule)
{
    const float to = __fmaf_rn(step, other, __fmaf_rn(-rule.decay, own, own));
    return rule.flags & POSITIVE && to < 0.0f ? 0.0f : to;
}

// A bias after an update.
__device__ inline float moved_bias(float own, float step, Rule rule)
{
    return __fadd_rn(step, __fmaf_rn(-rule.decay, own, own));
}

// What the error of a prediction leads to.
struct Error {
    float error, step;          // step: rate times error
};

// Predict a rating from the lanes' pairs of a user and an item, and move both vectors; all lanes of
// the warp call.  The biases are read only with BIASES.
__device__ inline Error move_vectors(Pair (&p)[MOST_PAIRS], Pair (&q)[MOST_PAIRS], float user_bias,
                                     float item_bias, float value, Rule rule, Worker me)
{
    float dot = 0.0f;
    for (int i = 0; i < me.pairs; ++i) {
        dot = __fmaf_rn(p[i].x, q[i].x, dot);
        dot = __fmaf_rn(p[i].y, q[i].y, dot);
    }
    for (int d = me.width / 2; d > 0; d /= 2)
        dot = __fadd_rn(dot, __shfl_xor_sync(ALL_LANES, dot, d));
    float predicted = __fadd_rn(dot, rule.mean);
    if (rule.flags & BIASES) predicted = __fadd_rn(__fadd_rn(predicted, user_bias), item_bias);
    const float error = __fsub_rn(value, predicted), step = __fmul_rn(rule.rate, error);
    for (int i = 0; i < me.pairs; ++i) {
        const Pair before = p[i];
        p[i] = {moved(p[i].x, q[i].x, step, rule), moved(p[i].y, q[i].y, step, rule)};
        q[i] = {moved(q[i].x, before.x, step, rule), moved(q[i].y, before.y, step, rule)};
    }
    return {error, step};
}

// Where the i-th pair of a lane is in a vector.
__device__ inline int place_of_pair(int i, Worker me) { return 2 * (me.lane + i * me.width); }

// Update the vectors `p` of a user and `q` of an item by one rating, if the worker `works`; all lanes
// of the warp call.  Returns the error of the prediction before.
template <bool RACY_USER, bool RACY_ITEM>
__device__ inline float update(bool works, float* p, float* q, int user, int item, float value,
                               Rule rule, Worker me)
{
    Pair of_user[MOST_PAIRS], of_item[MOST_PAIRS];
    for (int i = 0; i < me.pairs; ++i) {
        of_user[i] = works ? load_pair<RACY_USER>(p + place_of_pair(i, me)) : Pair{0.0f, 0.0f};
        of_item[i] = works ? load_pair<RACY_ITEM>(q + place_of_pair(i, me)) : Pair{0.0f, 0.0f};
    }
    const bool biased = works && rule.flags & BIASES;
    const float user_bias = biased ? load_one<RACY_USER>(rule.user_bias + user) : 0.0f;
    const float item_bias = biased ? load_one<RACY_ITEM>(rule.item_bias + item) : 0.0f;
    const Error found = move_vectors(of_user, of_item, user_bias, item_bias, value, rule, me);
    for (int i = 0; works && i < me.pairs; ++i) {
        store_pair<RACY_USER>(p + place_of_pair(i, me), of_user[i]);
        store_pair<RACY_ITEM>(q + place_of_pair(i, me), of_item[i]);
    }
    __syncwarp();               // all lanes have read the biases
    if (biased && me.lane == 0) {
        store_one<RACY_USER>(rule.user_bias + user, moved_bias(user_bias, found.step, rule));
        store_one<RACY_ITEM>(rule.item_bias + item, moved_bias(item_bias, found.step, rule));
    }
    return found.error;
}

enum SgdEvent : unsigned {
    NO_EVENT = 0,
    UPDATE = 1,                 // user, item, rating; error; step
    DEFER_USER = 2,             // user, item, rating: the user was locked
    DEFER_ITEM = 3              // user, item, rating: the item was locked
};

// The first lane of a worker records one event: `which` is the number of the rating, `step` that of
// the step of the schedule, `pass` that of the launch or of the pass over the ratings.
#if RECORD >= 2
#define TELL(kind, user, item, which, error, step)                                                \
    record_event(rec, pass, me.warp, kind, user, item, which, error, step)
#else
#define TELL(kind, user, item, which, error, step)
#endif

// What a worker did in a pass; its first lane has the numbers, the others have zeros.
struct Effort {
    unsigned updates, user_busy, item_busy, turns, slots, atomics, barriers, scanned;
};

#if RECORD >= 1
// All lanes of the warp call.
__device__ inline void record_effort(Recorder* rec, Worker me, int pass, Effort e)
{
    const unsigned words[8] = {warp_sum(e.updates), warp_sum(e.user_busy), warp_sum(e.item_busy),
                               warp_largest(e.turns), warp_sum(e.slots),   warp_sum(e.atomics),
                               warp_largest(e.barriers), warp_sum(e.scanned)};
    if (threadIdx.x % 32 == 0) add_words_to_row(rec, me.warp, pass, words);
}
#endif
