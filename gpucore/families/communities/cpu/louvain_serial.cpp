// The Louvain method with the same threshold for graphs of all sizes, as in Blondel et al.
//
// Start 0 visits the vertices in the order of their numbers; the authors' program shuffles them.

#include <limits>

#include "louvain.h"

CPU_EXPORT int cpu_louvain_serial(int n, const long long* indptr, const int* indices,
                                  const float* weights, double threshold, int relative,
                                  double resolution, int start, const int* cancel,
                                  void* found) {
    return cpu::guarded([&] {
        const cpu::Thresholds same{threshold, threshold, std::numeric_limits<long long>::max(),
                                   relative != 0, false};
        return cpu::louvain({n, indptr, indices, weights}, same, resolution, start,
                            cpu::CancelFlag(cancel), static_cast<cpu::Hierarchy*>(found));
    });
}
