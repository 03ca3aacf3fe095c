// The graph of one stage of the parallel method (parallel_stage.h).
//
// H. Lu, M. Halappanavar, A. Kalyanaraman, "Parallel heuristics for scalable community detection",
// Parallel Computing 47 (2015), section 5.4: their threads lock the lists of communities; ours
// build whole lists, one community a time, and copy them to their places.

#include "parallel_stage.h"

#include <numeric>

namespace cpu {
namespace {

void sum_strengths(ParallelStage* stage, Crew* crew, const CancelFlag& cancel) {
    stage->strength.assign(stage->n, 0);
    crew->chunks(stage->n, cancel, [&](int, int begin, int end) {
        for (int v = begin; v < end; ++v)
            for (long long e = stage->indptr[v]; e < stage->indptr[v + 1]; ++e)
                stage->strength[v] += stage->weights[e];
    });
}

// A community's list, among those that one thread has made.
struct Piece {
    int rank = 0;
    std::size_t begin = 0, length = 0;
};

struct Lists {
    std::vector<int> indices;
    std::vector<Weight> weights;
};

}  // namespace

ParallelStage first_parallel_stage(const Csr& graph, double unit, Crew* crew,
                                   const CancelFlag& cancel) {
    ParallelStage stage;
    stage.n = graph.n;
    stage.indptr = graph.indptr;
    stage.indices = graph.indices;
    stage.weights.resize(graph.indptr[graph.n]);
    crew->chunks(graph.n, cancel, [&](int, int begin, int end) {
        for (int v = begin; v < end; ++v)
            for (long long e = graph.indptr[v]; e < graph.indptr[v + 1]; ++e) {
                const double ends = graph.indices[e] == v ? 2.0 : 1.0;
                stage.weights[e] = static_cast<Weight>(ends * graph.weights[e] * unit + 0.5);
            }
    });
    sum_strengths(&stage, crew, cancel);
    return stage;
}

ParallelStage contract(const ParallelStage& stage, const std::vector<int>& mapping, int count,
                       Crew* crew, const CancelFlag& cancel) {
    std::vector<int> first(count + 1, 0), members(stage.n);
    for (const int c : mapping) ++first[c + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<int> place(first.begin(), first.end() - 1);
    for (int v = 0; v < stage.n; ++v) members[place[mapping[v]]++] = v;

    std::vector<Tally> tallies(crew->threads());
    std::vector<Lists> made(crew->threads());
    std::vector<Piece> pieces(count);
    crew->chunks(count, cancel, [&](int rank, int begin, int end) {
        Lists& mine = made[rank];
        for (int c = begin; c < end; ++c) {
            long long most = 0;
            for (int i = first[c]; i < first[c + 1]; ++i)
                most += stage.indptr[members[i] + 1] - stage.indptr[members[i]];
            tallies[rank].prepare(std::min<long long>(most, count));
            for (int i = first[c]; i < first[c + 1]; ++i)
                for (long long e = stage.indptr[members[i]]; e < stage.indptr[members[i] + 1]; ++e)
                    tallies[rank].add(mapping[stage.indices[e]], stage.weights[e]);
            pieces[c] = {rank, mine.indices.size(), tallies[rank].size()};
            tallies[rank].each([&](int to, Weight sum) {
                mine.indices.push_back(to);
                mine.weights.push_back(sum);
            });
        }
    });

    ParallelStage smaller;
    smaller.n = count;
    smaller.own_indptr.assign(count + 1, 0);
    for (int c = 0; c < count; ++c)
        smaller.own_indptr[c + 1] =
            smaller.own_indptr[c] + static_cast<long long>(pieces[c].length);
    smaller.own_indices.resize(smaller.own_indptr[count]);
    smaller.weights.resize(smaller.own_indptr[count]);
    smaller.indptr = smaller.own_indptr.data();
    smaller.indices = smaller.own_indices.data();
    crew->chunks(count, cancel, [&](int, int begin, int end) {
        for (int c = begin; c < end; ++c) {
            const Lists& from = made[pieces[c].rank];
            const auto at = static_cast<std::ptrdiff_t>(pieces[c].begin);
            const auto length = static_cast<std::ptrdiff_t>(pieces[c].length);
            std::copy_n(from.indices.begin() + at, length,
                        smaller.own_indices.begin() + smaller.own_indptr[c]);
            std::copy_n(from.weights.begin() + at, length,
                        smaller.weights.begin() + smaller.own_indptr[c]);
        }
    });
    sum_strengths(&smaller, crew, cancel);
    return smaller;
}

}  // namespace cpu
