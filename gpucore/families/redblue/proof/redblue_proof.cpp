// Checks of a maximal matching in one pass: see gpucore/families/redblue/certificate.py.

#include "pairs.h"

namespace {

// Mirrors Proof of native_proof.py.
struct Proof {
    proof::Pairs pairs;
    proof::Edges addable;  // both of their ends are free
    long long with_edges;  // vertices
};

struct Part {
    proof::Edges addable;
    long long with_edges = 0;
};

}  // namespace

// `weight` has room for a number of each vertex.
CPU_EXPORT int proof_maximal(int n, const long long* indptr, const int* indices,
                             const float* weights, const proof::Work* work, const int* mate,
                             float* weight, Proof* out) {
    return cpu::guarded([&] {
        const cpu::Csr graph{n, indptr, indices, weights};
        *out = Proof{};
        if (!proof::pair_up(n, *work, mate, &out->pairs)) return cpu::kCancelled;
        if (!out->pairs.mutual()) return cpu::kDone;
        std::vector<Part> parts(proof::RowBlocks(*work, n, indptr).count());
        const auto row = [&](long long block, int u, float) {
            parts[block].with_edges += indptr[u + 1] > indptr[u];
            if (mate[u] >= 0) return;
            for (long long e = indptr[u]; e < indptr[u + 1]; ++e)
                if (u < indices[e] && mate[indices[e]] < 0) parts[block].addable.add(u, e);
        };
        if (!proof::weigh_pairs(graph, *work, mate, weight, &out->pairs, row))
            return cpu::kCancelled;
        for (const Part& part : parts) {
            out->addable.append(part.addable);
            out->with_edges += part.with_edges;
        }
        return cpu::kDone;
    });
}
