// The Louvain method with a larger threshold while the graph is large.
//
// Section V of Md. Naim, F. Manne, M. Halappanavar, A. Tumeo, "Community detection on the GPU",
// IPDPS 2017: the first stages are the most expensive, and their last sweeps gain little.

#include "louvain.h"

CPU_EXPORT int cpu_louvain_adaptive(int n, const long long* indptr, const int* indices,
                                    const float* weights, double t_bin, double t_final,
                                    long long bin_vertices, int relative, int with_edges,
                                    double resolution, const int* cancel, void* found) {
    return cpu::guarded([&] {
        const cpu::Thresholds thresholds{t_bin, t_final, bin_vertices, relative != 0,
                                         with_edges != 0};
        return cpu::louvain({n, indptr, indices, weights}, thresholds, resolution, 0,
                            cpu::CancelFlag(cancel), static_cast<cpu::Hierarchy*>(found));
    });
}
