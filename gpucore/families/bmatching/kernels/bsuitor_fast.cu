// b-Suitor, tuned, for one small capacity of all vertices: organised around memory traffic.
//
// Source of the algorithm: Khan et al., SIAM J. Sci. Comput. 38(5), 2016.  Our changes, and why:
//   * In the first round every vertex proposes along its b heaviest edges, which it finds in one
//     stream over the weights (bsuitor_search.cuh).  No offer is read: the random reads are left to
//     the second part, which has fewer vertices and looks only at a window of their edges.
//   * The second part asks `worst`, a copy of the weight of every vertex's worst offer, 4 bytes
//     instead of 8 b: the cache holds more of them.  An outdated copy is too low, never too high:
//     a proposal that passes it in vain is refused by the offers themselves.
//   * A lane that makes an offer fall out goes on with its proposer, down from that one's cursor.
//     Several lanes may do so for the same proposer at a time; a CAS on the cursor decides.
//   * Lanes fit the degrees: groups of lanes for short adjacencies, whole warps for long ones, whole
//     blocks, the first of the grid, for hubs.
#include "simt.h"

// Capacity of every vertex, 1 to CASCADE; 0: given at run time, as on the host.
#ifndef SLOTS
#define SLOTS 0
#endif
#include "bsuitor_search.cuh"

#ifndef HUB_DEGREE
#define HUB_DEGREE 1024
#endif
#ifndef WARP_VERTICES
#define WARP_VERTICES 64
#endif
#ifndef FIRST_BLOCKS
#define FIRST_BLOCKS (SLOTS == 1 ? 6 : MOST <= 3 ? 5 : MOST <= 5 ? 4 : 3)
#endif
#ifndef REST_BLOCKS
#define REST_BLOCKS 4
#endif

struct State {
    int capacity;
    Bid* slots;                 // `capacity` words a vertex: its offers, falling
    unsigned* worst;            // weight bits of its last word, or of an earlier value of that
    Bid* cursors;               // the last edge along which it proposed; 0: exhausted
    unsigned char* owed;        // proposals that fell out in the first round, at most `capacity`

    __device__ inline int each() const { return SLOTS > 0 ? SLOTS : capacity; }
    __device__ inline Bid* words(int v) const { return slots + (long long)v * each(); }
    __device__ inline Bid worst_offer(int v) const { return simt_load(words(v) + each() - 1); }
    __device__ inline unsigned worst_weight(int v) const { return simt_load(worst + v); }
    __device__ inline bool takes_equal(Bid offer, int v) const { return offer > worst_offer(v); }
};

// A vertex that proposes again.
__device__ inline Seeker again(Part p, const State& state, int u, Bid cursor)
{
    return returner(p, u, state.worst_offer(u), cursor);
}

// What a lane has to do after a proposal.
struct Outcome {
    Bid fallen;                 // the offer that fell out at the target, 0: none
    int next;                   // the vertex that has to propose again, -1: none
};

// Put an offer into a vertex's words, as `enter_cascade` does.  The words are read together first:
// those that hold more are passed without an atomic.  In the first round most are empty.
template <bool FIRST> __device__ inline Bid enter(Bid* words, int capacity, Bid offer)
{
    int place = 0;
    if (!FIRST && SLOTS != 1) {
        Bid held[MOST];
#pragma unroll
        for (int i = 0; i < MOST; ++i) held[i] = i < capacity ? simt_load(words + i) : 0;
#pragma unroll
        for (int i = 0; i < MOST; ++i) place += held[i] > offer;
    }
    for (; place < capacity && offer != 0; ++place) {
        const Bid previous = atomicMax(words + place, offer);
        if (previous < offer) offer = previous;
    }
    return offer;
}

template <bool FIRST>
__device__ inline Outcome propose(const State& state, int u, Bid choice)
{
    const int target = vertex_of(choice), capacity = state.each();
    Bid* words = state.words(target);
    const Bid own = with_vertex(choice, u), fallen = enter<FIRST>(words, capacity, own);
    if (!FIRST && SLOTS == 1 && fallen != own)
        simt_store(state.worst + target, (unsigned)(own >> 32));
    if (!FIRST && SLOTS != 1)
        simt_store(state.worst + target, (unsigned)(simt_load(words + capacity - 1) >> 32));
    return {fallen, vertex_of(fallen)};
}

