// Runs b-Suitor on several threads many times on graphs on which threads meet often, for a race
// detector to watch, and compares each outcome with that of greedy. Exit status 1: differs.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "bmatching.h"

using Method = int(const cpu::BMatchingTask*);
extern "C" Method cpu_bgreedy, cpu_bsuitor_omp;

struct Graph {
    std::vector<long long> indptr{0};
    std::vector<int> indices;
    std::vector<float> weights;
    int n() const { return static_cast<int>(indptr.size()) - 1; }
};

// Products of two random numbers prefer small vertices, which become hubs.
static Graph make_graph(int n, int edges, int levels, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::set<std::pair<int, float>>> rows(n);
    std::set<std::pair<int, int>> known;
    for (int i = 0; i < edges; ++i) {
        const int u = static_cast<int>(random() % n);
        const int v = static_cast<int>(static_cast<unsigned long long>(random() % n) *
                                       (random() % n) / n);
        if (u == v || !known.insert(std::minmax(u, v)).second) continue;
        const auto weight = static_cast<float>(1 + random() % levels);
        rows[u].insert({v, weight});
        rows[v].insert({u, weight});
    }
    Graph graph;
    for (const auto& row : rows) {
        for (const auto& [v, weight] : row) {
            graph.indices.push_back(v);
            graph.weights.push_back(weight);
        }
        graph.indptr.push_back(static_cast<long long>(graph.indices.size()));
    }
    return graph;
}

static std::vector<std::vector<int>> match(Method* method, const Graph& graph, int b, int threads,
                                           bool delayed) {
    std::vector<long long> slots{0};
    for (int v = 0; v < graph.n(); ++v)
        slots.push_back(slots[v] + std::min<long long>(b, graph.indptr[v + 1] - graph.indptr[v]));
    std::vector<int> mates(slots.back()), count(graph.n());
    cpu::BMatchingWork work;
    const cpu::BMatchingTask task{
        {graph.n(), graph.indptr.data(), graph.indices.data(), graph.weights.data()},
        slots.data(),
        threads,
        delayed,
        nullptr,
        mates.data(),
        count.data(),
        &work};
    if (method(&task) != cpu::kDone) std::exit(2);
    std::vector<std::vector<int>> lists;
    for (int v = 0; v < graph.n(); ++v)
        lists.emplace_back(mates.begin() + slots[v], mates.begin() + slots[v] + count[v]);
    return lists;
}

int main(int argc, char** argv) {
    const int repeats = argc > 1 ? std::atoi(argv[1]) : 1;
    for (int seed = 0; seed < repeats; ++seed) {
        for (const int levels : {1, 3, 1 << 20}) {
            const Graph graph = make_graph(700, 4000, levels, seed);
            for (const int b : {1, 3, 40}) {
                const auto expected = match(cpu_bgreedy, graph, b, 1, false);
                for (const bool delayed : {false, true}) {
                    if (match(cpu_bsuitor_omp, graph, b, 4, delayed) == expected) continue;
                    std::puts(delayed ? "delayed differs" : "eager differs");
                    return 1;
                }
            }
        }
    }
    return 0;
}
