// Leiden: the choice of a part, the claim that keeps parts connected, connected components.
#pragma once

#include "louvain_fast_tables.cuh"
#include "louvain_fast_teams.cuh"
#include "louvain_fast_walk.cuh"

// A vertex's claim; see leiden.cu for why parts are connected.
enum Claim { FREE = 0, LEAVING = 1, GONE = 2, ROOT = 3 };

// Joins that wait until all of a round are decided.
struct Waiting {
    Weight* choice;             // null: joins take effect at once; else of every single vertex the
                                // root, plus 1, and below it the bits of the gain; 0: none
    int* wanted;                // the last round, from 1, in which another vertex chose this one
    int round;                  // this one, from 1
};

struct Refinement {
    Partition parts;            // of the refinement: strength, part, total
    const int* community;       // of the moving phase
    int* claim;
    double noise;               // of a score, for a random choice; 0: the best
    unsigned seed;              // of the round
    Waiting waiting;            // of a reproducible run
};

// Whether a single vertex may join others that are single in this round; else they may join it.
__device__ inline bool goes(const Refinement& r, int vertex)
{
    return mixed((unsigned)vertex ^ r.seed) & 1;
}

// Noise with Gumbel's distribution, for a vertex and a part.
__device__ inline double gumbel(const Refinement& r, int vertex, int root)
{
    const unsigned drawn = mixed(mixed((unsigned)vertex + r.seed) ^ (unsigned)root);
    const double uniform = ((double)drawn + 0.5) / 4294967296.0;
    return -log(-log(uniform));
}

// The part `root` as a choice, if it is in the vertex's community and joining it gains.
__device__ inline Choice part_choice(const Refinement& r, int vertex, int root, Weight edges)
{
    if (root == vertex || r.community[root] != r.community[vertex]) return {0.0, -1};
    const int claim = simt_load(r.claim + root);
    if (claim != ROOT && !(claim == FREE && goes(r, vertex) && !goes(r, root))) return {0.0, -1};
    const double gain =
        score(r.parts, edges, r.parts.strength[vertex], simt_load(r.parts.total + root));
    if (!(gain > 0.0)) return {0.0, -1};
    return {r.noise > 0.0 ? gain + r.noise * gumbel(r, vertex, root) : gain, root};
}

__device__ inline Choice best_part(const Refinement& r, Tables tables, int vertex, int member,
                                   int width RECORD_COUNTERS(, Effort& effort))
{
    Choice best = {0.0, -1};
    for_each_sum(tables, member, width, [&](int part, Weight sum) {
        RECORD_COUNTERS(effort.occupied += 1;)
        best = better(best, part_choice(r, vertex, part, sum));
    });
    return best;
}

// Gain in modularity among the parts.
__device__ inline float gain_of(const Refinement& r, int vertex, Choice best)
{
    const double noise = r.noise > 0.0 ? r.noise * gumbel(r, vertex, best.community) : 0.0;
    return (float)(2.0 * (best.score - noise) / (r.parts.two_m * r.parts.two_m));
}

// Note the choice of a vertex, until all of the round are decided.  One thread calls.
__device__ inline void note_choice(const Refinement& r, int vertex, Choice best)
{
    const int root = best.community;
    const Weight gain = root < 0 ? 0 : __float_as_uint(gain_of(r, vertex, best));
    r.waiting.choice[vertex] = (Weight)(root + 1) << 32 | gain;
    if (root >= 0) simt_store(r.waiting.wanted + root, r.waiting.round);
}

// Join the chosen part, and return its number; or -1, also if joins wait.  One thread calls.
__device__ inline int join(const Refinement& r, int vertex, Choice best, float& gain)
{
    const int root = best.community;
    if (r.waiting.choice) {
        note_choice(r, vertex, best);
        return -1;
    }
    if (root < 0) return -1;
    if (atomicCAS(r.claim + vertex, FREE, LEAVING) != FREE) return -1;      // it has been joined
    const int before = atomicCAS(r.claim + root, FREE, ROOT);
    if (before != FREE && before != ROOT) {
        simt_store(r.claim + vertex, FREE);
        return -1;
    }
    gain = gain_of(r, vertex, best);
    atomicAdd(r.parts.total + root, r.parts.strength[vertex]);
    atomicAdd(r.parts.total + vertex, 0 - r.parts.strength[vertex]);
    simt_store(r.parts.community + vertex, root);
    simt_store(r.claim + vertex, GONE);
    return root;
}

__device__ inline int warp_count(bool mine)
{
    int count = mine;
    for (int d = 16; d > 0; d /= 2) count += __shfl_xor_sync(ALL_LANES, count, d);
    return count;
}

// The root of a tree; halves the paths on the way.
__device__ inline int root_of(int* parent, int vertex)
{
    int above = simt_load(parent + vertex);
    while (above != vertex) {
        const int next = simt_load(parent + above);
        if (next != above) simt_store(parent + vertex, next);
        vertex = above;
        above = next;
    }
    return vertex;
}

// Join the trees of both ends of every edge inside a community, on one walk; a root's number only falls.  An edge
// of weight 0 joins nothing.  All lanes of the warp call.
__device__ inline void hook(Level level, int n, const int* community, int* parent, long long walk)
{
    for_each_edge(level.indptr, n, walk, [&](int vertex, long long edge) {
        const int other = edge < 0 ? n : level.indices[edge];
        if (other >= vertex || community[vertex] != community[other]) return;
        if (weight_of(level, edge) == 0) return;
        int one = root_of(parent, vertex), two = root_of(parent, other);
        while (one != two) {
            const int high = one > two ? one : two, low = one > two ? two : one;
            const int before = atomicCAS(parent + high, high, low);
            if (before == high) break;
            one = root_of(parent, before);
            two = root_of(parent, low);
        }
    });
}
