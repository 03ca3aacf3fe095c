// Louvain, first phase with a thread for a vertex, as in parallel codes before the paper.
//
// Source: Naim et al., "Community detection on the GPU", IPDPS 2017, sections I and III: methods
// that are "node centred".  The decision is that of algorithm 2; but one thread hashes all edges of
// a vertex, one after the other, in a table in global memory, so a warp waits for its longest list,
// and its lanes read from 32 places at once.  The table has two slots an edge and needs no atomic.
#include "simt.h"

#include "louvain.cuh"

// Slot of `key`, empty or its own: linear probing.
__device__ inline unsigned find(const int* keys, unsigned size, int key, unsigned& probes)
{
    unsigned slot = (unsigned)key % size;
    for (probes = 1; keys[slot] != NO_KEY && keys[slot] != key; ++probes)
        slot = slot + 1 < size ? slot + 1 : 0;
    return slot;
}

SIMT_KERNEL(louvain_move_node)
(int n, const long long* indptr, const int* indices, const float* weights, const Weight* sums,
 double unit, int kind, const Weight* strength, int* community, Weight* total, int* size,
 double two_m, double resolution, int direction, int* table_keys, Weight* table_sums, int* next, int* moved,
 int step RECORD_PARAMS)
{
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const int warp = (int)(thread / 32);
    const Level level = {indptr, indices, weights, sums, unit, kind};
    const Partition p = {strength, community, total, size, two_m, resolution, direction};
    RECORD_COUNTERS(Effort effort = {0, 0, 0, 0, 0, 0, 0, 0};)
    RECORD_EVENTS(int batch = 0;)
    // All threads make the same number of rounds, so that the lanes of a warp can meet.
    for (long long base = 0; base < n; base += (long long)gridDim.x * blockDim.x) {
        const int vertex = base + thread < n ? (int)(base + thread) : -1;
        const int home = vertex < 0 ? -1 : community[vertex];
        Choice best = {0.0, -1};
        double at_home = 0.0;
        unsigned degree = 0;
        if (vertex >= 0) {
            const long long begin = indptr[vertex];
            degree = (unsigned)(indptr[vertex + 1] - begin);
            int* keys = table_keys + 2 * begin;
            Weight* found = table_sums + 2 * begin;
            for (unsigned i = 0; i < 2 * degree; ++i) keys[i] = NO_KEY;
            Weight inner = 0;
            for (unsigned i = 0; i < degree; ++i) {
                const int other = indices[begin + i];
                if (other == vertex) continue;
                const int key = community[other];
                unsigned probes = 0;
                const unsigned slot = find(keys, 2 * degree, key, probes);
                RECORD_COUNTERS(
                    effort.probes += probes;
                    effort.collisions += probes - 1;
                    effort.occupied += keys[slot] == NO_KEY;)
                if (keys[slot] == NO_KEY) {
                    keys[slot] = key;
                    found[slot] = 0;
                }
                found[slot] += weight_of(level, begin + i);
                if (key == home) inner = found[slot];
                else best = better(best, {score(p, found[slot], strength[vertex], total[key]), key});
            }
            at_home = score(p, inner, strength[vertex], total[home] - strength[vertex]);
        }
        const double gain = best.score - at_home;
        int to = home;
        bool held = false;
        if (best.community >= 0 && gain > 0.0) {
            held = !allowed(p, home, best.community);
            if (!held) to = best.community;
        }
        if (vertex >= 0) next[vertex] = to;
        const unsigned goes = __ballot_sync(ALL_LANES, to != home);
        if (threadIdx.x % 32 == 0 && goes) atomicAdd(moved, __popc(goes));
        RECORD_COUNTERS(
            effort.vertices += vertex >= 0;
            effort.edges += degree;
            effort.lane_slots += warp_largest(degree);
            effort.slots += 2 * degree;
            effort.moves += to != home;)
        RECORD_EVENTS(
            record_events(rec, step, warp, to != home ? MOVE : held ? HELD : NO_EVENT, vertex, home,
                          best.community, (float)(2.0 * gain / (p.two_m * p.two_m)), batch++);)
    }
    RECORD_COUNTERS(
        effort = sum_of_warp(effort);
        if (threadIdx.x % 32 == 0 && effort.vertices > 0)
            record_effort(rec, warp, step, effort);)
}

SIMT_EXPORT(louvain_move_node)
