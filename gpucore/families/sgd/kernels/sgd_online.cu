// Matrix factorisation by stochastic gradient descent: online schedules.
//
// Source: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU implementations of
// graph algorithms", IPDPS 2016, section IV; Recht, Re, Wright, Niu, "Hogwild!", NIPS 2011.
//
// Edge-locked: a worker tries to lock both ends of a rating; if it cannot, the rating is deferred to
// the next pass.  Node-locked: a worker has an item and locks the users of its ratings.  No thread
// waits for a lock.  The workers of a warp take their locks together, update together, and give the
// locks back together.  What a lock protects is read and written past the cache, and a fence stands
// between a lock and what it protects.  Without locks (Hogwild) updates may be lost.
#include "simt.h"

#include "sgd.cuh"

// The first lane of a worker tries to lock; the others learn the result.
__device__ inline bool take(int* lock, bool wanted, Worker me)
{
    int got = 0;
    if (wanted && me.lane == 0) got = atomicCAS(lock, 0, 1) == 0;
    return __shfl_sync(ALL_LANES, got, 0, me.width) != 0;
}

__device__ inline void give_back(int* lock, bool held, Worker me)
{
    if (held && me.lane == 0) atomicExch(lock, 0);
}

// Append a number to a list, in the order of the lanes; all lanes of the warp call.
__device__ inline void append(int* list, int* count, int number, bool wanted)
{
    const unsigned who = __ballot_sync(ALL_LANES, wanted);
    if (who == 0) return;
    const int lane = threadIdx.x % 32, leader = __ffs(who) - 1;
    int base = 0;
    if (lane == leader) base = atomicAdd(count, __popc(who));
    base = __shfl_sync(ALL_LANES, base, leader);
    if (wanted) list[base + __popc(who & ((1u << lane) - 1))] = number;
}

// EL: one pass over the ratings `todo`; the deferred ones are appended to `left`.
SIMT_KERNEL(sgd_edge_locked)
(const int* users, const int* items, const float* values, float* user_vectors,
 float* item_vectors, int k, float* user_bias, float* item_bias, float mean, float rate,
 float decay, int flags, const int* todo, int count, int* left, int* num_left, int* user_locks,
 int* item_locks, int workers, int pass RECORD_PARAMS)
{
    const Worker me = my_worker(k, workers);
    const Rule rule = {user_bias, item_bias, mean, rate, decay, flags};
    RECORD_COUNTERS(Effort done = {0, 0, 0, 0, 0, 0, 0, 0};)
    for (int base = me.first, turn = 0; base < count; base += workers, ++turn) {
        const int i = base + me.number - me.first;
        const bool mine = me.number < workers && i < count;
        const int which = mine ? todo[i] : 0, user = users[which], item = items[which];
        const bool has_user = take(user_locks + user, mine, me);
        const bool has_both = take(item_locks + item, has_user, me);
        give_back(user_locks + user, has_user && !has_both, me);
        __threadfence();
        __syncwarp();
        const float error =
            update<true, true>(has_both, user_vectors + (long long)user * k,
                               item_vectors + (long long)item * k, user, item, values[which], rule,
                               me);
        (void)error;
        if (has_both && me.lane == 0) {
            TELL(UPDATE, user, item, which, error, turn);
        } else if (mine && me.lane == 0) {
            TELL(has_user ? DEFER_ITEM : DEFER_USER, user, item, which, 0.0f, turn);
        }
        __threadfence();
        __syncwarp();
        give_back(item_locks + item, has_both, me);
        give_back(user_locks + user, has_both, me);
        append(left, num_left, which, mine && !has_both && me.lane == 0);
        RECORD_COUNTERS(
            const bool leads = mine && me.lane == 0;
            done.updates += leads && has_both; done.user_busy += leads && !has_user;
            done.item_busy += leads && has_user && !has_both; done.turns += 1;
            done.slots += me.lane == 0; done.scanned += leads;
            done.atomics += leads ? has_both ? 4 : has_user ? 3 : 1 : 0;)
    }
    RECORD_COUNTERS(record_effort(rec, me, pass, done);)
}

