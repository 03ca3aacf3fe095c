// Modularity of all levels of a hierarchy, and what single vertices could gain, from the graph
// itself: see gpucore/families/communities/certificate.py.
//
// No contracted graph is built.  Every vertex has its labels on all levels side by side, so that one
// pass over the entries adds up the weight inside the parts of every level; the parts' strengths are
// sums over the vertices, level by level.

#include "communities_proof.h"

namespace proof {

namespace {

// Weights of the links of one vertex by community: open addressing, only used places are cleared.
class Links {
public:
    void begin(long long most) {
        std::size_t places = 16;
        while (places < 2 * static_cast<std::size_t>(most)) places *= 2;
        if (places > keys_.size()) {
            keys_.assign(places, -1);
            weights_.resize(places);
        }
        mask_ = places - 1;
        used_.clear();
    }
    void add(int key, double weight) {
        std::size_t at = (static_cast<unsigned>(key) * 2654435769u) & mask_;
        while (keys_[at] != key) {
            if (keys_[at] < 0) {
                keys_[at] = key;
                weights_[at] = 0.0;
                used_.push_back(at);
                break;
            }
            at = (at + 1) & mask_;
        }
        weights_[at] += weight;
    }
    double of(int key) const {
        std::size_t at = (static_cast<unsigned>(key) * 2654435769u) & mask_;
        while (keys_[at] >= 0 && keys_[at] != key) at = (at + 1) & mask_;
        return keys_[at] == key ? weights_[at] : 0.0;
    }
    template <class Body>
    void each(Body&& body) const {
        for (const std::size_t at : used_) body(keys_[at], weights_[at]);
    }
    void clear() {
        for (const std::size_t at : used_) keys_[at] = -1;
    }

private:
    std::vector<int> keys_;
    std::vector<double> weights_;
    std::vector<std::size_t> used_;
    std::size_t mask_ = 0;
};

// What a vertex could gain by moving alone; 0 where no move gains more than rounding.
double best_gain(const Links& links, int own, double strength, const double* total, double two_m,
                 double resolution) {
    const double to_own = links.of(own), share = strength / two_m;
    // Leaving loses the links to the own community, and saves the expected ones.
    const double expected = share * (total[own] - strength) / two_m;
    double best = 0.0;
    links.each([&](int community, double weight) {
        if (community == own) return;
        const double change = expected - share * total[community] / two_m;
        const double gain = 2.0 * ((weight - to_own) / two_m + resolution * change);
        const double noise =
            std::max(kRounding * std::max(weight + to_own, 0.0) / two_m, kRounding * resolution * expected);
        if (gain > noise) best = std::max(best, gain);
    });
    return best;
}

struct Gains {
    long long improvable = 0;
    double largest = 0.0, sum = 0.0;
};

}  // namespace

bool strengths(const Csr& graph, const Work& work, double* strength, double* loops) {
    const RowBlocks rows(work, graph.n, graph.indptr);
    std::vector<double> parts(rows.count());
    const bool done = blocks(work, rows.count(), [&](int, long long block) {
        const int last = rows.last(block);
        double own = 0.0;
        for (int v = rows.first(block); v < last; ++v) {
            double sum = 0.0;
            for (long long e = graph.indptr[v]; e < graph.indptr[v + 1]; ++e) {
                const double w = static_cast<double>(graph.weights[e]);
                const double loop = graph.indices[e] == v ? w : 0.0;
                sum += w + loop;
                own += loop;
            }
            strength[v] = sum;
        }
        parts[block] = own;
    });
    *loops = 2.0 * sum_of(parts, [](double part) { return part; });
    return done;
}

bool fold(const Work& work, int size, const int* label, const double* value, int parts,
          double* total) {
    // Each thread owns a range of the parts and reads all labels, so that sums have a fixed order.
    const int team = std::max(1, std::min({work.threads, parts, size / 4096 + 1}));
    return blocks(work, team, [&](int, long long at) {
        const int begin = static_cast<int>(at * parts / team);
        const int end = static_cast<int>((at + 1) * parts / team);
        std::fill(total + begin, total + end, 0.0);
        for (int v = 0; v < size; ++v)
            if (label[v] >= begin && label[v] < end) total[label[v]] += value[v];
    });
}

bool squares(const Work& work, int parts, const double* total, double two_m, double* weight,
             double* square) {
    struct Part {
        double weight = 0.0, square = 0.0;
    };
    std::vector<Part> sums(work.count(parts));
    const bool done = pieces(work, parts, [&](int, long long block, long long begin, long long end) {
        Part part;
        for (long long c = begin; c < end; ++c) {
            const double share = two_m > 0.0 ? total[c] / two_m : 0.0;
            part.weight += total[c];
            part.square += share * share;
        }
        sums[block] = part;
    });
    *weight = sum_of(sums, [](const Part& part) { return part.weight; });
    *square = sum_of(sums, [](const Part& part) { return part.square; });
    return done;
}

bool walk(const Csr& graph, const Work& work, const Partition& partition, const double* strength,
          const double* total, double two_m, double resolution, double* inside, Figures* out) {
    const RowBlocks rows(work, graph.n, graph.indptr);
    const int levels = partition.levels;
    const int* labels = partition.labels;
    std::vector<double> sums(rows.count() * levels);
    std::vector<Gains> parts(rows.count());
    std::vector<Links> links(work.threads);
    std::atomic<bool> no_memory{false};
    const auto examine = [&](int rank, long long block) {
        const int last = rows.last(block);
        double* sum = &sums[block * levels];
        Gains gains;
        for (int v = rows.first(block); v < last; ++v) {
            const long long begin = graph.indptr[v], end = graph.indptr[v + 1];
            const int* own = labels + static_cast<long long>(v) * levels;
            Links& to = links[rank];
            to.begin(std::min<long long>(end - begin, partition.parts));
            for (long long e = begin; e < end; ++e) {
                if (e + kAhead < end)
                    __builtin_prefetch(labels + static_cast<long long>(graph.indices[e + kAhead]) * levels);
                const int u = graph.indices[e];
                const double w = static_cast<double>(graph.weights[e]);
                const int* other = labels + static_cast<long long>(u) * levels;
                // Vertices that are together on a level are together on all above it.
                for (int k = levels - 1; k >= 0 && own[k] == other[k]; --k) sum[k] += u == v ? 2 * w : w;
                if (u != v) to.add(other[levels - 1], w);
            }
            const double gain =
                two_m > 0.0 ? best_gain(to, own[levels - 1], strength[v], total, two_m, resolution) : 0.0;
            to.clear();
            gains.improvable += gain > 0.0;
            gains.largest = std::max(gains.largest, gain);
            gains.sum += gain;
        }
        parts[block] = gains;
    };
    const bool done = blocks(work, rows.count(), [&](int rank, long long block) {
        try {
            if (!no_memory.load(std::memory_order_relaxed)) examine(rank, block);
        } catch (const std::bad_alloc&) {
            no_memory.store(true, std::memory_order_relaxed);
        }
    });
    if (no_memory) throw std::bad_alloc();
    for (int k = 0; k < levels; ++k) {
        Sum sum;
        for (long long block = 0; block < rows.count(); ++block) sum.add(sums[block * levels + k]);
        inside[k] = sum.value();
    }
    for (const Gains& part : parts) {
        out->improvable += part.improvable;
        out->largest = std::max(out->largest, part.largest);
    }
    out->sum = sum_of(parts, [](const Gains& part) { return part.sum; });
    return done;
}

}  // namespace proof
