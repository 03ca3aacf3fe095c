// Checks of a b-matching by reading its lists, and the graph twice: see
// gpucore/families/bmatching/certificate.py.

#include <functional>
#include <limits>

#include "pairs.h"

namespace {

using proof::Found;
using proof::Work;

constexpr int kStrict = 0, kNone = 2;

// Mirrors Lists of native_proof.py: mates[starts[v]..starts[v + 1]-1] are those
// of v.
struct Lists {
    const int* capacity;
    const long long* starts;
    const int* mates;
    long long size;  // of mates

    bool has(int v, int mate) const {
        return std::binary_search(mates + starts[v], mates + starts[v + 1], mate);
    }
};

// Mirrors _Proof of native_proof.py.
struct Proof {
    Found negative, falls;  // vertices
    Found outside, itself, twice;  // places in the lists
    Found over;  // vertices
    Found single, missing, useless;  // places
    proof::Edges blocking;
    double weight, prices, heaviest;
};

// The worst edge of a vertex without room: 0 with room, infinite where no mate is allowed.
struct Worst {
    float* weight;
    int* mate;
};

bool check_bounds(int n, const Work& work, const Lists& lists, Proof* out) {
    struct Part {
        Found negative, falls;
    };
    std::vector<Part> parts(work.count(n));
    const bool done = proof::pieces(work, n, [&](int, long long at, long long begin, long long end) {
        Part part;
        for (long long v = begin; v < end; ++v) {
            if (lists.capacity[v] < 0) part.negative.add(v);
            if (lists.starts[v + 1] < lists.starts[v]) part.falls.add(v);
        }
        parts[at] = part;
    });
    for (const Part& part : parts) {
        out->negative.append(part.negative);
        out->falls.append(part.falls);
    }
    return done;
}

bool check_lists(int n, const Work& work, const Lists& lists, Proof* out) {
    struct Part {
        Found outside, itself, twice, over;
    };
    const proof::RowBlocks rows(work, n, lists.starts);
    std::vector<Part> parts(rows.count());
    const bool done = proof::blocks(work, rows.count(), [&](int, long long at) {
        const int last = rows.last(at);
        Part part;
        for (int v = rows.first(at); v < last; ++v) {
            const long long end = lists.starts[v + 1];
            for (long long i = lists.starts[v]; i < end; ++i) {
                if (lists.mates[i] < 0 || lists.mates[i] >= n) part.outside.add(i);
                if (lists.mates[i] == v) part.itself.add(i);
                if (i + 1 < end && lists.mates[i + 1] <= lists.mates[i]) part.twice.add(i);
            }
            if (end - lists.starts[v] > lists.capacity[v]) part.over.add(v);
        }
        parts[at] = part;
    });
    for (const Part& part : parts) {
        out->outside.append(part.outside);
        out->itself.append(part.itself);
        out->twice.append(part.twice);
        out->over.append(part.over);
    }
    return done;
}

// The capacity's heaviest edges of a row together, loops left out.
double heaviest_of(const cpu::Csr& graph, int v, int capacity, std::vector<float>& buffer) {
    buffer.clear();
    for (long long e = graph.indptr[v]; e < graph.indptr[v + 1]; ++e)
        if (graph.indices[e] != v && graph.weights[e] > 0.0f) buffer.push_back(graph.weights[e]);
    auto end = buffer.end();
    if (static_cast<std::size_t>(capacity) < buffer.size()) {
        end = buffer.begin() + capacity;
        std::nth_element(buffer.begin(), end, buffer.end(), std::greater<float>());
    }
    // Sorted, so that the sum does not depend on how the elements were found.
    std::sort(buffer.begin(), end);
    double sum = 0.0;
    for (auto at = buffer.begin(); at != end; ++at) sum += static_cast<double>(*at);
    return sum;
}

struct Sums {
    Found single, missing, useless;
    double weight = 0.0, heaviest = 0.0;
};

// The weights of all pairs, and the worst one of each vertex.
void weigh_row(const cpu::Csr& graph, const Lists& lists, int v, float* weight, const Worst& worst,
               Sums* part) {
    const int* first = graph.indices + graph.indptr[v];
    const int* last = graph.indices + graph.indptr[v + 1];
    const long long begin = lists.starts[v], end = lists.starts[v + 1];
    worst.weight[v] = lists.capacity[v] == 0 ? std::numeric_limits<float>::infinity() : 0.0f;
    worst.mate[v] = -1;
    const bool full = end > begin && end - begin >= lists.capacity[v];
    for (long long i = begin; i < end; ++i) {
        const int mate = lists.mates[i];
        first = std::lower_bound(first, last, mate);  // both lists ascend
        const bool there = first != last && *first == mate;
        const float w = there ? graph.weights[first - graph.indices]
                              : std::numeric_limits<float>::quiet_NaN();
        weight[i] = w;
        if (!there) part->missing.add(i);
        if (w <= 0.0f) part->useless.add(i);
        if (!lists.has(mate, v)) part->single.add(i);
        if (v < mate) part->weight += static_cast<double>(w);
        // Of equal weights the smallest mate is the worst, which is the first one.
        if (full && (i == begin || w < worst.weight[v])) {
            worst.weight[v] = w;
            worst.mate[v] = mate;
        }
    }
}

bool weigh(const cpu::Csr& graph, const Work& work, const Lists& lists, float* weight,
           const Worst& worst, Proof* out) {
    const proof::RowBlocks rows(work, graph.n, graph.indptr);
    std::vector<Sums> parts(rows.count());
    std::vector<std::vector<float>> buffers(work.threads);
    long long longest = 0;
    for (int v = 0; v < graph.n; ++v)
        longest = std::max(longest, graph.indptr[v + 1] - graph.indptr[v]);
    for (auto& buffer : buffers) buffer.reserve(longest);
    const bool done = proof::blocks(work, rows.count(), [&](int rank, long long at) {
        const int last = rows.last(at);
        Sums part;
        for (int v = rows.first(at); v < last; ++v) {
            weigh_row(graph, lists, v, weight, worst, &part);
            part.heaviest += heaviest_of(graph, v, lists.capacity[v], buffers[rank]);
        }
        parts[at] = part;
    });
    for (const Sums& part : parts) {
        out->single.append(part.single);
        out->missing.append(part.missing);
        out->useless.append(part.useless);
    }
    out->weight = proof::sum_of(parts, [](const Sums& part) { return part.weight; });
    out->heaviest = proof::sum_of(parts, [](const Sums& part) { return part.heaviest; });
    return done;
}

// Edges that both ends would take, and the prices of the pairs.
bool block(const cpu::Csr& graph, const Work& work, const Lists& lists, const float* weight,
           const Worst& worst, int stability, Proof* out) {
    struct Part {
        proof::Edges blocking;
        double prices = 0.0;
    };
    const proof::RowBlocks rows(work, graph.n, graph.indptr);
    std::vector<Part> parts(rows.count());
    const auto takes = [&](int end, int other, float w) {
        if (w > worst.weight[end]) return true;
        return stability == kStrict && w == worst.weight[end] && other > worst.mate[end];
    };
    const bool done = proof::blocks(work, rows.count(), [&](int, long long at) {
        const int last = rows.last(at);
        Part part;
        for (int u = rows.first(at); u < last; ++u) {
            for (long long i = lists.starts[u]; i < lists.starts[u + 1]; ++i) {
                const int v = lists.mates[i];
                if (u >= v) continue;
                const double both = static_cast<double>(worst.weight[u]) +
                                    static_cast<double>(worst.weight[v]);
                part.prices += std::max(static_cast<double>(weight[i]), both);
            }
            if (stability == kNone) continue;
            const int* end = graph.indices + graph.indptr[u + 1];
            const int* begin = std::upper_bound(graph.indices + graph.indptr[u], end, u);
            for (long long e = begin - graph.indices; e < graph.indptr[u + 1]; ++e) {
                const int v = graph.indices[e];
                const float w = graph.weights[e];
                // The weight alone excludes nearly every edge.
                if (!(w > 0.0f) || w < worst.weight[u] || w < worst.weight[v]) continue;
                if (takes(u, v, w) && takes(v, u, w) && !lists.has(u, v)) part.blocking.add(u, e);
            }
        }
        parts[at] = part;
    });
    for (const Part& part : parts) out->blocking.append(part.blocking);
    out->prices = proof::sum_of(parts, [](const Part& part) { return part.prices; });
    return done;
}

}  // namespace

