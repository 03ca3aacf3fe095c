// Matrix factorisation by stochastic gradient descent: node-locked in batches, ours.
//
// Source of node locking: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU
// implementations of graph algorithms", IPDPS 2016, section IV-B.  There a thread has an item and
// locks one user at a time, so the item of the highest degree waits for memory once a rating.
//
// Here a warp has an item, and keeps its vector in registers.  Each lane tries to lock the user of a
// rating of its own.  The vectors of all locked users come to shared memory together; the warp
// processes them one after the other, and writes them back together.  While it processes a batch, it
// asks for the locks of the next one; those of the last one it gives back after the next fence.
//
// A rating whose user is locked is deferred to the next pass.  There the sides change: a warp has a
// user, and its lanes lock items.  So the ratings of a popular user, whose lock is hardly ever free,
// are processed one after the other like those of a popular item.  Below, a warp's own vertex is of
// one side, and the others are of the other side.  No lane waits for a lock.
#include "simt.h"

#include "sgd.cuh"

#define AT_A_TIME 8             // loads of a lane that are under way at the same time

// Copy the vectors of the lanes in `held` between memory and shared memory; all lanes call.
template <bool FETCH>
__device__ inline void copy_vectors(float* vectors, float* staged, int k, int other, unsigned held)
{
    const int lane = threadIdx.x % 32, pairs = k / 2;
    for (int base = 0; base < pairs; base += AT_A_TIME) {
        Pair moving[AT_A_TIME];
        // A vector has at least four pairs, so a warp's 32 x 8 pairs are those of up to 32 vectors.
#pragma unroll
        for (int i = 0; i < AT_A_TIME; ++i) {
            const int e = (base + i) * 32 + lane, owner = e / pairs % 32, c = 2 * (e % pairs);
            const long long row = __shfl_sync(ALL_LANES, other, owner);
            if (base + i >= pairs || !(held >> owner & 1)) continue;
            moving[i] = FETCH ? load_pair<true>(vectors + row * k + c)
                              : load_pair<false>(staged + owner * k + c);
        }
#pragma unroll
        for (int i = 0; i < AT_A_TIME; ++i) {
            const int e = (base + i) * 32 + lane, owner = e / pairs % 32, c = 2 * (e % pairs);
            const long long row = __shfl_sync(ALL_LANES, other, owner);
            if (base + i >= pairs || !(held >> owner & 1)) continue;
            if (FETCH)
                store_pair<false>(staged + owner * k + c, moving[i]);
            else
                store_pair<true>(vectors + row * k + c, moving[i]);
        }
    }
}

// A lane's rating of a batch: its number, its other end, its value.
struct Lane {
    int which, other;
    float value;
};

__device__ inline Lane lane_at(const int* list, const int* others, const float* values, int at,
                               int end)
{
    if (at >= end) return {NONE, 0, 0.0f};
    const int which = list[at];
    return {which, others[which], values[which]};
}

__device__ inline bool try_lock(int* locks, Lane mine)
{
    return mine.which != NONE && atomicCAS(locks + mine.other, 0, 1) == 0;
}

