// Matrix factorisation by stochastic gradient descent: stripes of users and items, ours.
//
// Sources: Gemulla, Nijkamp, Haas, Sismanis, "Large-scale matrix factorization with distributed
// stochastic gradient descent", KDD 2011 (DSGD: what multiprocessors work on at a time shares no
// user and no item); Xie, Tan, Fong, Liang, "CuMF_SGD", HPDC 2017 (half precision, a warp's lanes
// share a vector).
//
// Users and items are cut into stripes; a tile is what a stripe of users has rated in a stripe of
// items.  A block keeps the vectors of its stripe of items in shared memory for the whole sweep,
// and processes one tile after the other; the tiles of a turn share no user and no item.  In a tile
// each worker has users of its own, whose vectors it keeps in registers.  All workers of a block
// take a rating in the same round: they read the item's vector, meet, add what changes it, meet.
//
// Ratings of a round may have the same item.  Then the item moves by the sum of their changes, and if
// there are more than TOGETHER by so many times their mean, since a sum of many would overshoot.
// An item's vector is in fixed point: integers add up to the same sum in every order, so the result
// depends on the schedule alone, bit by bit, and no change is lost.
#include "simt.h"

#include "sgd.cuh"
#include "sgd_half.cuh"

#define TOGETHER 4.0f           // ratings of a round that may move an item by their sum
#define LANE_PARTS 4            // components of a lane
#define GAP 4                   // words between two rows, so that rows begin in different banks

// Four components of a user; component 4 lane + j is part j of a lane.
struct __align__(16) Quad {
    float part[LANE_PARTS];
};

struct __align__(8) HalfQuad {
    Half part[LANE_PARTS];
};

__device__ inline Quad load_quad(const float* at) { return *reinterpret_cast<const Quad*>(at); }

__device__ inline void store_quad(float* at, Quad quad) { *reinterpret_cast<Quad*>(at) = quad; }

__device__ inline Quad load_quad(const Half* at)
{
    const HalfQuad half = *reinterpret_cast<const HalfQuad*>(at);
    Quad quad;
    for (int j = 0; j < LANE_PARTS; ++j) quad.part[j] = single_of(half.part[j]);
    return quad;
}

__device__ inline void store_quad(Half* at, Quad quad)
{
    HalfQuad half;
    for (int j = 0; j < LANE_PARTS; ++j) half.part[j] = half_of(quad.part[j]);
    *reinterpret_cast<HalfQuad*>(at) = half;
}

// The number that memory would give back.
__device__ inline float as_stored(float value, const float*) { return value; }
__device__ inline float as_stored(float value, const Half*) { return single_of(half_of(value)); }

// Fixed point: a number is an integer times `unit`, a power of two.  It is read as one from `least`
// to `most`; the integers have room for ten times as much.
struct Fixed {
    float scale, unit, least, most;
};

__device__ inline int fixed_of(float value, float scale)
{
    return __float2int_rn(__fmul_rn(value, scale));
}

__device__ inline float value_of(int number, Fixed fixed)
{
    const float value = __fmul_rn(__int2float_rn(number), fixed.unit);
    return fminf(fmaxf(value, fixed.least), fixed.most);
}

// What an update adds to `own`: rate (error other - reg own), within the bounds.
__device__ inline float change(float own, float other, float step, Rule rule, Fixed fixed)
{
    const float by = __fmaf_rn(step, other, __fmul_rn(-rule.decay, own));
    return fminf(fmaxf(by, __fsub_rn(fixed.least, own)), __fsub_rn(fixed.most, own));
}

// The scale of the changes of `count` ratings of a round that have the same item.
__device__ inline float share_of(int count, Fixed fixed)
{
    return count <= TOGETHER ? fixed.scale : __fdiv_rn(__fmul_rn(fixed.scale, TOGETHER), (float)count);
}

// A rating in the order of the schedule.
struct Next {
    int user;                   // NONE: there is none
    int item;                   // its row, and from bit 16 on how many of the round have this item
    float value;
};

__device__ inline Next fetch(const int* users, const int* rows, const float* values, int at, int end)
{
    if (at >= end) return {NONE, 1 << 16, 0.0f};
    return {users[at], rows[at], values[at]};
}

