// Matrix factorisation by stochastic gradient descent: node-locked in batches, ours.
//
// Source of node locking: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU
// implementations of graph algorithms", IPDPS 2016, section IV-B.  There a thread has an item and
// locks one user at a time, so the item of the highest degree waits for memory once a rating.
//
// Here a warp has an item, and keeps its vector in registers.  A user's vector is its own lock: the
// warp takes its words away by exchanges that leave TAKEN behind, and puts the new ones back by plain
// stores.  Whoever has a word has its latest value, so no fence is needed.  Who has all words of a
// user may process the rating.  If two warps take words of a user at the same time, the one that has
// the first word keeps what it has and asks again for the others; the other one puts back what it
// has.  So a warp waits for a user only while those that it waits for wait for nothing.
//
// In each turn the warp asks for the users of some ratings, and while the answers are under way it
// processes the ratings whose users came in the turn before, one after the other.  Each user is put
// back at once.  A rating whose user was not there is tried again in the next turn; the others make
// room for the next ratings.  Items are taken in the order given.
#include "simt.h"

#include "sgd_batched.cuh"

// A GPU's kernels are compiled for a length of the vectors and for flags; 0 and -1 stand for those of
// the launch.
#ifndef LENGTH
#define LENGTH 0
#endif
#ifndef FLAGS
#define FLAGS -1
#endif

#define WORDS 8                 // words of users that a lane asks for in a turn

// A word is a pair of components.  TAKEN stands for two numbers that arithmetic never gives: its NaNs
// have other bits.  A bias is a word of its own.
typedef unsigned long long Word;
#define TAKEN 0xffffffffffffffffull
#define BIAS_TAKEN 0xffffffffu

// The next ratings of the item, on their way: a lane has one of 32, and one of the 32 after them.
struct Coming {
    int first, users[2];
    float values[2];
};

__device__ inline void fetch_coming(Coming& coming, int half, const int* users,
                                    const float* values, int end, int lane)
{
    const int at = coming.first + 32 * half + lane;
    coming.users[half] = at < end ? users[at] : 0;
    coming.values[half] = at < end ? values[at] : 0.0f;
}

// A rating that a lane has chosen, and its user's bias as far as it was taken.
struct Choice {
    int which, user;
    float value;
    unsigned bias;
};

// Give the lanes in `idle` the next ratings, from `fresh` on; all lanes call.
__device__ inline void choose(Choice& mine, unsigned idle, int fresh, int end,
                              const Coming& coming, int lane)
{
    const int number = fresh + __popc(idle & ((1u << lane) - 1)), at = number - coming.first;
    const int near_user = __shfl_sync(ALL_LANES, coming.users[0], at % 32);
    const int far_user = __shfl_sync(ALL_LANES, coming.users[1], at % 32);
    const float near_value = __shfl_sync(ALL_LANES, coming.values[0], at % 32);
    const float far_value = __shfl_sync(ALL_LANES, coming.values[1], at % 32);
    if (!(idle >> lane & 1) || number >= end) return;
    mine = {number, at < 32 ? near_user : far_user, at < 32 ? near_value : far_value, BIAS_TAKEN};
}

// The words that a lane asks for: word number 32 i + lane of all that the lanes' users have; with
// few components there are fewer.
struct Asked {
    Word* at[WORDS];
    Word held[WORDS];
};

__device__ inline int chooser_of(int i, Lanes me) { return (32 * i + me.lane) / me.pairs; }

