// Louvain, tuned: both phases of a small stage, by one block (see louvain_fast_last.cu).
//
// A group of 8 to 32 lanes adds a vertex's edges into an array of its own, with a place for every
// community.  The array stays empty between vertices, since a group clears the places it used; so
// there are no tables to size, to clear or to probe.
#pragma once

#include "louvain_fast_moves.cuh"

// A stage: adjacency lists with gaps between them.
struct Lists {
    int* begin;                 // where a list begins, in an array with one element more
    int* length;
    int* indices;
    Weight* sums;
    Weight* strength;
};

// The lanes that work together, and their array of sums.
struct Group {
    int number, groups;         // of the block
    int member, width;
    Weight* sum;
};

__device__ inline Group group_of(int width, Weight* sums, int places)
{
    const int number = threadIdx.x / width;
    return {number, (int)blockDim.x / width, (int)threadIdx.x % width, width,
            sums + (long long)number * places};
}

// Exclusive sums of `n` numbers; element `n` gets the sum of all.  All threads of the block call.
__device__ inline void prefix_sums(int* numbers, int n, int* warps)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int each = (n + blockDim.x - 1) / blockDim.x;
    const int from = min(n, (int)threadIdx.x * each), to = min(n, from + each);
    int mine = 0;
    for (int i = from; i < to; ++i) mine += numbers[i];
    int before = mine;
    for (int d = 1; d < 32; d *= 2) {
        const int other = __shfl_up_sync(ALL_LANES, before, d);
        if (lane >= d) before += other;
    }
    if (lane == 31) warps[warp] = before;
    __syncthreads();
    before -= mine;
    for (int w = 0; w < warp; ++w) before += warps[w];
    for (int i = from; i < to; ++i) {
        const int number = numbers[i];
        numbers[i] = before;
        before += number;
    }
    if (threadIdx.x == blockDim.x - 1) numbers[n] = before;
    __syncthreads();
}

// The vertices of one part of a sweep.  `seen` has a place for every edge: its community when it was
// added, since the other end may move meanwhile.  All threads of the block call.
__device__ inline void move_part(Partition p, Sweep sweep, Lists graph, int n, int* seen, Group group,
                                 Effects& effects)
{
    const int per_warp = 32 / group.width, lane = threadIdx.x % 32;
    const int leader = lane & ~(group.width - 1);
    const Visit visit = sweep.visit;
    const int due = (n - visit.part + visit.parts - 1) / visit.parts;
    for (int first = threadIdx.x / 32 * per_warp; first < due; first += group.groups) {
        const int place = visit.part + (first + lane / group.width) * visit.parts;
        int vertex = -1;
        if (group.member == 0 && place < n && is_due(sweep, place)) vertex = place;
        vertex = __shfl_sync(ALL_LANES, vertex, leader);
        if (!__any_sync(ALL_LANES, vertex >= 0)) continue;
        const int begin = vertex < 0 ? 0 : graph.begin[vertex] + group.member;
        const int end = vertex < 0 ? 0 : graph.begin[vertex] + graph.length[vertex];
        const int home = vertex < 0 ? -1 : simt_load(p.community + vertex);
        const Weight strength = vertex < 0 ? 0 : graph.strength[vertex];
        for (int e = begin; e < end; e += group.width) {
            const int other = graph.indices[e];
            seen[e] = other == vertex ? -1 : simt_load(p.community + other);
            if (seen[e] >= 0) atomicAdd(group.sum + seen[e], graph.sums[e]);
        }
        __syncwarp();
        Choice best = {0.0, -1};
        Weight inner = 0;
        for (int e = begin; e < end; e += group.width) {
            const int to = seen[e];
            if (to < 0) continue;
            const Weight sum = simt_load(group.sum + to);
            if (to == home) inner = sum;
            else best = better(best, {score(p, sum, strength, simt_load(p.total + to)), to});
        }
        __syncwarp();
        for (int e = begin; e < end; e += group.width)
            if (seen[e] >= 0) simt_store(group.sum + seen[e], 0);
        best = best_of_group(best, group.width);
        inner = largest_of_group(inner, group.width);
        double gain = 0.0;
        int to = -1;
        if (vertex >= 0 && group.member == 0)
            to = settle(p, sweep, vertex, home, strength, inner, best, gain);
        effects.add(p, gain, to);
        to = __shfl_sync(ALL_LANES, to, leader);
        if (to < 0 || sweep.first) continue;
        for (int e = begin; e < end; e += group.width)
            if (seen[e] >= 0 && seen[e] != to) simt_store(sweep.rested + graph.indices[e], 0);
    }
}

// The members of every community, one community after another.
struct Members {
    int* first;                 // where a community's members begin
    int* cursor;                // how many are placed
    int* vertex;
};

// Number the communities that have members from 0, and return how many there are.  Write every
// vertex's new number, the strengths and members of the new vertices, and where their lists begin.
// All threads of the block call.
__device__ inline int renumber(Partition p, Lists from, Lists to, int n, int* number, int* mapping,
                               Members members, int* warps)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        number[i] = members.first[i] = members.cursor[i] = to.begin[i] = to.length[i] = 0;
    }
    __syncthreads();
    for (int v = threadIdx.x; v < n; v += blockDim.x) simt_store(number + p.community[v], 1);
    __syncthreads();
    prefix_sums(number, n, warps);
    const int communities = number[n];
    for (int v = threadIdx.x; v < n; v += blockDim.x) {
        const int mine = number[p.community[v]];
        mapping[v] = mine;
        atomicAdd(members.first + mine, 1);
        atomicAdd(to.begin + mine, from.length[v]);
        if (number[v + 1] != number[v]) to.strength[number[v]] = p.total[v];
    }
    __syncthreads();
    prefix_sums(members.first, communities, warps);
    prefix_sums(to.begin, communities, warps);
    for (int v = threadIdx.x; v < n; v += blockDim.x)
        members.vertex[members.first[mapping[v]] + atomicAdd(members.cursor + mapping[v], 1)] = v;
    __syncthreads();
    return communities;
}

// Add up the edges of every community; return this thread's share of the modularity.  Edges without
// weight are left out.  All threads of the block call.
__device__ inline double join(Partition p, Lists from, Lists to, int communities, const int* mapping,
                              Members members, Group group)
{
    const int per_warp = 32 / group.width, lane = threadIdx.x % 32;
    double share = 0.0;
    for (int first = threadIdx.x / 32 * per_warp; first < communities; first += group.groups) {
        const int c = first + lane / group.width;
        const bool real = c < communities;
        const int last = real ? members.first[c + 1] : 0;
        for (int m = real ? members.first[c] : 0; m < last; ++m) {
            const int v = members.vertex[m], end = from.begin[v] + from.length[v];
            for (int e = from.begin[v] + group.member; e < end; e += group.width) {
                const int other = mapping[from.indices[e]];
                if (from.sums[e] == 0 || atomicAdd(group.sum + other, from.sums[e]) != 0) continue;
                to.indices[to.begin[c] + atomicAdd(to.length + c, 1)] = other;
            }
        }
        __syncwarp();
        const int end = real ? to.begin[c] + simt_load(to.length + c) : 0;
        for (int e = real ? to.begin[c] + group.member : 0; e < end; e += group.width) {
            const int other = to.indices[e];
            to.sums[e] = simt_load(group.sum + other);
            simt_store(group.sum + other, 0);
            if (other == c) share += (double)to.sums[e] / p.two_m;
        }
        if (real && group.member == 0) {
            const double part = (double)to.strength[c] / p.two_m;
            share -= p.resolution * part * part;
        }
        __syncwarp();
    }
    return share;
}