// A proposal of the first round fell out: its proposer makes it again in the second part.
__device__ inline void put_off(const State& state, int u)
{
    if (SLOTS == 1) state.owed[u] = 1;
    else atomicAdd(reinterpret_cast<unsigned*>(state.owed) + u / 4, 1u << 8 * (u % 4));
}

// Move the cursor of u to the edge found below it; false if another lane was faster.
__device__ inline bool claim(const State& state, Seeker s, Bid choice)
{
    if (SLOTS == 1 || choice == 0) {                    // one proposal, one lane
        simt_store(state.cursors + s.vertex, choice);
        return true;
    }
    return atomicCAS(state.cursors + s.vertex, s.cursor, choice) == s.cursor;
}

// A block takes one hub after the other.  `shared`: 33 bids.  Returns -1 at the end, else the hub,
// the same for all threads.
__device__ inline int next_hub(const int* hubs, int count, int* taken, Bid* shared)
{
    int* next = reinterpret_cast<int*>(shared + 32);
    if (threadIdx.x == 0) {
        const int i = atomicAdd(taken, 1);
        *next = i < count ? hubs[i] : -1;
    }
    __syncthreads();
    const int u = *next;
    __syncthreads();
    return u;
}

// Largest bid of the block; every thread gets it.
__device__ inline Bid block_max(Bid bid, Bid* shared)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    bid = warp_max(bid);
    if (lane == 0) shared[warp] = bid;
    __syncthreads();
    bid = warp_max(lane < warps ? shared[lane] : 0);
    __syncthreads();
    return bid;
}

#if RECORD >= 1
// The row and the events of a hub's turn, by one thread; hubs have the last rows.
__device__ inline void record_hub(Recorder* rec, int hub_blocks, int iteration, int turn, Seeker s,
                                  int edges, Bid choice, Outcome outcome)
{
    const int row = (int)rec->warps - hub_blocks + blockIdx.x;
    const unsigned trips = (edges + blockDim.x - 1) / blockDim.x;
    const bool chose = choice != 0;
    const Bid own = chose ? with_vertex(choice, s.vertex) : 0;
    const bool accepted = chose && outcome.fallen != own, drops = accepted && outcome.fallen != 0;
    add_to_row(rec, row, iteration,
               {1, (unsigned)edges, trips * blockDim.x, chose, accepted, drops, !chose,
                accepted ? weight_of(own) - weight_of(outcome.fallen) : 0.0f});
    RECORD_EVENTS(
        record_event(rec, iteration, row, !chose ? EXHAUSTED : accepted ? PROPOSE : OUTBID,
                     s.vertex, vertex_of(choice), -1, weight_of(choice), 2 * turn);
        if (drops)
            record_event(rec, iteration, row, DROP, s.vertex, vertex_of(choice), outcome.next,
                         weight_of(outcome.fallen), 2 * turn + 1);)
}
#endif

// The first round of the hubs: a block finds the best edges, its first thread proposes.
__device__ inline void first_of_hubs(Part p, const State& state, const int* hubs, int* counters,
                                     int hub_blocks, Bid* shared RECORD_PARAMS)
{
    RECORD_COUNTERS(int turn = 0;)
    for (int u; (u = next_hub(hubs, counters[0], counters + 1, shared)) >= 0;) {
        const Seeker s = newcomer(p, u);
        Best best, found;
        best.clear();
        found.clear();
        collect(p, s, threadIdx.x, blockDim.x, best);
#pragma unroll
        for (int i = 0; i < MOST; ++i) {
            if (i >= state.each()) break;
            found.edges[i] = block_max(best.edges[0], shared);
            if (found.edges[i] != 0 && best.edges[0] == found.edges[i]) best.remove_first();
        }
        if (threadIdx.x == 0) {
            name_edges(p, state.cursors, s, found);
#pragma unroll
            for (int i = 0; i < MOST; ++i) {
                if (found.edges[i] == 0) continue;
                const Outcome outcome = propose<true>(state, u, found.edges[i]);
                if (outcome.next >= 0) put_off(state, outcome.next);
                RECORD_COUNTERS(record_hub(rec, hub_blocks, 0, turn++, s, i == 0 ? s.degree : 0,
                                           found.edges[i], outcome);)
            }
        }
    }
}

