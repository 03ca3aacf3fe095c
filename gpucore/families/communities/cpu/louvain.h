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
#include <optional>
#include <vector>

#include "common.h"
#include "record.h"

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

// Step of the record: a sweep, or a class of vertices in it.
struct StepReport {
    long long level;       // contractions before it
    long long sweep;       // from 1 on in its stage; 0 where vertices follow their neighbours
    long long bucket;      // number of the class
    long long vertices;
    long long entries;
    long long taken_back;  // whether the sweep that it ends was undone
};

struct Hierarchy {
    std::vector<std::vector<int>> levels;  // the vertex of the next stage, for those of a stage
    std::vector<StageReport> stages;
    double modularity = 0.0;
    const Recording* recording = nullptr;  // null: nothing is recorded
    std::vector<StepReport> steps;         // only if something is

    // Begin a step; returns its number.
    int begin_step(long long sweep, long long bucket, long long vertices, long long entries) {
        if (recording == nullptr) return 0;
        steps.push_back({static_cast<long long>(levels.size()), sweep, bucket, vertices, entries, 0});
        return static_cast<int>(steps.size()) - 1;
    }
    // The last step has only measured what the one before it did.
    void drop_step() {
        if (recording != nullptr) steps.pop_back();
    }
    void take_back() {
        if (recording != nullptr) steps.back().taken_back = 1;
    }
};

// The events of the record, as kernels/louvain.cuh numbers and describes them.
enum LouvainEvent : unsigned { MOVE = 1, JOIN = 6 };

// The words of a thread's row in the record; the sums by community are in no hash table of theirs.
enum LouvainWord { kVertices = 0, kEdges = 1, kLaneSlots = 2, kMoves = 7 };

// What one thread writes into the record; nothing without one. It is called for vertices, not edges.
class MoveLog {
public:
    MoveLog(const Recording* recording, int thread) {
        if (recording != nullptr) log_.emplace(*recording, thread);
    }
    bool on() const { return log_.has_value(); }
    void begin(int step) {
        if (on()) log_->begin(step);
    }
    void looked(long long edges) {
        if (!on()) return;
        log_->count(kVertices, 1);
        log_->count(kEdges, edges);
        log_->count(kLaneSlots, edges);
    }
    // `gain` is that of modularity.
    void moved(int v, int from, int to, double gain) {
        if (!on()) return;
        log_->event(MOVE, v, from, to, static_cast<float>(gain));
        log_->count(kMoves, 1);
    }

    // `v`, of this community, joins the part of the vertex `root`.
    void joined(int v, int community, int root, double gain) {
        if (on()) log_->event(JOIN, v, community, root, static_cast<float>(gain));
    }

private:
    std::optional<Log> log_;
};

// Number the communities in the order of their smallest vertices; return how many there are.
int renumber(const std::vector<int>& community, std::vector<int>* mapping);

inline double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Start 0 visits the vertices by their numbers, every other one in an order of its own.
int louvain(const Csr& graph, const Thresholds& thresholds, double resolution, int start,
            const CancelFlag& cancel, Hierarchy* found);

}  // namespace cpu
