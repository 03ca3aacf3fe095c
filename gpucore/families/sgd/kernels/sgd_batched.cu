// Matrix factorisation by stochastic gradient descent: node-locked in batches, ours.
//
// Source of node locking: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU
// implementations of graph algorithms", IPDPS 2016, section IV-B.  There a thread has an item and
// locks one user at a time, so the item of the highest degree waits for memory once a rating.
//
// Here a warp has an item, and keeps its vector in registers.  Each lane tries to lock the user of a
// rating of its own.  The vectors of all locked users come to shared memory together; the warp
// processes them one after the other, writes them back together, and gives the locks back.  A lane
// whose user was locked tries again in the next turn; the others take the next ratings.  No lane
// waits while it holds a lock, so some warp always goes on.  Items are taken in the order given.
#include "simt.h"

#include "sgd.cuh"

#define AT_A_TIME 8             // loads of a lane that are under way at the same time

// Copy the vectors of the lanes in `held` between users and shared memory; all lanes call.
template <bool FETCH>
__device__ inline void copy_vectors(float* user_vectors, float* staged, int k, int user,
                                    unsigned held)
{
    const int lane = threadIdx.x % 32, pairs = k / 2;
    for (int base = 0; base < pairs; base += AT_A_TIME) {
        Pair moving[AT_A_TIME];
        // A vector has at least four pairs, so a warp's 32 x 8 pairs are those of up to 32 users.
        for (int i = 0; i < AT_A_TIME; ++i) {
            const int e = (base + i) * 32 + lane, owner = e / pairs % 32, c = 2 * (e % pairs);
            const long long row = __shfl_sync(ALL_LANES, user, owner);
            if (base + i >= pairs || !(held >> owner & 1)) continue;
            moving[i] = FETCH ? load_pair<true>(user_vectors + row * k + c)
                              : load_pair<false>(staged + owner * k + c);
        }
        for (int i = 0; i < AT_A_TIME; ++i) {
            const int e = (base + i) * 32 + lane, owner = e / pairs % 32, c = 2 * (e % pairs);
            const long long row = __shfl_sync(ALL_LANES, user, owner);
            if (base + i >= pairs || !(held >> owner & 1)) continue;
            if (FETCH)
                store_pair<false>(staged + owner * k + c, moving[i]);
            else
                store_pair<true>(user_vectors + row * k + c, moving[i]);
        }
    }
}

// A sweep over the items `columns`, whose ratings are `starts[item]` to `starts[item + 1] - 1`;
// `next` counts the items that were taken.
SIMT_KERNEL(sgd_node_batched)
(const int* users, const float* values, float* user_vectors, float* item_vectors, int k,
 float* user_bias, float* item_bias, float mean, float rate, float decay, int flags,
 const int* columns, int num_columns, const long long* starts, int* next, int* user_locks,
 int pass RECORD_PARAMS)
{
    SIMT_DYN_SHARED(float, shared);
    const int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int width = k / 2 < 32 ? k / 2 : 32;
    // All groups of lanes compute the same; the first one writes.
    const Worker me = {warp, 0, warp, lane % width, width, k / 2 / width, warp};
    const bool writes = lane < width, biased = flags & BIASES;
    const Rule rule = {user_bias, item_bias, mean, rate, decay, flags};
    float* const staged = shared + (long long)(threadIdx.x / 32) * 32 * k;
    RECORD_COUNTERS(Effort done = {0, 0, 0, 0, 0, 0, 0, 0};)
    RECORD_EVENTS(int step = 0;)
    for (;;) {
        int taken = 0;
        if (lane == 0) taken = atomicAdd(next, 1);
        taken = __shfl_sync(ALL_LANES, taken, 0);
        if (taken >= num_columns) break;
        const int item = columns[taken];
        const long long end = starts[item + 1];
        long long fresh = starts[item];
        Pair q[MOST_PAIRS];
        for (int i = 0; i < me.pairs; ++i)
            q[i] = load_pair<false>(item_vectors + (long long)item * k + place_of_pair(i, me));
        float bias = biased ? item_bias[item] : 0.0f;
        int mine = NONE;
        for (;;) {
            const unsigned idle = __ballot_sync(ALL_LANES, mine == NONE);
            const long long candidate = fresh + __popc(idle & ((1u << lane) - 1));
            if (mine == NONE && candidate < end) mine = (int)candidate;
            fresh += __popc(idle);
            if (!__any_sync(ALL_LANES, mine != NONE)) break;
            const int user = mine == NONE ? 0 : users[mine];
            const float value = mine == NONE ? 0.0f : values[mine];
            const bool holds = mine != NONE && atomicCAS(user_locks + user, 0, 1) == 0;
            const unsigned held = __ballot_sync(ALL_LANES, holds);
            __threadfence();
            __syncwarp();
            float own_bias = biased && holds ? load_one<true>(user_bias + user) : 0.0f;
            copy_vectors<true>(user_vectors, staged, k, user, held);
            __syncwarp();
            for (unsigned left = held; left; left &= left - 1) {
                const int owner = __ffs(left) - 1;
                Pair p[MOST_PAIRS];
                float* const vector = staged + owner * k;
                for (int i = 0; i < me.pairs; ++i)
                    p[i] = load_pair<false>(vector + place_of_pair(i, me));
                const float user_bias_before = __shfl_sync(ALL_LANES, own_bias, owner);
                const Error found = move_vectors(p, q, user_bias_before, bias,
                                                 __shfl_sync(ALL_LANES, value, owner), rule, me);
                __syncwarp();   // all groups have read the vector
                for (int i = 0; writes && i < me.pairs; ++i)
                    store_pair<false>(vector + place_of_pair(i, me), p[i]);
                if (biased) {
                    if (lane == owner) own_bias = moved_bias(own_bias, found.step, rule);
                    bias = moved_bias(bias, found.step, rule);
                }
                if (lane == owner) TELL(UPDATE, user, item, mine, found.error, step);
            }
            __syncwarp();
            copy_vectors<false>(user_vectors, staged, k, user, held);
            if (biased && holds) store_one<true>(user_bias + user, own_bias);
            __threadfence();
            __syncwarp();
            if (holds)
                atomicExch(user_locks + user, 0);
            else if (mine != NONE)
                TELL(DEFER_USER, user, item, mine, 0.0f, step);
            RECORD_EVENTS(step += 1;)
            RECORD_COUNTERS(
                done.updates += holds; done.user_busy += mine != NONE && !holds; done.turns += 1;
                done.slots += 1; done.scanned += mine != NONE;
                done.atomics += holds ? 2 : mine != NONE;)
            if (holds) mine = NONE;
        }
        for (int i = 0; writes && i < me.pairs; ++i)
            store_pair<false>(item_vectors + (long long)item * k + place_of_pair(i, me), q[i]);
        if (biased && lane == 0) item_bias[item] = bias;
    }
    RECORD_COUNTERS(record_effort(rec, me, pass, done);)
}

SIMT_EXPORT(sgd_node_batched)
