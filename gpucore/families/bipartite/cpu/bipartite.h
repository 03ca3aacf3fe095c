// Shared by the CPU methods for bipartite matching: the matrix, the matching, searches in depth.
//
// All of them repeat phases, each of which finds augmenting paths, until a phase finds none (Duff,
// Kaya and Uçar, "Design, implementation, and analysis of maximum transversal algorithms", ACM
// TOMS 38(2), 2011). A path from a column ends at an unmatched row; making its rows the mates of
// the columns before them matches one more column.
#pragma once

#include <vector>

#include "bipartite_notes.h"
#include "common.h"

namespace cpu {

constexpr int kUnmatched = -1;

// The lists of one side of a matrix: of every column its rows, or of every row its columns.
struct Side {
    int size;
    const long long* indptr;
    const int* entries;

    int degree(int v) const { return static_cast<int>(indptr[v + 1] - indptr[v]); }
    const int* list(int v) const { return entries + indptr[v]; }
};

// The side on which paths begin.
enum Origin { kFromColumns, kFromRows };

// The matching to begin with; a given one is in `row_match` and `column_match` of the task.
enum Initial : int { kNothing = 0, kCheap = 1, kGiven = 2 };

// Counters of a run; `native.py` has the same structure.
struct BipartiteWork {
    long long initial_cardinality;
    long long cardinality;
    long long phases;
    long long levels;  // of the searches in breadth
    long long edges;   // entries read
    double initial_seconds;
    long long steps;  // of the record
};

// The input of a method, and the places of its results; `native.py` has the same structure.
struct BipartiteTask {
    int num_rows;
    int num_columns;
    const long long* indptr;  // of the columns' lists of rows
    const int* rows;
    const long long* row_indptr;  // of the rows' lists of columns
    const int* columns;
    int initial;
    int threads;
    const int* cancel;
    int* row_match;
    int* column_match;
    int* phase_paths;  // one place for each phase: at most the shorter side's size, and one
    BipartiteWork* work;
    const Recording* recording;  // null: nothing is recorded
    int* steps;                  // phase, level and kind of the first `step_room` steps
    int step_room;
};

// Thrown when the caller has asked to stop.
struct Stop {};

// A matching that is being built.
class Matcher {
public:
    explicit Matcher(const BipartiteTask& task);

    const Side& columns() const { return columns_; }
    const Side& rows() const { return rows_; }
    // The side from which paths begin; of the other one, its size and its mates.
    const Side& side(Origin from) const { return from == kFromRows ? rows_ : columns_; }
    int partners(Origin from) const { return from == kFromRows ? columns_.size : rows_.size; }
    const int* mates(Origin from) const {
        return from == kFromRows ? task_.column_match : task_.row_match;
    }
    int mate_of_row(int row) const { return task_.row_match[row]; }
    int mate_of_column(int column) const { return task_.column_match[column]; }
    void pair(int row, int column) {
        task_.row_match[row] = column;
        task_.column_match[column] = row;
    }

    const BipartiteTask& task() const { return task_; }
    const CancelFlag& cancel() const { return cancel_; }
    // Pairs that can still be added, at most.
    long long room() const { return most_ - task_.work->cardinality; }

    // Columns with entries that were unmatched when the phase began.
    const std::vector<int>& unmatched() const { return unmatched_; }
    // Whether one side has no unmatched vertex left: the matching is maximum.
    bool complete() const { return room() == 0; }