// The schedule: tile t of stripe s is number s turns + t, its workers' ratings begin at
// `starts[tile workers + worker]`, and it takes `rounds[tile]` rounds; `steps` are those before each
// turn.  The items of a stripe are `columns[begins[s]]` to `columns[begins[s + 1] - 1]`.
struct Stripes {
    const int* users;
    const int* rows;
    const float* values;
    const int* which;           // the rating's number
    const int* starts;
    const int* rounds;
    const int* steps;
    const int* columns;
    const int* begins;
    int stripes, turns, workers;
};

template <class Number>
__device__ void sweep_stripes(Stripes plan, Number* user_vectors, float* item_vectors, int k,
                              Rule rule, Fixed fixed, unsigned* barrier, int* shared,
                              int pass RECORD_PARAMS)
{
    const int width = k / LANE_PARTS, lane = threadIdx.x % width, worker = threadIdx.x / width;
    const int stride = k + GAP, blocks = gridDim.x;
    const unsigned one = width == 32 ? ALL_LANES : (1u << width) - 1;
    const unsigned mask = one << (int)(threadIdx.x % 32) / width * width;
    const bool biased = rule.flags & BIASES;
#if RECORD >= 1
    const int number = blockIdx.x * plan.workers + worker;
    const Worker me = {number, blocks * plan.workers, lane, width, mask, 0,
                       (int)(blockIdx.x * blockDim.x + threadIdx.x) / 32};
    Effort done = {0, 0, 0, 0, 0, 0, 0, 0};
#endif
    for (int stripe = blockIdx.x; stripe < plan.stripes; stripe += blocks) {
        const int first = plan.begins[stripe], count = plan.begins[stripe + 1] - first;
        for (int i = threadIdx.x; i < count * k; i += blockDim.x) {
            const int row = i / k, c = i % k;
            const float own = item_vectors[(long long)plan.columns[first + row] * k + c];
            shared[row * stride + c % LANE_PARTS * width + c / LANE_PARTS] = fixed_of(own, fixed.scale);
        }
        for (int row = threadIdx.x; biased && row < count; row += blockDim.x)
            shared[row * stride + k] = fixed_of(rule.item_bias[plan.columns[first + row]], fixed.scale);
        __syncthreads();
        for (int turn = 0; turn < plan.turns; ++turn) {
            const int tile = stripe * plan.turns + turn, rounds = plan.rounds[tile];
            const int begin = plan.starts[tile * plan.workers + worker];
            const int end = plan.starts[tile * plan.workers + worker + 1];
            Next now, next = fetch(plan.users, plan.rows, plan.values, begin, end);
            Next later = fetch(plan.users, plan.rows, plan.values, begin + 1, end);
            int user = NONE;
            float bias = 0.0f, bias_ahead = 0.0f;
            Quad p = {{0, 0, 0, 0}}, ahead = p;
            if (next.user != NONE) {
                ahead = load_quad(user_vectors + (long long)next.user * k + LANE_PARTS * lane);
                if (biased) bias_ahead = rule.user_bias[next.user];
            }
            for (int r = 0; r < rounds; ++r) {
                now = next, next = later;
                later = fetch(plan.users, plan.rows, plan.values, begin + r + 2, end);
                if (now.user != user) {
                    if (user != NONE) {
                        store_quad(user_vectors + (long long)user * k + LANE_PARTS * lane, p);
                        if (biased && lane == 0) rule.user_bias[user] = bias;
                    }
                    user = now.user, p = ahead, bias = bias_ahead;
                }
                // A user's ratings follow one another, so nothing changes what is fetched ahead.
                if (next.user != NONE && next.user != user) {
                    ahead = load_quad(user_vectors + (long long)next.user * k + LANE_PARTS * lane);
                    if (biased) bias_ahead = rule.user_bias[next.user];
                }
                int* const row = shared + (now.item & 0xffff) * stride;
                int by[LANE_PARTS], bias_by = 0;
                if (user != NONE) {
                    float q[LANE_PARTS], dot = 0.0f;
                    for (int j = 0; j < LANE_PARTS; ++j) {
                        q[j] = value_of(row[j * width + lane], fixed);
                        dot = __fmaf_rn(p.part[j], q[j], dot);
                    }
                    for (int d = width / 2; d > 0; d /= 2)
                        dot = __fadd_rn(dot, __shfl_xor_sync(mask, dot, d));
                    float predicted = __fadd_rn(dot, rule.mean), own = 0.0f;
                    if (biased) {
                        own = value_of(row[k], fixed);
                        predicted = __fadd_rn(__fadd_rn(predicted, bias), own);
                    }
                    const float error = __fsub_rn(now.value, predicted);
                    const float step = __fmul_rn(rule.rate, error);
                    const float share = share_of(now.item >> 16, fixed);
                    for (int j = 0; j < LANE_PARTS; ++j) {
                        by[j] = fixed_of(change(q[j], p.part[j], step, rule, fixed), share);
                        p.part[j] = as_stored(moved(p.part[j], q[j], step, rule), user_vectors);
                    }
                    if (biased) {
                        const float down = __fmul_rn(-rule.decay, own);
                        bias_by = fixed_of(__fadd_rn(step, down), share);
                        bias = __fadd_rn(step, __fmaf_rn(-rule.decay, bias, bias));
                    }
                    RECORD_COUNTERS(done.updates += lane == 0; done.atomics += lane == 0;)
                    if (lane == 0)
                        TELL(UPDATE, user, plan.columns[first + (now.item & 0xffff)],
                             plan.which[begin + r], error, plan.steps[stripe / blocks * plan.turns
                                                                      + turn] + r);
                }
                __syncthreads();    // all have read the items' vectors
                if (user != NONE) {
                    for (int j = 0; j < LANE_PARTS; ++j) atomicAdd(row + j * width + lane, by[j]);
                    if (biased && lane == 0) atomicAdd(row + k, bias_by);
                }
                __syncthreads();
            }
            if (user != NONE) {
                store_quad(user_vectors + (long long)user * k + LANE_PARTS * lane, p);
                if (biased && lane == 0) rule.user_bias[user] = bias;
            }
            RECORD_COUNTERS(done.turns += rounds; done.barriers += 2 * rounds + 1;
                            done.slots += lane == 0 ? rounds : 0;)
            simt_grid_sync(barrier);
        }
        for (int i = threadIdx.x; i < count * k; i += blockDim.x) {
            const int row = i / k, c = i % k;
            const int at = row * stride + c % LANE_PARTS * width + c / LANE_PARTS;
            item_vectors[(long long)plan.columns[first + row] * k + c] = value_of(shared[at], fixed);
        }
        for (int row = threadIdx.x; biased && row < count; row += blockDim.x)
            rule.item_bias[plan.columns[first + row]] = value_of(shared[row * stride + k], fixed);
        __syncthreads();
    }
    RECORD_COUNTERS(record_effort(rec, me, pass, done);)
}

