// b-Suitor: half-approximate weighted b-matching, a thread or a warp for a vertex.
//
// Source: Khan, Pothen, Patwary, Satish, Sundaram, Manne, Halappanavar, Dubey, "Efficient
// approximation algorithms for weighted b-matching", SIAM J. Sci. Comput. 38(5), 2016: the rule,
// eager and delayed updates, and lists of neighbours that are unsorted, sorted, or sorted only at
// their heads.
//
// Every vertex u makes b(u) proposals to the heaviest neighbours that would take them.  A neighbour
// holds its best b(v) offers; the proposer of an offer that falls out proposes again, further down
// its list.  Offers only get better, so a neighbour that refuses once refuses for ever: each vertex
// keeps a *cursor*, the last edge it proposed along, and only looks below.  The end does not depend
// on the order of proposals: the offers are those of the greedy b-matching, and mutual.
//   eager     the worker whose offer made another fall out goes on with that one's proposer
//   delayed   it is put off to the next round, a launch of its own
// Several workers may look for the same proposer at a time; the one whose CAS moves the cursor
// proposes along the edge, the others look again.
#include "simt.h"

#include "bsuitor_round.cuh"
#include "record.cuh"

struct Problem {
    int n;
    const long long* indptr;
    const int* indices;
    const float* weights;
};

// All that the workers share.
struct Search {
    Problem graph;
    Heads heads;
    Offers offers;
    Bid* cursors;               // the last edge along which each vertex proposed; 0: exhausted
};

// Would v take an offer of weight w by u?  The copy of v's worst weight answers most questions.
__device__ inline bool would_take(const Search& s, int v, float w, int u)
{
    const unsigned weight = __float_as_uint(w), worst = simt_load(s.offers.worst + v);
    if (weight != worst) return weight > worst;
    return pack(w, u) > worst_offer(s.offers, v);
}

// First place of the sorted range [low, high) whose edge lies below the cursor.
__device__ inline long long first_below(Heads heads, long long low, long long high, Bid cursor)
{
    while (low < high) {
        const long long middle = (low + high) / 2;
        if (pack(heads.weights[middle], heads.indices[middle]) < cursor) high = middle;
        else low = middle + 1;
    }
    return low;
}

// What a look into the sorted head of a list found: an edge, or 0 and the cursor for the rest.
struct Glance {
    Bid edge, cursor;
};

// The first edge of u's head below `cursor` that would be taken.  WIDTH lanes look together.
template <int WIDTH>
__device__ inline Glance look_in_head(const Search& s, int u, Bid cursor, Bid floor, int member)
{
    const long long high = s.heads.starts[u + 1];
    const long long low = first_below(s.heads, s.heads.starts[u], high, cursor);
    for (long long base = low; base < high; base += WIDTH) {
        const long long e = base + member;
        Bid edge = 0;
        bool below_floor = false;
        if (e < high) {
            const int v = s.heads.indices[e];
            const float w = s.heads.weights[e];
            below_floor = pack(w, v) < floor;
            if (!below_floor && would_take(s, v, w, u)) edge = pack(w, v);
        }
        if (WIDTH > 1) {
            edge = warp_max(edge);
            below_floor = __any_sync(ALL_LANES, below_floor);
        }
        if (edge != 0) return {edge, cursor};
        if (below_floor) return {0, 0};
    }
    const Bid last = pack(s.heads.weights[high - 1], s.heads.indices[high - 1]);
    return {0, last < cursor ? last : cursor};
}

// The heaviest edge of u below `cursor`, and not below u's own worst offer, whose other end would
// take u's offer; 0 if there is none.
template <int WIDTH>
__device__ inline Bid next_candidate(const Search& s, int u, Bid cursor, int member)
{
    const Bid floor = worst_offer(s.offers, u);
    const long long begin = s.graph.indptr[u], end = s.graph.indptr[u + 1];
    const long long head = s.heads.starts[u + 1] - s.heads.starts[u];
    if (head > 0) {
        const Glance glance = look_in_head<WIDTH>(s, u, cursor, floor, member);
        if (glance.edge != 0 || glance.cursor == 0 || head == end - begin) return glance.edge;
        cursor = glance.cursor;
    }
    Bid choice = 0;
    for (long long e = begin + member; e < end; e += WIDTH) {
        const int v = s.graph.indices[e];
        const float w = s.graph.weights[e];
        const Bid edge = pack(w, v);
        if (edge < cursor && edge >= floor && edge > choice && would_take(s, v, w, u))
            choice = edge;
    }
    return WIDTH > 1 ? warp_max(choice) : choice;
}

