// The Leiden method on one thread.
//
// V. A. Traag, L. Waltman, N. J. van Eck, "From Louvain to Leiden: guaranteeing well-connected
// communities", Scientific Reports 9:5233 (2019), algorithm A.2. A stage moves vertices until no
// move gains (a vertex is visited again when a neighbour moved), divides every community into
// well-connected parts, and makes the parts vertices; the next stage begins with the communities.
//
// The vertices are visited in the order of their numbers, the paper visits them at random. No vertex
// moves to an empty community. After the last stage communities are divided between their connected
// components, so they are connected also where the threshold ends the search early.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "serial_stage.h"

namespace cpu {
namespace {

using namespace serial;

// A round of moves that gains less modularity only repeats rounding errors.
constexpr double kRounding = 1e-15;

// The moving phase. Return the number of rounds through the queue, or -1 if cancelled.
long long move_vertices(const Stage& stage, const CancelFlag& cancel, Partition* partition,
                        double* first_round, Hierarchy* found, MoveLog& log) {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<int> queue(stage.n), next;
    std::iota(queue.begin(), queue.end(), 0);
    std::vector<char> waits(stage.n, 1);
    for (long long rounds = 1;; ++rounds) {
        long long edges = 0;
        if (log.on())
            for (const int v : queue) edges += stage.indptr[v + 1] - stage.indptr[v];
        log.begin(found->begin_step(rounds, 0, static_cast<long long>(queue.size()), edges));
        double gained = 0.0;
        for (const int v : queue) {
            if (cancel.raised()) return -1;
            waits[v] = 0;
            const double gain = partition->settle(v, log);
            if (!(gain > 0.0)) continue;
            gained += gain;
            const std::vector<int>& community = partition->community();
            for (long long e = stage.indptr[v]; e < stage.indptr[v + 1]; ++e) {
                const int u = stage.indices[e];
                if (waits[u] || community[u] == community[v]) continue;
                waits[u] = 1;
                next.push_back(u);
            }
        }
        if (rounds == 1) *first_round = seconds_since(begin);
        if (next.empty() || gained < kRounding) return rounds;
        queue.swap(next);
        next.clear();
    }
}

// The refinement: parts of the communities, each called by one of its members.
class Refinement {
public:
    Refinement(const Stage& stage, const Partition& partition, double resolution, double theta,
               unsigned long long seed)
        : stage_(stage), partition_(partition), resolution_(resolution), theta_(theta),
          random_(seed), part_(stage.n), members_(stage.n, 1), total_(stage.n), cut_(stage.n, 0.0),
          links_(stage.n) {
        std::iota(part_.begin(), part_.end(), 0);
        const std::vector<int>& community = partition.community();
        for (int v = 0; v < stage.n; ++v) {
            total_[v] = partition.strength(v);
            for (long long e = stage.indptr[v]; e < stage.indptr[v + 1]; ++e) {
                const int u = stage.indices[e];
                if (u != v && community[u] == community[v]) cut_[v] += stage.weights[e];
            }
        }
    }

    const std::vector<int>& part() const { return part_; }

    // Let a vertex that is a part of its own join another part of its community, with a gain.
    void join(int v, MoveLog& log) {
        if (members_[part_[v]] != 1 || !well_connected(v)) return;
        const int community = partition_.community()[v];
        for (long long e = stage_.indptr[v]; e < stage_.indptr[v + 1]; ++e) {
            const int u = stage_.indices[e];
            if (u != v && partition_.community()[u] == community)
                links_.add(part_[u], stage_.weights[e]);
        }
        const int to = choose(v);
        log.looked(stage_.indptr[v + 1] - stage_.indptr[v]);
        if (to >= 0) {
            log.joined(v, community, to, 2.0 * gain(v, to) / partition_.two_m());
            cut_[to] += cut_[v] - 2.0 * links_.of(to);
            total_[to] += total_[v];
            members_[to] += 1;
            members_[v] = 0;
            part_[v] = to;
        }
        links_.clear();
    }

private:
    // Whether a part has enough weight to the rest of its community.
    bool well_connected(int part) const {
        const double rest = partition_.total(partition_.community()[part]) - total_[part];
        return cut_[part] >= resolution_ * total_[part] * (rest / partition_.two_m());
    }

    double gain(int v, int part) const {
        return links_.of(part) - resolution_ * total_[v] * (total_[part] / partition_.two_m());
    }

