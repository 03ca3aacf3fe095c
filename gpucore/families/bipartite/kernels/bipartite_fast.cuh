// Data of the tuned kernel of bipartite matching: the forest, the frontier, one level.
#pragma once

#include "bipartite.cuh"
#include "deal.cuh"

// An entry of the frontier: a column of a tree, and a part of its list, at most PART edges of it.
// So no entry is much work, however long the list, and it says where to read.
#ifndef PART
#define PART 64
#endif

struct __align__(16) Entry {
    unsigned edge;              // counted from the first column's first
    int length;
    int link;                   // to the column, see below
    int root;
};

#define ENTRY_BYTES 16
static_assert(sizeof(Entry) == ENTRY_BYTES, "the host allocates the frontiers");

// Trees of alternating paths, one an unmatched column (its root).  A row belongs to the tree of the
// column that reached it, a column to the tree of its row.  A root has at most one augmenting path,
// the one that ends in `leaf`; a tree with a leaf does not grow any more.
struct Forest {
    int* parent;                // of rows: link to the column; NONE: in no tree
    int* root;                  // of columns; NONE: in no tree.  Those of a tree with a leaf count
                                // for nothing
    int* leaf;                  // of roots; NONE: no path yet
    int* rmatch;
    int* cmatch;
    int* state;                 // see below
    int* found;                 // roots with a leaf, in this phase
};

// A link to a column of a tree is the row that is matched to it, or, to a root, a number below NONE.
// So one who follows a path up to its root waits for one read a column, not for two.
__device__ inline int link_to_root(int column) { return -2 - column; }

__device__ inline int column_of(Forest f, int link)
{
    return link >= 0 ? f.rmatch[link] : link_to_root(link);
}

// The words of the state.  COUNTS: entries of the frontier, in turn for three levels.
enum {
    COUNTS = 0,
    FOUND = 3,                  // roots with a leaf
    FREED,                      // rows whose tree has one
    ACTIVE,                     // rows in other trees
    LEVEL,                      // levels so far, that which begins a phase included
    PHASES,                     // phases so far
    BEGUN,                      // level at which this phase began
    MATCHED,                    // pairs
    OVER,
    BARRIER,                    // two words
    SEEN = BARRIER + 2          // whether the level before found a path, in turn for three levels
};

// The threads that divide a level among them: all of the grid, or one block.
struct Team {
    int thread, threads, lane;
    int warp, step, level;      // for the record; level of the phase
};

// Storage for the columns that join the forest in the current level: `room` entries, and an
// overflow area for those that do not fit.
struct Frontier {
    Entry* entries;
    int* count;
    int room;
    Entry* spilt;
    int* spilt_count;
    int* seen;                  // whether a path was found on the way to it
};

__device__ inline void put(Frontier f, int place, Entry entry)
{
    if (place < f.room) f.entries[place] = entry;
    else f.spilt[atomicAdd(f.spilt_count, 1)] = entry;
}

// Columns that join a tree, one a lane (link NONE: nothing), with the bounds of their lists.
struct Joined {
    int link, root;
    long long begin, end;
};

// Add them to a frontier; all lanes of the warp call.  A column of one edge leads nowhere, unless
// it is a root: that edge is its own row's.
__device__ inline void push(Frontier next, long long first, Joined mine, int fewest)
{
    const int lane = threadIdx.x % 32;
    const int degree = mine.link == NONE ? 0 : (int)(mine.end - mine.begin);
    const int parts = degree < fewest ? 0 : (degree + PART - 1) / PART;
    const unsigned single = __ballot_sync(ALL_LANES, parts == 1);
    const unsigned edge = (unsigned)(mine.begin - first);
    if (single) {
        const int leader = __ffs(single) - 1;
        int base = 0;
        if (lane == leader) base = atomicAdd(next.count, __popc(single));
        base = __shfl_sync(ALL_LANES, base, leader);
        if (parts == 1)
            put(next, base + __popc(single & ((1u << lane) - 1)),
                {edge, degree, mine.link, mine.root});
    }
    if (parts > 1) {
        const int base = atomicAdd(next.count, parts);
        for (int i = 0; i < parts; ++i)
            put(next, base + i,
                {edge + i * PART, min(PART, degree - i * PART), mine.link, mine.root});
    }
}

