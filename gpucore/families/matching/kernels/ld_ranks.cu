// Locally dominant edges on several ranks: the algorithm of ld.cu, in rounds of two steps.
//
// Source: Naim et al., HiPC 2015, section 2.1; on processes the idea of Manne and Bisseling, "A
// parallel approximation algorithm for the weighted maximum matching problem" (PPAM 2007).
//
//   Point  every own unmatched vertex whose candidate is matched (at first: every vertex) points to
//          its heaviest unmatched neighbour.  The owner of a candidate on another rank learns of it.
//   Match  two vertices that point to each other are matched, by both owners in the same round.
//          All ranks learn which vertices are matched.
// `candidate` and `matched` have an entry for every vertex of the graph; of the candidates of other
// ranks' vertices those are known that are vertices of this rank.
//   "rounds"  pointers are messages to the owner; matched vertices are messages to all ranks.
//   "peers"   both are written into the memory of the other ranks.
#include "simt.h"

#include "matching.cuh"
#include "ranks.cuh"
#include "record.cuh"

struct Part {
    int n, lo;
    const long long* indptr;
    const int* indices;
    const float* weights;
};

__device__ inline bool is_own(Part p, int v) { return (unsigned)(v - p.lo) < (unsigned)p.n; }

// What a thread did.
struct Tally {
    unsigned vertices, edges, matched;
    float gain;
};

#if RECORD >= 1
// Add the tallies of the lanes to the warp's row; a lane's slots are those of the longest.
__device__ inline void record_tally(Recorder* rec, int round, Tally tally)
{
    const unsigned longest = warp_largest(tally.edges);
    const unsigned vertices = warp_sum(tally.vertices), edges = warp_sum(tally.edges);
    const unsigned matched = warp_sum(tally.matched);
    const float gain = warp_sum(tally.gain);
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (threadIdx.x % 32 == 0)
        add_to_row(rec, warp, round, {vertices, edges, 32 * longest, vertices, matched, 0, 0, gain});
}
#endif

// Heaviest unmatched neighbour of an own vertex, as (weight, neighbour); 0 if there is none.
__device__ inline Bid free_neighbour(Part p, int u, const unsigned char* matched)
{
    Bid best = 0;
    for (long long e = p.indptr[u]; e < p.indptr[u + 1]; ++e) {
        const int v = p.indices[e];
        const Bid edge = pack(p.weights[e], v);
        if (edge > best && !matched[v]) best = edge;
    }
    return best;
}

// One thread a vertex of `alive`; those that stay go into `next`, those with a new candidate into
// `moved`.  Returns the global number of the new candidate, -1 for none.
__device__ inline int point(Part p, int count, const int* alive, const unsigned char* matched,
                            int* candidate, float* weight, int* next, int* next_count, int* moved,
                            int* moved_count, int round RECORD_PARAMS)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    Tally tally = {0, 0, 0, 0.0f};
    int u = -1, target = -1;
    bool stays = false;
    if (i < count && !matched[p.lo + alive[i]]) {
        u = alive[i];
        const int before = candidate[p.lo + u];
        stays = before >= 0 && !matched[before];
        if (!stays) {
            const Bid best = free_neighbour(p, u, matched);
            target = vertex_of(best);
            candidate[p.lo + u] = target;
            weight[u] = weight_of(best);
            RECORD_COUNTERS(
                tally.vertices = 1;
                tally.edges = (unsigned)(p.indptr[u + 1] - p.indptr[u]);)
            RECORD_EVENTS(
                record_event(rec, round, (int)(i / 32), target < 0 ? EXHAUSTED : POINT, p.lo + u,
                             target, -1, weight_of(best), 0);)
        }
    }
    append(next, next_count, stays || target >= 0, u);
    append(moved, moved_count, target >= 0, u);
    RECORD_COUNTERS(record_tally(rec, round, tally);)
    return target;
}

SIMT_KERNEL(ld_ranks_point)
(int n, int lo, const long long* indptr, const int* indices, const float* weights, int count,
 const int* alive, const unsigned char* matched, int* candidate, float* weight, int* next,
 int* next_count, int* moved, int* moved_count, int round, const long long* bounds, int ranks,
 unsigned* pointers, const long long* pointer_starts, int* pointer_counts RECORD_PARAMS)
{
    const Part p = {n, lo, indptr, indices, weights};
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const int v = point(p, count, alive, matched, candidate, weight, next, next_count, moved,
                        moved_count, round RECORD_COUNTERS(, rec));
    const int to = v < 0 || is_own(p, v) ? -1 : owner_of(bounds, ranks, v);
    const unsigned message[2] = {to < 0 ? 0 : (unsigned)(v - (int)bounds[to]),
                                 to < 0 ? 0 : (unsigned)(lo + alive[i])};
    post(Mail{pointers, pointer_starts, pointer_counts}, to, message);
}