// `weight` has room for a number of each mate, `worst_weight` and `worst_mate` for one of each vertex.
// Later checks are left out where an earlier one fails.
CPU_EXPORT int proof_bmatching(int n, const long long* indptr, const int* indices,
                               const float* weights, const Work* work, const Lists* lists,
                               int stability, float* weight, float* worst_weight, int* worst_mate,
                               Proof* out) {
    return cpu::guarded([&] {
        const cpu::Csr graph{n, indptr, indices, weights};
        const Worst worst{worst_weight, worst_mate};
        *out = Proof{};
        if (!check_bounds(n, *work, *lists, out)) return cpu::kCancelled;
        if (out->negative.count || out->falls.count || lists->starts[0] != 0 ||
            lists->starts[n] != lists->size)
            return cpu::kDone;
        if (!check_lists(n, *work, *lists, out)) return cpu::kCancelled;
        if (out->outside.count || out->itself.count || out->twice.count || out->over.count)
            return cpu::kDone;
        if (!weigh(graph, *work, *lists, weight, worst, out)) return cpu::kCancelled;
        if (out->single.count || out->missing.count || out->useless.count) return cpu::kDone;
        const bool done = block(graph, *work, *lists, weight, worst, stability, out);
        return done ? cpu::kDone : cpu::kCancelled;
    });
}
