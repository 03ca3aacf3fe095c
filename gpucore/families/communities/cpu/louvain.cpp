// The Louvain method on one thread (louvain.h).

#include "louvain.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include "serial_stage.h"

namespace cpu {
namespace {

using namespace serial;

// The order in which a start visits the vertices of a stage; empty: by their numbers.
std::vector<int> order_of(int n, int start, std::size_t stage) {
    std::vector<int> order(start == 0 ? 0 : n);
    std::iota(order.begin(), order.end(), 0);
    std::mt19937_64 draw(static_cast<unsigned long long>(start) << 32 | stage);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draw() % i]);
    return order;
}

// The first phase. Return the number of sweeps, or -1 if cancelled.
long long optimise(const Stage& stage, const std::vector<int>& order, double threshold,
                   const Thresholds& thresholds, const CancelFlag& cancel, Partition* partition,
                   double* first_sweep, Hierarchy* found, MoveLog& log) {
    const double start = partition->modularity();
    const auto begin = std::chrono::steady_clock::now();
    double before = start;
    for (long long sweeps = 1;; ++sweeps) {
        log.begin(found->begin_step(sweeps, 0, stage.n, stage.entries()));
        for (int i = 0; i < stage.n; ++i) {
            if (cancel.raised()) return -1;
            partition->settle(order.empty() ? i : order[i], log);
        }
        if (sweeps == 1) *first_sweep = seconds_since(begin);
        const double now = partition->modularity();
        // Without a gain the next sweep would repeat this one, for any threshold.
        const double wanted = thresholds.wanted(threshold, start, now);
        if (!(now - before > 0.0) || now - before < wanted) return sweeps;
        before = now;
    }
}

// Size of a stage for the choice of its threshold.
long long size_of(const Stage& stage, const Thresholds& thresholds) {
    if (!thresholds.with_edges) return stage.n;
    long long count = 0;
    for (int v = 0; v < stage.n; ++v) count += stage.indptr[v + 1] > stage.indptr[v];
    return count;
}

}  // namespace

int renumber(const std::vector<int>& community, std::vector<int>* mapping) {
    std::vector<int> number(community.size(), -1);
    int count = 0;
    mapping->resize(community.size());
    for (std::size_t v = 0; v < community.size(); ++v) {
        int& name = number[community[v]];
        if (name < 0) name = count++;
        (*mapping)[v] = name;
    }
    return count;
}

int louvain(const Csr& graph, const Thresholds& thresholds, double resolution, int start,
            const CancelFlag& cancel, Hierarchy* found) {
    Stage stage = first_stage(graph);
    MoveLog log(found->recording, 0);
    bool final = false;
    while (true) {
        const auto begin = std::chrono::steady_clock::now();
        Partition partition(stage, resolution);
        if (!(partition.two_m() > 0.0)) return kDone;
        const double reached = partition.modularity();
        final = final || size_of(stage, thresholds) <= thresholds.bin_vertices;
        const double threshold = final ? thresholds.final : thresholds.bin;
        double first_sweep = 0.0;
        const long long sweeps =
            optimise(stage, order_of(stage.n, start, found->stages.size()), threshold, thresholds,
                     cancel, &partition, &first_sweep, found, log);
        if (sweeps < 0) return kCancelled;
        const double optimised = seconds_since(begin);

        const auto contracting = std::chrono::steady_clock::now();
        std::vector<int> mapping;
        const int count = renumber(partition.community(), &mapping);
        Stage smaller = contract(stage, mapping, count);
        // From new sums: the partition's own were updated move by move.
        const double now = Partition(smaller, resolution).modularity();
        found->stages.push_back({stage.n, stage.entries(), sweeps, count, threshold, now, optimised,
                                 seconds_since(contracting), first_sweep, 0});
        found->modularity = now;
        if (count < stage.n) found->levels.push_back(std::move(mapping));
        // A large graph's threshold ends its search early; continue with the final threshold.
        if (count == stage.n || now - reached < thresholds.of_stage(threshold, now)) {
            if (final) return kDone;
            final = true;
        }
        stage = std::move(smaller);
    }
}

}  // namespace cpu

// Keeps the result of a run until the caller has copied it; none of this throws.
CPU_EXPORT void* cpu_louvain_new() { return new (std::nothrow) cpu::Hierarchy; }

// Record the run that is to come.
CPU_EXPORT void cpu_louvain_record(void* found, const cpu::Recording* recording) {
    static_cast<cpu::Hierarchy*>(found)->recording = recording;
}

CPU_EXPORT long long cpu_louvain_steps(const void* found) {
    return static_cast<long long>(static_cast<const cpu::Hierarchy*>(found)->steps.size());
}

CPU_EXPORT void cpu_louvain_step(const void* found, long long i, cpu::StepReport* step) {
    *step = static_cast<const cpu::Hierarchy*>(found)->steps[i];
}

CPU_EXPORT void cpu_louvain_delete(void* found) { delete static_cast<cpu::Hierarchy*>(found); }

CPU_EXPORT double cpu_louvain_modularity(const void* found) {
    return static_cast<const cpu::Hierarchy*>(found)->modularity;
}

CPU_EXPORT long long cpu_louvain_levels(const void* found) {
    return static_cast<long long>(static_cast<const cpu::Hierarchy*>(found)->levels.size());
}

// Copy a level if a destination is given, and return its length.
CPU_EXPORT long long cpu_louvain_level(const void* found, long long i, int* mapping) {
    const auto& level = static_cast<const cpu::Hierarchy*>(found)->levels[i];
    if (mapping != nullptr) std::copy(level.begin(), level.end(), mapping);
    return static_cast<long long>(level.size());
}

CPU_EXPORT long long cpu_louvain_stages(const void* found) {
    return static_cast<long long>(static_cast<const cpu::Hierarchy*>(found)->stages.size());
}

CPU_EXPORT void cpu_louvain_stage(const void* found, long long i, cpu::StageReport* stage) {
    *stage = static_cast<const cpu::Hierarchy*>(found)->stages[i];
}
