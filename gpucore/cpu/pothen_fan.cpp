// Pothen and Fan's algorithm with lookahead and fairness, "PFP" in Duff, Kaya and Uçar (ACM TOMS
// 38(2), 2011); the algorithm is from "Computing the block triangular form of a sparse matrix",
// ACM TOMS 16(4), 1990.
//
// A phase searches in depth from every unmatched column and enters every column at most once. A
// column that is entered first looks ahead for an unmatched row. As matched rows stay matched, it
// goes on where it stopped the last time, so all looks ahead together read every entry once.
// Fairness: every other phase reads the lists backwards, lest one part of the matrix is always
// searched first.

#include "bipartite.h"

namespace cpu {
namespace {

class FairSearch {
public:
    explicit FairSearch(Matcher& matcher)
        : matcher_(matcher),
          looked_(static_cast<std::size_t>(matcher.columns().size), 0),
          entered_(looked_),
          search_(matcher, matcher.columns()) {}

    void augment_all() {
        search_.backwards(phase_++ % 2 == 1);
        const auto look = [&](int column) { return look_ahead(column); };
        const auto follow = [&](int row, int) -> int {
            const int mate = matcher_.mate_of_row(row);  // there is one, as looking ahead showed
            if (entered_[mate] == phase_) return DepthSearch::kDeadEnd;
            entered_[mate] = phase_;
            return mate;
        };
        for (const int column : matcher_.unmatched()) {
            if (matcher_.complete()) return;
            entered_[column] = phase_;  // once matched, it could be reached again
            if (search_.find(column, look, follow)) matcher_.augment(search_.path());
        }
    }

private:
    // Return an unmatched row of a column, or kUnmatched.
    int look_ahead(int column) {
        const int* const list = matcher_.columns().list(column);
        const int degree = matcher_.columns().degree(column);
        const int first = looked_[column];
        int place = first;
        while (place < degree && matcher_.mate_of_row(list[place]) != kUnmatched) ++place;
        looked_[column] = place;
        matcher_.scanned(place - first + (place < degree));
        return place < degree ? list[place] : kUnmatched;
    }

    Matcher& matcher_;
    std::vector<int> looked_;   // of every column: how many of its first rows are matched
    std::vector<int> entered_;  // the last phase in which each column was entered
    int phase_ = 0;
    DepthSearch search_;
};

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_pothen_fan(const cpu::BipartiteTask* task) {
    return cpu::run_bipartite(*task, [](cpu::Matcher& matcher) {
        cpu::FairSearch search(matcher);
        matcher.repeat([&] { search.augment_all(); });
    });
}
