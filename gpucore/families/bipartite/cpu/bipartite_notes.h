// What one thread writes into the record of a search for a matching. Without a recording every
// function returns at once; none of them is called for a single entry of a list.
#pragma once

#include <optional>

#include "record.h"

namespace cpu {

// The events of the record, as kernels/bipartite.cuh numbers and describes them.
enum BipartiteEvent : unsigned { PHASE = 1, REACH = 2, PATH = 3, FLIP = 4, MATCH = 9 };

// The words of a thread's row in the record.
enum BipartiteWord { kLooked, kFrontier, kEdges, kLaneSlots, kReached, kPaths, kFlips };

// Kinds of steps, as families/bipartite/record.py numbers them. Searches in depth have no levels:
// all of a phase are one step.
enum StepKind { kInitial = 0, kTopDown = 2, kAlternate = 4 };
constexpr int kNoLevel = -1;

class Notes {
public:
    Notes(const Recording* recording, int thread, int num_rows) : num_rows_(num_rows) {
        if (recording != nullptr) log_.emplace(*recording, thread);
    }

    bool on() const { return log_.has_value(); }
    void begin(int step) {
        if (on()) log_->begin(step);
    }
    void phase(int number) {
        if (on()) log_->event(PHASE, number, -1, 0);
    }
    void matched(int row, int column) {
        if (on()) log_->event(MATCH, num_rows_ + column, row);
    }
    void scanned(long long entries) {
        if (!on()) return;
        log_->count(kEdges, entries);
        log_->count(kLaneSlots, entries);
    }
    // A column's list will be read.
    void expanded() {
        if (!on()) return;
        log_->count(kLooked, 1);
        log_->count(kFrontier, 1);
    }
    // A column reaches a row, whose mate joins a level.
    void reached(int column, int row, int mate, int level) {
        if (!on()) return;
        log_->event(REACH, num_rows_ + column, row, num_rows_ + mate, static_cast<float>(level));
        log_->count(kReached, 1);
    }
    // A column of a level reaches an unmatched row.
    void path(int column, int row, int root, int level) {
        if (!on()) return;
        log_->event(PATH, num_rows_ + column, row, num_rows_ + root, static_cast<float>(level));
        log_->count(kPaths, 1);
    }
    // A column takes a row instead of the one that it had, if any.
    void flipped(int column, int row, int before) {
        if (!on()) return;
        log_->event(FLIP, num_rows_ + column, row, before);
        log_->count(kFlips, 1);
    }
    // A search found a path of columns, each with the row that it will take; `mate_of(column)` is
    // the one that it has. As in the kernels the walk begins at the path's end.
    template <class Path, class MateOf>
    void walked(const Path& path_found, MateOf&& mate_of) {
        if (!on()) return;
        const auto& last = path_found.back();
        path(last.vertex, last.taken, path_found.front().vertex,
             static_cast<int>(path_found.size()) - 1);
        for (auto step = path_found.rbegin(); step != path_found.rend(); ++step)
            flipped(step->vertex, step->taken, mate_of(step->vertex));
    }

private:
    std::optional<Log> log_;
    const int num_rows_;
};

}  // namespace cpu
