// Hubs of the tuned Suitor: vertices whose adjacencies whole blocks search.
#pragma once

#include "hub_pieces.cuh"
#include "suitor_proposals.cuh"

// Largest bid of the block, in its first thread.  `shared`: a bid for each warp.
__device__ inline Bid first_threads_max(Bid bid, Bid* shared)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    bid = warp_max(bid);
    if (lane == 0) shared[warp] = bid;
    __syncthreads();
    return warp == 0 ? warp_max(lane < warps ? shared[lane] : 0) : 0;
}

#if RECORD >= 1
// The row of a hub's turn, and its event, by one thread; hubs have the last rows.  A block that reads
// a piece without a proposal passes u = -1.
template <class Others>
__device__ inline void record_hub(Recorder* rec, Others others, int hub_blocks, Clock clock, int u,
                                  int edges, Bid choice, Outcome outcome)
{
    const int row = (int)rec->warps - hub_blocks + blockIdx.x;
    const unsigned trips = (edges + blockDim.x - 1) / blockDim.x;
    const float gain = weight_of(choice) - weight_of(outcome.previous);
    add_to_row(rec, row, clock.row,
               {u >= 0, (unsigned)edges, trips * blockDim.x, choice != 0, outcome.accepted,
                outcome.accepted && outcome.previous != 0, u >= 0 && choice == 0,
                outcome.accepted ? gain : 0.0f});
    RECORD_EVENTS(
        if (u >= 0)
            record_event(rec, clock.row, row, event_kind(u, choice, outcome), others.number(u),
                         vertex_of(choice), vertex_of(outcome.previous), weight_of(choice),
                         clock.batch);)
}
#endif

// The first round of the hubs: blocks read pieces, and one of each hub's blocks proposes.  `shared`:
// 33 bids.
template <class Others>
__device__ inline void first_of_hubs(Problem p, State state, Others others, Hubs hubs,
                                     int hub_blocks, Bid* shared RECORD_PARAMS)
{
    int* found = reinterpret_cast<int*>(shared + 32);
    const auto degree_of = [&](int u) { return p.indptr[u + 1] - p.indptr[u]; };
    for (;;) {
        const Share share = next_share(hubs, degree_of, found);
        const int u = share.hub;
        if (u < 0) return;
        Seeker s = newcomer(p, u);
        const int begin = first_edge(hubs, share);
        s.begin += begin;
        if (share.piece >= 0) s.degree = min(s.degree - begin, HUB_PIECE);
        Bid choice = first_threads_max(heaviest(p, s, threadIdx.x, blockDim.x), shared);
        if (threadIdx.x != 0) continue;
        choice += begin;                                // the place in the whole adjacency
        bool proposes = true;
        if (share.piece >= 0) {
            Bid* word = hubs.words + hubs.pieces[share.piece].first;
            atomicMax(word, choice);
            proposes = is_last(hubs, share, degree_of(u));
            choice = proposes ? simt_load(word) : 0;
        }
        Outcome outcome = {0, false, -1};
        if (proposes) {
            choice = with_vertex(choice, p.indices[p.indptr[u] + vertex_of(choice)]);
            outcome = propose<true>(state, others, u, choice);
            if (outcome.loser >= 0) others.put_off(state, outcome.loser);
        }
        RECORD_COUNTERS(record_hub(rec, others, hub_blocks, {0, 0}, proposes ? u : -1, s.degree,
                                   choice, outcome);)
    }
}

// Hubs that a block takes at a time after the first round, where few of them have to propose.
constexpr int HUBS_AT_A_TIME = 8;

// The first warp of a block looks for the block's next hub that waits.
struct WaitingHubs {
    Hubs hubs;
    int* taken;                 // a counter, zeroed before
    int batch;                  // hubs that are taken at a time, up to 32
    int mine;                   // this lane's hub
    unsigned left;              // lanes whose hub is still to do; the same in all lanes

    // Returns -1 at the end.
    template <class Others>
    __device__ inline int next(State state, Others others)
    {
        const int lane = threadIdx.x % 32, count = hubs.count();
        while (left == 0) {
            int begin = 0;
            if (lane == 0) begin = atomicAdd(taken, batch);
            begin = __shfl_sync(ALL_LANES, begin, 0);
            if (begin >= count) return -1;
            mine = lane < batch && begin + lane < count ? hubs.list[begin + lane] : -1;
            const bool wanted = mine >= 0 && others.waiting(state, mine);
            left = __ballot_sync(ALL_LANES, wanted);
            others.take(wanted ? mine : -1);
        }
        const int u = __shfl_sync(ALL_LANES, mine, __ffs(left) - 1);
        left &= left - 1;
        return u;
    }
};

// After the first round a block takes one hub after the other, and follows its chain of
// displacements.  `shared`: 33 bids.
template <class Others>
__device__ inline void rest_of_hubs(Problem p, State state, Others others, Hubs hubs, int* taken,
                                    int batch, int hub_blocks, Clock clock,
                                    Bid* shared RECORD_PARAMS)
{
    const int warp = threadIdx.x / 32;
    int* next = reinterpret_cast<int*>(shared + 32);
    WaitingHubs list = {hubs, taken, batch, -1, 0};
    int u = -1;                                         // the same for the whole block
    for (;;) {
        if (u < 0) {
            if (warp == 0) {
                const int hub = list.next(state, others);
                if (threadIdx.x == 0) *next = hub;
            }
            __syncthreads();
            u = *next;
            __syncthreads();
            if (u < 0) return;
        }
        const Seeker s = returner(p, state, u);
        const Bid choice = first_threads_max(
            acceptable(p, state, others, s, threadIdx.x, blockDim.x), shared);
        if (threadIdx.x == 0) {
            Outcome outcome = {0, false, -1};
            if (choice != 0) outcome = propose<false>(state, others, u, choice);
            *next = others.own(outcome.loser);
            RECORD_COUNTERS(
                record_hub(rec, others, hub_blocks, clock, u, s.degree, choice, outcome);)
        }
        __syncthreads();
        u = *next;
        __syncthreads();                                // `shared` may be written again
        RECORD_COUNTERS(
            ++clock.batch;
            if (!Others::ROWS_ARE_SHARED) ++clock.row;)
    }
}
