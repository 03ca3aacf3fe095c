// Hubs of the tuned b-Suitor: vertices whose adjacencies whole blocks search.
#pragma once

#include "bsuitor_offers.cuh"
#include "hub_pieces.cuh"

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
// The row and the events of a hub's turn, by one thread; hubs have the last rows.  A block that reads
// a piece without a proposal passes `number` -1.
__device__ inline void record_hub(Recorder* rec, int hub_blocks, Clock clock, int turn, Seeker s,
                                  int number, int edges, Bid choice, Outcome outcome)
{
    const int row = (int)rec->warps - hub_blocks + blockIdx.x;
    const unsigned trips = (edges + blockDim.x - 1) / blockDim.x;
    const bool chose = choice != 0, proposes = number >= 0;
    const Bid own = chose ? with_vertex(choice, number) : 0;
    const bool accepted = chose && outcome.fallen != own, drops = accepted && outcome.fallen != 0;
    add_to_row(rec, row, clock.row,
               {proposes, (unsigned)edges, trips * blockDim.x, chose, accepted, drops,
                proposes && !chose,
                accepted ? weight_of(own) - weight_of(outcome.fallen) : 0.0f});
    RECORD_EVENTS(
        if (!proposes) return;
        record_event(rec, clock.row, row, !chose ? EXHAUSTED : accepted ? PROPOSE : OUTBID, number,
                     vertex_of(choice), -1, weight_of(choice), 2 * turn);
        if (drops)
            record_event(rec, clock.row, row, DROP, number, vertex_of(choice), outcome.loser,
                         weight_of(outcome.fallen), 2 * turn + 1);)
}
#endif

// The first round of the hubs: blocks find the best edges of pieces, and the first thread of one of
// each hub's blocks proposes.  `shared`: 33 bids.
template <class State>
__device__ inline void first_of_hubs(Part p, const State& state, Hubs hubs, int hub_blocks,
                                     Bid* shared RECORD_PARAMS)
{
    RECORD_COUNTERS(int turn = 0;)
    int* shared_ints = reinterpret_cast<int*>(shared + 32);
    const auto degree_of = [&](int u) { return p.indptr[u + 1] - p.indptr[u]; };
    for (;;) {
        const Share share = next_share(hubs, degree_of, shared_ints);
        const int u = share.hub;
        if (u < 0) return;
        Seeker s = newcomer(p, u);
        const int begin = first_edge(hubs, share);
        s.begin += begin;
        if (share.piece >= 0) s.degree = min(s.degree - begin, HUB_PIECE);
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
        if (threadIdx.x != 0) continue;
        RECORD_COUNTERS(int edges = s.degree;)
        if (share.piece >= 0) {
            Bid* words = hubs.words + (long long)hubs.pieces[share.piece].first * state.each();
#pragma unroll
            for (int i = 0; i < MOST; ++i)              // with places in the whole adjacency
                if (i < state.each() && found.edges[i] != 0)
                    enter_cascade(words, state.each(), found.edges[i] + begin);
            const bool last = is_last(hubs, share, degree_of(u));
#pragma unroll
            for (int i = 0; i < MOST; ++i)
                found.edges[i] = last && i < state.each() ? simt_load(words + i) : 0;
            s = newcomer(p, u);
            RECORD_COUNTERS(
                if (!last) record_hub(rec, hub_blocks, {0, 0}, turn++, s, -1, edges, 0, {0, -1});)
        }
        name_edges(p, state.cursors, s, found);
#pragma unroll
        for (int i = 0; i < MOST; ++i) {
            if (found.edges[i] == 0) continue;
            const Outcome outcome = propose<true>(state, u, found.edges[i]);
            if (outcome.loser >= 0) state.put_off(outcome.loser);
            RECORD_COUNTERS(record_hub(rec, hub_blocks, {0, 0}, turn++, s, state.number(u),
                                       i == 0 ? edges : 0, found.edges[i], outcome);)
        }
    }
}

// Hubs that a block takes at a time after the first round, where few of them have to propose.
constexpr int HUBS_AT_A_TIME = 8;

// The hubs of a block that wait, one after the other; its first warp looks for them.
struct WaitingHubs {
    Hubs hubs;
    int* taken;                 // a counter, zeroed before
    int batch;                  // hubs that are taken at a time, up to 32
    int mine;                   // this lane's hub
    unsigned left;              // lanes whose hub is still to do; the same in all lanes

    template <class State>
    __device__ inline int find(const State& state)
    {
        const int lane = threadIdx.x % 32, count = hubs.count();
        while (left == 0) {
            int begin = 0;
            if (lane == 0) begin = atomicAdd(taken, batch);
            begin = __shfl_sync(ALL_LANES, begin, 0);
            if (begin >= count) return -1;
            mine = lane < batch && begin + lane < count ? hubs.list[begin + lane] : -1;
            left = __ballot_sync(ALL_LANES, mine >= 0 && state.waiting(mine));
        }
        const int u = __shfl_sync(ALL_LANES, mine, __ffs(left) - 1);
        left &= left - 1;
        return u;
    }
    // All threads of the block call; `owed` gets how often the hub has to propose.  `shared`: 33 bids.
    // Returns -1 at the end.
    template <class State>
    __device__ inline int next(const State& state, int* owed, Bid* shared)
    {
        int* found = reinterpret_cast<int*>(shared + 32);
        if (threadIdx.x < 32) {
            const int hub = find(state);
            if (threadIdx.x == 0) {
                if (hub >= 0) state.take(hub);
                found[0] = hub;
                found[1] = hub >= 0 ? simt_load(state.owed + hub) : 0;
            }
        }
        __syncthreads();
        const int u = found[0];
        *owed = found[1];
        __syncthreads();
        return u;
    }
};

// The second part of the hubs: a block follows each proposal that a hub owes to its end.
template <class State>
__device__ inline void rest_of_hubs(Part p, const State& state, Hubs hubs, int* taken, int batch,
                                    int hub_blocks, Clock clock, Bid* shared RECORD_PARAMS)
{
    int* next = reinterpret_cast<int*>(shared + 32);
    WaitingHubs list = {hubs, taken, batch, -1, 0};
    for (int hub, left; (hub = list.next(state, &left, shared)) >= 0;) {
        int u = -1;
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
                    *next = state.own(outcome.loser);
                    RECORD_COUNTERS(record_hub(rec, hub_blocks, clock, clock.batch, s,
                                               state.number(u), s.degree, choice, outcome);)
                }
            }
            __syncthreads();
            u = *next;
            __syncthreads();
            RECORD_COUNTERS(
                ++clock.batch;
                if (!State::ROUNDS) ++clock.row;)
        }
    }
}
