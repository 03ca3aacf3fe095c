// The Louvain method on one thread, for a fixed and for an adaptive threshold.
//
// V. D. Blondel, J.-L. Guillaume, R. Lambiotte, E. Lefebvre, "Fast unfolding of communities in
// large networks", Journal of Statistical Mechanics 2008; section II of Md. Naim, F. Manne,
// M. Halappanavar, A. Tumeo, "Community detection on the GPU", IPDPS 2017.
//
// All sums are double. A vertex's loop counts both its ends: the given graph's loops are doubled
// once at the start, and contraction then makes loops with twice the weight inside.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "common.h"

namespace cpu {

// End of a search for moves: a sweep that gains too little modularity is the last one.  The kernels
// have the same rule (rules.py).  Too little is less than the threshold itself or, if `relative`,
// less than this part of the stage's gain so far, or less than the final part of the modularity.
struct Thresholds {
    double bin;              // of a stage of more than `bin_vertices` vertices
    double final;            // otherwise
    long long bin_vertices;
    bool relative;
    bool with_edges;         // count only vertices that have edges

    double wanted(double threshold, double start, double now) const {
        return relative ? std::max(threshold * (now - start), final * now) : threshold;
    }
    double of_stage(double threshold, double now) const {
        return relative ? threshold * std::abs(now) : threshold;
    }
};

// Report of one stage: moves until they gain little, then the contraction.
struct StageReport {
    long long vertices;
    long long entries;
    long long sweeps;
    long long communities;
    double threshold;
    double modularity;
    double optimise_seconds;
    double contract_seconds;
    double first_sweep_seconds;
    long long colours;         // classes of the colouring; 0 without
};

struct Hierarchy {
    std::vector<std::vector<int>> levels;  // the vertex of the next stage, for those of a stage
    std::vector<StageReport> stages;
    double modularity = 0.0;
};

// Number the communities in the order of their smallest vertices; return how many there are.
int renumber(const std::vector<int>& community, std::vector<int>* mapping);

inline double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int louvain(const Csr& graph, const Thresholds& thresholds, double resolution,
            const CancelFlag& cancel, Hierarchy* found);

}  // namespace cpu
