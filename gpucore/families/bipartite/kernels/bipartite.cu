// Maximum cardinality matching in bipartite graphs: APFB and APsB.
//
// Source: Deveci, Kaya, Ucar, Catalyurek, "GPU accelerated maximum cardinality matching algorithms
// for bipartite graphs", Euro-Par 2013, algorithms 1 to 4 and section 3.
//
// A phase searches for augmenting paths from all unmatched columns at once, one launch a level.
// There are no locks and no atomics: several columns may reach the same row, and the last write
// determines its predecessor.  ALTERNATE then flips all paths that were found at once, although
// they may cross, and FIXMATCHING unmatches rows whose pairs contradict each other.  Every phase
// that finds a path makes the matching larger; the first one that finds none proves that it is
// maximum.
//
// bfs_array holds, for each column: UNSEEN (L0 - 1), its level (L0 for the roots and up), and for a
// root with an augmenting path FOUND (L0 - 2) or, so that ALTERNATE can follow exactly this path,
// minus its last row.  L0 = 2, so these are 1, 2 and up, 0 and down.
//
// Threads take the columns, or the rows, in turn, a grid apart (the paper's getProcessCount): with
// a thread for each this is the paper's MT, with a constant number of threads its CT.
#include "simt.h"

#include "bipartite.cuh"

#define L0 2
#define UNSEEN (L0 - 1)
#define FOUND (L0 - 2)
#define PROMISED -2             // rmatch of a row at which an augmenting path ends

// What a launch reports to the host: the deepest level that got a column, whether a path was found,
// matched rows, walks that had to be stopped, rows that lost their column again.
enum { INSERTED, PATHS, MATCHED, RUNAWAYS, REPAIRS };

// The arrays of a search.
struct Search {
    int* bfs;
    int* root;
    int* rmatch;
    int* predecessor;
    int* state;
    int level;
    bool tells_row;             // a root stores the last row of its path, see above
};

// A thread's first vertex, and the distance between its vertices.  All lanes of a warp take the
// same number of turns, some without a vertex.
struct Turns {
    long long first;            // of the warp
    long long step;
    int lane, warp;
};

__device__ inline Turns my_turns()
{
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % 32;
    return {thread - lane, (long long)gridDim.x * blockDim.x, lane, (int)(thread / 32)};
}

// INITBFSARRAY.  Only GPUBFS-WR uses `root`; the other kernel does not read it.
SIMT_KERNEL(bipartite_begin)
(int columns, const int* cmatch, int* bfs, int* root, int phase, int step RECORD_PARAMS)
{
    const Turns turns = my_turns();
    RECORD_EVENTS(const int warp = turns.warp;)
    RECORD_COUNTERS(Effort effort = {};)
    for (long long first = turns.first; first < columns; first += turns.step) {
        const long long column = first + turns.lane;
        if (column >= columns) continue;
        const bool unmatched = cmatch[column] == NONE;
        bfs[column] = unmatched ? L0 : UNSEEN;
        root[column] = unmatched ? (int)column : 0;
        RECORD_COUNTERS(effort.looked += 1; effort.lane_slots += 1;)
        if (column == 0) TELL(PHASE, phase, NONE, 0, 0.0f);
    }
    RECORD_COUNTERS(record_effort(rec, turns.warp, step, effort);)
}