// One worker's proposal, as far as the record needs it; `edges` were looked through at most.
struct Turn {
    int proposer;               // -1: none
    Bid choice, fallen;
    unsigned edges;
};

#if RECORD >= 1
struct WarpClock {
    int warp, iteration, turn;
};

// Write down what the lanes of a warp did in one turn; a warp of one worker passes it in lane 0.
template <int WIDTH>
__device__ inline void record_turn(Recorder* rec, WarpClock& clock, Turn turn)
{
    const bool has = turn.proposer >= 0, chose = has && turn.choice != 0;
    const Bid own = chose ? with_vertex(turn.choice, turn.proposer) : 0;
    const bool accepted = chose && turn.fallen != own, drops = accepted && turn.fallen != 0;
    const unsigned counts = warp_sum((unsigned)has | chose << 8 | accepted << 16 | drops << 24);
    const unsigned longest = warp_largest(has ? turn.edges : 0);
    const unsigned edges = warp_sum(has ? turn.edges : 0);
    const float gain = warp_sum(accepted ? weight_of(own) - weight_of(turn.fallen) : 0.0f);
    const unsigned slots = WIDTH > 1 ? (longest + 31) / 32 * 32 : 32 * longest;
    if (threadIdx.x % 32 == 0)
        add_to_row(rec, clock.warp, clock.iteration,
                   {counts & 255, edges, slots, counts >> 8 & 255, counts >> 16 & 255,
                    counts >> 24, (counts & 255) - (counts >> 8 & 255), gain});
    RECORD_EVENTS(
        const unsigned kind = !has ? NO_EVENT : !chose ? EXHAUSTED : accepted ? PROPOSE : OUTBID;
        const int target = vertex_of(turn.choice);
        record_events(rec, clock.iteration, clock.warp, kind, turn.proposer, target, -1,
                      weight_of(turn.choice), 2 * clock.turn);
        record_events(rec, clock.iteration, clock.warp, drops ? DROP : NO_EVENT, turn.proposer,
                      target, vertex_of(turn.fallen), weight_of(turn.fallen),
                      2 * clock.turn + 1);)
    ++clock.turn;
}
#endif

// Let the worker propose for `u` once.  Returns the turn; its `fallen` is 0 if no vertex has to
// propose again.  A worker of 32 lanes gives its turn to lane 0.
template <int WIDTH>
__device__ inline Turn propose(const Search& s, int u, int lane)
{
    const int member = WIDTH > 1 ? lane : 0;
    Turn turn = {-1, 0, 0, 0};
    bool placed = u < 0;
    while (WIDTH > 1 ? !placed : __any_sync(ALL_LANES, !placed)) {
        Bid choice = 0;
        if (!placed) {
            Bid cursor = simt_load(s.cursors + u);
            if (WIDTH > 1) cursor = __shfl_sync(ALL_LANES, cursor, 0);     // one for all lanes
            if (cursor != 0) choice = next_candidate<WIDTH>(s, u, cursor, member);
            if (member == 0) {
                if (choice == 0) simt_store(s.cursors + u, 0);
                else if (atomicCAS(s.cursors + u, cursor, choice) != cursor) choice = ~0ull;
            }
            if (WIDTH > 1) choice = __shfl_sync(ALL_LANES, choice, 0);
            placed = choice != ~0ull;               // else another worker moved the cursor
            if (placed && member == 0)
                turn = {u, choice, 0, (unsigned)(s.graph.indptr[u + 1] - s.graph.indptr[u])};
        }
    }
    const bool proposes = turn.choice != 0;
    turn.fallen = enter(s.offers, proposes ? vertex_of(turn.choice) : -1,
                        proposes ? with_vertex(turn.choice, u) : 0, lane);
    return turn;
}

// The vertex whose offer fell out, -1 for none; the same for all lanes of a worker.
template <int WIDTH> __device__ inline int goes_on(Turn turn)
{
    const int next = vertex_of(turn.fallen);
    return WIDTH > 1 ? __shfl_sync(ALL_LANES, next, 0) : next;
}

