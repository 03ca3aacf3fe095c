// Runs the threaded methods many times on graphs on which threads meet often, for a race
// detector to watch, and compares each outcome with the greedy method's, or that of red/blue
// matching with its own on one thread. Exit status 1: differs. All runs are recorded, too, in buffers
// that fill up.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "matching.h"
#include "redblue.h"

using Method = int(int, const long long*, const int*, const float*, int, const int*, int*,
                   cpu::Work*, const cpu::Recording*);
extern "C" Method cpu_greedy, cpu_suitor_omp, cpu_ld_omp;

extern "C" int cpu_redblue_omp(cpu::RedBlueTask*);

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

// Buffers for a record of at most four threads.
class Buffers {
public:
    cpu::Recording recording() {
        return {events_.data(), kEvents, &count_, rows_.data(), kRows, iterations_.data(),
                kThreads, times_.data()};
    }

private:
    static constexpr int kEvents = 500, kRows = 3, kThreads = 4;
    std::vector<unsigned> events_ = std::vector<unsigned>(8 * kEvents);
    std::vector<unsigned> rows_ = std::vector<unsigned>(8 * kRows * kThreads);
    std::vector<unsigned> iterations_ = std::vector<unsigned>(kThreads);
    std::vector<unsigned long long> times_ = std::vector<unsigned long long>(kEvents);
    unsigned long long count_ = 0;
};

static std::vector<int> match(Method* method, const Graph& graph, int threads) {
    std::vector<int> mate(graph.n());
    cpu::Work work;
    Buffers buffers;
    const cpu::Recording recording = buffers.recording();
    const int status = method(graph.n(), graph.indptr.data(), graph.indices.data(),
                              graph.weights.data(), threads, nullptr, mate.data(), &work,
                              &recording);
    if (status != cpu::kDone) std::exit(2);
    return mate;
}

static std::vector<int> match_by_colours(const Graph& graph, int threads, bool weighted) {
    constexpr int kRounds = 1000;
    std::mt19937 random(5);
    std::vector<unsigned> numbers(kRounds);
    for (unsigned& number : numbers) number = static_cast<unsigned>(random()) | 1u;
    std::vector<int> mate(graph.n()), matched(kRounds), dead(kRounds);
    Buffers buffers;
    const cpu::Recording recording = buffers.recording();
    cpu::RedBlueTask task{{graph.n(), graph.indptr.data(), graph.indices.data(),
                           graph.weights.data()},
                          threads,
                          weighted ? cpu::kWeighted : cpu::kRandom,
                          0,
                          1u << 31,
                          kRounds,
                          numbers.data(),
                          nullptr,
                          mate.data(),
                          matched.data(),
                          dead.data(),
                          0,
                          0,
                          &recording};
    if (cpu_redblue_omp(&task) != cpu::kDone || task.left != 0) std::exit(2);
    return mate;
}

int main(int argc, char** argv) {
    const int repeats = argc > 1 ? std::atoi(argv[1]) : 1;
    for (int seed = 0; seed < repeats; ++seed) {
        for (const int levels : {1, 3, 1 << 20}) {
            const Graph graph = make_graph(700, 3000, levels, seed);
            const std::vector<int> expected = match(cpu_greedy, graph, 1);
            for (Method* method : {cpu_suitor_omp, cpu_ld_omp}) {
                if (match(method, graph, 4) == expected) continue;
                std::puts(method == cpu_ld_omp ? "ld_omp differs" : "suitor_omp differs");
                return 1;
            }
            for (const bool weighted : {false, true}) {
                if (match_by_colours(graph, 4, weighted) == match_by_colours(graph, 1, weighted))
                    continue;
                std::puts("redblue_omp differs");
                return 1;
            }
        }
    }
    return 0;
}