// Ask for the words that the warp does not have of the users in `wanted`.
__device__ inline void ask(Asked& asked, Choice& mine, unsigned wanted, float* user_vectors,
                          Rule rule, Lanes me)
{
    // All addresses first: shuffles are not moved across the branches below.
    for (int i = 0; i < WORDS; ++i) {
        const long long user = __shfl_sync(ALL_LANES, mine.user, chooser_of(i, me) % 32);
        asked.at[i] = reinterpret_cast<Word*>(user_vectors + user * me.k) +
                      (32 * i + me.lane) % me.pairs;
    }
    for (int i = 0; i < WORDS; ++i) {
        const int chooser = chooser_of(i, me);
        if (chooser >= 32 || !(wanted >> chooser & 1) || asked.held[i] != TAKEN) continue;
        asked.held[i] = atomicExch(asked.at[i], TAKEN);
    }
    if (rule.flags & BIASES && wanted >> me.lane & 1 && mine.bias == BIAS_TAKEN)
        mine.bias = atomicExch(reinterpret_cast<unsigned*>(rule.user_bias) + mine.user, BIAS_TAKEN);
}

// Which users have come: whether the warp has all of the lane's user, and whether the first word.
struct Came {
    bool all, first;
};

__device__ inline Came look(const Asked& asked, const Choice& mine, Rule rule, Lanes me)
{
    Came came = {mine.which != NONE, false};
    for (int i = 0; i < WORDS; ++i) {
        const unsigned here = __ballot_sync(ALL_LANES, asked.held[i] != TAKEN);
        const int from = me.lane * me.pairs - 32 * i;   // where the words of the lane's user begin
        const bool begins = from >= 0 && from < 32, some = from < 32 && from + me.pairs > 0;
        const unsigned words = me.pairs >= 32 ? ALL_LANES : ((1u << me.pairs) - 1) << (from & 31);
        came.all = came.all && (!some || (here & words) == words);
        came.first = came.first || (begins && here >> (from & 31) & 1);
    }
    if (rule.flags & BIASES) came.all = came.all && mine.bias != BIAS_TAKEN;
    return came;
}

// Copy the users in `all` to the rows of shared memory, and put back what the warp has of users of
// which it does not have the `first` word.
__device__ inline void sort_out(Asked& asked, Choice& mine, unsigned all, unsigned first,
                                float* rows, Rule rule, Lanes me)
{
    for (int i = 0; i < WORDS; ++i) {
        const int chooser = chooser_of(i, me);
        if (asked.held[i] == TAKEN) continue;
        if (all >> chooser & 1) {
            float* const row = rows + __popc(all & ((1u << chooser) - 1)) * me.stride;
            const Pair pair = {__uint_as_float((unsigned)asked.held[i]),
                               __uint_as_float((unsigned)(asked.held[i] >> 32))};
            store_pair<false>(row + place_in_row((32 * i + me.lane) % me.pairs, me), pair);
        } else if (first >> chooser & 1) {
            continue;
        } else {
            simt_store(asked.at[i], asked.held[i]);
        }
        asked.held[i] = TAKEN;
    }
    if (all >> me.lane & 1) {
        float* const row = rows + __popc(all & ((1u << me.lane) - 1)) * me.stride;
        *reinterpret_cast<Rating*>(row) = {mine.user, mine.value, mine.which,
                                           __uint_as_float(mine.bias)};
        mine = {NONE, 0, 0.0f, BIAS_TAKEN};
    } else if (rule.flags & BIASES && mine.bias != BIAS_TAKEN && !(first >> me.lane & 1)) {
        simt_store(reinterpret_cast<unsigned*>(rule.user_bias) + mine.user, mine.bias);
        mine.bias = BIAS_TAKEN;
    }
}

