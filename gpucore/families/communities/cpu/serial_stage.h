// A stage of the serial methods: its graph, a partition with its sums, and its contraction.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "louvain.h"

namespace cpu::serial {

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

inline Stage first_stage(const Csr& graph) {
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

    // Begin with given communities; their names are numbers of vertices.
    Partition(const Stage& stage, double resolution, std::vector<int> community)
        : Partition(stage, resolution) {
        community_ = std::move(community);
        std::fill(total_.begin(), total_.end(), 0.0);
        std::fill(inside_.begin(), inside_.end(), 0.0);
        for (int v = 0; v < stage.n; ++v) {
            total_[community_[v]] += strength_[v];
            for (long long e = stage.indptr[v]; e < stage.indptr[v + 1]; ++e)
                if (community_[stage.indices[e]] == community_[v])
                    inside_[community_[v]] += stage.weights[e];
        }
    }

    double two_m() const { return two_m_; }
    double strength(int v) const { return strength_[v]; }
    double total(int community) const { return total_[community]; }
    const std::vector<int>& community() const { return community_; }

    double modularity() const {
        double sum = 0.0;
        for (int c = 0; c < stage_.n; ++c) {
            const double share = total_[c] / two_m_;
            sum += inside_[c] / two_m_ - resolution_ * share * share;
        }
        return sum;
    }

    // Move `v` to the community with the largest gain in modularity, which is returned. It stays if
    // no gain is positive; among equal gains it takes the community with the smallest number.
    double settle(int v, MoveLog& log) {
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
            const double found = gain(to, k, total_[to]);
            if (found > best_gain || (found == best_gain && best != from && to < best)) {
                best = to;
                best_gain = found;
            }
        }
        log.looked(stage_.indptr[v + 1] - stage_.indptr[v]);
        double gained = 0.0;
        if (best != from) {
            gained = 2.0 * (best_gain - gain(from, k, total_[from] - k)) / two_m_;
            log.moved(v, from, best, gained);
            total_[from] -= k;
            total_[best] += k;
            inside_[from] -= 2.0 * links_.of(from) + loop;
            inside_[best] += 2.0 * links_.of(best) + loop;
            community_[v] = best;
        }
        links_.clear();
        return gained;
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

// The second phase: every community becomes a vertex.
inline Stage contract(const Stage& stage, const std::vector<int>& mapping, int count) {
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

}  // namespace cpu::serial