    // The best part, or with `theta` one drawn with weights exp(gain / theta), where staying has
    // the gain 0; -1 to stay.
    int choose(int v) {
        choices_.clear();
        double best = 0.0;
        int to = -1;
        for (const int part : links_.touched()) {
            const double gained = gain(v, part);
            if (!(gained > 0.0) || !well_connected(part)) continue;
            choices_.push_back({part, gained});
            if (gained > best || (gained == best && part < to)) {
                best = gained;
                to = part;
            }
        }
        if (!(theta_ > 0.0) || to < 0) return to;
        double sum = std::exp(-best / theta_);
        for (const Choice& choice : choices_) sum += std::exp((choice.gain - best) / theta_);
        double left = std::uniform_real_distribution<double>(0.0, sum)(random_);
        for (const Choice& choice : choices_) {
            left -= std::exp((choice.gain - best) / theta_);
            if (left < 0.0) return choice.part;
        }
        return -1;
    }

    struct Choice {
        int part;
        double gain;
    };

    const Stage& stage_;
    const Partition& partition_;
    const double resolution_, theta_;
    std::mt19937_64 random_;
    std::vector<int> part_, members_;
    std::vector<double> total_, cut_;  // of parts; weight to the rest of the community
    Sums links_;
    std::vector<Choice> choices_;
};

// Connected components of the communities; an edge of weight 0 connects nothing.
std::vector<int> components(const Stage& stage, const std::vector<int>& community) {
    std::vector<int> component(stage.n, -1), stack;
    for (int root = 0; root < stage.n; ++root) {
        if (component[root] >= 0) continue;
        component[root] = root;
        stack.push_back(root);
        while (!stack.empty()) {
            const int v = stack.back();
            stack.pop_back();
            for (long long e = stage.indptr[v]; e < stage.indptr[v + 1]; ++e) {
                const int u = stage.indices[e];
                if (component[u] >= 0 || community[u] != community[v]) continue;
                if (!(stage.weights[e] > 0.0)) continue;
                component[u] = root;
                stack.push_back(u);
            }
        }
    }
    return component;
}

// The communities as labels of the contracted graph: each is called by its first vertex there.
std::vector<int> carried(const std::vector<int>& community, const std::vector<int>& mapping,
                         int count) {
    std::vector<int> name(community.size(), -1), label(count);
    for (std::size_t v = 0; v < community.size(); ++v) {
        int& first = name[community[v]];
        if (first < 0) first = mapping[v];
        label[mapping[v]] = first;
    }
    return label;
}

struct Options {
    double threshold, resolution, theta;
    unsigned long long seed;
};

int leiden(const Csr& graph, const Options& options, const CancelFlag& cancel, Hierarchy* found) {
    Stage stage = first_stage(graph);
    MoveLog log(found->recording, 0);
    std::vector<int> label(stage.n);
    std::iota(label.begin(), label.end(), 0);
    double reached = Partition(stage, options.resolution).modularity();
    while (true) {
        const auto start = std::chrono::steady_clock::now();
        Partition partition(stage, options.resolution, std::move(label));
        if (!(partition.two_m() > 0.0)) return kDone;
        double first_round = 0.0;
        const long long rounds =
            move_vertices(stage, cancel, &partition, &first_round, found, log);
        if (rounds < 0) return kCancelled;
        double now = partition.modularity();
        const double optimised = seconds_since(start);

        const auto contracting = std::chrono::steady_clock::now();
        std::vector<int> mapping;
        int count = stage.n;
        bool last = now - reached < options.threshold;
        if (!last) {
            Refinement refinement(stage, partition, options.resolution, options.theta,
                                  options.seed + found->levels.size());
            log.begin(found->begin_step(0, 0, stage.n, stage.entries()));
            for (int v = 0; v < stage.n; ++v) {
                if (cancel.raised()) return kCancelled;
                refinement.join(v, log);
            }
            count = renumber(refinement.part(), &mapping);
            last = count == stage.n;
        }
        if (last) count = renumber(components(stage, partition.community()), &mapping);
        Stage smaller = contract(stage, mapping, count);
        if (last) now = Partition(smaller, options.resolution).modularity();
        found->stages.push_back({stage.n, stage.entries(), rounds, count, options.threshold, now,
                                 optimised, seconds_since(contracting), first_round, 0});
        found->modularity = now;
        label = carried(partition.community(), mapping, count);
        if (count < stage.n) found->levels.push_back(std::move(mapping));
        if (last) return kDone;
        reached = now;
        stage = std::move(smaller);
    }
}

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_leiden_serial(int n, const long long* indptr, const int* indices,
                                 const float* weights, double threshold, double resolution,
                                 double theta, unsigned long long seed, const int* cancel,
                                 void* found) {
    return cpu::guarded([&] {
        return cpu::leiden({n, indptr, indices, weights}, {threshold, resolution, theta, seed},
                           cpu::CancelFlag(cancel), static_cast<cpu::Hierarchy*>(found));
    });
}
