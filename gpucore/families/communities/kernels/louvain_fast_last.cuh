// Louvain, tuned: small stages by one block.
//
// What all warps read and write while vertices move is in shared memory, where an access takes a
// tenth of the time; the adjacency lists too if there is room.
#pragma once

#include "louvain_fast_judge.cuh"

// The modularity of a partition differs by less from sum to sum: the terms' order is another.
#define ROUNDING 1e-12

// Arrays in shared memory while there is room, then outside.
struct Pool {
    unsigned char* near;
    int room;                   // bytes left there
    unsigned char* far;

    __device__ bool fits(int bytes) const { return bytes <= room; }
};

__device__ inline int padded(long long bytes) { return (int)((bytes + 7) / 8 * 8); }

template <class T> __device__ inline T* take(Pool& pool, int count)
{
    const int bytes = padded(count * (long long)sizeof(T));
    if (!pool.fits(bytes)) {
        T* const array = (T*)pool.far;
        pool.far += bytes;
        return array;
    }
    T* const array = (T*)pool.near;
    pool.near += bytes;
    pool.room -= bytes;
    return array;
}

// An array, copied to shared memory if it fits; then all must meet.
template <class T> __device__ inline const T* nearer(Pool& pool, const T* array, int count)
{
    if (!pool.fits(padded(count * (long long)sizeof(T)))) return array;
    T* const copy = take<T>(pool, count);
    for (int i = threadIdx.x; i < count; i += blockDim.x) copy[i] = array[i];
    return copy;
}

// The graph of a stage.
struct Lists {
    long long* indptr;
    int* indices;
    Weight* sums;
    Weight* strength;
};

__device__ inline Lists lists_in(Pool& pool, int n, int entries)
{
    return {take<long long>(pool, n + 1), take<int>(pool, entries), take<Weight>(pool, entries),
            take<Weight>(pool, n)};
}

// Exclusive sums of `n` numbers; element `n` gets the sum of all.  All threads of the block call.
__device__ inline void prefix_sums(int* numbers, int n, int* warps)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int each = (n + blockDim.x - 1) / blockDim.x;
    const int from = min(n, (int)threadIdx.x * each), to = min(n, from + each);
    int mine = 0;
    for (int i = from; i < to; ++i) mine += numbers[i];
    int before = mine;
    for (int d = 1; d < 32; d *= 2) {
        const int other = __shfl_up_sync(ALL_LANES, before, d);
        if (lane >= d) before += other;
    }
    if (lane == 31) warps[warp] = before;
    __syncthreads();
    before -= mine;
    for (int w = 0; w < warp; ++w) before += warps[w];
    for (int i = from; i < to; ++i) {
        const int number = numbers[i];
        numbers[i] = before;
        before += number;
    }
    if (threadIdx.x == blockDim.x - 1) numbers[n] = before;
    __syncthreads();
}

// Copy the vertices with edges, `live`, numbered in this order.  `number` has n + 1 places.
__device__ inline void gather(Lists to, int n, const int* live, int* number_of, Level level,
                              const Weight* strength, int* number, int* warps)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const int v = live[i];
        number_of[v] = i;
        number[i] = (int)(level.indptr[v + 1] - level.indptr[v]);
        to.strength[i] = strength[v];
    }
    __syncthreads();
    prefix_sums(number, n, warps);
    for (int i = threadIdx.x; i <= n; i += blockDim.x) to.indptr[i] = number[i];
    const int member = threadIdx.x % 8;                     // eight threads copy a list
    for (int i = threadIdx.x / 8; i < n; i += blockDim.x / 8) {
        const long long begin = level.indptr[live[i]] - number[i];
        for (int e = number[i] + member; e < number[i + 1]; e += 8) {
            to.indices[e] = number_of[level.indices[begin + e]];
            to.sums[e] = weight_of(level, begin + e);
        }
    }
    __syncthreads();
}

