// The Louvain method on one thread (louvain.h).

#include "louvain.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace cpu {
namespace {

// The graph of one stage; `indices` and `indptr` of the first one are the caller's.
struct Stage {
    int n;
    const long long* indptr;
    const int* indices;
    std::vector<double> weights;
    std::vector<long long> own_indptr;
    std::vector<int> own_indices;

    long long entries() const { return indptr[n]; }
    void keep(std::vector<long long> starts, std::vector<int> columns) {
        own_indptr = std::move(starts);
        own_indices = std::move(columns);
        indptr = own_indptr.data();
        indices = own_indices.data();
    }
};

Stage first_stage(const Csr& graph) {
    Stage stage{graph.n, graph.indptr, graph.indices, {}, {}, {}};
    stage.weights.assign(graph.weights, graph.weights + stage.entries());
    for (int v = 0; v < graph.n; ++v)
        for (long long e = graph.indptr[v]; e < graph.indptr[v + 1]; ++e)
            if (graph.indices[e] == v) stage.weights[e] *= 2.0;
    return stage;
}

// Weights summed by community; the cost of clearing is linear in the entries used.
class Sums {
public:
    explicit Sums(int n) : sums_(n, 0.0), met_(n, 0) {}
    void add(int community, double weight) {
        if (!met_[community]) {
            met_[community] = 1;
            touched_.push_back(community);
        }
        sums_[community] += weight;
    }
    double of(int community) const { return sums_[community]; }
    const std::vector<int>& touched() const { return touched_; }
    void clear() {
        for (const int community : touched_) {
            sums_[community] = 0.0;
            met_[community] = 0;
        }
        touched_.clear();
    }

private:
    std::vector<double> sums_;
    std::vector<char> met_;
    std::vector<int> touched_;
};

// The partition of one stage's vertices, with the sums for equation 2 of the paper.
class Partition {
public:
    Partition(const Stage& stage, double resolution)
        : stage_(stage), resolution_(resolution), community_(stage.n), strength_(stage.n, 0.0),
          inside_(stage.n, 0.0), links_(stage.n) {
        std::iota(community_.begin(), community_.end(), 0);
        for (int v = 0; v < stage.n; ++v)
            for (long long e = stage.indptr[v]; e < stage.indptr[v + 1]; ++e) {
                strength_[v] += stage.weights[e];
                if (stage.indices[e] == v) inside_[v] += stage.weights[e];
            }
        total_ = strength_;
        two_m_ = std::accumulate(strength_.begin(), strength_.end(), 0.0);
    }

    double two_m() const { return two_m_; }
    const std::vector<int>& community() const { return community_; }

    double modularity() const {
        double sum = 0.0;
        for (int c = 0; c < stage_.n; ++c) {
            const double share = total_[c] / two_m_;
            sum += inside_[c] / two_m_ - resolution_ * share * share;
        }
        return sum;
    }

    // Move `v` to the community with the largest gain in modularity. It stays if no gain is
    // positive; among equal gains it takes the community with the smallest number.
    void settle(int v, MoveLog& log) {
        const int from = community_[v];
        double loop = 0.0;
        for (long long e = stage_.indptr[v]; e < stage_.indptr[v + 1]; ++e) {
            const int u = stage_.indices[e];
            if (u == v) loop = stage_.weights[e];
            else links_.add(community_[u], stage_.weights[e]);
        }
        const double k = strength_[v];
        int best = from;
        double best_gain = gain(from, k, total_[from] - k);
        for (const int to : links_.touched()) {
            if (to == from) continue;
            const double gained = gain(to, k, total_[to]);
            if (gained > best_gain || (gained == best_gain && best != from && to < best)) {
                best = to;
                best_gain = gained;
            }
        }
        log.looked(stage_.indptr[v + 1] - stage_.indptr[v]);
        if (best != from) {
            const double stays = gain(from, k, total_[from] - k);
            log.moved(v, from, best, 2.0 * (best_gain - stays) / two_m_);
            total_[from] -= k;
            total_[best] += k;
            inside_[from] -= 2.0 * links_.of(from) + loop;
            inside_[best] += 2.0 * links_.of(best) + loop;
            community_[v] = best;
        }
        links_.clear();
    }

private:
    // Modularity gained by a vertex of strength k that joins c, which is `total` without it,
    // times m.
    double gain(int c, double k, double total) const {
        return links_.of(c) - resolution_ * k * (total / two_m_);
    }

    const Stage& stage_;
    const double resolution_;
    std::vector<int> community_;
    std::vector<double> strength_, total_, inside_;
    double two_m_;
    Sums links_;
};

// The first phase. Return the number of sweeps, or -1 if cancelled.
long long optimise(const Stage& stage, double threshold, const Thresholds& thresholds,
                   const CancelFlag& cancel, Partition* partition, double* first_sweep,
                   Hierarchy* found, MoveLog& log) {
    const double start = partition->modularity();
    const auto begin = std::chrono::steady_clock::now();
    double before = start;
    for (long long sweeps = 1;; ++sweeps) {
        log.begin(found->begin_step(sweeps, 0, stage.n, stage.entries()));
        for (int v = 0; v < stage.n; ++v) {
            if (cancel.raised()) return -1;
            partition->settle(v, log);
        }
        if (sweeps == 1) *first_sweep = seconds_since(begin);
        const double now = partition->modularity();
        // Without a gain the next sweep would repeat this one, for any threshold.
        const double wanted = thresholds.wanted(threshold, start, now);
        if (!(now - before > 0.0) || now - before < wanted) return sweeps;
        before = now;
    }
}

// The second phase: every community becomes a vertex.
Stage contract(const Stage& stage, const std::vector<int>& mapping, int count) {
    std::vector<long long> begins(count + 1, 0);
    for (const int c : mapping) ++begins[c + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<int> members(stage.n);
    std::vector<long long> place(begins.begin(), begins.end() - 1);
    for (int v = 0; v < stage.n; ++v) members[place[mapping[v]]++] = v;

    Stage smaller{count, nullptr, nullptr, {}, {}, {}};
    std::vector<long long> indptr(1, 0);
    std::vector<int> indices;
    indptr.reserve(count + 1);
    Sums links(count);
    for (int c = 0; c < count; ++c) {
        for (long long i = begins[c]; i < begins[c + 1]; ++i) {
            const int v = members[i];
            for (long long e = stage.indptr[v]; e < stage.indptr[v + 1]; ++e)
                links.add(mapping[stage.indices[e]], stage.weights[e]);
        }
        for (const int to : links.touched()) {
            indices.push_back(to);
            smaller.weights.push_back(links.of(to));
        }
        indptr.push_back(static_cast<long long>(indices.size()));
        links.clear();
    }
    smaller.keep(std::move(indptr), std::move(indices));
    return smaller;
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

int louvain(const Csr& graph, const Thresholds& thresholds, double resolution,
            const CancelFlag& cancel, Hierarchy* found) {
    Stage stage = first_stage(graph);
    MoveLog log(found->recording, 0);
    bool final = false;
    while (true) {
        const auto start = std::chrono::steady_clock::now();
        Partition partition(stage, resolution);
        if (!(partition.two_m() > 0.0)) return kDone;
        const double reached = partition.modularity();
        final = final || size_of(stage, thresholds) <= thresholds.bin_vertices;
        const double threshold = final ? thresholds.final : thresholds.bin;
        double first_sweep = 0.0;
        const long long sweeps =
            optimise(stage, threshold, thresholds, cancel, &partition, &first_sweep, found, log);
        if (sweeps < 0) return kCancelled;
        const double optimised = seconds_since(start);

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