// A sweep over the items `columns`, whose ratings are `starts[item]` to `starts[item + 1] - 1`;
// `next` counts the items that were taken.  A block is a warp.
SIMT_KERNEL(sgd_node_batched)
(const int* users, const float* values, float* user_vectors, float* item_vectors, int k,
 float* user_bias, float* item_bias, float mean, float rate, float decay, int flags,
 const int* columns, int num_columns, const long long* starts, int* next,
 int pass RECORD_PARAMS)
{
    SIMT_DYN_SHARED(float, rows);
    const Lanes lanes = lanes_for(LENGTH ? LENGTH : k);
    const int lane = lanes.lane, most = min(32, 32 * WORDS / lanes.pairs);
    const Rule rule = {user_bias, item_bias, mean, rate, decay, FLAGS >= 0 ? FLAGS : flags};
    const bool biased = rule.flags & BIASES;
    RECORD_COUNTERS(const Worker me = {(int)blockIdx.x, 0, 0, lane, 1, 0, (int)blockIdx.x};
                    Effort done = {0, 0, 0, 0, 0, 0, 0, 0};)
    RECORD_EVENTS(int step = 0;)
    for (;;) {
        int taken = 0;
        if (lane == 0) taken = atomicAdd(next, 1);
        taken = __shfl_sync(ALL_LANES, taken, 0);
        if (taken >= num_columns) break;
        const int column = columns[taken], end = (int)starts[column + 1];
        int fresh = (int)starts[column], ready = 0;
        float* const vector = item_vectors + (long long)column * lanes.k;
        Item item = fetch_item(vector, biased ? item_bias[column] : 0.0f, lanes);
        Coming coming = {fresh, {0, 0}, {0.0f, 0.0f}};
        for (int half = 0; half < 2; ++half) fetch_coming(coming, half, users, values, end, lane);
        Choice mine = {NONE, 0, 0.0f, BIAS_TAKEN};
        Asked asked;
        for (int i = 0; i < WORDS; ++i) asked.held[i] = TAKEN;
        for (;;) {
            const unsigned idle = __ballot_sync(ALL_LANES, lane < most && mine.which == NONE);
            choose(mine, idle, fresh, end, coming, lane);
            fresh = min(fresh + __popc(idle), end);
            const unsigned wanted = __ballot_sync(ALL_LANES, mine.which != NONE);
            if (wanted == 0 && ready == 0) break;
            ask(asked, mine, wanted, user_vectors, rule, lanes);
            if (fresh - coming.first >= 32) {
                coming = {coming.first + 32, {coming.users[1], 0}, {coming.values[1], 0.0f}};
                fetch_coming(coming, 1, users, values, end, lane);
            }
            // Nothing below waits for the answers, until they are looked at.
            Held held, ahead = fetch_held(rows, lanes);
#pragma unroll 4
            for (int i = 0; i < ready; ++i) {
                held = ahead;
                ahead = fetch_held(rows + (i + 1 < ready ? i + 1 : i) * lanes.stride, lanes);
                const float error = move(item, held, rule, lanes);
                (void)error;
                if (lane == i)
                    TELL(UPDATE, held.rating.user, column, held.rating.which, error, step);
                // The record has the updates of a user in their order.
                RECORD_EVENTS(__threadfence(); __syncwarp();)
                put_user(held, user_vectors, rule, lanes);
            }
            RECORD_COUNTERS(done.updates += lane < ready; done.turns += 1;
                            done.slots += lane < most; done.scanned += wanted >> lane & 1;
                            // As locks are counted: a user is taken once, and put back once.
                            done.atomics += (wanted >> lane & 1) + (lane < ready);)
            RECORD_EVENTS(step += ready != 0;)
            const Came came = look(asked, mine, rule, lanes);
            const unsigned all = __ballot_sync(ALL_LANES, came.all);
            const unsigned first = __ballot_sync(ALL_LANES, came.first);
            __syncwarp();       // all lanes have read the rows
            if (wanted & ~all & 1u << lane) {
                TELL(DEFER_USER, mine.user, column, mine.which, 0.0f, step);
                RECORD_COUNTERS(done.user_busy += 1;)
            }
            RECORD_EVENTS(step += (wanted & ~all) != 0;)
            sort_out(asked, mine, all, first, rows, rule, lanes);
            RECORD_EVENTS(__threadfence();)
            __syncwarp();
            ready = __popc(all);
        }
        for (int i = 0; i < MOST_PAIRS; ++i)
            if (lane < lanes.pairs && 32 * i < lanes.pairs)
                store_pair<false>(vector + 2 * (lane + 32 * i), item.own[i]);
        if (biased && lane == 0) item_bias[column] = item.bias;
    }
    RECORD_COUNTERS(record_effort(rec, me, pass, done);)
}

SIMT_EXPORT(sgd_node_batched)