// One pass over the ratings `list`.  Group g has the vertex `groups[g]` and the ratings from
// `begins[g]` to `ends[g] - 1` in the list; `taken` counts the groups that were taken.  `others` has
// the other end of each rating.  Deferred ratings are appended to `left`.
SIMT_KERNEL(sgd_node_batched)
(const int* groups, const int* begins, const int* ends, int num_groups, const int* list,
 const int* others, const float* values, float* own_vectors, float* other_vectors, int k,
 float* own_bias, float* other_bias, float mean, float rate, float decay, int flags, int by_items,
 int* taken, int* locks, int* left, int* num_left, int pass RECORD_PARAMS)
{
    SIMT_DYN_SHARED(float, shared);
    const int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int width = k / 2 < 32 ? k / 2 : 32;
    // All groups of lanes compute the same; the first one writes.
    const Worker me = {warp, 0, warp, lane % width, width, k / 2 / width, warp};
    const bool writes = lane < width, biased = flags & BIASES;
    const Rule rule = {NULL, NULL, mean, rate, decay, flags};
    float* const staged = shared + (long long)(threadIdx.x / 32) * 32 * k;
    RECORD_COUNTERS(Effort done = {0, 0, 0, 0, 0, 0, 0, 0};)
    RECORD_EVENTS(int step = 0;)
    for (;;) {
        int group = 0;
        if (lane == 0) group = atomicAdd(taken, 1);
        group = __shfl_sync(ALL_LANES, group, 0);
        if (group >= num_groups) break;
        const int own = groups[group], begin = begins[group], end = ends[group];
        Pair q[MOST_PAIRS];
        for (int i = 0; i < me.pairs; ++i)
            q[i] = load_pair<false>(own_vectors + (long long)own * k + place_of_pair(i, me));
        float bias = biased ? own_bias[own] : 0.0f;
        Lane mine = lane_at(list, others, values, begin + lane, end);
        Lane next = lane_at(list, others, values, begin + 32 + lane, end);
        bool holds = try_lock(locks, mine);
        int last_held = NONE;           // whose lock this lane has from the batch before
        for (int base = begin; base < end; base += 32) {
            const unsigned held = __ballot_sync(ALL_LANES, holds);
            // What the last batch wrote is there for others, and what others wrote is here.
            __threadfence();
            __syncwarp();
            if (last_held != NONE) atomicExch(locks + last_held, 0);
            last_held = holds ? mine.other : NONE;
            float staged_bias = biased && holds ? load_one<true>(other_bias + mine.other) : 0.0f;
            copy_vectors<true>(other_vectors, staged, k, mine.other, held);
            const bool next_holds = try_lock(locks, next);
            const Lane later = lane_at(list, others, values, base + 64 + lane, end);
            __syncwarp();
            Pair p[MOST_PAIRS];
            const int first = __ffs(held) - 1;
            for (int i = 0; held && i < me.pairs; ++i)
                p[i] = load_pair<false>(staged + first * k + place_of_pair(i, me));
            __syncwarp();
            for (unsigned todo = held; todo; todo &= todo - 1) {
                const int owner = __ffs(todo) - 1, after = __ffs(todo & (todo - 1)) - 1;
                Pair coming[MOST_PAIRS];
                for (int i = 0; after >= 0 && i < me.pairs; ++i)
                    coming[i] = load_pair<false>(staged + after * k + place_of_pair(i, me));
                const float theirs = __shfl_sync(ALL_LANES, staged_bias, owner);
                const Error found = move_vectors(p, q, by_items ? theirs : bias,
                                                 by_items ? bias : theirs,
                                                 __shfl_sync(ALL_LANES, mine.value, owner), rule,
                                                 me);
                // All groups have read this vector in the step before; they met since.
                for (int i = 0; writes && i < me.pairs; ++i)
                    store_pair<false>(staged + owner * k + place_of_pair(i, me), p[i]);
                for (int i = 0; i < me.pairs; ++i) p[i] = coming[i];
                if (biased) {
                    if (lane == owner) staged_bias = moved_bias(theirs, found.step, rule);
                    bias = moved_bias(bias, found.step, rule);
                }
                __syncwarp();
                if (lane == owner)
                    TELL(UPDATE, by_items ? mine.other : own, by_items ? own : mine.other,
                         mine.which, found.error, step);
            }
            copy_vectors<false>(other_vectors, staged, k, mine.other, held);
            if (biased && holds) store_one<true>(other_bias + mine.other, staged_bias);
            const bool deferred = mine.which != NONE && !holds;
            if (deferred) {
                if (by_items)
                    TELL(DEFER_USER, mine.other, own, mine.which, 0.0f, step);
                else
                    TELL(DEFER_ITEM, own, mine.other, mine.which, 0.0f, step);
            }
            append(left, num_left, mine.which, deferred);
            RECORD_EVENTS(step += 1;)
            RECORD_COUNTERS(
                done.updates += holds; done.user_busy += deferred && by_items;
                done.item_busy += deferred && !by_items; done.turns += 1; done.slots += 1;
                done.scanned += mine.which != NONE;
                done.atomics += holds ? 2 : mine.which != NONE;)
            mine = next, next = later, holds = next_holds;
        }
        for (int i = 0; writes && i < me.pairs; ++i)
            store_pair<false>(own_vectors + (long long)own * k + place_of_pair(i, me), q[i]);
        if (biased && lane == 0) own_bias[own] = bias;
        __threadfence();
        __syncwarp();
        if (last_held != NONE) atomicExch(locks + last_held, 0);
    }
    RECORD_COUNTERS(record_effort(rec, me, pass, done);)
}

SIMT_EXPORT(sgd_node_batched)
