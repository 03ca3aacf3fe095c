// The Louvain method on several threads, with the heuristics of Grappolo.
//
// H. Lu, M. Halappanavar, A. Kalyanaraman, "Parallel heuristics for scalable community detection",
// Parallel Computing 47 (2015):
//   minimum label       of equal gains the community with the smallest number; a vertex alone in its
//                       community joins another lone vertex only if that has the smaller number
//   vertex following    a vertex with a single neighbour joins it before the first stage
//   colouring           large stages: the classes of a distance-1 colouring one after the other, so
//                       that no two neighbours move at the same time
// All vertices of a class (without colours, of the stage) decide from the same state and then move.
// So the result does not depend on the number of threads.

#include <chrono>
#include <numeric>

#include "colouring.h"
#include "louvain.h"
#include "parallel_phase.h"
#include "parallel_stage.h"

namespace cpu {

namespace {

// Vertex following: each vertex whose only edge leads to another vertex joins that one; of two that
// would follow each other the larger number does.  For a resolution of at most 1 modularity never
// falls; for larger ones the vertices follow only where it does not.
std::vector<int> followed(const ParallelStage& stage, double two_m, double resolution, Crew* crew,
                          const CancelFlag& cancel) {
    std::vector<int> leader(stage.n);
    std::vector<Weight> followers(stage.n, 0);
    const auto leads_to = [&](int v) {
        if (stage.indptr[v + 1] - stage.indptr[v] != 1) return v;
        const int u = stage.indices[stage.indptr[v]];
        if (stage.strength[v] == 0) return v;
        const bool mutual = stage.indptr[u + 1] - stage.indptr[u] == 1;
        return mutual && v < u ? v : u;
    };
    crew->chunks(stage.n, cancel, [&](int, int begin, int end) {
        for (int v = begin; v < end; ++v) {
            leader[v] = leads_to(v);
            if (leader[v] != v)
                __atomic_fetch_add(&followers[leader[v]], stage.strength[v], __ATOMIC_RELAXED);
        }
    });
    crew->chunks(stage.n, cancel, [&](int, int begin, int end) {
        for (int v = begin; v < end; ++v) {
            const int u = leader[v];
            const double expected = 2.0 * static_cast<double>(stage.strength[u]) +
                                    static_cast<double>(followers[u]);
            if (u != v && resolution * expected > 2.0 * two_m) leader[v] = v;
        }
    });
    return leader;
}

// Following is the first step of the record; its gain is not computed.
void log_followers(const std::vector<int>& leader, const ParallelStage& stage, Hierarchy* found,
                   MoveLog& log) {
    log.begin(found->begin_step(0, 0, stage.n, stage.entries()));
    for (int v = 0; v < stage.n; ++v)
        if (leader[v] != v) log.moved(v, v, leader[v], 0.0);
}

double modularity_of_singles(const ParallelStage& stage, double two_m, double resolution) {
    Weight loops = 0;
    double squares = 0.0;
    for (int v = 0; v < stage.n; ++v) {
        for (long long e = stage.indptr[v]; e < stage.indptr[v + 1]; ++e)
            if (stage.indices[e] == v) loops += stage.weights[e];
        const double share = static_cast<double>(stage.strength[v]) / two_m;
        squares += share * share;
    }
    return static_cast<double>(loops) / two_m - resolution * squares;
}

int run(const LouvainTask& task, Crew* crew, Hierarchy* found) {
    const CancelFlag cancel(task.cancel);
    const Csr graph{task.n, task.indptr, task.indices, task.weights};
    ParallelStage stage = first_parallel_stage(graph, task.unit, crew, cancel);
    const double two_m = static_cast<double>(
        std::accumulate(stage.strength.begin(), stage.strength.end(), Weight{0}));
    if (cancel.raised()) return kCancelled;
    if (!(two_m > 0.0)) return kDone;
    std::vector<int> mapping;
    std::vector<MoveLog> logs;
    for (int rank = 0; rank < task.threads; ++rank) logs.emplace_back(found->recording, rank);
    if (task.follow != 0) {
        const std::vector<int> leader = followed(stage, two_m, task.resolution, crew, cancel);
        const int count = renumber(leader, &mapping);
        if (count < stage.n) {
            if (found->recording != nullptr) log_followers(leader, stage, found, logs[0]);
            stage = contract(stage, mapping, count, crew, cancel);
            found->levels.push_back(mapping);
        }
    }
    double reached = modularity_of_singles(stage, two_m, task.resolution);
    found->modularity = reached;
    bool final = false;
    while (!cancel.raised()) {
        final = final || stage.n <= task.bin_vertices;
        const double threshold = final ? task.t_final : task.t_bin;
        const auto start = std::chrono::steady_clock::now();
        ParallelPhase phase(stage, task, two_m, crew, cancel, found, &logs);
        long long sweeps = 0;
        int colours = 0;
        if (task.colouring != 2 && !final) {
            const ColourClasses classes = colour(stage.n, stage.indptr, stage.indices,
                                                 task.colouring == 1, crew, cancel);
            if (cancel.raised()) break;
            colours = classes.count();
            sweeps = phase.optimise(threshold, classes);
        } else {
            sweeps = phase.optimise(threshold);
        }
        if (cancel.raised()) break;
        const double optimised = seconds_since(start);
        const auto contracting = std::chrono::steady_clock::now();
        const int count = renumber(phase.community(), &mapping);
        ParallelStage smaller = contract(stage, mapping, count, crew, cancel);
        if (cancel.raised()) break;
        const double now = modularity_of_singles(smaller, two_m, task.resolution);
        found->stages.push_back({stage.n, stage.entries(), sweeps, count, threshold, now, optimised,
                                 seconds_since(contracting), phase.first_sweep_seconds(), colours});
        found->modularity = now;
        if (count < stage.n) found->levels.push_back(mapping);
        if (count == stage.n || now - reached < threshold) {
            if (final) return kDone;
            final = true;
        }
        reached = now;
        stage = std::move(smaller);
    }
    return kCancelled;
}

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_louvain_omp(const cpu::LouvainTask* task, void* found) {
    return cpu::guarded([&] {
        cpu::Crew crew(task->threads);
        int status = cpu::kDone;
        crew.employ([&] { status = cpu::run(*task, &crew, static_cast<cpu::Hierarchy*>(found)); });
        return status;
    });
}
