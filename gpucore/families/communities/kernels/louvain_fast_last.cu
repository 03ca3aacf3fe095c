// Louvain, tuned: all last stages in one launch.
//
// A stage of some thousand vertices takes a GPU a few microseconds of work, but twenty launches and
// six reads by the host.  Here one block of a single launch sweeps and contracts, stage after stage,
// until a stage gains too little; the host reads one log.  Moves and their rules are those of
// louvain_fast.cu; the steps of a stage are in louvain_fast_last.cuh.
#include "simt.h"

#include "louvain_fast_last.cuh"
#include "louvain_fast_judge.cuh"

// A stage's row of the log.
enum { VERTICES, ENTRIES, SWEEPS, COMMUNITIES, MODULARITY, COLUMNS };

// Lanes of a vertex: a power of two near the average degree.
__device__ inline int width_of(int n, int entries)
{
    int width = 8;
    while (width < 32 && width * n < entries) width *= 2;
    return width;
}

// Copy the vertices with edges, `live`, numbered in this order.
__device__ inline void gather(Lists to, int n, const int* live, int* number, Level level,
                              const Weight* strength, int* warps)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const int v = live[i];
        number[v] = i;
        to.length[i] = to.begin[i] = (int)(level.indptr[v + 1] - level.indptr[v]);
        to.strength[i] = strength[v];
    }
    __syncthreads();
    prefix_sums(to.begin, n, warps);
    for (int i = threadIdx.x / 32; i < n; i += blockDim.x / 32) {
        const long long begin = level.indptr[live[i]];
        for (int e = threadIdx.x % 32; e < to.length[i]; e += 32) {
            to.indices[to.begin[i] + e] = number[level.indices[begin + e]];
            to.sums[to.begin[i] + e] = weight_of(level, begin + e);
        }
    }
    __syncthreads();
}

// One block.  `n` and `entries` of the vertices with edges.  `ints`: 9 (n + 1) and 3 entries;
// `wide`: 3 n and 2 entries; `sums`: n for every 8 threads, all zero; `maps`: n for each of
// `max_stages`; `log`: COLUMNS for each, and before them the number of rows and of contractions.
SIMT_KERNEL(fast_last, __launch_bounds__(1024))
(int n, int entries, const int* live, int* number_of, const long long* indptr, const int* indices,
 const float* weights, const Weight* level_sums, double unit, int kind, const Weight* strength,
 double two_m, double resolution, double start, double threshold, double least, int relative,
 int take_back, int patience, int max_sweeps, int max_stages, int few, int parts, int* ints,
 Weight* wide, unsigned char* rested, Weight* sums, int* maps, double* log)
{
    SIMT_SHARED(int[32], warps);
    SIMT_SHARED(double[32], shares);
    SIMT_SHARED(Weight[1], gained);
    SIMT_SHARED(double[1], gain);
    SIMT_SHARED(int[1], moved);
    SIMT_SHARED(int[4], state);
    SIMT_SHARED(int[1], live_entries);
    const int places = n, size = n + 1;
    Lists now = {ints, ints + size, ints + 9 * size, wide + 3 * places, wide};
    Lists next = {ints + 2 * size, ints + 3 * size, ints + 9 * size + entries,
                  wide + 3 * places + entries, wide + places};
    int* const community = ints + 4 * size;
    int* const number = ints + 5 * size;
    const Members members = {ints + 6 * size, ints + 7 * size, ints + 8 * size};
    int* const seen = ints + 9 * size + 2 * entries;
    Weight* const total = wide + 2 * places;
    gather(now, n, live, number_of, {indptr, indices, weights, level_sums, unit, kind}, strength,
           warps);
    double before = start;
    int contractions = 0;
    for (int stage = 0;; ++stage) {
        const int width = width_of(n, entries);
        const Group group = group_of(width, sums, places);
        for (int v = threadIdx.x; v < n; v += blockDim.x) {
            community[v] = v;
            total[v] = now.strength[v];
            rested[v] = 0;
        }
        if (threadIdx.x == 0) {
            gain[0] = 0.0;
            gained[0] = 0;
            moved[0] = state[DONE] = state[LAUNCHES] = state[IDLE] = state[MOVES] = 0;
            live_entries[0] = 0;
        }
        __syncthreads();
        const int in_parts = n < few ? parts : 1;
        Partition p = {now.strength, community, total, 0, two_m, resolution, 0};
        for (int launches = 0; !state[DONE]; ++launches) {
            p.direction = direction_of(launches / in_parts);
            const Sweep sweep = {rested, gained, moved, launches < in_parts, {launches % in_parts, in_parts, 0},
                                 nullptr};
            Effects effects = {0, 0, 0, 0, 0};
            move_part(p, sweep, now, n, seen, group, effects);
            effects.report(sweep);
            __syncthreads();
            if (threadIdx.x == 0 && sweep.visit.part + 1 == in_parts) {
                judge({modularity_of(gained[0]), moved[0]}, gain, before, threshold, least, relative, in_parts,
                      patience, max_sweeps, state);
                gained[0] = 0;
                moved[0] = 0;
            }
            __syncthreads();
        }
        const int sweeps = state[LAUNCHES] / in_parts;
        int* const mapping = maps + (long long)stage * places;
        const int communities = renumber(p, now, next, n, number, mapping, members, warps);
        const double share = join(p, now, next, communities, mapping, members, group);
        __syncthreads();
        for (int c = threadIdx.x; c < communities; c += blockDim.x)
            atomicAdd(live_entries, simt_load(next.length + c));
        const double found = block_sum(share, shares);
        if (threadIdx.x == 0) {
            shares[0] = found;
            double* const row = log + 2 + stage * COLUMNS;
            row[VERTICES] = n;
            row[ENTRIES] = entries;
            row[SWEEPS] = sweeps;
            row[COMMUNITIES] = communities;
            row[MODULARITY] = found;
        }
        __syncthreads();
        const double after = shares[0];
        const bool lost = take_back && after < before;
        const bool joined = communities < n && !lost;
        if (joined) ++contractions;
        const double wanted = relative ? threshold * fabs(after) : threshold;
        if (!joined || after - before < wanted || stage + 1 == max_stages) {
            if (threadIdx.x == 0) {
                log[0] = stage + 1;
                log[1] = contractions;
            }
            return;
        }
        before = after;
        n = communities;
        entries = live_entries[0];
        const Lists old = now;
        now = next;
        next = old;
        __syncthreads();
    }
}

SIMT_EXPORT(fast_last)
