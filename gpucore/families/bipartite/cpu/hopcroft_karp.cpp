// Hopcroft and Karp's algorithm (SIAM Journal on Computing 2(4), 1973).
//
// A phase searches in breadth from all unmatched columns until some unmatched row is reached, then
// in depth from each of them, from level to level, which finds a maximal set of disjoint shortest
// paths. There are at most about 2 sqrt(n) phases, each linear in the number of entries.

#include "hopcroft_karp.h"

#include <algorithm>
#include <limits>

namespace cpu {
namespace {

constexpr int kNowhere = 0;

}  // namespace

ShortestPaths::ShortestPaths(Matcher& matcher)
    : matcher_(matcher),
      level_(static_cast<std::size_t>(matcher.rows().size), kNowhere),
      search_(matcher, matcher.columns()) {
    queue_.reserve(static_cast<std::size_t>(matcher.columns().size));
}

bool ShortestPaths::augment_all() {
    const bool any = spread();
    if (any) descend();
    forget();
    return any;
}

// Assign levels to the rows; true as soon as an unmatched row is reached. All columns of its
// level are then in the queue, so the search may stop.
bool ShortestPaths::spread() {
    queue_ = matcher_.unmatched();
    std::size_t done = 0;
    for (depth_ = 1; done < queue_.size(); ++depth_) {
        matcher_.level_searched();
        depth_ == 1 ? matcher_.begin_phase(0) : matcher_.begin_step(depth_ - 1, kTopDown);
        const std::size_t end = queue_.size();
        for (; done < end; ++done)
            if (spread_from(queue_[done], depth_)) return true;
    }
    return false;
}

// Reach the columns behind a column's rows; true if one of the rows is unmatched.
bool ShortestPaths::spread_from(int column, int level) {
    const int* const list = matcher_.columns().list(column);
    const int degree = matcher_.columns().degree(column);
    matcher_.notes().expanded();
    for (int i = 0; i < degree; ++i) {
        const int row = list[i];
        if (level_[row] > base_) continue;
        const int mate = matcher_.mate_of_row(row);
        if (mate == kUnmatched) {
            matcher_.scanned(i + 1);
            return true;
        }
        level_[row] = base_ + level;
        queue_.push_back(mate);
        matcher_.notes().reached(column, row, mate, level);
    }
    matcher_.scanned(degree);
    return false;
}

// A search that takes a row clears its level: whether the row is on a path or a dead end, no
// other path of this phase can use it.
void ShortestPaths::descend() {
    matcher_.begin_step(kNoLevel, kAlternate);
    const auto follow = [&](int row, int length) -> int {
        if (length == depth_)
            return matcher_.mate_of_row(row) == kUnmatched ? kArrived : kDeadEnd;
        if (level_[row] != base_ + length) return kDeadEnd;
        level_[row] = kNowhere;
        return matcher_.mate_of_row(row);
    };
    for (const int column : matcher_.unmatched()) {
        if (matcher_.complete()) return;
        if (search_.find(column, look_nowhere, follow)) matcher_.augment(search_.path(), kFromColumns);
    }
}

// The next phase counts from a larger base, which invalidates the levels of this phase.
void ShortestPaths::forget() {
    base_ += depth_;
    if (base_ < std::numeric_limits<int>::max() / 2) return;
    std::fill(level_.begin(), level_.end(), kNowhere);
    base_ = 0;
}

}  // namespace cpu

CPU_EXPORT int cpu_hopcroft_karp(const cpu::BipartiteTask* task) {
    return cpu::run_bipartite(*task, [](cpu::Matcher& matcher) {
        cpu::ShortestPaths shortest(matcher);
        matcher.repeat([&] { shortest.augment_all(); });
    });
}
