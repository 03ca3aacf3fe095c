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
// each worker has users of its own, whose vectors it keeps in registers and fetches some rounds
// ahead.  All workers of a block take a rating in the same round: they read the item's vector, meet,
// add what changes it, meet.  The ratings of the next tile come to shared memory meanwhile.
//
// Ratings of a round may have the same item.  Then the item moves by the sum of their changes; if
// there are more than TOGETHER, by TOGETHER times their mean, since a sum of many would overshoot.  A
// user with many ratings in a tile is split into parts for several workers.  They begin with the
// same vector, and at the end of the tile the user moves by the sum of their changes, likewise.
// What is added up is in fixed point: integers have the same sum in every order, so the result
// depends on the schedule alone, bit by bit, and no change is lost.
//
// The tiles of a turn need not end together: a block waits only for the one that had its next users
// before (`hands_over`).  The other way, a barrier of all blocks, is for the race detector, which
// follows barriers.
#include "simt.h"

#include "sgd_stripes.cuh"

// A GPU's kernels are compiled for a length of the vectors, for flags, and for a number of threads of
// a block; 0 and -1 stand for those of the launch.
#ifndef LENGTH
#define LENGTH 0
#endif
#ifndef FLAGS
#define FLAGS -1
#endif
#ifndef THREADS
#define THREADS 512
#endif

// Move the split users of a tile.  The sums have the ends of all parts, each of which began with the
// vector in memory.
template <int N, class Number>
__device__ inline void move_split_users(Stripes plan, int first, int end, Number* user_vectors,
                                        int k, Rule rule, Fixed fixed, Shared shared, Group me)
{
    for (int i = me.worker; i < end - first; i += plan.workers) {
        const int user = plan.split_users[first + i], parts = plan.split_parts[first + i];
        const float share = share_of(parts);
        int* const sums = shared.sums + i * me.stride;
        Number* const at = user_vectors + (long long)user * k + N * me.lane;
        Parts<N> p = single_parts<N>(fetch_parts<N>(at));
        for (int j = 0; j < N; ++j) {
            int* const sum = sums + part_at(j, me);
            const float by = value_of(less(*sum, parts, fixed_of(p.part[j], fixed)), fixed);
            const float to = __fmaf_rn(share, by, p.part[j]);
            p.part[j] = rule.flags & POSITIVE ? fmaxf(to, 0.0f) : to;
            *sum = 0;
        }
        store_parts(at, p);
        if (rule.flags & BIASES && me.lane == 0) {
            const float bias = rule.user_bias[user];
            const float by = value_of(less(sums[k], parts, fixed_of(bias, fixed)), fixed);
            rule.user_bias[user] = __fmaf_rn(share, by, bias);
            sums[k] = 0;
        }
    }
}

// A worker's user: its vector now, and where it is in memory.
template <int N> struct Held {
    int user, split;
    Parts<N> p;
    float bias;
};

// Give a user back to memory, or add its vector to those of the other parts.
template <int N, class Number>
__device__ inline void give_back(Held<N> held, Number* user_vectors, int k, Rule rule, Fixed fixed,
                                 Shared shared, Group me)
{
    if (held.user == NONE) return;
    const bool biased = rule.flags & BIASES && me.lane == 0;
    if (held.split < 0) {
        store_parts(user_vectors + (long long)held.user * k + N * me.lane, held.p);
        if (biased) rule.user_bias[held.user] = held.bias;
        return;
    }
    int* const sums = shared.sums + held.split * me.stride;
    for (int j = 0; j < N; ++j)
        atomicAdd(sums + part_at(j, me), fixed_of(held.p.part[j], fixed));
    if (biased) atomicAdd(sums + k, fixed_of(held.bias, fixed));
}

// Vectors of users of the next rounds, AHEAD of them, on their way.
template <class Number, int N> struct Ahead {
    static const int rounds = N == 8 ? 4 : sizeof(Number) == 4 ? 8 : 6;
    typename Stored<Number, N>::type vectors[rounds];
    float biases[rounds];

    // Fetch the vector of the user of a round to place `a`, if its ratings begin there.  Nothing
    // changes it meanwhile: the user is this worker's, or split.
    __device__ inline void fetch(int a, Share share, int round, const Number* user_vectors, int k,
                                 Rule rule, Group me)
    {
        if (round >= share.count || !is_first(share.ratings[round].word)) return;
        const int user = share.ratings[round].user;
        vectors[a] = fetch_parts<N>(user_vectors + (long long)user * k + N * me.lane);
        if (rule.flags & BIASES) biases[a] = rule.user_bias[user];
    }
};

// What a rating adds to its item.
template <int N> struct Change {
    int by[N], bias;
    float error;
};

