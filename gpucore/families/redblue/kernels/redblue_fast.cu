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
//   * The last rounds, of few vertices, are left to one block, which need not wait for the others.
#include "simt.h"

#ifndef GROUP_DEGREE
#define GROUP_DEGREE 64
#endif
#ifndef WARP_DEGREE
#define WARP_DEGREE 512
#endif
// Most threads of a block, and blocks of a multiprocessor; recording events takes registers.
#ifndef BLOCK
#define BLOCK (RECORD >= 2 ? 768 : 1024)
#endif
#ifndef RESIDENT
#define RESIDENT 1
#endif

#include "redblue_fast.cuh"

// How many live vertices the lists have; the same for all threads.
struct Census {
    int blue[CLASSES], red[CLASSES], alive;
};

// Search all classes of the current colour.
__device__ inline void search(Step s, Live live, const Census& census, Desk desk,
                              Team t RECORD_PARAMS)
{
#pragma unroll
    for (int k = 0; k < CLASSES; ++k) {
        const int count = s.proposing ? census.blue[k] : census.red[k];
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
__device__ inline void settle(Step s, Live live, const Census& census, Live next,
                              Colouring colouring, Ledger& ledger, Team t RECORD_PARAMS)
{
    const Vertices v = s.vertices;
    int left[2] = {0, 0};                                   // matched, dead
    RECORD_EVENTS(const int warp = t.warp, step = t.step;)
#pragma unroll
    for (int k = 0; k < CLASSES; ++k) {
        const int blue = census.blue[k], red = census.red[k];
        const int* list = live.lists + (long long)k * live.room;
        for (int base = t.thread - threadIdx.x; base < blue + red; base += t.threads) {
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

// All threads of the team meet.
__device__ inline void meet(Team t, unsigned* barrier)
{
    if (t.threads == (int)blockDim.x) __syncthreads();
    else simt_grid_sync(barrier);
}

// The words of a launch: three times WORDS counts, two of the barrier, the numbers of ROUNDS rounds
// and of the one after them, and what is reported: live, matched and dead vertices of each round, and
// where the launch ends how many live.
#define ROUNDS 64
#define BARRIER (3 * WORDS)
#define NUMBERS 32

// Rounds `first` to `last` - 1, or until no vertex lives; a launch in which all blocks meet.
// `lists` has 2 * CLASSES * n places; at most `few` live vertices are left to one block.
SIMT_KERNEL(redblue_fast, __launch_bounds__(BLOCK, RESIDENT))
(int n, const long long* indptr, const int* indices, const float* weights, unsigned char* state,
 int* sigma, int* mate, int* lists, int* words, int few, int first, int last, int select,
 unsigned threshold, int philox RECORD_PARAMS)
{
    static_assert(BARRIER + 2 <= NUMBERS, "the words overlap");
    int* counts = words;
    unsigned* barrier = reinterpret_cast<unsigned*>(words + BARRIER);
    const unsigned* numbers = reinterpret_cast<const unsigned*>(words + NUMBERS);
    int* report = words + NUMBERS + ROUNDS + 1;
    SIMT_SHARED(Choice[32], bests);
    SIMT_SHARED(int[32], lively);
    SIMT_SHARED(int[2 * LEDGER], shares);
    Ledger ledger = {shares, 0};
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
    for (int round = first;; ++round) {
        const Live live = {lists + round % 2 * places, counts + round % 3 * WORDS, n};
        const Live next = {lists + (round + 1) % 2 * places, counts + (round + 1) % 3 * WORDS, n};
        int left[WORDS];
#pragma unroll
        for (int k = 0; k < WORDS; ++k) left[k] = simt_load(live.counts + k);
        Census census = {};
#pragma unroll
        for (int k = 0; k < CLASSES; ++k) {
            census.blue[k] = left[k];
            census.red[k] = left[CLASSES + k];
            census.alive += left[k] + left[CLASSES + k];
        }
        if (t.thread == 0) {
            int* place = report + 3 * (round - first);
            place[0] = census.alive;
            if (round > first) {
                place[-2] = left[2 * CLASSES];
                place[-1] = left[2 * CLASSES + 1];
            }
            for (int k = 0; k < WORDS; ++k) simt_store(counts + (round + 2) % 3 * WORDS + k, 0);
        }
        if (census.alive == 0 || round == last) return;
        if (t.threads > (int)blockDim.x && census.alive <= few) {
            simt_grid_sync(barrier);                        // all have read what one will change
            if (blockIdx.x > 0) return;
            t.threads = blockDim.x;
        }
        Step step = {{indptr, indices, weights, (Select)select, numbers[round - first]}, vertices,
                     true};
        t.step = 4 * round + PROPOSING;
        search(step, live, census, {bests, lively}, t RECORD_COUNTERS(, rec));
        meet(t, barrier);
        step.proposing = false;
        t.step = 4 * round + RESPONDING;
        search(step, live, census, {bests, lively}, t RECORD_COUNTERS(, rec));
        meet(t, barrier);
        t.step = 4 * round + MATCHING;
        colouring.r = numbers[round + 1 - first];
        settle(step, live, census, next, colouring, ledger, t RECORD_COUNTERS(, rec));
        meet(t, barrier);
    }
}

SIMT_EXPORT(redblue_fast)