// The lanes' roots (NONE: nothing) have found the ends of paths, these rows; all lanes of the warp call.
// The first end of a root is kept.  Only the first path of a phase sets `seen`, and a warp counts its
// paths at once: thousands of lanes would write the same word one after the other.
__device__ inline void end_paths(Forest f, int root, int row, int* seen)
{
    const int lane = threadIdx.x % 32;
    const bool first = root != NONE && atomicCAS(f.leaf + root, NONE, row) == NONE;
    const unsigned who = __ballot_sync(ALL_LANES, first);
    if (who == 0) return;
    const int leader = __ffs(who) - 1;
    int place = 0;
    if (lane == leader) place = atomicAdd(f.state + FOUND, __popc(who));
    if (lane == leader && place == 0) simt_store(seen, 1);
    place = __shfl_sync(ALL_LANES, place, leader) + __popc(who & ((1u << lane) - 1));
    if (first) f.found[place] = root;
}

// A frontier of fewer entries is limited by memory latency, not by bandwidth: a row's mate is
// then read together with its parent, even if it is not needed, and the tree's leaf together with
// the row, once for each edge.
#define WIDE 16384

// Follow the edges of a frontier's columns (top down).  A warp takes up to 32 entries and deals
// their edges out to its lanes, one each, whichever column they belong to.
__device__ inline void follow(Forest f, Lists columns, int rows, const Entry* entries, int size,
                              Frontier next, Team t, Effort& effort RECORD_PARAMS)
{
    const int warps = t.threads / 32;
    const int share = min(32, (size + warps - 1) / warps);
    const long long origin = columns.indptr[0];
    const bool eager = size < WIDE;
    RECORD_EVENTS(const int warp = t.warp, step = t.step;)
    for (int first = t.thread / 32 * share; first < size; first += warps * share) {
        Entry entry = {0, 0, NONE, NONE};
        if (t.lane < share && first + t.lane < size) {
            entry = entries[first + t.lane];
            if (!eager && simt_load(f.leaf + entry.root) != NONE) entry.length = 0;
        }
        int total;
        const int begins = places_of(entry.length, total);
        for (int base = 0; base < total; base += 32) {
            const int k = base + t.lane, owner = lane_of(begins, k);
            const unsigned e = __shfl_sync(ALL_LANES, entry.edge, owner) + k -
                               __shfl_sync(ALL_LANES, begins, owner);
            const int from = __shfl_sync(ALL_LANES, entry.link, owner);
            Joined joined = {NONE, __shfl_sync(ALL_LANES, entry.root, owner), 0, 0};
            int end = NONE;                             // a row at which a path ends
            if (k < total) {
                const int leaf = eager ? simt_load(f.leaf + joined.root) : NONE;
                const int row = columns.indices[origin + e];
                int mate = eager ? f.rmatch[row] : NONE;
                if (simt_load(f.parent + row) == NONE && leaf == NONE) {
                    if (!eager) mate = f.rmatch[row];
                    if (mate != NONE) {                 // read while the CAS is under way
                        joined.begin = columns.indptr[mate];
                        joined.end = columns.indptr[mate + 1];
                    }
                    if (atomicCAS(f.parent + row, NONE, from) == NONE) {
                        if (mate == NONE) {
                            end = row;
                        } else {
                            joined.link = row;
                            simt_store(f.root + mate, joined.root);
                        }
                        RECORD_COUNTERS(effort.reached += mate != NONE;
                                        effort.paths += mate == NONE;)
                        TELL(mate == NONE ? PATH : REACH, rows + column_of(f, from), row,
                             rows + (mate == NONE ? joined.root : mate),
                             (float)(t.level + (mate != NONE)));
                    }
                }
            }
            end_paths(f, end == NONE ? NONE : joined.root, end, next.seen);
            push(next, origin, joined, 2);
        }
        RECORD_COUNTERS(effort.looked += entry.link != NONE; effort.frontier += entry.length > 0;
                        effort.edges += entry.length; effort.lane_slots += 1 + (total + 31) / 32;)
    }
}

// The column of a list's entry if it is in a tree that has no path yet, else NONE.
__device__ inline int tree_at(Forest f, Lists rows, long long entry, unsigned& edges)
{
    const int column = rows.indices[entry] - rows.shift;
    const int root = simt_load(f.root + column);
    edges += 1;
    return root != NONE && simt_load(f.leaf + root) == NONE ? column : NONE;
}