// The second part of the hubs: a block follows each proposal that a hub owes to its end.
__device__ inline void rest_of_hubs(Part p, const State& state, const int* hubs, int* counters,
                                    int hub_blocks, Bid* shared RECORD_PARAMS)
{
    int* next = reinterpret_cast<int*>(shared + 32);
    RECORD_COUNTERS(int iteration = 1;)
    for (int hub; (hub = next_hub(hubs, counters[0], counters + 2, shared)) >= 0;) {
        int left = state.owed[hub], u = -1;
        while (u >= 0 || left > 0) {
            if (u < 0) {
                u = hub;
                --left;
            }
            if (threadIdx.x == 0) shared[0] = simt_load(state.cursors + u);
            __syncthreads();
            const Seeker s = again(p, state, u, shared[0]);      // one cursor for all threads
            __syncthreads();
            const Bid choice =
                block_max(acceptable(p, state, s, threadIdx.x, blockDim.x), shared);
            if (threadIdx.x == 0) {
                *next = u;
                if (claim(state, s, choice)) {
                    Outcome outcome = {0, -1};
                    if (choice != 0) outcome = propose<false>(state, u, choice);
                    *next = outcome.next;
                    RECORD_COUNTERS(record_hub(rec, hub_blocks, iteration, iteration, s, s.degree,
                                               choice, outcome);)
                }
            }
            __syncthreads();
            u = *next;
            __syncthreads();
            RECORD_COUNTERS(++iteration;)
        }
    }
}

// Clear the state and list the hubs.  `counters`, zeroed before: number of hubs; hubs taken in the
// first round; hubs taken in the second part.
SIMT_KERNEL(bsuitor_fast_begin)
(int n, const long long* indptr, int capacity, Bid* slots, unsigned char* owed, int* hubs,
 int* counters)
{
    const long long u = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (u >= n) return;
    for (int i = 0; i < capacity; ++i) slots[(long long)i * n + u] = 0;
    owed[u] = 0;
    if (indptr[u + 1] - indptr[u] > HUB_DEGREE) hubs[atomicAdd(counters, 1)] = (int)u;
}

#define SEARCH_PARAMS                                                                         \
    int n, const long long *indptr, const int *indices, const float *weights, int capacity,   \
        Bid *slots, unsigned *worst, Bid *cursors, unsigned char *owed, const int *hubs,      \
        int *counters, int hub_blocks

// The first round, 32 neighbouring vertices a warp; the first `hub_blocks` blocks take the hubs.
// Shared memory: 33 bids, and 32 bytes for each warp.
SIMT_KERNEL(bsuitor_fast_first, __launch_bounds__(256, FIRST_BLOCKS))(SEARCH_PARAMS RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    const Part p = {n, 0, indptr, indices, weights};
    const State state = {capacity, slots, worst, cursors, owed};
    if ((int)blockIdx.x < hub_blocks) {
        first_of_hubs(p, state, hubs, counters, hub_blocks, shared RECORD_COUNTERS(, rec));
        return;
    }
    const int lane = threadIdx.x % 32, warp_in_block = threadIdx.x / 32;
    const int warp = (blockIdx.x - hub_blocks) * (blockDim.x / 32) + warp_in_block;
    unsigned char* order = reinterpret_cast<unsigned char*>(shared + 33) + 32 * warp_in_block;

    const long long id = (long long)warp * 32 + lane;
    Seeker mine = id < n ? newcomer(p, (int)id) : no_seeker();
    if (mine.degree > HUB_DEGREE) mine = no_seeker();
    Best found;
    Effort effort = search<true>(p, state, mine, order, lane, state.each(), found);
    name_edges(p, state.cursors, mine, found);
#pragma unroll
    for (int i = 0; i < MOST; ++i) {
        if (i >= state.each()) break;
        const Bid choice = found.edges[i];
        Outcome outcome = {0, -1};
        if (choice != 0) outcome = propose<true>(state, mine.vertex, choice);
        if (outcome.next >= 0) put_off(state, outcome.next);
        RECORD_COUNTERS(
            // A vertex whose list ends here says so once.
            const bool ends = choice == 0 && (i == 0 || found.edges[i - 1] != 0);
            const int u = choice != 0 || ends ? mine.vertex : -1;
            record_turn(rec, warp, 0, i, u, choice, outcome.fallen, effort);
            effort = {0, 0};)
    }
}