// One column of the frontier: algorithms 2 and 4, the loop over its rows.
template <bool WITH_ROOT>
__device__ inline unsigned expand(Lists columns, Search s, int column, int rows, int warp, int step,
                                  Effort& effort RECORD_PARAMS)
{
    int my_root = NONE;
    if (WITH_ROOT) {
        my_root = s.root[column];
        if (simt_load(s.bfs + my_root) < UNSEEN) return 0;
    }
    const long long end = columns.indptr[column + 1];
    for (long long e = columns.indptr[column]; e < end; ++e) {
        const int row = columns.indices[e];
        const int mate = simt_load(s.rmatch + row);
        if (mate > NONE) {
            if (simt_load(s.bfs + mate) != UNSEEN) continue;
            simt_store(s.state + INSERTED, s.level + 1);
            simt_store(s.bfs + mate, s.level + 1);
            if (WITH_ROOT) simt_store(s.root + mate, my_root);
            simt_store(s.predecessor + row, column);
            effort.reached += 1;
            TELL(REACH, rows + column, row, rows + mate, (float)(s.level + 1 - L0));
        } else if (mate == NONE) {
            if (WITH_ROOT) simt_store(s.bfs + my_root, s.tells_row ? -row : FOUND);
            simt_store(s.rmatch + row, PROMISED);
            simt_store(s.predecessor + row, column);
            simt_store(s.state + PATHS, 1);
            effort.paths += 1;
            TELL(PATH, rows + column, row, WITH_ROOT ? rows + my_root : NONE,
                 (float)(s.level - L0));
        }
    }
    return (unsigned)(end - columns.indptr[column]);
}

template <bool WITH_ROOT>
__device__ inline void search(Lists columns, Search s, int rows, int step RECORD_PARAMS)
{
    const Turns turns = my_turns();
    Effort effort = {};
    for (long long first = turns.first; first < columns.count; first += turns.step) {
        const long long column = first + turns.lane;
        unsigned edges = 0;
        if (column < columns.count && simt_load(s.bfs + column) == s.level) {
            edges = expand<WITH_ROOT>(columns, s, (int)column, rows, turns.warp, step,
                                      effort RECORD_COUNTERS(, rec));
            RECORD_COUNTERS(effort.frontier += 1;)
        }
        RECORD_COUNTERS(effort.looked += column < columns.count; effort.edges += edges;
                        effort.lane_slots += 1 + warp_largest(edges);)
    }
    RECORD_COUNTERS(record_effort(rec, turns.warp, step, effort);)
}

// GPUBFS, algorithm 2: one level.
SIMT_KERNEL(bipartite_search)
(int rows, int columns, const long long* indptr, const int* indices, int* bfs, int* rmatch,
 int* predecessor, int* state, int level, int step RECORD_PARAMS)
{
    search<false>({columns, indptr, indices, 0},
                  {bfs, 0, rmatch, predecessor, state, level, false}, rows,
                  step RECORD_COUNTERS(, rec));
}

// GPUBFS-WR, algorithm 4: the same; a column is left out if its root has a path already.
SIMT_KERNEL(bipartite_search_roots)
(int rows, int columns, const long long* indptr, const int* indices, int* bfs, int* root,
 int* rmatch, int* predecessor, int* state, int tells_row, int level, int step RECORD_PARAMS)
{
    search<true>({columns, indptr, indices, 0},
                 {bfs, root, rmatch, predecessor, state, level, tells_row != 0}, rows,
                 step RECORD_COUNTERS(, rec));
}

// The arrays of a walk along a path.
struct Walk {
    int rows;
    const int* predecessor;
    int* cmatch;
    int* rmatch;
    int* state;
    bool checked;
};

// Algorithm 3, lines 5 to 12.  Line 8 keeps two walks on crossing paths from chasing each other for
// ever: a walk that finds that the column's row has the same column as predecessor has met another
// walk, and stops.  (A root has no row: the walk ends there anyway.)  No path has more rows than
// the matrix; a walk that takes more steps is stopped, and counted.  Returns the flips.
__device__ inline unsigned walk(Walk w, int row, int warp, int step,
                                unsigned& conflicts RECORD_PARAMS)
{
    for (int flips = 0;; ++flips) {
        if (flips > w.rows) {
            atomicAdd(w.state + RUNAWAYS, 1);
            TELL(RUNAWAY, row, NONE, NONE, 0.0f);
            return flips;
        }
        const int column = w.predecessor[row];
        const int before = simt_load(w.cmatch + column);
        if (w.checked && before != NONE && w.predecessor[before] == column) {
            conflicts += 1;
            TELL(STOP, row, w.rows + column, before, 0.0f);
            return flips;
        }
        simt_store(w.cmatch + column, row);
        simt_store(w.rmatch + row, column);
        TELL(FLIP, w.rows + column, row, before, 0.0f);
        if (before == NONE) return flips + 1;
        row = before;
    }
}

