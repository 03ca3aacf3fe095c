// Louvain, first phase of a stage: every vertex looks for the community to move to.
//
// Source: Naim, Manne, Halappanavar, Tumeo, "Community detection on the GPU", IPDPS 2017:
// algorithm 1 (the loop, which the host drives), algorithm 2 (computeMove), section IV-A (lanes
// and memory for the seven degree buckets).  The rules that keep neighbours from swapping forever
// are those of Lu, Halappanavar, Kalyanaraman, Parallel Computing 47 (2015), as section IV says.
//
// The vertices of a bucket are processed in parallel: the lanes of a group read a vertex's edges
// and add their weights in a hash table under the communities at their other ends.  The adding lane
// gets the running sum and keeps its best choice; as sums only grow, the best of all lanes is
// correct.  Communities change between launches only (louvain_commit), so a launch reads one state.
#include "simt.h"

#include "louvain.cuh"

// Lane's view of one vertex while its edges are hashed.
struct Search {
    int vertex;                 // -1: none
    int home;                   // its community
    Weight strength;
    Weight inner;               // weight to its own community, as far as this lane knows
    Choice best;
};

__device__ inline Search begin_search(Partition p, int vertex)
{
    if (vertex < 0) return {-1, -1, 0, 0, {0.0, -1}};
    return {vertex, p.community[vertex], p.strength[vertex], 0, {0.0, -1}};
}

// Algorithm 2, lines 3-13, for one edge.
__device__ inline Insertion look_at(Partition p, Level level, Table table, long long e, Search& s)
{
    const int other = level.indices[e];
    if (other == s.vertex) return {0, 0, 0, false};         // a loop moves with the vertex
    const int community = p.community[other];
    const Insertion in = insert(table, community, weight_of(level, e));
    if (community == s.home) {
        if (in.sum > s.inner) s.inner = in.sum;
    } else {
        const Choice choice = {score(p, in.sum, s.strength, p.total[community]), community};
        s.best = better(s.best, choice);
    }
    return in;
}

struct Decision {
    int community;              // the vertex's next community; its own if it stays
    bool held;                  // there was a better one, but a rule forbade it
    float gain;                 // in modularity, in the state read
};

// Algorithm 2, lines 14-18; `s` holds the result of all lanes.
__device__ inline Decision decide(Partition p, Search s)
{
    const double home = score(p, s.inner, s.strength, p.total[s.home] - s.strength);
    const double gain = s.best.score - home;
    if (s.best.community < 0 || !(gain > 0.0)) return {s.home, false, 0.0f};
    const float modularity = (float)(2.0 * gain / (p.two_m * p.two_m));
    if (!allowed(p, s.home, s.best.community)) return {s.home, true, modularity};
    return {s.best.community, false, modularity};
}

