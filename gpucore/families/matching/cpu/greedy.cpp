// Greedy matching: take the edges from the heaviest to the lightest and keep each that still fits.
//
// The classical half-approximation (D. Avis, "A survey of heuristics for the weighted matching
// problem", Networks 13, 1983). Every locally dominant method of this project gives its mates,
// because all break ties by the same strict order of the edges. Fagginger Auer and Bisseling ("A
// GPU algorithm for greedy graph matching", 2012, algorithm 2) need a maximal matching: then edges
// of weight zero or less are taken too, after all others.

#include <algorithm>
#include <tuple>
#include <vector>

#include "matching.h"

namespace cpu {
namespace {

struct Edge {
    float weight;
    int larger;
    int smaller;
};

enum class Take { gains, all };

// The event and the words of the record of a maximal matching (families/redblue/record.py); a
// heaviest one has those of matching.h.
constexpr unsigned kTake = 6;
constexpr int kLooked = 0, kRead = 2, kReadSlots = 3, kMatched = 6;

struct Stop {};

bool taken(int u, int v, float weight, Take take) {
    return take == Take::all ? u != v : usable(u, v, weight);
}

std::vector<Edge> list_edges(const Csr& graph, Take take) {
    const auto for_each = [&](auto&& visit) {
        for (int u = 0; u < graph.n; ++u)
            for (long long e = graph.indptr[u]; e < graph.indptr[u + 1]; ++e)
                if (graph.indices[e] < u && taken(u, graph.indices[e], graph.weights[e], take))
                    visit(Edge{graph.weights[e], u, graph.indices[e]});
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

// An edge that is taken is the heaviest of all that are left, so that of both its ends, too.
template <class Log>
void log_taken(Log& log, const Edge& edge, Take take) {
    if (take == Take::all) {
        log.event(kTake, edge.larger, edge.smaller, -1, edge.weight);
        log.count(kMatched, 2);
        return;
    }
    log.event(POINT, edge.larger, edge.smaller, -1, edge.weight);
    log.event(POINT, edge.smaller, edge.larger, -1, edge.weight);
    log_match(log, edge.larger, edge.smaller, edge.weight);
}

template <class Log>
void count_look(Log& log, Take take) {
    const bool all = take == Take::all;
    log.count(all ? kLooked : int{kActive}, 1);
    log.count(all ? kRead : int{kEdges}, 1);
    log.count(all ? kReadSlots : int{kLaneSlots}, 1);
}

template <class Log>
int greedy(const Csr& graph, Take take, const CancelFlag& cancel, int* mate, Log log) {
    std::fill_n(mate, graph.n, kNobody);
    std::vector<Edge> edges = list_edges(graph, take);
    try {
        sort_heaviest_first(edges, cancel);
    } catch (const Stop&) {
        return kCancelled;
    }
    if (take == Take::all) log.begin(3);  // the sub-step in which vertices are matched
    for (const Edge& edge : edges) {
        count_look(log, take);
        if (mate[edge.larger] != kNobody || mate[edge.smaller] != kNobody) continue;
        mate[edge.larger] = edge.smaller;
        mate[edge.smaller] = edge.larger;
        log_taken(log, edge, take);
    }
    return cancel.raised() ? kCancelled : kDone;
}

int guarded_greedy(const Csr& graph, Take take, const int* cancel, int* mate, Work* work,
                   const Recording* recording) {
    return guarded([&] {
        *work = Work{};
        return with_logs(recording, [&](auto logs) {
            return greedy(graph, take, CancelFlag(cancel), mate, logs.of(0));
        });
    });
}

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_greedy(int n, const long long* indptr, const int* indices, const float* weights,
                          int /*threads*/, const int* cancel, int* mate, cpu::Work* work,
                          const cpu::Recording* recording) {
    return cpu::guarded_greedy({n, indptr, indices, weights}, cpu::Take::gains, cancel, mate, work,
                               recording);
}

CPU_EXPORT int cpu_greedy_weighted(int n, const long long* indptr, const int* indices,
                                   const float* weights, int /*threads*/, const int* cancel,
                                   int* mate, cpu::Work* work,
                                   const cpu::Recording* recording) {
    return cpu::guarded_greedy({n, indptr, indices, weights}, cpu::Take::all, cancel, mate, work,
                               recording);
}