// Move the user by a rating, and return what moves the item.  All lanes of the warp call, those
// without a rating for nothing.  Powers of two are exact, so q is taken times `scale` throughout.
template <int N, class Number>
__device__ inline Change<N> move_user(Held<N>& held, Entry entry, const int* row, int k, Rule rule,
                                      Fixed fixed, const float* shares, const Number* stored,
                                      Group me)
{
    Parts<N>& p = held.p;
    float q[N], dot = 0.0f;
#pragma unroll
    for (int j = 0; j < N; ++j) {
        q[j] = __int2float_rn(read_fixed(row + part_at(j, me), rule));
        dot = __fmaf_rn(p.part[j], q[j], dot);
    }
#pragma unroll
    for (int d = me.width / 2; d > 0; d /= 2)
        dot = __fadd_rn(dot, __shfl_xor_sync(ALL_LANES, dot, d));
    float predicted = __fmaf_rn(dot, fixed.unit, rule.mean), own = 0.0f;
    if (rule.flags & BIASES) {
        own = __int2float_rn(row[k]);
        predicted = __fmaf_rn(own, fixed.unit, __fadd_rn(predicted, held.bias));
    }
    Change<N> change;
    change.error = __fsub_rn(entry.value, predicted);
    const float step = __fmul_rn(rule.rate, change.error);
    const float share = shares[sharing(entry.word)];
    const float of_p = __fmul_rn(__fmul_rn(step, fixed.scale), share);
    const float of_q = __fmul_rn(-rule.decay, share), to_p = __fmul_rn(step, fixed.unit);
#pragma unroll
    for (int j = 0; j < N; ++j) {
        const int by = __float2int_rn(__fmaf_rn(of_p, p.part[j], __fmul_rn(of_q, q[j])));
        change.by[j] = rule.flags & POSITIVE ? max(by, -(int)q[j]) : by;
        p.part[j] = as_stored(moved(p.part[j], q[j], to_p, rule), stored);
    }
    if (rule.flags & BIASES) {
        change.bias = __float2int_rn(
            __fmaf_rn(__fmul_rn(step, fixed.scale), share, __fmul_rn(of_q, own)));
        held.bias = moved_bias(held.bias, step, rule);
    }
    return change;
}

template <int N, class Number>
__device__ void sweep_stripes(Stripes plan, Number* user_vectors, float* item_vectors, int k,
                              Rule rule, Fixed fixed, bool hands_over, int* progress,
                              unsigned* barrier, int* memory, int pass RECORD_PARAMS)
{
    const int width = k / N, blocks = gridDim.x, tiles = plan.stripes / blocks * plan.turns;
    const Group me = {(int)threadIdx.x % width, width, (int)threadIdx.x / width, k + width,
                      (int)(blockIdx.x * blockDim.x + threadIdx.x) / 32};
    const Shared shared = shared_in(memory, plan, me.stride);
    RECORD_COUNTERS(Effort done = {0, 0, 0, 0, 0, 0, 0, 0};)
    for (int i = threadIdx.x; i < plan.most_splits * me.stride; i += blockDim.x) shared.sums[i] = 0;
    for (int i = threadIdx.x; i < SHARES; i += blockDim.x) shared.shares[i] = share_of(i);
    fetch_numbers(plan, shared, 0);
    if (tiles > 1) fetch_numbers(plan, shared, 1);
    copies_done();
    __syncthreads();
    fetch_ratings(plan, shared, 0);
    copies_done();
    __syncthreads();
    Ahead<Number, N> ahead;
    for (int a = 0; a < ahead.rounds; ++a)
        ahead.fetch(a, share_in(plan, shared, 0, me), a, user_vectors, k, rule, me);
    for (int n = 0, turn = 0; n < tiles; ++n) {
        const int stripe = blockIdx.x + n / plan.turns * blocks;
        if (turn == 0) {
            read_items(plan, stripe, item_vectors, k, rule, fixed, shared, me);
            __syncthreads();
        }
        if (n + 2 < tiles) fetch_numbers(plan, shared, n + 2);
        if (n + 1 < tiles) fetch_ratings(plan, shared, n + 1);
        const Share share = share_in(plan, shared, n, me);
        Held<N> held = {NONE, -1, {{0, 0, 0, 0}}, 0.0f};
        for (int r = 0; r < share.rounds; r += ahead.rounds) {
#pragma unroll
            for (int a = 0; a < ahead.rounds; ++a) {
                const int round = r + a;
                if (round >= share.rounds) break;
                const bool works = round < share.count;
                const Entry entry = works ? share.ratings[round] : Entry{NONE, 0, 0.0f, 0};
                if (!works || is_first(entry.word)) {
                    give_back(held, user_vectors, k, rule, fixed, shared, me);
                    held = {entry.user, split_of(entry.word), single_parts<N>(ahead.vectors[a]),
                            ahead.biases[a]};
                }
                int* const row = shared.rows + row_of(entry.word) * me.stride;
                const Change<N> change = move_user(held, entry, row, k, rule, fixed, shared.shares,
                                                   user_vectors, me);
                RECORD_COUNTERS(done.updates += works && me.lane == 0;
                                done.atomics += works && me.lane == 0;)
                if (works && me.lane == 0)
                    TELL(UPDATE, entry.user, plan.columns[plan.begins[stripe] + row_of(entry.word)],
                         entry.which, change.error, plan.steps[n] + round);
                __syncthreads();    // all have read the items' vectors
                if (works) {
#pragma unroll
                    for (int j = 0; j < N; ++j) atomicAdd(row + part_at(j, me), change.by[j]);
                    if (rule.flags & BIASES && me.lane == 0) atomicAdd(row + k, change.bias);
                }
                ahead.fetch(a, share, round + ahead.rounds, user_vectors, k, rule, me);
                __syncthreads();
            }
        }
        give_back(held, user_vectors, k, rule, fixed, shared, me);
        if (share.first_split != share.end_split) {
            __syncthreads();
            move_split_users<N>(plan, share.first_split, share.end_split, user_vectors, k, rule,
                                fixed, shared, me);
        }
        RECORD_COUNTERS(done.turns += share.rounds; done.barriers += 2 * share.rounds + 2;
                        done.slots += me.lane == 0 ? share.rounds : 0;)
        if (hands_over)
            release_users(progress, n);
        else
            simt_grid_sync(barrier);
        if (++turn == plan.turns) {
            write_items(plan, stripe, item_vectors, k, rule, fixed, shared, me);
            turn = 0;
        }
        if (n + 1 == tiles) break;
        copies_done();
        if (hands_over && threadIdx.x == 0) await_users(plan, progress, n + 1);
        __syncthreads();            // the next tile's ratings are here, and its users are free
        for (int a = 0; a < ahead.rounds; ++a)
            ahead.fetch(a, share_in(plan, shared, n + 1, me), a, user_vectors, k, rule, me);
    }
#if RECORD >= 1
    const Worker worker = {0, 0, 0, me.lane, width, 0, me.warp};
    record_effort(rec, worker, pass, done);
#endif
}