// Groups of 4 to 32 lanes, a vertex each, with a hash table in shared memory (buckets 1 to 5).
// Groups of fewer than 32 lanes have at most one edge a lane.  `watch` is the vertex whose hashing
// is recorded; -1 none, -2 all.
// Shared memory: `slots` times 12 bytes for each group, the sums first.
SIMT_KERNEL(louvain_move_group)
(int count, const int* vertices, const long long* indptr, const int* indices, const float* weights,
 const Weight* sums, double unit, int kind, const Weight* strength, int* community, Weight* total,
 int* size, double two_m, double resolution, int direction, const int* sizes, int size_count, int width,
 int slots, int* next, int* moved, int step, int watch RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Weight, memory);
    const int lane = threadIdx.x % 32, member = threadIdx.x % width;
    const int groups = blockDim.x / width, group = threadIdx.x / width;
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int warps = gridDim.x * (blockDim.x / 32), per_warp = 32 / width;
    int* keys = (int*)(memory + groups * slots) + group * slots;
    const Level level = {indptr, indices, weights, sums, unit, kind};
    const Partition p = {strength, community, total, size, two_m, resolution, direction};

    int moves = 0;
    RECORD_COUNTERS(Effort effort = {0, 0, 0, 0, 0, 0, 0, 0};)
    RECORD_EVENTS(int batch = 0;)
    for (long long base = (long long)warp * per_warp; base < count;
         base += (long long)warps * per_warp) {
        const long long place = base + lane / width;
        Search s = begin_search(p, place < count ? vertices[place] : -1);
        const long long begin = s.vertex < 0 ? 0 : indptr[s.vertex];
        const int degree = s.vertex < 0 ? 0 : (int)(indptr[s.vertex + 1] - begin);
        const Table table = {keys, memory + group * slots,
                             s.vertex < 0 ? 0 : table_size(sizes, size_count, degree)};
        clear(table, member, width);
        __syncwarp();
        const int rounds = width == 32 ? (degree + 31) / 32 : 1;
        for (int round = 0; round < rounds; ++round) {
            const int i = round * width + member;
            Insertion in = {0, 0, 0, false};
            if (i < degree) in = look_at(p, level, table, begin + i, s);
            RECORD_COUNTERS(
                effort.edges += i < degree;
                effort.lane_slots += 1;
                effort.probes += in.probes;
                effort.collisions += in.probes > 1 ? in.probes - 1 : 0;
                effort.occupied += in.fresh;)
            RECORD_EVENTS(
                const bool seen = in.probes > 0 && (watch == -2 || watch == s.vertex);
                record_events(rec, step, warp, seen ? HASH : NO_EVENT, s.vertex,
                              seen ? table.keys[in.slot] : -1, in.slot, (float)in.probes,
                              batch++);)
        }
        s.best = best_of_group(s.best, width);
        s.inner = largest_of_group(s.inner, width);
        Decision d = {-1, false, 0.0f};
        if (member == 0 && s.vertex >= 0) {
            d = decide(p, s);
            next[s.vertex] = d.community;
            moves += d.community != s.home;
        }
        RECORD_COUNTERS(
            effort.vertices += member == 0 && s.vertex >= 0;
            effort.slots += member == 0 ? table.size : 0;)
        RECORD_EVENTS(
            const bool goes = d.community >= 0 && d.community != s.home;
            record_events(rec, step, warp, goes ? MOVE : d.held ? HELD : NO_EVENT, s.vertex,
                          s.home, s.best.community, d.gain, batch++);)
        __syncwarp();                                       // the tables are free again
    }
    for (int d = 16; d > 0; d /= 2) moves += __shfl_xor_sync(ALL_LANES, moves, d);
    if (lane == 0 && moves > 0) atomicAdd(moved, moves);
    RECORD_COUNTERS(
        effort = sum_of_warp(effort);
        effort.moves = moves;
        if (lane == 0 && effort.lane_slots > 0) record_effort(rec, warp, step, effort);)
}

// Shared memory of a block that works on one vertex.
struct Desk {
    Choice* best;               // one a warp
    Weight* inner;
};

// One vertex for the whole block (buckets 6 and 7).
__device__ inline void move_with_block(Partition p, Level level, Table table, Desk desk,
                                       int vertex, int* next, int& moves, int step, int watch
                                       RECORD_COUNTERS(, Effort& effort)
                                       RECORD_EVENTS(, int& batch) RECORD_PARAMS)
{
    const int warps = blockDim.x / 32, warp_in_block = threadIdx.x / 32;
    const long long begin = level.indptr[vertex];
    const int degree = (int)(level.indptr[vertex + 1] - begin);
    clear(table, threadIdx.x, blockDim.x);
    __syncthreads();
    Search s = begin_search(p, vertex);
    for (int base = 0; base < degree; base += blockDim.x) {
        const int i = base + threadIdx.x;
        Insertion in = {0, 0, 0, false};
        if (i < degree) in = look_at(p, level, table, begin + i, s);
        RECORD_COUNTERS(
            effort.edges += i < degree;
            effort.lane_slots += 1;
            effort.probes += in.probes;
            effort.collisions += in.probes > 1 ? in.probes - 1 : 0;
            effort.occupied += in.fresh;)
        RECORD_EVENTS(
            const bool seen = in.probes > 0 && (watch == -2 || watch == vertex);
            record_events(rec, step, (blockIdx.x * blockDim.x + threadIdx.x) / 32,
                          seen ? HASH : NO_EVENT, vertex, seen ? table.keys[in.slot] : -1, in.slot,
                          (float)in.probes, batch++);)
    }
    s.best = best_of_group(s.best, 32);
    s.inner = largest_of_group(s.inner, 32);
    if (threadIdx.x % 32 == 0) {
        desk.best[warp_in_block] = s.best;
        desk.inner[warp_in_block] = s.inner;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < warps; ++i) {
            s.best = better(s.best, desk.best[i]);
            s.inner = desk.inner[i] > s.inner ? desk.inner[i] : s.inner;
        }
        const Decision d = decide(p, s);
        next[vertex] = d.community;
        moves += d.community != s.home;
        RECORD_COUNTERS(
            effort.vertices += 1;
            effort.slots += table.size;)
        RECORD_EVENTS(
            if (d.held || d.community != s.home)
                record_event(rec, step, blockIdx.x * warps, d.held ? HELD : MOVE, vertex, s.home,
                             s.best.community, d.gain, batch++);)
    }
    __syncthreads();                                        // table and desk are free again
}

