// Duff and Wiberg's variant of Hopcroft and Karp's algorithm (ACM TOMS 14(3), 1988).
//
// After the shortest paths of a phase, searches in depth from the rows that are still unmatched
// find paths of any length. Together they enter every row at most once, so a phase remains linear
// in the number of entries, and far fewer phases are usually needed.

#include <algorithm>

#include "hopcroft_karp.h"

namespace cpu {
namespace {

// Searches from the unmatched rows; unlike those from columns they heed no levels.
class PathsFromRows {
public:
    explicit PathsFromRows(Matcher& matcher)
        : matcher_(matcher),
          entered_(static_cast<std::size_t>(matcher.rows().size), 0),
          search_(matcher, matcher.rows()) {
        for (int row = 0; row < matcher.rows().size; ++row)
            if (free(row) && matcher.rows().degree(row) > 0) unmatched_.push_back(row);
    }

    void augment_all() {
        ++phase_;
        const auto matched = [&](int row) { return !free(row); };
        unmatched_.erase(std::remove_if(unmatched_.begin(), unmatched_.end(), matched),
                         unmatched_.end());
        for (const int row : unmatched_) {
            if (matcher_.complete()) return;
            search_from(row);
        }
    }

private:
    bool free(int row) const { return matcher_.mate_of_row(row) == kUnmatched; }

    void search_from(int root) {
        const auto follow = [&](int column, int) -> int {
            const int mate = matcher_.mate_of_column(column);
            if (mate == kUnmatched) return DepthSearch::kArrived;
            if (entered_[mate] == phase_) return DepthSearch::kDeadEnd;
            entered_[mate] = phase_;
            return mate;
        };
        entered_[root] = phase_;  // once matched, it could be reached again
        if (!search_.find(root, look_nowhere, follow)) return;
        for (const Step& step : search_.path()) matcher_.pair(step.vertex, step.taken);
        matcher_.path_found();
    }

    Matcher& matcher_;
    std::vector<int> entered_;  // the last phase in which each row was entered
    std::vector<int> unmatched_;
    int phase_ = 0;
    DepthSearch search_;
};

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_hkdw(const cpu::BipartiteTask* task) {
    return cpu::run_bipartite(*task, [](cpu::Matcher& matcher) {
        cpu::ShortestPaths shortest(matcher);
        cpu::PathsFromRows others(matcher);
        matcher.repeat([&] {
            if (shortest.augment_all()) others.augment_all();
        });
    });
}
