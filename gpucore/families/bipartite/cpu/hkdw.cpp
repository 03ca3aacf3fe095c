// Duff and Wiberg's variant of Hopcroft and Karp's algorithm (ACM TOMS 14(3), 1988).
//
// After the shortest paths of a phase, searches in depth from the rows that are still unmatched
// find paths of any length. Together they take every column at most once, so a phase remains linear
// in the number of entries. As in pothen_fan.cpp they look ahead and read the lists backwards in
// every other phase: without that, long paths at random cost more phases than they save.

#include <algorithm>

#include "fair_search.h"
#include "hopcroft_karp.h"

namespace cpu {
namespace {

// The unmatched rows, and the searches from them.
class PathsFromRows {
public:
    explicit PathsFromRows(Matcher& matcher) : matcher_(matcher), search_(matcher, kFromRows) {
        for (int row = 0; row < matcher.rows().size; ++row)
            if (free(row) && matcher.rows().degree(row) > 0) unmatched_.push_back(row);
    }

    void augment_all() {
        const auto matched = [&](int row) { return !free(row); };
        unmatched_.erase(std::remove_if(unmatched_.begin(), unmatched_.end(), matched),
                         unmatched_.end());
        search_.augment_all(unmatched_);
    }

private:
    bool free(int row) const { return matcher_.mate_of_row(row) == kUnmatched; }

    Matcher& matcher_;
    FairSearch search_;
    std::vector<int> unmatched_;
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