// How many proposals u has to make at first.
__device__ inline int first_proposals(const Search& s, int u)
{
    const long long degree = s.graph.indptr[u + 1] - s.graph.indptr[u];
    const int capacity = capacity_of(s.offers, u);
    return degree < capacity ? (int)degree : capacity;
}

// Each worker takes one vertex, and follows each of its proposals to the end.
template <int WIDTH> __device__ inline void eager(const Search& s RECORD_PARAMS)
{
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long own = thread / WIDTH;
    const int lane = threadIdx.x % 32;
    RECORD_COUNTERS(WarpClock clock = {(int)(thread / 32), 0, 0};)
    int left = own < s.graph.n ? first_proposals(s, (int)own) : 0, u = -1;
    while (true) {
        if (u < 0 && left > 0) {
            u = (int)own;
            --left;
        }
        if (!__any_sync(ALL_LANES, u >= 0)) return;
        const Turn turn = propose<WIDTH>(s, u, lane);
        const int next = goes_on<WIDTH>(turn);
        // One that has no candidate for a proposal has none for those left.
        const bool exhausted = turn.proposer >= 0 && turn.choice == 0 && u == own;
        if (WIDTH > 1 ? __any_sync(ALL_LANES, exhausted) : exhausted) left = 0;
        u = next;
        RECORD_COUNTERS(record_turn<WIDTH>(rec, clock, turn); ++clock.iteration;)
    }
}

// Each worker takes one vertex of the round, and makes all the proposals that it owes.
template <int WIDTH> __device__ inline void delayed(const Search& s, Round round RECORD_PARAMS)
{
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long place = thread / WIDTH;
    const int lane = threadIdx.x % 32, member = WIDTH > 1 ? lane : 0;
    RECORD_COUNTERS(WarpClock clock = {(int)(thread / 32), round.number, 0};)
    int own = -1, left = 0;
    if (place < round.count) {
        own = round.number > 0 ? round.vertices[place] : (int)place;
        left = round.number > 0 ? round.owed[own] : first_proposals(s, own);
        if (WIDTH > 1) __syncwarp();
        if (member == 0) round.owed[own] = 0;
    }
    while (__any_sync(ALL_LANES, left > 0)) {
        const int u = left > 0 ? own : -1;
        const Turn turn = propose<WIDTH>(s, u, lane);
        const int next = goes_on<WIDTH>(turn);
        const bool exhausted = turn.proposer >= 0 && turn.choice == 0;
        if (WIDTH > 1 ? __any_sync(ALL_LANES, exhausted) : exhausted) left = 0;
        else if (u >= 0 && next != u) --left;       // its own offer was refused: it tries again
        if (next >= 0 && next != u && member == 0) put_off(round, next);
        RECORD_COUNTERS(record_turn<WIDTH>(rec, clock, turn);)
    }
}

// The problem's and the state's arrays, in the order in which every search takes them.
#define SEARCH_PARAMS                                                                          \
    int n, const long long *indptr, const int *indices, const float *weights, STATE_PARAMS
#define SEARCH {{n, indptr, indices, weights}, HEADS, OFFERS, cursors}

SIMT_KERNEL(bsuitor_eager_thread, __launch_bounds__(256))(SEARCH_PARAMS RECORD_PARAMS)
{
    eager<1>(SEARCH RECORD_COUNTERS(, rec));
}

SIMT_KERNEL(bsuitor_eager_warp, __launch_bounds__(256))(SEARCH_PARAMS RECORD_PARAMS)
{
    eager<32>(SEARCH RECORD_COUNTERS(, rec));
}

SIMT_KERNEL(bsuitor_delayed_thread, __launch_bounds__(256))
(SEARCH_PARAMS, ROUND_PARAMS RECORD_PARAMS)
{
    delayed<1>(SEARCH, ROUND RECORD_COUNTERS(, rec));
}

SIMT_KERNEL(bsuitor_delayed_warp, __launch_bounds__(256))
(SEARCH_PARAMS, ROUND_PARAMS RECORD_PARAMS)
{
    delayed<32>(SEARCH, ROUND RECORD_COUNTERS(, rec));
}

SIMT_EXPORT(bsuitor_eager_thread)
SIMT_EXPORT(bsuitor_eager_warp)
SIMT_EXPORT(bsuitor_delayed_thread)
SIMT_EXPORT(bsuitor_delayed_warp)
