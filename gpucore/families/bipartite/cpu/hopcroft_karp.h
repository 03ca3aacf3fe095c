// A phase of Hopcroft and Karp's algorithm; HKDW begins its phases with the same.
#pragma once

#include <vector>

#include "bipartite.h"

namespace cpu {

// Finds a maximal set of disjoint augmenting paths of the shortest length.
class ShortestPaths {
public:
    explicit ShortestPaths(Matcher& matcher);

    // Find them and augment along them; false if there is no augmenting path at all.
    bool augment_all();

private:
    bool spread();
    bool spread_from(int column, int level);
    void descend();
    void forget();

    Matcher& matcher_;
    std::vector<int> level_;  // of every row, above base_; another number if not reached
    std::vector<int> queue_;  // the columns reached, level by level
    int base_ = 0;            // what earlier phases left in level_ is not above it
    int depth_ = 0;           // levels up to the first unmatched row
    DepthSearch<Matcher> search_;
};

}  // namespace cpu
