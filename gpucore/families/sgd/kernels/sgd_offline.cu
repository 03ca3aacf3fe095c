// Matrix factorisation by stochastic gradient descent: offline schedules.
//
// Source: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU implementations of
// graph algorithms", IPDPS 2016, section III.  The ratings were put into sets beforehand, so that
// no two ratings of a set that are processed at the same time share a user or an item.  Sets are
// separated by a barrier of all blocks; there are no locks, and memory is shared only across
// barriers.  The result depends on the schedule alone, not on the order in which warps run.
#include "simt.h"

#include "sgd.cuh"

// AGM-E and Diag: set after set, each worker takes the next rating of the set.
// `order` has the ratings of set s from `starts[s]` on; `first` and `last` are the sets of this
// launch.
SIMT_KERNEL(sgd_matchings)
(const int* users, const int* items, const float* values, float* user_vectors,
 float* item_vectors, int k, float* user_bias, float* item_bias, float mean, float rate,
 float decay, int flags, const int* order, const long long* starts, int first, int last,
 int workers, unsigned* barrier, int pass RECORD_PARAMS)
{
    const Worker me = my_worker(k, workers);
    const Rule rule = {user_bias, item_bias, mean, rate, decay, flags};
    RECORD_COUNTERS(Effort done = {0, 0, 0, 0, 0, 0, 0, 0};)
    RECORD_EVENTS(int step = 0;)
    for (int s = first; s < last; ++s) {
        const long long begin = starts[s], end = starts[s + 1];
        for (long long base = begin + me.first; base < end; base += workers) {
            const long long i = base + me.number - me.first;
            const bool works = me.number < workers && i < end;
            const int which = works ? order[i] : 0, user = users[which], item = items[which];
            const float error =
                update<false, false>(works, user_vectors + (long long)user * k,
                                     item_vectors + (long long)item * k, user, item,
                                     values[which], rule, me);
            (void)error;
            RECORD_COUNTERS(done.updates += works && me.lane == 0;)
            if (works && me.lane == 0)
                TELL(UPDATE, user, item, which, error, step + (int)((i - begin) / workers));
        }
        RECORD_EVENTS(step += (int)((end - begin + workers - 1) / workers);)
        RECORD_COUNTERS(done.turns += (unsigned)((end - begin + workers - 1) / workers);
                        done.barriers += 1;)
        simt_grid_sync(barrier);
    }
    RECORD_COUNTERS(done.slots = me.lane == 0 ? done.turns : 0; record_effort(rec, me, pass, done);)
}

// AGM-N and SGM: a worker has an item, whose vector is in shared memory; set after set it processes
// the item's rating of that set, if there is one.  Worker w has item `columns[w]` (NONE: none) and
// its ratings `order[starts[w]]` to `order[starts[w + 1] - 1]`, by rising set; `sets` is parallel to
// `order`.
SIMT_KERNEL(sgd_columns)
(const int* users, const float* values, float* user_vectors, float* item_vectors, int k,
 float* user_bias, float* item_bias, float mean, float rate, float decay, int flags,
 const int* columns, const int* order, const int* sets, const long long* starts, int num_sets,
 int workers, unsigned* barrier, int pass RECORD_PARAMS)
{
    SIMT_DYN_SHARED(float, shared);
    const Worker me = my_worker(k, workers);
    const Rule rule = {user_bias, item_bias, mean, rate, decay, flags};
    float* q = shared + (long long)(threadIdx.x / me.width) * k;
    const int item = me.number < workers ? columns[me.number] : NONE;
    RECORD_COUNTERS(Effort done = {0, 0, 0, 0, 0, 0, 0, 0};)
    long long i = item == NONE ? 0 : starts[me.number];
    const long long end = item == NONE ? 0 : starts[me.number + 1];
    if (item != NONE)
        for (int c = me.lane; c < k; c += me.width) q[c] = item_vectors[(long long)item * k + c];
    __syncwarp();
    for (int s = 0; s < num_sets; ++s) {
        const bool works = i < end && sets[i] == s;
        if (__any_sync(ALL_LANES, works)) {
            const int which = works ? order[i] : 0, user = users[which];
            const float error = update<false, false>(works, user_vectors + (long long)user * k, q,
                                                     user, item, values[which], rule, me);
            (void)error;
            RECORD_COUNTERS(done.updates += works && me.lane == 0;)
            if (works && me.lane == 0) TELL(UPDATE, user, item, which, error, s);
            i += works;
        }
        simt_grid_sync(barrier);
    }
    if (item != NONE)
        for (int c = me.lane; c < k; c += me.width) item_vectors[(long long)item * k + c] = q[c];
    RECORD_COUNTERS(done.turns = done.barriers = num_sets; done.slots = me.lane == 0 ? num_sets : 0;
                    record_effort(rec, me, pass, done);)
}

// BlkDiag: the matrix is cut into tiles; the tiles of a diagonal share no user and no item.  A
// worker processes a tile, rating after rating.  Tile t has the ratings `order[starts[t]]` to
// `order[starts[t + 1] - 1]`; diagonal d has the tiles `diagonals[d]` to `diagonals[d + 1] - 1`.
SIMT_KERNEL(sgd_tiles)
(const int* users, const int* items, const float* values, float* user_vectors,
 float* item_vectors, int k, float* user_bias, float* item_bias, float mean, float rate,
 float decay, int flags, const int* order, const long long* starts, const int* diagonals,
 int first, int last, int workers, unsigned* barrier, int pass RECORD_PARAMS)
{
    const Worker me = my_worker(k, workers);
    const Rule rule = {user_bias, item_bias, mean, rate, decay, flags};
    RECORD_COUNTERS(Effort done = {0, 0, 0, 0, 0, 0, 0, 0};)
    RECORD_EVENTS(int step = 0;)
    for (int d = first; d < last; ++d) {
        RECORD_EVENTS(int mine = step;)
        const int last_tile = diagonals[d + 1];
        int tile = me.number < workers ? diagonals[d] + me.number : last_tile;
        long long i = tile < last_tile ? starts[tile] : 0;
        long long end = tile < last_tile ? starts[tile + 1] : 0;
        while (__any_sync(ALL_LANES, tile < last_tile)) {
            const bool works = tile < last_tile;
            const int which = works ? order[i] : 0, user = users[which], item = items[which];
            const float error =
                update<false, false>(works, user_vectors + (long long)user * k,
                                     item_vectors + (long long)item * k, user, item,
                                     values[which], rule, me);
            (void)error;
            __syncwarp();           // the next rating may be of the same user or item
            RECORD_COUNTERS(done.updates += works && me.lane == 0; done.turns += works;)
            RECORD_EVENTS(if (works && me.lane == 0) TELL(UPDATE, user, item, which, error, mine);
                          mine += 1;)
            if (works && ++i == end) {
                tile += workers;
                i = tile < last_tile ? starts[tile] : 0;
                end = tile < last_tile ? starts[tile + 1] : 0;
            }
        }
        // All workers go on from the step after the longest tile's, which the host adds.
        RECORD_EVENTS(step += 1 << 12;)
        RECORD_COUNTERS(done.barriers += 1;)
        simt_grid_sync(barrier);
    }
    RECORD_COUNTERS(done.slots = me.lane == 0 ? done.turns : 0; record_effort(rec, me, pass, done);)
}

SIMT_EXPORT(sgd_matchings)
SIMT_EXPORT(sgd_columns)
SIMT_EXPORT(sgd_tiles)
