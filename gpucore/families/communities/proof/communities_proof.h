// Parts of the certificate of communities; see communities_proof.cpp.
#pragma once

#include "proof.h"

namespace proof {

// A gain counts only above this part of the larger of its two terms; below it is rounding.
constexpr double kRounding = 1e-12;
// Entries whose labels are fetched ahead.
constexpr int kAhead = 16;

// The communities of all vertices on every level from the second on.
struct Partition {
    int levels;         // at least 1
    int parts;          // of the last level, which is the partition itself
    const int* labels;  // labels[v * levels + k], k = 0 .. levels - 1
};

struct Figures {
    long long improvable;
    double largest, sum;
};

// Strength of every vertex, a loop counted twice; and twice the weight of the loops.
bool strengths(const Csr& graph, const Work& work, double* strength, double* loops);

// Add the values of the members of each part.
bool fold(const Work& work, int size, const int* label, const double* value, int parts,
          double* total);

// Sum of the parts' strengths, and of the squares of their shares in two_m.
bool squares(const Work& work, int parts, const double* total, double two_m, double* weight,
             double* square);

// The weight inside the parts of each level, and the gains of single moves on the last one.
bool walk(const Csr& graph, const Work& work, const Partition& partition, const double* strength,
          const double* total, double two_m, double resolution, double* inside, Figures* out);

}  // namespace proof