// The vertices by class of degree; class k begins at `first[k]`, and `cursor` has a place for each
// class.  All threads of the block call.
__device__ inline void sort_by_class(const long long* indptr, int n, int* order, int* first, int* cursor)
{
    if (threadIdx.x <= CLASSES) first[threadIdx.x] = 0;
    __syncthreads();
    for (int v = threadIdx.x; v < n; v += blockDim.x)
        atomicAdd(first + 1 + class_of(indptr[v + 1] - indptr[v]), 1);
    __syncthreads();
    if (threadIdx.x == 0)
        for (int k = 0; k < CLASSES; ++k) {
            cursor[k] = first[k];
            first[k + 1] += first[k];
        }
    __syncthreads();
    for (int v = threadIdx.x; v < n; v += blockDim.x)
        order[atomicAdd(cursor + class_of(indptr[v + 1] - indptr[v]), 1)] = v;
    __syncthreads();
}


// Number the communities that have members from 0, write every vertex's number, and their strengths;
// returns how many there are.  `number` has n + 1 places.  All threads of the block call.
__device__ inline int renumber(Partition p, int n, int* number, int* label, int* mapping, Weight* strength,
                               int* warps)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) number[i] = 0;
    __syncthreads();
    for (int v = threadIdx.x; v < n; v += blockDim.x) simt_store(number + p.community[v], 1);
    __syncthreads();
    prefix_sums(number, n, warps);
    for (int v = threadIdx.x; v < n; v += blockDim.x) {
        label[v] = mapping[v] = number[p.community[v]];
        if (number[v + 1] != number[v]) strength[number[v]] = p.total[v];
    }
    __syncthreads();
    return number[n];
}

// Add up the edges between all pairs of communities; edges without weight are left out.  Eight
// threads add those of a vertex, those inside its community once.  All threads of the block call.
__device__ inline void add_pairs(Level level, int n, const int* label, int communities,
                                 HalfTable pairs)
{
    RECORD_COUNTERS(Effort effort = {0, 0, 0, 0, 0, 0, 0, 0};)
    const auto add_pair = [&](int one, int two, Weight sum) {
        bool fresh = false;
        add_at(pairs,
               slot_for(pairs, one * communities + two, pairs.size, fresh
                        RECORD_COUNTERS(, effort)),
               sum);
    };
    const int member = threadIdx.x % 8, each = blockDim.x / 8;
    for (int first = 0; first < n; first += each) {         // all lanes meet at the shuffles
        const int v = first + threadIdx.x / 8;
        const long long end = v < n ? level.indptr[v + 1] : 0;
        const int mine = v < n ? label[v] : -1;
        Weight inside = 0;
        for (long long e = v < n ? level.indptr[v] + member : 0; e < end; e += 8) {
            const int other = label[level.indices[e]];
            if (other == mine) inside += level.sums[e];
            else if (level.sums[e]) add_pair(mine, other, level.sums[e]);
        }
        for (int d = 4; d > 0; d /= 2) inside += __shfl_xor_sync(ALL_LANES, inside, d);
        if (member == 0 && inside) add_pair(mine, mine, inside);
    }
}

// Write the lists of the communities from the sums of pairs; returns this thread's share of the
// modularity.  `number` has a place for each, and one.  All threads of the block call.
__device__ inline double write_lists(Partition p, Lists to, int communities, HalfTable pairs, int* number,
                                     int* warps)
{
    double share = 0.0;
    for (int c = threadIdx.x; c < communities; c += blockDim.x) {
        const double part = (double)to.strength[c] / p.two_m;
        share -= p.resolution * part * part;
        number[c] = 0;
    }
    __syncthreads();
    for (unsigned slot = threadIdx.x; slot < pairs.size; slot += blockDim.x) {
        const int key = pairs.keys[slot];
        if (key == NO_KEY) continue;
        atomicAdd(number + key / communities, 1);
        if (key / communities == key % communities) share += (double)sum_at(pairs, slot) / p.two_m;
    }
    __syncthreads();
    prefix_sums(number, communities, warps);
    for (int c = threadIdx.x; c <= communities; c += blockDim.x) to.indptr[c] = number[c];
    __syncthreads();
    for (unsigned slot = threadIdx.x; slot < pairs.size; slot += blockDim.x) {
        const int key = pairs.keys[slot];
        if (key == NO_KEY) continue;
        const int place = atomicAdd(number + key / communities, 1);
        to.indices[place] = key % communities;
        to.sums[place] = sum_at(pairs, slot);
    }
    __syncthreads();
    return share;
}

