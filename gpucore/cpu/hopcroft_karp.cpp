// Hopcroft and Karp's algorithm (SIAM Journal on Computing 2(4), 1973).
//
// A phase searches in breadth from all unmatched columns until some unmatched row is reached, then
// in depth from each of them, from level to level, which finds a maximal set of disjoint shortest
// paths. There are at most about 2 sqrt(n) phases, each linear in the number of entries.

#include "hopcroft_karp.h"

namespace cpu {
namespace {

constexpr int kUnseen = -1;

}  // namespace

ShortestPaths::ShortestPaths(Matcher& matcher)
    : matcher_(matcher),
      level_(static_cast<std::size_t>(matcher.columns().size), kUnseen),
      search_(matcher, matcher.columns()) {
    queue_.reserve(level_.size());
}

bool ShortestPaths::augment_all() {
    const bool any = spread();
    if (any) descend();
    forget();
    return any;
}

// Give the columns their levels; true as soon as an unmatched row is reached. All columns of that
// row's level have been given it before, so nothing of the rest is needed.
bool ShortestPaths::spread() {
    for (const int column : matcher_.unmatched()) {
        level_[column] = 0;
        queue_.push_back(column);
    }
    std::size_t done = 0;
    for (depth_ = 1; done < queue_.size(); ++depth_) {
        matcher_.level_searched();
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
    for (int i = 0; i < degree; ++i) {
        const int mate = matcher_.mate_of_row(list[i]);
        if (mate == kUnmatched) {
            matcher_.scanned(i + 1);
            return true;
        }
        if (level_[mate] != kUnseen) continue;
        level_[mate] = level;
        queue_.push_back(mate);
    }
    matcher_.scanned(degree);
    return false;
}

// A search that enters a column takes its level away: whether the column ends on a path or leads
// nowhere, no other path of this phase can use it.
void ShortestPaths::descend() {
    const auto follow = [&](int row, int length) -> int {
        const int mate = matcher_.mate_of_row(row);
        if (mate == kUnmatched) return DepthSearch::kArrived;
        if (length == depth_ || level_[mate] != length) return DepthSearch::kDeadEnd;
        level_[mate] = kUnseen;
        return mate;
    };
    for (const int column : matcher_.unmatched()) {
        if (matcher_.complete()) return;
        if (search_.find(column, look_nowhere, follow)) matcher_.augment(search_.path());
    }
}

void ShortestPaths::forget() {
    for (const int column : queue_) level_[column] = kUnseen;
    queue_.clear();
}

}  // namespace cpu

CPU_EXPORT int cpu_hopcroft_karp(const cpu::BipartiteTask* task) {
    return cpu::run_bipartite(*task, [](cpu::Matcher& matcher) {
        cpu::ShortestPaths shortest(matcher);
        matcher.repeat([&] { shortest.augment_all(); });
    });
}
