// Checks of a matching by reading the graph twice: see gpucore/families/matching/certificate.py.
//
// The first pass finds the weights of matched edges and the heaviest edge at each vertex, the second
// looks for blocking edges, for which both ends are needed.

#include "pairs.h"

namespace {

using proof::Found;
using proof::Work;

constexpr int kStrict = 0, kNone = 2;

// Mirrors _Proof of native_proof.py.
struct Proof {
    proof::Pairs pairs;
    Found useless;
    proof::Edges blocking;
    double heaviest;
};

// Whether the edge (u, v), u < v, ranks above the matched edge of one of its ends.
bool above(int u, int v, float w, int end, int other, float held, bool strict) {
    if (w > held) return true;
    if (!strict || w < held) return false;
    const int larger = std::max(end, other), smaller = std::min(end, other);
    return v > larger || (v == larger && u > smaller);
}

struct Part {
    double heaviest = 0.0;
    Found useless;
};

bool weigh(const cpu::Csr& graph, const Work& work, const int* mate, float* matched, Proof* out) {
    const proof::RowBlocks rows(work, graph.n, graph.indptr);
    std::vector<Part> parts(rows.count());
    const bool done = proof::weigh_pairs(
        graph, work, mate, matched, &out->pairs, [&](long long block, int u, float held) {
            float most = 0.0f;
            for (long long e = graph.indptr[u]; e < graph.indptr[u + 1]; ++e)
                if (graph.indices[e] != u) most = std::max(most, graph.weights[e]);
            parts[block].heaviest += static_cast<double>(most);
            if (mate[u] >= 0 && held <= 0.0f) parts[block].useless.add(u);
        });
    out->heaviest = proof::sum_of(parts, [](const Part& part) { return part.heaviest; });
    for (const Part& part : parts) out->useless.append(part.useless);
    return done;
}

bool block(const cpu::Csr& graph, const Work& work, const int* mate, const float* matched,
           bool strict, Proof* out) {
    const proof::RowBlocks rows(work, graph.n, graph.indptr);
    std::vector<proof::Edges> parts(rows.count());
    const auto blocks = [&](int u, int v, float w) {
        // The weight alone excludes nearly every edge; only the others are compared in full.
        return w > 0.0f && w >= matched[u] && w >= matched[v] && v != mate[u] &&
               above(u, v, w, u, mate[u], matched[u], strict) &&
               above(u, v, w, v, mate[v], matched[v], strict);
    };
    const bool done = proof::blocks(work, rows.count(), [&](int, long long at) {
        const int last = rows.last(at);
        proof::Edges part;
        for (int u = rows.first(at); u < last; ++u) {
            const int* end = graph.indices + graph.indptr[u + 1];
            const int* begin = std::upper_bound(graph.indices + graph.indptr[u], end, u);
            for (long long e = begin - graph.indices; e < graph.indptr[u + 1]; ++e)
                if (blocks(u, graph.indices[e], graph.weights[e])) part.add(u, e);
        }
        parts[at] = part;
    });
    for (const proof::Edges& part : parts) out->blocking.append(part);
    return done;
}

}  // namespace

// `matched` has room for a weight of each vertex: that of its matched edge, 0 if it has no mate, NaN
// if the pair is not an edge.  Later checks are left out where an earlier one fails.
CPU_EXPORT int proof_matching(int n, const long long* indptr, const int* indices,
                              const float* weights, const Work* work, const int* mate,
                              int dominance, float* matched, Proof* out) {
    return cpu::guarded([&] {
        const cpu::Csr graph{n, indptr, indices, weights};
        *out = Proof{};
        if (!proof::pair_up(n, *work, mate, &out->pairs)) return cpu::kCancelled;
        if (!out->pairs.mutual()) return cpu::kDone;
        if (!weigh(graph, *work, mate, matched, out)) return cpu::kCancelled;
        if (out->pairs.missing.count != 0 || out->useless.count != 0 || dominance == kNone)
            return cpu::kDone;
        const bool done = block(graph, *work, mate, matched, dominance == kStrict, out);
        return done ? cpu::kDone : cpu::kCancelled;
    });
}
