// The native part of the certificate of communities, as one call.

#include "communities_proof.h"

using proof::Figures;
using proof::Work;

// `maps` are the levels one after the other: maps[l][p] is the part of level l + 1 that part p of
// level l belongs to, and `sizes` their numbers of parts, that of the vertices first.  `community` is
// what they bring every vertex to.  Without levels it is taken for the only one.
//
// For each level, the vertices themselves included, the results are the strengths' sum, the sum of
// their shares' squares and the weight inside: 3 * (count + 1) numbers.  `direct` has them for
// `community`, whose strengths are summed from the vertices without the levels between.
CPU_EXPORT int proof_communities(int n, const long long* indptr, const int* indices,
                                 const float* weights, const Work* work, int count,
                                 const int* const* maps, const int* sizes, const int* community,
                                 int parts, double resolution, double* path, double* direct,
                                 Figures* out) {
    return cpu::guarded([&] {
        const cpu::Csr graph{n, indptr, indices, weights};
        *out = Figures{};
        const int levels = std::max(count, 1);
        std::vector<double> strength(n), own(parts), below, above;
        if (!proof::strengths(graph, *work, strength.data(), &path[2])) return cpu::kCancelled;
        double ignored;
        bool go = proof::squares(*work, n, strength.data(), 0.0, &path[0], &ignored);
        const double two_m = path[0];
        go = go && proof::squares(*work, n, strength.data(), two_m, &path[0], &path[1]);
        go = go && proof::fold(*work, n, community, strength.data(), parts, own.data());
        go = go && proof::squares(*work, parts, own.data(), two_m, &direct[0], &direct[1]);
        const double* last = strength.data();
        for (int level = 0; level < count && go; ++level) {
            const int size = sizes[level + 1];
            above.assign(size, 0.0);
            double* sums = path + 3 * (level + 1);
            go = proof::fold(*work, sizes[level], maps[level], last, size, above.data());
            go = go && proof::squares(*work, size, above.data(), two_m, &sums[0], &sums[1]);
            below.swap(above);
            last = below.data();
        }
        if (!go) return cpu::kCancelled;

        std::vector<int> labels(static_cast<std::size_t>(n) * levels);
        go = proof::pieces(*work, n, [&](int, long long, long long begin, long long end) {
            for (long long v = begin; v < end; ++v) {
                int at = static_cast<int>(v);
                for (int k = 0; k < count; ++k) labels[v * levels + k] = at = maps[k][at];
                if (count == 0) labels[v] = community[v];
            }
        });
        std::vector<double> inside(levels);
        const proof::Partition partition{levels, parts, labels.data()};
        go = go && proof::walk(graph, *work, partition, strength.data(), own.data(), two_m,
                               resolution, inside.data(), out);
        for (int k = 0; k < count; ++k) path[3 * (k + 1) + 2] = inside[k];
        direct[2] = inside[levels - 1];
        return go ? cpu::kDone : cpu::kCancelled;
    });
}
