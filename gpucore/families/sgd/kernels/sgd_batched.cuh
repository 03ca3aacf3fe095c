// Shared memory and registers of batched node locking: users that a warp has taken, its item, and one
// update of both.
//
// The bits are those of `update` in sgd.cuh, with fewer shuffles: the updates of an item follow one
// another, so what counts is how long one takes.
#pragma once

#include "sgd.cuh"

#define PARTS 4                 // pairs of components of a lane that predicts
#define HEAD 4                  // numbers of a row before the vector

// The warp's lanes in two layouts.  To predict, `width` lanes have PARTS pairs each, and all groups
// of lanes do the same.  To move a user, lane i has the pairs i, i + 32, ... of the `pairs` there are.
struct Lanes {
    int lane, k, pairs, width;
    int stride;                 // numbers from row to row of shared memory
};

__device__ inline Lanes lanes_for(int k)
{
    return {(int)threadIdx.x % 32, k, k / 2, k / (2 * PARTS), k + HEAD};
}

// Where a pair is in a row: those of a predicting lane together.
__device__ inline int place_in_row(int pair, Lanes me)
{
    return HEAD + 2 * (pair % me.width * PARTS + pair / me.width);
}

// A rating whose user was taken, and the user's bias.
struct __align__(16) Rating {
    int user;
    float value;
    int which;
    float bias;
};

// A row of shared memory, as a lane reads it.
struct Held {
    Rating rating;
    Pair parts[PARTS], own[MOST_PAIRS];
};

__device__ inline Held fetch_held(const float* row, Lanes me)
{
    Held found;
    found.rating = *reinterpret_cast<const Rating*>(row);
    const float* const parts = row + HEAD + 2 * PARTS * (me.lane % me.width);
    for (int i = 0; i < PARTS; ++i) found.parts[i] = load_pair<false>(parts + 2 * i);
    for (int i = 0; i < MOST_PAIRS; ++i)
        if (32 * i < me.pairs)
            found.own[i] = load_pair<false>(row + place_in_row(me.lane % me.pairs + 32 * i, me));
    return found;
}

// The vector of the warp's item, in both layouts.
struct Item {
    Pair parts[PARTS], own[MOST_PAIRS];
    float bias;
};

__device__ inline Item fetch_item(const float* vector, float bias, Lanes me)
{
    Item item;
    item.bias = bias;
    for (int i = 0; i < PARTS; ++i)
        item.parts[i] = load_pair<false>(vector + 2 * (me.lane % me.width + i * me.width));
    for (int i = 0; i < MOST_PAIRS; ++i)
        if (32 * i < me.pairs)
            item.own[i] = load_pair<false>(vector + 2 * (me.lane % me.pairs + 32 * i));
    return item;
}

// The product of two vectors, in the order of additions of `move_vectors`: from the farthest pairs
// to the nearest, but with more than 32 pairs first the two of a lane.
__device__ inline float product(const Pair (&p)[PARTS], const Pair (&q)[PARTS], Lanes me)
{
    const bool long_sums = me.pairs > 32;
    float sums[PARTS];
    for (int i = 0; i < PARTS; ++i) {
        const float before = long_sums && i >= PARTS / 2 ? sums[(i + PARTS / 2) % PARTS] : 0.0f;
        sums[i] = __fmaf_rn(p[i].y, q[i].y, __fmaf_rn(p[i].x, q[i].x, before));
    }
    float dot = long_sums ? __fadd_rn(sums[2], sums[3])
                          : __fadd_rn(__fadd_rn(sums[0], sums[2]), __fadd_rn(sums[1], sums[3]));
    for (int d = me.width / 2; d > 0; d /= 2)
        dot = __fadd_rn(dot, __shfl_xor_sync(ALL_LANES, dot, d));
    return dot;
}

__device__ inline Pair moved_pair(Pair own, Pair other, float step, Rule rule)
{
    return {moved(own.x, other.x, step, rule), moved(own.y, other.y, step, rule)};
}

// Move the item by a rating, and the user: `held.own` and its bias; all lanes call.
__device__ inline float move(Item& item, Held& held, Rule rule, Lanes me)
{
    const bool biased = rule.flags & BIASES;
    float predicted = __fadd_rn(product(held.parts, item.parts, me), rule.mean);
    if (biased) predicted = __fadd_rn(__fadd_rn(predicted, held.rating.bias), item.bias);
    const float error = __fsub_rn(held.rating.value, predicted), step = __fmul_rn(rule.rate, error);
    for (int i = 0; i < PARTS; ++i)
        item.parts[i] = moved_pair(item.parts[i], held.parts[i], step, rule);
    for (int i = 0; i < MOST_PAIRS; ++i) {
        if (32 * i >= me.pairs) break;
        const Pair before = item.own[i];
        item.own[i] = moved_pair(before, held.own[i], step, rule);
        held.own[i] = moved_pair(held.own[i], before, step, rule);
    }
    if (biased) {
        held.rating.bias = moved_bias(held.rating.bias, step, rule);
        item.bias = moved_bias(item.bias, step, rule);
    }
    return error;
}

// Put a user back.
__device__ inline void put_user(const Held& held, float* user_vectors, Rule rule, Lanes me)
{
    float* const vector = user_vectors + (long long)held.rating.user * me.k;
    for (int i = 0; i < MOST_PAIRS; ++i)
        if (me.lane < me.pairs && 32 * i < me.pairs)
            store_pair<true>(vector + 2 * (me.lane + 32 * i), held.own[i]);
    if (rule.flags & BIASES && me.lane == 0)
        store_one<true>(rule.user_bias + held.rating.user, held.rating.bias);
}
