// Greedy matching by colours, tuned.  The method and the matching are those of redblue.cu.  Our
// changes, and why:
//   * Only live vertices are visited: they are in lists, rebuilt each round, blue ones from the
//     front and red ones from the back, so that no lane waits for the other colour.
//   * Lanes by degree: up to GROUP_DEGREE edges 8 lanes share a vertex, up to WARP_DEGREE a warp,
//     above a block; each class has a list of its own.
//   * A red vertex that responds makes the match itself: no other vertex writes to the blue one.
//     So a response does not read states, and a round has three steps.  Proposals say who is out:
//     a red vertex that finds only such neighbours dies.
//   * Counters of lists are shared by all blocks, and one address takes about one atomic operation a
//     cycle: a block adds to each once for all its warps, and each thread counts the matched and the
//     dead vertices of a round by itself before its warp adds them.
//   * One launch for many rounds: the blocks meet between steps, without waiting for the host.
#include "simt.h"

#ifndef GROUP_DEGREE
#define GROUP_DEGREE 64
#endif
#ifndef WARP_DEGREE
#define WARP_DEGREE 2048
#endif
// Blocks of a multiprocessor; recording events takes registers.
#ifndef RESIDENT
#define RESIDENT (RECORD >= 2 ? 3 : 4)
#endif

#include "redblue_fast.cuh"

// Search all classes of the current colour.
__device__ inline void search(Step s, Live live, Desk desk, Team t RECORD_PARAMS)
{
    for (int k = 0; k < CLASSES; ++k) {
        const int count = simt_load(live.counts + k + (s.proposing ? 0 : CLASSES));
        const int* list = live.lists + (long long)k * live.room;
        const int* first = s.proposing ? list : list + live.room - 1;
        const int stride = s.proposing ? 1 : -1;
        if (k == CLASSES - 1)
            search_hubs(s, count, first, stride, desk, t RECORD_COUNTERS(, rec));
        else
            search_groups(s, count, first, stride, k == 0 ? 8 : 32, t RECORD_COUNTERS(, rec));
    }
}

// The end of a round: matched and dead vertices leave, the others get a new colour.
__device__ inline void settle(Step s, Live live, Live next, Colouring colouring, Ledger& ledger,
                              Team t RECORD_PARAMS)
{
    const Vertices v = s.vertices;
    int left[2] = {0, 0};                                   // matched, dead
    RECORD_EVENTS(const int warp = t.warp, step = t.step;)
    for (int k = 0; k < CLASSES; ++k) {
        const int blue = simt_load(live.counts + k), red = simt_load(live.counts + CLASSES + k);
        const int* list = live.lists + (long long)k * live.room;
        for (int base = blockIdx.x * blockDim.x; base < blue + red; base += t.threads) {
            const int i = base + threadIdx.x;
            const bool there = i < blue + red;
            const int vertex =
                !there ? NONE : i < blue ? list[i] : list[live.room - 1 - (i - blue)];
            const bool matched = there && v.mate[vertex] != NONE;
            const bool dies = there && !matched && v.sigma[vertex] == OUT;
            RECORD_EVENTS(
                if (matched && i < blue) TELL(MATCH, vertex, v.mate[vertex], 0.0f);
                if (dies) TELL(DIE, vertex, NONE, 0.0f);)
            if (matched || dies) v.state[vertex] = matched ? MATCHED : DEAD;
            if (matched) v.sigma[vertex] = OUT;
            left[0] += matched;
            left[1] += dies;
            RECORD_COUNTERS(const bool any = __any_sync(ALL_LANES, there);
                            record_effort(rec, t.warp, t.step,
                                          {there, there, 0, any, 0, 0, matched, dies});)
            enlist(next, v, s.graph.indptr, there && !matched && !dies ? vertex : NONE, colouring,
                   ledger, t.step + 1, t.warp RECORD_COUNTERS(, rec));
        }
    }
    for (int k = 0; k < 2; ++k) {
        for (int d = 16; d > 0; d /= 2) left[k] += __shfl_xor_sync(ALL_LANES, left[k], d);
        if (t.lane == 0 && left[k]) atomicAdd(next.counts + 2 * CLASSES + k, left[k]);
    }
}

// Rounds `first` to `last` - 1, or until no vertex lives; a launch in which all blocks meet.
// `numbers` begins with that of round `first`.  `lists` has 2 * CLASSES * n places, `counts` three
// times WORDS; `told` returns live, matched and dead vertices of each round.
#define WORDS (2 * CLASSES + 2)

SIMT_KERNEL(redblue_fast, __launch_bounds__(256, RESIDENT))
(int n, const long long* indptr, const int* indices, const float* weights, unsigned char* state,
 int* sigma, int* mate, int* lists, int* counts, const unsigned* numbers, int first, int last,
 int select, unsigned threshold, int philox, int* told, unsigned* barrier RECORD_PARAMS)
{
    SIMT_SHARED(Choice[32], bests);
    SIMT_SHARED(int[32], lively);
    SIMT_SHARED(int[2 * LEDGER], words);
    Ledger ledger = {words, 0};
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    Team t = {thread, (int)(gridDim.x * blockDim.x), (int)threadIdx.x % 32, thread / 32, 0};
    const Vertices vertices = {state, sigma, mate};
    const long long places = (long long)CLASSES * n;
    Colouring colouring = {numbers[0], threshold, philox != 0};
    if (first == 0) {
        for (int base = blockIdx.x * blockDim.x; base < n; base += t.threads) {
            const int v = base + threadIdx.x;
            if (v < n) mate[v] = NONE;
            enlist({lists, counts, n}, vertices, indptr, v < n ? v : NONE, colouring, ledger,
                   0, t.warp RECORD_COUNTERS(, rec));
            RECORD_COUNTERS(const bool any = __any_sync(ALL_LANES, v < n);
                            record_effort(rec, t.warp, 0, {v < n, v < n, 0, any, 0, 0, 0, 0});)
        }
        simt_grid_sync(barrier);
    }
    for (int round = first; round < last; ++round) {
        const Live live = {lists + round % 2 * places, counts + round % 3 * WORDS, n};
        const Live next = {lists + (round + 1) % 2 * places, counts + (round + 1) % 3 * WORDS, n};
        int alive = 0;
        for (int k = 0; k < 2 * CLASSES; ++k) alive += simt_load(live.counts + k);
        if (thread == 0) {
            told[3 * round] = alive;
            for (int k = 0; k < WORDS; ++k) counts[(round + 2) % 3 * WORDS + k] = 0;
        }
        if (alive == 0) return;
        Step step = {{indptr, indices, weights, (Select)select, numbers[round - first]}, vertices,
                     true};
        t.step = 4 * round + PROPOSING;
        search(step, live, {bests, lively}, t RECORD_COUNTERS(, rec));
        simt_grid_sync(barrier);
        step.proposing = false;
        t.step = 4 * round + RESPONDING;
        search(step, live, {bests, lively}, t RECORD_COUNTERS(, rec));
        simt_grid_sync(barrier);
        t.step = 4 * round + MATCHING;
        colouring.r = numbers[round + 1 - first];
        settle(step, live, next, colouring, ledger, t RECORD_COUNTERS(, rec));
        simt_grid_sync(barrier);
        if (thread == 0) {
            told[3 * round + 1] = simt_load(next.counts + 2 * CLASSES);
            told[3 * round + 2] = simt_load(next.counts + 2 * CLASSES + 1);
        }
    }
}

SIMT_EXPORT(redblue_fast)
