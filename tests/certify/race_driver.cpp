// Runs native certificates on four threads in small blocks, for a race detector to watch, and compares
// what they find with what one thread finds. Exit status 1: differs.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>
#include <vector>

#include "proof.h"

using proof::Work;

extern "C" {
int proof_matching(int, const long long*, const int*, const float*, const Work*, const int*, int,
                   float*, void*);
int proof_maximal(int, const long long*, const int*, const float*, const Work*, const int*, float*,
                  void*);
int proof_communities(int, const long long*, const int*, const float*, const Work*, int,
                      const int* const*, const int*, const int*, int, double, double*, double*,
                      void*);
int proof_bipartite(const void*, const Work*, unsigned char*, unsigned char*, void*);
}

// What the certificates of one graph found, byte by byte.
using Bytes = std::vector<unsigned char>;

struct Graph {
    std::vector<long long> indptr{0};
    std::vector<int> indices;
    std::vector<float> weights;
    int n() const { return static_cast<int>(indptr.size()) - 1; }
};

static Graph make_graph(int n, int edges, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::set<int>> rows(n);
    for (int i = 0; i < edges; ++i) {
        const int u = static_cast<int>(random() % n), v = static_cast<int>(random() % n);
        if (u == v) continue;
        rows[u].insert(v);
        rows[v].insert(u);
    }
    Graph graph;
    for (int u = 0; u < n; ++u) {
        for (const int v : rows[u]) {
            graph.indices.push_back(v);
            graph.weights.push_back(static_cast<float>(1 + (u + v) % 7) / 3.0f);
        }
        graph.indptr.push_back(static_cast<long long>(graph.indices.size()));
    }
    return graph;
}

struct Matrix {
    int columns;
    const long long* indptr;
    const int* rows;
    const int* row_match;
    const int* column_match;
};

static Bytes prove(const Graph& g, int threads) {
    long long done = 0;
    const Work work{threads, nullptr, &done, 11};
    const int n = g.n();
    Bytes found(4096);
    unsigned char* out = found.data();
    std::vector<int> mate(n, -1);
    for (int u = 0; u < n; ++u)  // half of a greedy matching
        for (long long e = g.indptr[u]; e < g.indptr[u + 1] && u % 2 == 0; ++e) {
            const int v = g.indices[e];
            if (mate[u] < 0 && mate[v] < 0) mate[u] = v, mate[v] = u;
        }
    std::vector<float> weight(n);
    const auto* indptr = g.indptr.data();
    const auto* indices = g.indices.data();
    const auto* weights = g.weights.data();
    int status = proof_matching(n, indptr, indices, weights, &work, mate.data(), 0, weight.data(), out);
    status |= proof_maximal(n, indptr, indices, weights, &work, mate.data(), weight.data(), out + 1024);
    std::vector<int> first(n), second(n / 4 + 1), community(n);
    for (int v = 0; v < n; ++v) first[v] = v / 4, community[v] = v / 4 % 5;
    for (int c = 0; c <= (n - 1) / 4; ++c) second[c] = c % 5;
    const int* maps[] = {first.data(), second.data()};
    const int sizes[] = {n, (n - 1) / 4 + 1, 5};
    auto* sums = reinterpret_cast<double*>(out + 2048);
    status |= proof_communities(n, indptr, indices, weights, &work, 2, maps, sizes, community.data(),
                                5, 1.0, sums, sums + 9, out + 2560);
    // The reached part does not depend on the order of the search, unless it ends at a path.
    const Matrix matrix{n, indptr, indices, mate.data(), mate.data()};
    std::vector<unsigned char> rows(n), columns(n);
    unsigned char searched[256] = {};
    status |= proof_bipartite(&matrix, &work, rows.data(), columns.data(), searched);
    std::memcpy(out + 3072, searched, sizeof(searched));
    if (status != 0) std::exit(2);
    return found;
}

int main(int, char** arguments) {
    for (int seed = 0; seed < std::atoi(arguments[1]); ++seed) {
        const Graph graph = make_graph(400, 1200, seed);
        if (prove(graph, 4) != prove(graph, 1)) {
            std::puts("four threads find something else than one");
            return 1;
        }
    }
    return 0;
}