// A block's vertices, one after the other; all of them use the same table.
__device__ inline void move_in_turn(int count, const int* vertices, Partition p, Level level,
                                    const int* sizes, int size_count, int* keys, Weight* sums,
                                    Desk desk, int* next, int* moved, int step,
                                    int watch RECORD_PARAMS)
{
    int moves = 0;
    RECORD_COUNTERS(Effort effort = {0, 0, 0, 0, 0, 0, 0, 0};)
    RECORD_EVENTS(int batch = 0;)
    for (int place = blockIdx.x; place < count; place += gridDim.x) {
        const int vertex = vertices[place];
        const long long degree = level.indptr[vertex + 1] - level.indptr[vertex];
        const Table table = {keys, sums, table_size(sizes, size_count, degree)};
        move_with_block(p, level, table, desk, vertex, next, moves, step, watch
                        RECORD_COUNTERS(, effort) RECORD_EVENTS(, batch) RECORD_COUNTERS(, rec));
    }
    if (threadIdx.x == 0 && moves > 0) atomicAdd(moved, moves);
    RECORD_COUNTERS(
        effort.moves = moves;
        gather_occupied(effort, desk.inner);
        effort = sum_of_warp(effort);
        if (threadIdx.x % 32 == 0 && effort.lane_slots > 0)
            record_effort(rec, (blockIdx.x * blockDim.x + threadIdx.x) / 32, step, effort);)
}

// A block for a vertex, with a hash table in shared memory (bucket 6).
// Shared memory: `slots` times 12 bytes, the sums first.
SIMT_KERNEL(louvain_move_block)
(int count, const int* vertices, const long long* indptr, const int* indices, const float* weights,
 const Weight* sums, double unit, int kind, const Weight* strength, int* community, Weight* total,
 int* size, double two_m, double resolution, int direction, const int* sizes, int size_count, int slots,
 int* next, int* moved, int step, int watch RECORD_PARAMS)
{
    SIMT_DYN_SHARED(Weight, memory);
    SIMT_SHARED(Choice[32], best);
    SIMT_SHARED(Weight[32], inner);
    move_in_turn(count, vertices, {strength, community, total, size, two_m, resolution, direction},
                 {indptr, indices, weights, sums, unit, kind}, sizes, size_count,
                 (int*)(memory + slots), memory, {best, inner}, next, moved, step,
                 watch RECORD_COUNTERS(, rec));
}

// The same with a hash table in global memory, `slots` slots for each block (bucket 7).  The
// vertices are sorted by degree and dealt out in turn, so that the blocks have similar work.
SIMT_KERNEL(louvain_move_global)
(int count, const int* vertices, const long long* indptr, const int* indices, const float* weights,
 const Weight* sums, double unit, int kind, const Weight* strength, int* community, Weight* total,
 int* size, double two_m, double resolution, int direction, const int* sizes, int size_count,
 long long slots, int* table_keys, Weight* table_sums, int* next, int* moved, int step,
 int watch RECORD_PARAMS)
{
    SIMT_SHARED(Choice[32], best);
    SIMT_SHARED(Weight[32], inner);
    move_in_turn(count, vertices, {strength, community, total, size, two_m, resolution, direction},
                 {indptr, indices, weights, sums, unit, kind}, sizes, size_count,
                 table_keys + blockIdx.x * slots, table_sums + blockIdx.x * slots, {best, inner},
                 next, moved, step, watch RECORD_COUNTERS(, rec));
}

SIMT_EXPORT(louvain_move_group)
SIMT_EXPORT(louvain_move_block)
SIMT_EXPORT(louvain_move_global)