// The weights of the worst offers after the first round.
SIMT_KERNEL(bsuitor_fast_worst)(int n, int capacity, const Bid* slots, unsigned* worst)
{
    const long long u = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (u < n) worst[u] = (unsigned)(slots[(u + 1) * capacity - 1] >> 32);
}

// Everything after the first round.  A warp lists those among WARP_VERTICES neighbouring vertices
// that owe proposals; a lane takes one, follows each of its proposals to the end, and takes the next.
// Shared memory: 33 bids, and WARP_VERTICES ints and 32 bytes for each warp.
SIMT_KERNEL(bsuitor_fast_rest, __launch_bounds__(256, REST_BLOCKS))(SEARCH_PARAMS RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Bid, shared);
    const Part p = {n, 0, indptr, indices, weights};
    const State state = {capacity, slots, worst, cursors, owed};
    if ((int)blockIdx.x < hub_blocks) {
        rest_of_hubs(p, state, hubs, counters, hub_blocks, shared RECORD_COUNTERS(, rec));
        return;
    }
    const int lane = threadIdx.x % 32, warp_in_block = threadIdx.x / 32, warps = blockDim.x / 32;
    const int warp = (blockIdx.x - hub_blocks) * warps + warp_in_block;
    int* lists = reinterpret_cast<int*>(shared + 33);
    int* list = lists + WARP_VERTICES * warp_in_block;
    unsigned char* order =
        reinterpret_cast<unsigned char*>(lists + WARP_VERTICES * warps) + 32 * warp_in_block;
    const unsigned before = (1u << lane) - 1;

    const long long first = (long long)warp * WARP_VERTICES;
    int count = 0;
    for (int k = lane; k < WARP_VERTICES; k += 32) {
        const long long u = first + k;
        const bool waiting = u < n && owed[u] > 0 && indptr[u + 1] - indptr[u] <= HUB_DEGREE;
        const unsigned who = __ballot_sync(ALL_LANES, waiting);
        if (waiting) list[count + __popc(who & before)] = (int)u;
        count += __popc(who);
    }
    __syncwarp();

    int own = -1, left = 0, u = -1;         // taken from the list; what it owes; who proposes now
    for (int taken = 0, iteration = 1;; ++iteration) {
        const unsigned idle = __ballot_sync(ALL_LANES, u < 0 && left == 0);
        const int place = taken + __popc(idle & before);
        if (u < 0 && left == 0 && place < count) {
            own = list[place];
            left = owed[own];
        }
        taken += __popc(idle);
        if (u < 0 && left > 0) {
            u = own;
            --left;
        }
        if (!__any_sync(ALL_LANES, u >= 0)) break;
        const Seeker mine =
            u >= 0 ? again(p, state, u, simt_load(state.cursors + u)) : no_seeker();
        Best found;
        const Effort effort = search<false>(p, state, mine, order, lane, 1, found);
        const Bid choice = found.edges[0];
        bool ours = false;
        Outcome outcome = {0, u};                       // overtaken: it looks again
        if (u >= 0 && claim(state, mine, choice)) {
            ours = true;
            outcome = choice != 0 ? propose<false>(state, u, choice) : Outcome{0, -1};
            if (choice == 0 && u == own) left = 0;      // nor is there one for the others it owes
        }
        RECORD_COUNTERS(record_turn(rec, warp, iteration, iteration, ours ? u : -1, choice,
                                    outcome.fallen, effort);)
        u = outcome.next;
    }
}

SIMT_EXPORT(bsuitor_fast_begin)
SIMT_EXPORT(bsuitor_fast_first)
SIMT_EXPORT(bsuitor_fast_worst)
SIMT_EXPORT(bsuitor_fast_rest)