// Such a column among the neighbours of `row`, in an order of its own, by one lane; NONE: there is
// none.
__device__ inline int find_tree(Forest f, Lists rows, int row, unsigned hash, unsigned& edges)
{
    const long long first = rows.indptr[row];
    const int length = (int)(rows.indptr[row + 1] - first);
    Round round = round_of(hash, length);
    int column = NONE;
    for (int k = 0; k < length && column == NONE; ++k)
        column = tree_at(f, rows, first + round.next(), edges);
    return column;
}

// The same by all lanes of a warp, in the order of the list; each returns what it found.
__device__ inline int find_tree_by_warp(Forest f, Lists rows, int row, unsigned& edges)
{
    int column = NONE;
    for (long long e = rows.indptr[row] + threadIdx.x % 32; e < rows.indptr[row + 1]; e += 32) {
        column = tree_at(f, rows, e, edges);
        if (column != NONE) break;
    }
    return column;
}

// Rows that a warp looks up at a time: few, if there are few.
__device__ inline int rows_of_warp(int rows, Team t)
{
    const int warps = t.threads / 32;
    return min(32, (rows + warps - 1) / warps);
}

// The lanes' rows (NONE: nothing), which are in no tree, search for one (bottom up): a tree that
// grows into them must touch them.  A lane takes as long for an edge as the warp for a list of up to 32, so
// the warp shares lists of more than two edges for each of its `share` rows.  `kind`: REACH, or GRAFT.
__device__ inline void look_up(Forest f, Lists by_row, Lists columns, int row, int share, unsigned kind,
                               Frontier next, Team t, Effort& effort RECORD_PARAMS)
{
    RECORD_EVENTS(const int warp = t.warp, step = t.step;)
    const long long length = row == NONE ? 0 : by_row.indptr[row + 1] - by_row.indptr[row];
    const int few = 2 * share;
    unsigned edges = 0;
    int column = NONE;
    if (length > 0 && length <= few)
        column = find_tree(f, by_row, row, scatter(row, t.level), edges);
    RECORD_COUNTERS(effort.lane_slots += 1 + warp_largest(edges);)
    unsigned many = __ballot_sync(ALL_LANES, length > few);
    while (many != 0) {
        const int owner = __ffs(many) - 1;
        many &= many - 1;
        const int shared = __shfl_sync(ALL_LANES, row, owner);
        unsigned looked_at = 0;
        const int mine = find_tree_by_warp(f, by_row, shared, looked_at);
        const unsigned who = __ballot_sync(ALL_LANES, mine != NONE);
        const int found = __shfl_sync(ALL_LANES, mine, who ? __ffs(who) - 1 : 0);
        if (t.lane == owner) column = found;
        RECORD_COUNTERS(effort.lane_slots += warp_largest(looked_at);)
        edges += looked_at;
    }
    Joined joined = {NONE, NONE, 0, 0};
    bool ends = false;
    if (column != NONE) {
        const int mate = f.rmatch[row], above = f.cmatch[column];
        joined = {mate == NONE ? NONE : row, simt_load(f.root + column), 0, 0};
        simt_store(f.parent + row, above == NONE ? link_to_root(column) : above);
        ends = mate == NONE;
        if (!ends) {
            simt_store(f.root + mate, joined.root);
            joined.begin = columns.indptr[mate];
            joined.end = columns.indptr[mate + 1];
        }
        RECORD_COUNTERS(effort.reached += mate != NONE; effort.paths += mate == NONE;)
        RECORD_EVENTS(
            const int shift = by_row.shift;
            if (kind == GRAFT) TELL(GRAFT, shift + column, row,
                                    mate == NONE ? NONE : shift + mate, 0.0f);
            else TELL(mate == NONE ? PATH : REACH, shift + column, row,
                      shift + (mate == NONE ? joined.root : mate),
                      (float)(t.level + (mate != NONE)));)
    }
    end_paths(f, ends ? joined.root : NONE, row, next.seen);
    push(next, columns.indptr[0], joined, 2);
    RECORD_COUNTERS(effort.looked += row != NONE; effort.frontier += length > 0;
                    effort.edges += edges;)
}
