// Pothen and Fan's algorithm with lookahead and fairness, "PFP" in Duff, Kaya and Uçar (ACM TOMS
// 38(2), 2011); the algorithm is from "Computing the block triangular form of a sparse matrix",
// ACM TOMS 16(4), 1990.
//
// A phase searches in depth from every unmatched column and takes every row at most once.

#include "fair_search.h"

CPU_EXPORT int cpu_pothen_fan(const cpu::BipartiteTask* task) {
    return cpu::run_bipartite(*task, [](cpu::Matcher& matcher) {
        cpu::FairSearch search(matcher, cpu::kFromColumns);
        matcher.repeat([&] { search.augment_all(matcher.unmatched()); });
    });
}