SIMT_KERNEL(ld_peers_point)
(int n, int lo, const long long* indptr, const int* indices, const float* weights, int count,
 const int* alive, const unsigned char* matched, int* candidate, float* weight, int* next,
 int* next_count, int* moved, int* moved_count, int round, const long long* bounds, int ranks,
 const unsigned long long* candidate_of, unsigned* tally RECORD_PARAMS)
{
    const Part p = {n, lo, indptr, indices, weights};
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const int v = point(p, count, alive, matched, candidate, weight, next, next_count, moved,
                        moved_count, round RECORD_COUNTERS(, rec));
    if (v < 0 || is_own(p, v)) return;
    int* theirs = reinterpret_cast<int*>(candidate_of[owner_of(bounds, ranks, v)]);
    simt_store(theirs + lo + alive[i], v);
    atomicAdd(tally, 1u);
}

// Pointers that arrived, as (target, pointing vertex).
SIMT_KERNEL(ld_ranks_pointers)(int count, const int* letters, int lo, int* candidate)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) candidate[letters[2 * i + 1]] = lo + letters[2 * i];
}

// Vertices of other ranks that are matched.
SIMT_KERNEL(ld_ranks_matched)(int count, const int* letters, unsigned char* matched)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) matched[letters[i]] = 1;
}

// Match every own vertex among the `count` items that points to a vertex that points to it; items
// stand `stride` words apart.  An edge inside of the rank is matched by the thread that wins its
// larger end; of an edge between ranks each rank matches its own end.
SIMT_KERNEL(ld_ranks_match)
(int count, const int* items, int stride, int n, int lo, const int* candidate, const float* weight,
 int* mate, unsigned char* matched, int round, unsigned* news, const long long* news_starts,
 int* news_counts RECORD_PARAMS)
{
    const Part p = {n, lo, nullptr, nullptr, nullptr};
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const Mail mail = {news, news_starts, news_counts};
    Tally tally = {0, 0, 0, 0.0f};
    int u = -1, v = -1;                                 // matched by this thread, global
    if (i < count) {
        const int s = lo + items[i * stride], t = candidate[s];
        if (t >= 0 && candidate[t] == s) {
            const bool inside = is_own(p, t);
            const int decides = inside ? max(s, t) : s;
            const int other = decides == s ? t : s;
            if (atomicCAS(mate + (decides - lo), -1, other) == -1) {
                u = s;
                matched[s] = 1;
                if (inside) {
                    v = t;
                    simt_store(mate + (other - lo), decides);
                    matched[t] = 1;
                }
                if (inside || s > t) {
                    RECORD_COUNTERS(tally.matched = 1; tally.gain = weight[s - lo];)
                    RECORD_EVENTS(record_event(rec, round, (int)(i / 32), MATCH, s, t, -1,
                                               weight[s - lo], 1);)
                }
            }
        }
    }
    const unsigned first[1] = {(unsigned)u}, second[1] = {(unsigned)v};
    post(mail, u >= 0 ? 0 : -1, first);
    post(mail, v >= 0 ? 0 : -1, second);
    RECORD_COUNTERS(record_tally(rec, round, tally);)
}

// The same in the memory of all ranks; the owner of the larger end decides.  `tally`: writes to
// other ranks, pairs.
SIMT_KERNEL(ld_peers_match)
(int count, const int* items, int lo, const int* candidate, const float* weight, int round,
 const long long* bounds, int ranks, int rank, const unsigned long long* mate_of,
 const unsigned long long* matched_of, unsigned* tally RECORD_PARAMS)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    Tally done = {0, 0, 0, 0.0f};
    if (i < count) {
        const int s = lo + items[i], t = simt_load(candidate + lo + items[i]);
        if (simt_load(candidate + t) == s) {
            const int low = min(s, t), high = max(s, t);
            const int low_owner = owner_of(bounds, ranks, low);
            const int high_owner = owner_of(bounds, ranks, high);
            int* mate = reinterpret_cast<int*>(mate_of[high_owner]) + (high - bounds[high_owner]);
            if (ATOMIC_OF_ALL_RANKS(atomicCAS)(mate, -1, low) == -1) {
                mate = reinterpret_cast<int*>(mate_of[low_owner]) + (low - bounds[low_owner]);
                simt_store(mate, high);
                for (int r = 0; r < ranks; ++r) {
                    unsigned char* matched = reinterpret_cast<unsigned char*>(matched_of[r]);
                    simt_store(matched + s, 1);
                    simt_store(matched + t, 1);
                }
                const int far = (low_owner != rank) + (high_owner != rank);
                atomicAdd(tally, (unsigned)(far + 2 * (ranks - 1)));
                atomicAdd(tally + 1, 1u);
                RECORD_COUNTERS(done.matched = 1; done.gain = weight[s - lo];)
                RECORD_EVENTS(record_event(rec, round, (int)(i / 32), MATCH, s, t, -1,
                                           weight[s - lo], 1);)
            }
        }
    }
    RECORD_COUNTERS(record_tally(rec, round, done);)
}

SIMT_EXPORT(ld_ranks_point)
SIMT_EXPORT(ld_peers_point)
SIMT_EXPORT(ld_ranks_pointers)
SIMT_EXPORT(ld_ranks_matched)
SIMT_EXPORT(ld_ranks_match)
SIMT_EXPORT(ld_peers_match)