// ALTERNATE, algorithm 3: from every row at which a path ends.
SIMT_KERNEL(bipartite_alternate)
(int rows, const int* predecessor, int* cmatch, int* rmatch, int* state, int checked,
 int step RECORD_PARAMS)
{
    const Turns turns = my_turns();
    Effort effort = {};
    const Walk w = {rows, predecessor, cmatch, rmatch, state, checked != 0};
    for (long long first = turns.first; first < rows; first += turns.step) {
        const long long row = first + turns.lane;
        const bool ends = row < rows && simt_load(rmatch + row) == PROMISED;
        const unsigned flips =
            ends ? walk(w, (int)row, turns.warp, step, effort.conflicts RECORD_COUNTERS(, rec)) : 0;
        effort.flips += flips;
        RECORD_COUNTERS(effort.looked += row < rows; effort.frontier += ends;
                        effort.lane_slots += 1 + warp_largest(flips);)
    }
    RECORD_COUNTERS(record_effort(rec, turns.warp, step, effort);)
}

// ALTERNATE, improved (the end of section 3): from every root, along the path whose last row it
// stores.
SIMT_KERNEL(bipartite_alternate_roots)
(int rows, int columns, const int* predecessor, const int* bfs, int* cmatch, int* rmatch,
 int* state, int checked, int step RECORD_PARAMS)
{
    const Turns turns = my_turns();
    Effort effort = {};
    const Walk w = {rows, predecessor, cmatch, rmatch, state, checked != 0};
    for (long long first = turns.first; first < columns; first += turns.step) {
        const long long column = first + turns.lane;
        const bool ends = column < columns && bfs[column] < UNSEEN;
        const unsigned flips = ends ? walk(w, -bfs[column], turns.warp, step,
                                           effort.conflicts RECORD_COUNTERS(, rec))
                                    : 0;
        effort.flips += flips;
        RECORD_COUNTERS(effort.looked += column < columns; effort.frontier += ends;
                        effort.lane_slots += 1 + warp_largest(flips);)
    }
    RECORD_COUNTERS(record_effort(rec, turns.warp, step, effort);)
}

// FIXMATCHING: a row whose column has another row is unmatched; so is a row marked as the end of a
// path that got no column.  Counts the matched rows.
SIMT_KERNEL(bipartite_fix)
(int rows, const int* cmatch, int* rmatch, int* state, int step RECORD_PARAMS)
{
    const Turns turns = my_turns();
    RECORD_COUNTERS(Effort effort = {};)
    int matched = 0, repairs = 0;
    for (long long first = turns.first; first < rows; first += turns.step) {
        const long long row = first + turns.lane;
        if (row >= rows) continue;
        const int column = rmatch[row];
        RECORD_COUNTERS(effort.looked += 1; effort.lane_slots += 1;)
        if (column == NONE) continue;
        if (column >= 0 && cmatch[column] == row) {
            matched += 1;
            continue;
        }
        rmatch[row] = NONE;
        repairs += 1;
        RECORD_EVENTS(
            const int warp = turns.warp;
            const bool promised = column == PROMISED;
            TELL(FIX, (int)row, promised ? NONE : rows + column, promised ? NONE : cmatch[column],
                 0.0f);)
    }
    for (int d = 16; d > 0; d /= 2) {
        matched += __shfl_xor_sync(ALL_LANES, matched, d);
        repairs += __shfl_xor_sync(ALL_LANES, repairs, d);
    }
    if (turns.lane == 0 && matched) atomicAdd(state + MATCHED, matched);
    if (turns.lane == 0 && repairs) atomicAdd(state + REPAIRS, repairs);
    RECORD_COUNTERS(effort.conflicts = turns.lane == 0 ? repairs : 0;
                    record_effort(rec, turns.warp, step, effort);)
}

SIMT_EXPORT(bipartite_begin)
SIMT_EXPORT(bipartite_search)
SIMT_EXPORT(bipartite_search_roots)
SIMT_EXPORT(bipartite_alternate)
SIMT_EXPORT(bipartite_alternate_roots)
SIMT_EXPORT(bipartite_fix)
