// Louvain, tuned: refinement (see refinement.py).  The moves are those of louvain_fast.cu, on the given
// graph, from the partition that the stages found; here is what that needs before and after.
//   fast_compose    last community of every vertex of the stage from which on one launch did the rest
//   fast_begin      community of every vertex, and strength of every community
//   fast_inside     weight inside all communities, both ends of every edge
#include "simt.h"

#include "louvain_fast_sweep.cuh"
#include "louvain_fast_walk.cuh"

// The largest vertex stays.
__device__ inline void note_member(int* member, int vertex)
{
    if (simt_load(member) < vertex) atomicMax(member, vertex);
}

// The launch's levels: its log says how many maps of all blocks there are, `n` places each, then how many of
// one block, from `last` on (louvain_fast_last.cuh), whose rows begin at `rows`.  The vertices of the first one
// of these are in `orders`, if there are others before in its second half; those without edges, `alone` of
// them or as many as the log says, are the first there and have the last numbers in every level.  `inverse`:
// n places; `found`: for each of `n` vertices.  If the launch has not ended well, all are 0.
SIMT_KERNEL(fast_compose, __launch_bounds__(256, 4))
(int n, const int* maps, const int* last, const double* log, int rows, int alone, const int* orders,
 int* inverse, int* found, unsigned* barrier)
{
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long threads = (long long)gridDim.x * blockDim.x;
    const bool failed = log[OUTCOME] != 0.0;
    const int known = failed ? 0 : (int)log[KNOWN], joined = failed ? 0 : (int)log[CONTRACTIONS];
    const double* const row = log + rows;
    const int* const order = orders + (known ? n : 0);
    const int width = joined ? (int)row[VERTICES] : 0;
    alone += (int)log[ALONE];
    if (joined) {
        for (long long i = thread; i < alone + width; i += threads) inverse[order[i]] = (int)i;
        simt_grid_sync(barrier);
    }
    for (long long v = thread; v < n; v += threads) {
        int x = failed ? 0 : (int)v;
        for (int k = 0; k < known; ++k) x = maps[(long long)k * n + x];
        int count = width;                                  // from here on those without edges come last
        if (joined) x = inverse[x] < alone ? width + inverse[x] : inverse[x] - alone;
        for (int j = 0; j < joined; ++j) {
            const int communities = (int)row[COLUMNS * j + COMMUNITIES];
            x = x < count ? last[(long long)j * width + x] : communities + x - count;
            count = communities;
        }
        found[v] = x;
    }
}

// Make communities of the last of `levels` (0: single vertices; 1: of `first`; 2: of `later` after it, which
// maps `middle` vertices): one member gives each its number.  `strength` is of `parts` parts of them, which
// `rest` maps to the last level if `mapped`.  `member`: 2 n places.  `launches`: from which the sweeps that
// follow count, if not 0.  The blocks meet between the steps.
SIMT_KERNEL(fast_begin, __launch_bounds__(256, 4))
(int n, int levels, const int* first, const int* later, int middle, int parts, int mapped,
 const int* rest, const Weight* strength, int* member, int* community, Weight* total,
 int launches, int* state, unsigned* barrier)
{
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long stride = (long long)gridDim.x * blockDim.x;
    // Members of the communities of `first`, and of the last level: a million vertices that note
    // themselves for few communities would wait for each other.
    int* const before = member + n;
    int* const at_last = levels == 2 ? member : before;
    if (thread == 0 && launches) state[LAUNCHES] = launches;
    for (long long v = thread; v < n; v += stride) {
        member[v] = before[v] = -1;
        total[v] = 0;
    }
    simt_grid_sync(barrier);
    for (long long v = thread; v < n; v += stride)
        note_member(before + (levels ? first[v] : v), (int)v);
    simt_grid_sync(barrier);
    if (levels == 2) {
        for (long long c = thread; c < middle; c += stride) note_member(member + later[c], before[c]);
        simt_grid_sync(barrier);
    }
    for (long long v = thread; v < n; v += stride) {
        const int mine = levels ? first[v] : (int)v;
        community[v] = at_last[levels == 2 ? later[mine] : mine];
    }
    // Lanes of a warp whose parts are in one community add only once: communities are few.
    for (long long i = thread; i - threadIdx.x % 32 < parts; i += stride) {
        const int home = i < parts ? at_last[mapped ? rest[i] : i] : -1;
        Weight sum = i < parts ? strength[i] : 0;
        const int leader = __shfl_sync(ALL_LANES, home, 0);
        const bool together = __all_sync(ALL_LANES, home == leader || home < 0);
        if (together)
            for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(ALL_LANES, sum, d);
        if (home >= 0 && sum && (!together || threadIdx.x % 32 == 0)) atomicAdd(total + home, sum);
    }
}

// Nothing is added up if no vertex moved, unless `anyway`.
SIMT_KERNEL(fast_inside)
(int n, const long long* indptr, const int* indices, const float* weights, const Weight* sums, double unit,
 int kind, const int* community, const int* state, int anyway, Weight* inside)
{
    SIMT_SHARED(Weight[32], shares);
    if (!anyway && state[MOVES] == 0) return;
    add_inside({indptr, indices, weights, sums, unit, kind}, n, community, inside, shares);
}

SIMT_EXPORT(fast_compose)
SIMT_EXPORT(fast_begin)
SIMT_EXPORT(fast_inside)