SIMT_KERNEL(sgd_stripes, __launch_bounds__(THREADS))
(float* user_vectors, float* item_vectors, int k, float* user_bias, float* item_bias, float mean,
 float rate, float decay, int flags, float scale, float unit, const int* entries,
 const int* starts, const int* rounds,
 const int* steps, const int* columns, const int* begins, const int* splits,
 const int* split_users, const int* split_parts, int stripes, int turns, int workers,
 int most_rows, int most_splits, int most_ratings, int hands_over, int* progress,
 unsigned* barrier, int pass RECORD_PARAMS)
{
    SIMT_DYN_SHARED(int, memory);
    const Rule rule = {user_bias, item_bias, mean, rate, decay, FLAGS >= 0 ? FLAGS : flags};
    const Fixed fixed = {scale, unit};
    const Stripes plan = {reinterpret_cast<const Entry*>(entries),
                          starts, rounds, steps, columns, begins, splits, split_users, split_parts,
                          stripes, turns, workers, most_rows, most_splits, most_ratings};
    if (LENGTH) k = LENGTH;
    sweep_stripes<4>(plan, user_vectors, item_vectors, k, rule, fixed, hands_over != 0, progress,
                     barrier, memory, pass RECORD_COUNTERS(, rec));
}

SIMT_KERNEL(sgd_stripes_half, __launch_bounds__(THREADS))
(unsigned short* user_vectors, float* item_vectors, int k, float* user_bias, float* item_bias, float mean,
 float rate, float decay, int flags, float scale, float unit, const int* entries,
 const int* starts, const int* rounds,
 const int* steps, const int* columns, const int* begins, const int* splits,
 const int* split_users, const int* split_parts, int stripes, int turns, int workers,
 int most_rows, int most_splits, int most_ratings, int hands_over, int* progress,
 unsigned* barrier, int pass RECORD_PARAMS)
{
    SIMT_DYN_SHARED(int, memory);
    const Rule rule = {user_bias, item_bias, mean, rate, decay, FLAGS >= 0 ? FLAGS : flags};
    const Fixed fixed = {scale, unit};
    const Stripes plan = {reinterpret_cast<const Entry*>(entries),
                          starts, rounds, steps, columns, begins, splits, split_users, split_parts,
                          stripes, turns, workers, most_rows, most_splits, most_ratings};
    if (LENGTH) k = LENGTH;
    if (k >= WIDE)
        sweep_stripes<8>(plan, user_vectors, item_vectors, k, rule, fixed, hands_over != 0, progress,
                         barrier, memory, pass RECORD_COUNTERS(, rec));
    else
        sweep_stripes<4>(plan, user_vectors, item_vectors, k, rule, fixed, hands_over != 0, progress,
                         barrier, memory, pass RECORD_COUNTERS(, rec));
}

SIMT_EXPORT(sgd_stripes)
SIMT_EXPORT(sgd_stripes_half)
