// Greedy matching in random order: each vertex that is still free takes one of its free neighbours.
//
// Algorithm 1 of Fagginger Auer and Bisseling, "A GPU algorithm for greedy graph matching", 2012.

#include <algorithm>

#include "redblue.h"

namespace cpu {
namespace {

// Vertices between two checks of the caller's request to stop.
constexpr int kPoll = 1024;

int greedy_random(const Csr& graph, const int* order, Select select, std::uint32_t salt,
                  const CancelFlag& cancel, int* mate) {
    std::fill_n(mate, graph.n, kNoVertex);
    for (int i = 0; i < graph.n; ++i) {
        if (i % kPoll == 0 && cancel.raised()) return kCancelled;
        const int v = order[i];
        if (mate[v] != kNoVertex) continue;
        const int u = choose(graph, v, select, salt,
                             [&](int other) { return mate[other] == kNoVertex && other != v; });
        if (u == kNoVertex) continue;
        mate[v] = u;
        mate[u] = v;
    }
    return cancel.raised() ? kCancelled : kDone;
}

}  // namespace
}  // namespace cpu

// `order` holds every vertex once.
CPU_EXPORT int cpu_greedy_random(int n, const long long* indptr, const int* indices,
                                 const float* weights, const int* order, int select,
                                 unsigned salt, const int* cancel, int* mate) {
    return cpu::guarded([&] {
        return cpu::greedy_random({n, indptr, indices, weights}, order, static_cast<cpu::Select>(select), salt,
                                  cpu::CancelFlag(cancel), mate);
    });
}
