// Distance-1 colouring on several threads: neighbours have different colours.
#pragma once

#include <vector>

#include "common.h"
#include "crew.h"

namespace cpu {

// Vertices by colour: those of class c are vertices[first[c]] .. vertices[first[c + 1] - 1],
// ascending.
struct ColourClasses {
    std::vector<int> vertices;
    std::vector<int> first{0};

    int count() const { return static_cast<int>(first.size()) - 1; }
};

// Every vertex gets the smallest colour that no neighbour before it has, in an order drawn by a
// hash; so the colours do not depend on the number of threads.  With `balanced`, vertices then move
// from classes above the mean size to the first permissible class below it.
ColourClasses colour(int n, const long long* indptr, const int* indices, bool balanced, Crew* crew,
                     const CancelFlag& cancel);

}  // namespace cpu
