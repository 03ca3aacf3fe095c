// The levels of a search in the tuned kernel of bipartite matching: by one block, by every block
// on its own share, or by all blocks together.
#pragma once

#include "bipartite_fast.cuh"

#define ROOM 512                // entries of a block's own frontiers
// Rows search for trees when the frontier has more than one in SHARE of the rows left; a forest is
// kept if it has more than one in SHARE of the rows that were freed.
#define SHARE 5

struct Problem {
    Lists by_row, by_column;
    Forest forest;
    Entry* entries;             // two frontiers
    long long room;             // entries of each
    int* freed;
    int* phases;                // four words each: levels, paths, whether grafted, pairs
    int phase_room;
    int* steps;                 // of the record, four words each: kind, phase, level, frontier
    int step_room;
    int first_step;
};

// What a step of the record was.  The numbers are those of gpucore/families/bipartite/record.py.
enum StepKind { BEGIN = 1, TOP_DOWN = 2, BOTTOM_UP = 3, ALTERNATE = 4, FREEING = 6, GRAFTING = 7 };

__device__ inline void note(Problem p, Team t, int kind, int phase, int level, int size)
{
#if RECORD >= 1
    const int place = t.step - p.first_step;
    if (t.thread != 0 || place >= p.step_room) return;
    int* words = p.steps + 4ll * place;
    words[0] = kind;
    words[1] = phase;
    words[2] = level;
    words[3] = size;
#endif
}

__device__ inline Frontier frontier_of(Problem p, int level)
{
    int* state = p.forest.state;
    return {p.entries + level % 2 * p.room, state + COUNTS + level % 3, 0x7fffffff, 0, 0,
            state + SEEN + level % 3};
}

// Nothing is in a frontier, and no path was found on the way to it.
__device__ inline void clear(Frontier frontier)
{
    simt_store(frontier.count, 0);
    simt_store(frontier.seen, 0);
}

// Progress of a run; the same for all threads.
struct Progress {
    int level, phase, begun;
    int reached;                // rows in the forest, about
    bool found;                 // whether this phase has a path
    int waited;                 // levels of few entries since
};

__device__ inline int step_of(Problem p, Progress at)
{
    return p.first_step + at.level + 3 * at.phase;
}

// A block's frontiers, this level's and the next.
struct Desk {
    Entry* entries;             // ROOM each
    int* count;                 // two, and a place to copy to
};

// Return the rest of a block's frontier to the frontier of all.
__device__ inline void hand_over(Desk desk, const Entry* entries, int count, Frontier all)
{
    if (threadIdx.x == 0) desk.count[2] = atomicAdd(all.count, count);
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        all.entries[desk.count[2] + i] = entries[i];
}

// Every block follows its share of the frontier for some levels, independently of the others; few
// entries are one block's.
__device__ inline void local_levels(Problem p, Progress at, int size, Desk desk,
                                    Team t RECORD_PARAMS)
{
    t.step = step_of(p, at);
    t.level = at.level - at.begun - 1;
    note(p, t, TOP_DOWN, at.phase + 1, t.level, size);
    if (t.thread == 0) clear(frontier_of(p, at.level + 2));
    const Frontier all = frontier_of(p, at.level + 1);
    const int blocks = size <= FEW ? 1 : gridDim.x, share = (size + blocks - 1) / blocks;
    const int first = min(size, (int)blockIdx.x * share);
    const Entry* entries = frontier_of(p, at.level).entries + first;
    int count = min(share, size - first);
    t.thread = threadIdx.x;
    t.threads = blockDim.x;
    Effort effort = {};
    for (int k = 1; count > 0; ++k) {
        const bool last = k == LOCAL_LEVELS;
        const Frontier own = {desk.entries + k % 2 * ROOM, desk.count + k % 2, ROOM, all.entries,
                              all.count, all.seen};
        if (threadIdx.x == 0) desk.count[k % 2] = 0;
        __syncthreads();
        follow(p.forest, p.by_column, p.by_row.count, entries, count, last ? all : own, t,
               effort RECORD_COUNTERS(, rec));
        __syncthreads();
        if (last) break;
        count = min(simt_load(desk.count + k % 2), ROOM);
        entries = own.entries;
        if (count > FEW) {
            hand_over(desk, entries, count, all);
            break;
        }
    }
    RECORD_COUNTERS(record_effort(rec, t.warp, t.step, effort);)
}

// All rows that are in no tree search for one.
__device__ inline void look_up_all(Problem p, Frontier next, Team t, Effort& effort RECORD_PARAMS)
{
    const int rows = p.by_row.count, share = rows_of_warp(rows, t);
    for (int first = t.thread / 32 * share; first < rows; first += t.threads / 32 * share) {
        int row = first + t.lane;
        if (t.lane >= share || row >= rows || p.forest.parent[row] != NONE) row = NONE;
        look_up(p.forest, p.by_row, p.by_column, row, share, REACH, next, t,
                effort RECORD_COUNTERS(, rec));
    }
}

// One level, by all blocks.
__device__ inline void wide_level(Problem p, Progress& at, int size, Team t RECORD_PARAMS)
{
    if (t.thread == 0) clear(frontier_of(p, at.level + 2));
    t.step = step_of(p, at);
    t.level = at.level - at.begun - 1;
    Effort effort = {};
    const bool up = (long long)size * SHARE > p.by_row.count - at.reached;
    const Frontier next = frontier_of(p, at.level + 1);
    note(p, t, up ? BOTTOM_UP : TOP_DOWN, at.phase + 1, t.level, size);
    if (up) look_up_all(p, next, t, effort RECORD_COUNTERS(, rec));
    else
        follow(p.forest, p.by_column, p.by_row.count, frontier_of(p, at.level).entries, size, next,
               t, effort RECORD_COUNTERS(, rec));
    RECORD_COUNTERS(record_effort(rec, t.warp, t.step, effort);)
    at.level += 1;
    at.reached += size;
}