// A stage's row of the log.
enum LastColumn { VERTICES, ENTRIES, SWEEPS, COMMUNITIES, MODULARITY, COLUMNS };

// Shared memory of the block: `near_bytes`, of which the last `table_bytes` are for hash tables, of
// WARP_SLOTS for each warp, and at least a slot for each vertex; and what follows.
struct LastDesk {
    unsigned char* near;
    int near_bytes, table_bytes;
    Desk move;
    int* warps;                 // one a warp
    double* shares;             // one a warp
    Weight* gained;             // one, as the next two
    double* gain;
    int* moved;
    int* state;                 // STATES
    int* first;                 // CLASSES + 1
    int* cursor;                // CLASSES
};

// When stages end; see finish() in last.py.  One that lost modularity is swept again in more parts, until
// there are `enough_parts`.
struct LastEnds {
    double start, threshold, least;
    int relative, take_back, patience, max_sweeps, max_stages, enough_parts;
};

// What the stages found; the same in all threads.
struct LastFound {
    int rows, contractions, communities;
    double modularity;
    const Weight* strength;     // of every community
};

// Sweep and contract, stage after stage, until one gains too little.  `live`: the `n` vertices with
// edges, in their order.  `far`: memory for what does not fit in shared memory; `maps`: n for each
// stage; `whole`: community of every vertex in the end; `log`: COLUMNS for each stage.  All threads of
// the block call, and no other block.
__device__ inline LastFound last_stages(int n, int entries, const int* live, int* number_of,
                                        Level given, const Weight* strength, double two_m,
                                        double resolution, LastEnds ends, int parts, LastDesk desk,
                                        unsigned char* far, int* maps, int* whole, double* log,
                                        [[maybe_unused]] int step RECORD_PARAMS)
{
    const int places = n;
    Pool outside = {nullptr, 0, far};
    Lists now = lists_in(outside, n, entries), next = lists_in(outside, n, entries);
    gather(now, n, live, number_of, given, strength, take<int>(outside, n + 1), desk.warps);
    for (int v = threadIdx.x; v < n; v += blockDim.x) whole[v] = v;
    double before = ends.start;
    int contractions = 0;
    for (int stage = 0;; ++stage) {
        Pool pool = {desk.near, desk.near_bytes - desk.table_bytes, outside.far};
        int* const community = take<int>(pool, n);
        Weight* const total = take<Weight>(pool, n);
        unsigned char* const rested = take<unsigned char>(pool, n);
        int* const number = take<int>(pool, n + 1);
        int* const order = take<int>(pool, n);
        const Weight* const own = nearer(pool, now.strength, n);
        const long long* const rows = nearer(pool, now.indptr, n + 1);
        const int* const others = nearer(pool, now.indices, entries);
        const Weight* const sums = nearer(pool, now.sums, entries);
        unsigned* const memory = (unsigned*)pool.near;
        int* const state = desk.state;
        for (int v = threadIdx.x; v < n; v += blockDim.x) {
            community[v] = v;
            total[v] = now.strength[v];
            rested[v] = 0;
        }
        if (threadIdx.x == 0) {
            *desk.gain = 0.0;
            *desk.gained = 0;
            *desk.moved = state[DONE] = state[LAUNCHES] = state[IDLE] = state[MOVES] = 0;
            state[TAKEN] = state[TAKEN + 1] = 0;
        }
        __syncthreads();
        sort_by_class(rows, n, order, desk.first, desk.cursor);
        const Ranges ranges = alone(ranges_of(desk.first, parts, false));
        const Partition p = {own, community, total, 0, two_m, resolution, 0};
        const Level level = {rows, others, nullptr, sums, 1.0, SUMS};
        const Room room = {memory, desk.table_bytes / (SLOT_WORDS * 4), 0, 0, 0};
        for (int sweep = 0; !state[DONE]; ++sweep) {
            Effects effects = effects_of(two_m, step, threadIdx.x / 32);
            Turns turns = {state + TAKEN, -1, -1};
            for (int part = 0; part < parts; ++part) {
                const Search s = search_in(p, level, rested, desk.gained, desk.moved, nullptr, sweep,
                                           part, parts);
                for_each_lane(ranges, order, s.sweep.visit, [&](Place place) {
                    move_lanes(s, place, effects RECORD_COUNTERS(, rec));
                });
                for_each_due(ranges, s.sweep.visit, turns, desk.move.note,
                             [&](int place) { return is_due(s.sweep, order[place]); },
                             [&](int place, Team team) {
                    move_by_team(s, order[place], true, team, team.is_block ? room : room_of_warp(memory),
                                 desk.move, effects RECORD_COUNTERS(, rec));
                });
            }
            effects.report(desk.gained, desk.moved);
            __syncthreads();
            if (threadIdx.x == 0) {
                judge({modularity_of(*desk.gained), *desk.moved}, desk.gain, before, ends.threshold,
                      ends.least, ends.relative, parts, ends.patience, ends.max_sweeps, state);
                *desk.gained = 0;
                *desk.moved = 0;
            }
            __syncthreads();
        }
        const int sweeps = state[LAUNCHES] / parts;
        int* const mapping = maps + (long long)stage * places;
        int* const label = order;                           // not needed any more
        const int communities = renumber(p, n, number, label, mapping, next.strength, desk.warps);
        const long long most = min((long long)entries, (long long)communities * communities);
        unsigned slots = 64;
        while (2 * slots < 3 * most) slots *= 2;
        const bool shared = (long long)slots * SLOT_WORDS * 4 <= pool.room + desk.table_bytes;
        const HalfTable pairs = half_table(shared ? memory : (unsigned*)pool.far, slots, slots);
        clear(pairs, threadIdx.x, blockDim.x);
        __syncthreads();
        add_pairs(level, n, label, communities, pairs);
        __syncthreads();
        const double share = write_lists(p, next, communities, pairs, number, desk.warps);
        const double found = block_sum(share, desk.shares);
        if (threadIdx.x == 0) {
            desk.shares[0] = found;
            double* const row = log + stage * COLUMNS;
            row[VERTICES] = n;
            row[ENTRIES] = entries;
            row[SWEEPS] = sweeps;
            row[COMMUNITIES] = communities;
            row[MODULARITY] = found;
        }
        __syncthreads();
        const double after = desk.shares[0];
        if (ends.take_back && after < before - ROUNDING && parts < ends.enough_parts) {
            parts *= MORE_PARTS;
            --stage;
            continue;
        }
        const bool lost = ends.take_back && after < before;
        const bool joined = communities < n && !lost;
        const double wanted = ends.relative ? ends.threshold * fabs(after) : ends.threshold;
        const bool last = !joined || after - before < wanted || stage + 1 == ends.max_stages;
        if (joined) {
            ++contractions;
            for (int v = threadIdx.x; v < places; v += blockDim.x) whole[v] = mapping[whole[v]];
            before = after;
            n = communities;
            entries = (int)next.indptr[communities];
            const Lists old = now;
            now = next;
            next = old;
        }
        __syncthreads();
        if (last) return {stage + 1, contractions, n, before, now.strength};
    }
}