    // Augment along a path of one side's vertices, each with the partner that it takes.
    template <class Path>
    void augment(const Path& path, Origin from) {
        note(path, from);
        for (const auto& step : path)
            from == kFromRows ? pair(step.vertex, step.taken) : pair(step.taken, step.vertex);
        path_found();
    }
    // The same for the record, before it.
    template <class Path>
    void note(const Path& path, Origin from) {
        const auto mate_of = [&](int column) { return mate_of_column(column); };
        if (from == kFromColumns) return notes_.walked(path, mate_of);
        for (const auto& step : path) notes_.flipped(step.taken, step.vertex, mate_of(step.taken));
    }
    Notes& notes() { return notes_; }
    // What follows is another step of the record, or also another phase.
    void begin_step(int level, StepKind kind);
    void begin_phase(int level);
    int step() const { return static_cast<int>(task_.work->steps) - 1; }
    void path_found() { paths_found(1); }
    void paths_found(int paths) { task_.work->cardinality += paths; }
    void level_searched() { ++task_.work->levels; }
    // Count entries read. Every search calls this, so the request to stop is checked here.
    void scanned(long long entries) {
        task_.work->edges += entries;
        notes_.scanned(entries);
        if (task_.work->edges >= look_again_) heed_cancel();
    }

    // Whether a phase may find a path.
    bool worth_searching() const { return !complete() && !unmatched_.empty(); }
    // Repeat `phase` until it finds no path.
    template <class Phase>
    void repeat(Phase&& phase) {
        for (bool more = worth_searching(); more;) {
            const long long before = task_.work->cardinality;
            phase();
            more = end_phase(static_cast<int>(task_.work->cardinality - before));
        }
    }
    // Log how many paths a phase found; returns whether another phase may find one.
    bool end_phase(int paths);

private:
    void match_cheaply();
    void count_given();
    void forget_matched();
    void heed_cancel();

    BipartiteTask task_;
    Side columns_;
    Side rows_;
    CancelFlag cancel_;
    Notes notes_;
    long long most_;
    long long look_again_ = 0;
    std::vector<int> unmatched_;
};

// Where an entry of a list leads a search, if not to another vertex.
enum Outcome : int { kDeadEnd = -1, kArrived = -2 };

// A vertex on the path of a search in depth.
struct Step {
    int vertex;
    int taken;  // the entry of its list by which the path goes on
    int next;   // number of its entries read so far
};

// A search in depth with a stack of its own: paths can be longer than the program's stack is deep.
// `Reader` counts the entries read, in `scanned`.
template <class Reader>
class DepthSearch {
public:
    DepthSearch(Reader& reader, const Side& side) : reader_(reader), side_(side) {}

    // Look at every list from its last entry to its first from now on, or the usual way.
    void backwards(bool yes) { backwards_ = yes; }

    // Search from `root`. `look(vertex)` may know at once an entry that ends the path, else it
    // returns kUnmatched. `follow(entry, length)` says where an entry of the last of the path's
    // `length` vertices leads: to a vertex to go on with, kArrived, or kDeadEnd.
    template <class Look, class Follow>
    bool find(int root, Look&& look, Follow&& follow) {
        path_.clear();
        for (int next = root; next != kArrived;) {
            if (next == kDeadEnd) {
                path_.pop_back();
                if (path_.empty()) return false;
            } else {
                path_.push_back({next, look(next), 0});
                if (path_.back().taken != kUnmatched) return true;
            }
            next = advance(path_.back(), follow);
        }
        return true;
    }

    const std::vector<Step>& path() const { return path_; }

private:
    template <class Follow>
    int advance(Step& step, Follow&& follow) {
        const int* const list = side_.list(step.vertex);
        const int degree = side_.degree(step.vertex);
        const int length = static_cast<int>(path_.size());
        const int first = step.next;
        int outcome = kDeadEnd;
        while (step.next < degree && outcome == kDeadEnd) {
            const int place = step.next++;
            step.taken = list[backwards_ ? degree - 1 - place : place];
            outcome = follow(step.taken, length);
        }
        reader_.scanned(step.next - first);
        return outcome;
    }

    Reader& reader_;
    const Side side_;
    bool backwards_ = false;
    std::vector<Step> path_;
};

// For searches that do not look ahead.
inline int look_nowhere(int) { return kUnmatched; }

// Run a method with the status codes of the C interface.
template <class Method>
int run_bipartite(const BipartiteTask& task, Method&& method) {
    return guarded([&]() -> int {
        try {
            Matcher matcher(task);
            method(matcher);
        } catch (const Stop&) {
            return kCancelled;
        }
        return kDone;
    });
}

}  // namespace cpu