SIMT_KERNEL(sgd_stripes, __launch_bounds__(1024))
(float* user_vectors, float* item_vectors, int k, float* user_bias, float* item_bias, float mean,
 float rate, float decay, int flags, float scale, float unit, float most, const int* users,
 const int* rows, const float* values, const int* which, const int* starts, const int* rounds,
 const int* steps, const int* columns, const int* begins, int stripes, int turns, int workers,
 unsigned* barrier, int pass RECORD_PARAMS)
{
    SIMT_DYN_SHARED(int, shared);
    const Rule rule = {user_bias, item_bias, mean, rate, decay, flags};
    const Fixed fixed = {scale, unit, flags & POSITIVE ? 0.0f : -most, most};
    const Stripes plan = {users, rows,    values, which,   starts, rounds,
                          steps, columns, begins, stripes, turns,  workers};
    sweep_stripes(plan, user_vectors, item_vectors, k, rule, fixed, barrier, shared,
                  pass RECORD_COUNTERS(, rec));
}

SIMT_KERNEL(sgd_stripes_half, __launch_bounds__(1024))
(unsigned short* user_vectors, float* item_vectors, int k, float* user_bias, float* item_bias, float mean,
 float rate, float decay, int flags, float scale, float unit, float most, const int* users,
 const int* rows, const float* values, const int* which, const int* starts, const int* rounds,
 const int* steps, const int* columns, const int* begins, int stripes, int turns, int workers,
 unsigned* barrier, int pass RECORD_PARAMS)
{
    SIMT_DYN_SHARED(int, shared);
    const Rule rule = {user_bias, item_bias, mean, rate, decay, flags};
    const Fixed fixed = {scale, unit, flags & POSITIVE ? 0.0f : -most, most};
    const Stripes plan = {users, rows,    values, which,   starts, rounds,
                          steps, columns, begins, stripes, turns,  workers};
    sweep_stripes(plan, user_vectors, item_vectors, k, rule, fixed, barrier, shared,
                  pass RECORD_COUNTERS(, rec));
}

SIMT_EXPORT(sgd_stripes)
SIMT_EXPORT(sgd_stripes_half)
