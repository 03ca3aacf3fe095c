// Greedy b-matching: take the edges from the heaviest to the lightest and keep each whose two ends
// still have room.
//
// The classical half-approximation, for b-matchings: J. Mestre, "Greedy in approximation
// algorithms", ESA 2006; the reference of A. Khan et al., "Efficient approximation algorithms for
// weighted b-matching", SIAM Journal on Scientific Computing 38(5), 2016.

#include <algorithm>
#include <tuple>
#include <vector>

#include "bmatching.h"

namespace cpu {
namespace {

struct Edge {
    float weight;
    int larger;
    int smaller;
};

struct Stop {};

std::vector<Edge> list_edges(const BMatchingTask& task) {
    const Csr& graph = task.graph;
    const auto room = [&](int v) { return task.slots[v + 1] > task.slots[v]; };
    const auto for_each = [&](auto&& visit) {
        for (int u = 0; u < graph.n; ++u) {
            if (!room(u)) continue;
            for (long long e = graph.indptr[u]; e < graph.indptr[u + 1]; ++e) {
                const int v = graph.indices[e];
                if (v < u && room(v) && usable(u, v, graph.weights[e]))
                    visit(Edge{graph.weights[e], u, v});
            }
        }
    };
    // Count first: a vector that grows by doubling could need twice the memory of the edges.
    std::size_t count = 0;
    for_each([&](const Edge&) { ++count; });
    std::vector<Edge> edges;
    edges.reserve(count);
    for_each([&](const Edge& edge) { edges.push_back(edge); });
    return edges;
}

// Sorting takes nearly all of the time, so the comparison checks whether to cancel.
void sort_heaviest_first(std::vector<Edge>& edges, const CancelFlag& cancel) {
    unsigned compared = 0;
    std::sort(edges.begin(), edges.end(), [&](const Edge& a, const Edge& b) {
        if ((++compared & 0xffffu) == 0 && cancel.raised()) throw Stop{};
        return std::tie(a.weight, a.larger, a.smaller) > std::tie(b.weight, b.larger, b.smaller);
    });
}

// Both ends of an edge that is taken hold the offer of the other.
template <class Log>
int greedy(const BMatchingTask& task, const CancelFlag& cancel, Log log) {
    std::fill_n(task.count, task.graph.n, 0);
    std::vector<Edge> edges = list_edges(task);
    try {
        sort_heaviest_first(edges, cancel);
    } catch (const Stop&) {
        return kCancelled;
    }
    const auto full = [&](int v) { return task.count[v] == task.slots[v + 1] - task.slots[v]; };
    const auto add = [&](int v, int mate) { task.mates[task.slots[v] + task.count[v]++] = mate; };
    for (const Edge& edge : edges) {
        if (full(edge.larger) || full(edge.smaller)) continue;
        add(edge.larger, edge.smaller);
        add(edge.smaller, edge.larger);
        log.count(kActive, 2);
        log_taken(log, edge.larger, edge.smaller, edge.weight, kNoOffer);
        log_taken(log, edge.smaller, edge.larger, edge.weight, kNoOffer);
    }
    for (int v = 0; v < task.graph.n; ++v) {
        int* const mates = task.mates + task.slots[v];
        std::sort(mates, mates + task.count[v]);
    }
    return cancel.raised() ? kCancelled : kDone;
}

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_bgreedy(const cpu::BMatchingTask* task) {
    return cpu::guarded([&] {
        *task->work = cpu::BMatchingWork{};
        return cpu::with_logs(task->recording, [&](auto logs) {
            return cpu::greedy(*task, cpu::CancelFlag(task->cancel), logs.of(0));
        });
    });
}