// NL: one pass of the workers over the ratings of their items.  Worker w has item
// `columns[first + w]`, whose ratings are `starts[item]` to `starts[item + 1] - 1`; `marks` says
// which are done.  `num_left` counts those that are not.
SIMT_KERNEL(sgd_node_locked)
(const int* users, const float* values, float* user_vectors, float* item_vectors, int k,
 float* user_bias, float* item_bias, float mean, float rate, float decay, int flags,
 const int* columns, int first, int num_columns, const long long* starts, unsigned char* marks,
 int* num_left, int* user_locks, int workers, int pass RECORD_PARAMS)
{
    SIMT_DYN_SHARED(float, shared);
    const Worker me = my_worker(k, workers);
    const Rule rule = {user_bias, item_bias, mean, rate, decay, flags};
    float* q = shared + (long long)(threadIdx.x / me.width) * k;
    RECORD_COUNTERS(Effort done = {0, 0, 0, 0, 0, 0, 0, 0};)
    const bool works = me.number < workers && first + me.number < num_columns;
    const int item = works ? columns[first + me.number] : NONE;
    const long long begin = works ? starts[item] : 0, end = works ? starts[item + 1] : 0;
    if (works)
        for (int c = me.lane; c < k; c += me.width) q[c] = item_vectors[(long long)item * k + c];
    __syncwarp();
    int deferred = 0;
    long long i = begin;
    for (int turn = 0; __any_sync(ALL_LANES, i < end); ++turn) {
        while (i < end && marks[i] != 0) {
            i += 1;
            RECORD_COUNTERS(done.scanned += me.lane == 0;)
        }
        const bool mine = i < end;
        const int which = mine ? (int)i : 0, user = users[which];
        const bool held = take(user_locks + user, mine, me);
        __threadfence();
        __syncwarp();
        const float error = update<true, false>(held, user_vectors + (long long)user * k, q, user,
                                                item, values[which], rule, me);
        (void)error;
        if (held && me.lane == 0) {
            TELL(UPDATE, user, item, which, error, turn);
        } else if (mine && me.lane == 0) {
            TELL(DEFER_USER, user, item, which, 0.0f, turn);
        }
        __threadfence();
        __syncwarp();
        if (held && me.lane == 0) marks[which] = 1;
        give_back(user_locks + user, held, me);
        deferred += mine && !held;
        i += mine;
        RECORD_COUNTERS(
            const bool leads = mine && me.lane == 0;
            done.updates += leads && held; done.user_busy += leads && !held; done.turns += 1;
            done.slots += me.lane == 0; done.scanned += leads;
            done.atomics += leads ? held ? 2 : 1 : 0;)
    }
    if (works)
        for (int c = me.lane; c < k; c += me.width) item_vectors[(long long)item * k + c] = q[c];
    if (me.lane == 0 && deferred) atomicAdd(num_left, deferred);
    RECORD_COUNTERS(record_effort(rec, me, pass, done);)
}

// Hogwild: every worker takes the next rating, and none takes a lock.
SIMT_KERNEL(sgd_free)
(const int* users, const int* items, const float* values, float* user_vectors,
 float* item_vectors, int k, float* user_bias, float* item_bias, float mean, float rate,
 float decay, int flags, const int* todo, int count, int workers, int pass RECORD_PARAMS)
{
    const Worker me = my_worker(k, workers);
    const Rule rule = {user_bias, item_bias, mean, rate, decay, flags};
    RECORD_COUNTERS(Effort done = {0, 0, 0, 0, 0, 0, 0, 0};)
    for (int base = me.first, turn = 0; base < count; base += workers, ++turn) {
        const int i = base + me.number - me.first;
        const bool works = me.number < workers && i < count;
        const int which = works ? todo[i] : 0, user = users[which], item = items[which];
        const float error =
            update<true, true>(works, user_vectors + (long long)user * k,
                               item_vectors + (long long)item * k, user, item, values[which], rule,
                               me);
        (void)error;
        RECORD_COUNTERS(const bool leads = works && me.lane == 0; done.updates += leads;
                        done.turns += works; done.slots += leads;)
        if (works && me.lane == 0) TELL(UPDATE, user, item, which, error, turn);
    }
    RECORD_COUNTERS(record_effort(rec, me, pass, done);)
}

SIMT_EXPORT(sgd_edge_locked)
SIMT_EXPORT(sgd_node_locked)
SIMT_EXPORT(sgd_free)
