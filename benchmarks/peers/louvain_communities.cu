// GVE-Louvain (processor) and nu-Louvain (GPU) on a graph from a file; their communities in another.
//
// Built against the headers of https://github.com/puzzlef/louvain-communities-cuda (MIT licence,
// Subhajit Sahu), with CUDA 12 or 13; nothing of them is copied here. SOURCES is a checkout of them:
//
//     nvcc -O3 -std=c++17 -arch=native -Xcompiler -fopenmp -I SOURCES louvain_communities.cu
//         -o louvain-communities
//
//     louvain-communities GRAPH gve|nu THREADS COMMUNITIES
//
// GRAPH: int64 n, int64 entries, int64 indptr[n + 1], int32 indices[entries], float32
// weights[entries]; every edge at both ends. COMMUNITIES: int32[n]. The method runs twice; the second
// run's milliseconds are printed. They begin with the graph in the memory of the processor or GPU
// and end with the communities there.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <random>
#include <iterator>
#include <vector>
#include <string>
#include <iostream>
#include <algorithm>
#include <omp.h>
#include "inc/main.hxx"

template <class T> static std::vector<T> read_array(FILE* file, size_t count)
{
    std::vector<T> values(count);
    if (fread(values.data(), sizeof(T), count, file) != count) {
        fprintf(stderr, "the graph's file is too short\n");
        exit(1);
    }
    return values;
}

// Their vertices are numbered from 1, as in the Matrix Market files that they read.
template <class G> static void read_graph(G& graph, const char* name, size_t& n)
{
    FILE* file = fopen(name, "rb");
    if (!file) {
        fprintf(stderr, "cannot open %s\n", name);
        exit(1);
    }
    const std::vector<int64_t> sizes = read_array<int64_t>(file, 2);
    n = (size_t)sizes[0];
    const auto indptr = read_array<int64_t>(file, n + 1);
    const auto indices = read_array<int32_t>(file, (size_t)sizes[1]);
    const auto weights = read_array<float>(file, (size_t)sizes[1]);
    fclose(file);
    graph.respan(n + 1);
    for (size_t u = 0; u < n; ++u) {
        graph.addVertex((uint32_t)(u + 1));
        graph.reserveEdges((uint32_t)(u + 1), (size_t)(indptr[u + 1] - indptr[u]));
    }
    for (size_t u = 0; u < n; ++u)
        for (int64_t e = indptr[u]; e < indptr[u + 1]; ++e)
            graph.addEdge((uint32_t)(u + 1), (uint32_t)(indices[e] + 1), weights[e]);
    updateOmpU(graph);
}

template <class F> static void run_twice(F method, size_t n, const char* name)
{
    method();
    const auto found = method();
    std::vector<int32_t> communities(n);
    for (size_t u = 0; u < n; ++u) communities[u] = (int32_t)found.membership[u + 1];
    FILE* file = fopen(name, "wb");
    if (!file || fwrite(communities.data(), 4, n, file) != n || fclose(file) != 0) {
        fprintf(stderr, "cannot write %s\n", name);
        exit(1);
    }
    printf("milliseconds %.6f passes %d sweeps %d\n", (double)found.time, (int)found.passes,
           (int)found.iterations);
}

int main(int argc, char** argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: %s GRAPH gve|nu THREADS COMMUNITIES\n", argv[0]);
        return 2;
    }
    omp_set_num_threads(atoi(argv[3]));
    DiGraph<uint32_t, None, float> graph;
    size_t n = 0;
    read_graph(graph, argv[1], n);
    if (!strcmp(argv[2], "gve"))
        run_twice([&] { return louvainStaticOmp(graph, {1}); }, n, argv[4]);
    else if (!strcmp(argv[2], "nu"))
        run_twice([&] { return louvainStaticCuda(graph, {1}); }, n, argv[4]);
    else
        return 2;
    return 0;
}
