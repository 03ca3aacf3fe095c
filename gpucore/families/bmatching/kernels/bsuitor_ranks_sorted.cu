// b-Suitor on several ranks, capacities of any size: the lists of neighbours are sorted.
//
// Source: Khan et al., SIAM J. Sci. Comput. 38(5), 2016: sorted lists and a cursor in each; on
// ranks see bsuitor_ranks.cuh.
//
// All entries of a list are in order of falling weight, those of equal weight of falling neighbour.
// A vertex walks along its list once, however many proposals it makes: each of them starts behind
// the cursor, the last edge along which the vertex proposed.  Where b(v) is large, searching all of
// the list for each proposal would take a time that is quadratic in the degree.
//
// Transport "rounds" only: other ranks cannot enter the heaps that large capacities need.
#include "simt.h"

#include "bsuitor_ranks.cuh"

#ifndef WARP_TOKENS
#define WARP_TOKENS 64
#endif

// The own vertex that a word of the offers belongs to.
__device__ inline int vertex_of_word(const State& s, long long word)
{
    int low = 0, high = s.part.n;                   // starts[low] <= word < starts[high]
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (s.offers.starts[middle] <= word) low = middle;
        else high = middle;
    }
    return low;
}

// First place of [low, high) whose edge lies below the cursor.
__device__ inline long long first_below(Part p, long long low, long long high, Bid cursor)
{
    while (low < high) {
        const long long middle = low + (high - low) / 2;
        if (pack(p.weights[middle], p.indices[middle]) < cursor) high = middle;
        else low = middle + 1;
    }
    return low;
}

// Would the other end of an edge take u's offer, as far as this rank knows?
__device__ inline bool would_take(const State& s, int u, Bid edge)
{
    const int v = vertex_of(edge);
    const unsigned weight = (unsigned)(edge >> 32), worst = s.worst_weight(v);
    if (weight != worst) return weight > worst;
    return s.takes_equal(with_vertex(edge, s.part.lo + u), v);
}

// Claim the heaviest edge of u below its cursor, and not below its own worst offer, whose other end
// would take its offer: it becomes the cursor.  Returns 0 if there is none.  `seen` counts edges.
__device__ inline Bid claim_next(const State& s, int u, unsigned& seen)
{
    const Part p = s.part;
    const Bid floor = worst_offer(s.offers, u);
    const long long end = p.indptr[u + 1];
    Bid cursor = simt_load(s.cursors + u);
    long long place = first_below(p, p.indptr[u], end, cursor);
    while (place < end) {
        const Bid edge = pack(p.weights[place], p.indices[place]);
        ++seen;
        if (edge < floor) break;
        if (!would_take(s, u, edge)) {
            ++place;
            continue;
        }
        const Bid found = atomicCAS(s.cursors + u, cursor, edge);
        if (found == cursor) return edge;
        cursor = found;                             // another lane was faster: go on below it
        place = first_below(p, place, end, cursor);
    }
    simt_store(s.cursors + u, 0);
    return 0;
}

// The first proposals, a lane each: that of a vertex's word i goes along place i of its list.
// Capacities are at most the degrees, so that every word has a place.
__device__ inline void propose_along_heads(const State& s, ByMail transport, int* queue,
                                           int* length RECORD_PARAMS)
{
    const long long word = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % 32;
    int u = -1;
    Bid choice = 0;
    if (word < s.offers.starts[s.part.n]) {
        u = vertex_of_word(s, word);
        const long long e = s.part.indptr[u] + (word - s.offers.starts[u]);
        choice = pack(s.part.weights[e], s.part.indices[e]);
        if (word == s.offers.starts[u + 1] - 1) simt_store(s.cursors + u, choice);
    }
    const Outcome outcome = transport.propose(s, u, choice, lane);
    append(queue, length, outcome.next >= 0, outcome.next);
    RECORD_COUNTERS(record_proposals(rec, (int)(word / 32), 0, 0, s.part, u, choice, outcome,
                                     Effort{(unsigned)(u >= 0), 32});)
}

// A warp takes WARP_TOKENS places of the queue; a lane makes the proposal of one, follows it as far
// as it stays on this rank, and takes the next.
__device__ inline void walk_on(const State& s, ByMail transport, const int* queue, int length,
                               int round RECORD_PARAMS)
{
    const int lane = threadIdx.x % 32;
    const int warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    const long long begin = (long long)warp * WARP_TOKENS;
    const int count = (int)min((long long)WARP_TOKENS, length - begin);
    int u = -1;
    for (int taken = 0, turn = LATER_TURNS;; ++turn) {
        const unsigned idle = __ballot_sync(ALL_LANES, u < 0);
        const int place = taken + __popc(idle & ((1u << lane) - 1));
        if (u < 0 && place < count) u = queue[begin + place];
        taken += __popc(idle);
        if (!__any_sync(ALL_LANES, u >= 0)) break;
        unsigned seen = 0;
        const Bid choice = u >= 0 ? claim_next(s, u, seen) : 0;
        __syncwarp();
        const Outcome outcome = transport.propose(s, u, choice, lane);
        RECORD_COUNTERS(const Effort effort = {seen, 32 * warp_largest(seen)};
                        record_proposals(rec, warp, round, turn, s.part, u, choice, outcome,
                                         effort);)
        u = outcome.next;
    }
}

// The part's rows are sorted by falling (weight, neighbour).
SIMT_KERNEL(bsuitor_ranks_sorted_first, __launch_bounds__(256, 4))
(STATE_PARAMS, int* queue, int* length, MAIL_PARAMS RECORD_PARAMS)
{
    propose_along_heads(State STATE, ByMail MAIL, queue, length RECORD_COUNTERS(, rec));
}

SIMT_KERNEL(bsuitor_ranks_sorted_rest, __launch_bounds__(256, 4))
(STATE_PARAMS, const int* queue, int length, int round, MAIL_PARAMS RECORD_PARAMS)
{
    walk_on(State STATE, ByMail MAIL, queue, length, round RECORD_COUNTERS(, rec));
}

SIMT_EXPORT(bsuitor_ranks_sorted_first)
SIMT_EXPORT(bsuitor_ranks_sorted_rest)
