// Greedy matching in random order: each vertex that is still free takes one of its free neighbours.
//
// Algorithm 1 of Fagginger Auer and Bisseling, "A GPU algorithm for greedy graph matching", 2012.

#include <algorithm>

#include "redblue.h"

namespace cpu {
namespace {

// Vertices between two checks of the caller's request to stop.
constexpr int kPoll = 1024;

template <class Log>
int greedy_random(const Csr& graph, const int* order, Select select, std::uint32_t salt,
                  const CancelFlag& cancel, int* mate, Log log) {
    log.begin(RedBlueLog::kMatching);
    std::fill_n(mate, graph.n, kNoVertex);
    for (int i = 0; i < graph.n; ++i) {
        if (i % kPoll == 0 && cancel.raised()) return kCancelled;
        const int v = order[i];
        if (mate[v] != kNoVertex) continue;
        const int u = choose(graph, v, select, salt,
                             [&](int other) { return mate[other] == kNoVertex && other != v; });
        count_search(log, graph, v);
        if (u == kNoVertex) {
            log_death(log, v);
            continue;
        }
        mate[v] = u;
        mate[u] = v;
        if (!Log::kOn) continue;
        log.event(RedBlueLog::TAKE, v, u, -1, weight_between(graph, v, u));
        log.count(RedBlueLog::kMatched, 2);
    }
    return cancel.raised() ? kCancelled : kDone;
}

}  // namespace
}  // namespace cpu

// `order` holds every vertex once.
CPU_EXPORT int cpu_greedy_random(int n, const long long* indptr, const int* indices,
                                 const float* weights, const int* order, int select,
                                 unsigned salt, const int* cancel, int* mate,
                                 const cpu::Recording* recording) {
    return cpu::guarded([&] {
        const cpu::Csr graph{n, indptr, indices, weights};
        return cpu::with_logs(recording, [&](auto logs) {
            return cpu::greedy_random(graph, order, static_cast<cpu::Select>(select), salt,
                                      cpu::CancelFlag(cancel), mate, logs.of(0));
        });
    });
}
