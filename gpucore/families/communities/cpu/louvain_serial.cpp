// The Louvain method with the same threshold for graphs of all sizes, as in Blondel et al.
//
// The vertices are visited in the order of their numbers; the authors' program shuffles them.

#include <limits>

#include "louvain.h"

CPU_EXPORT int cpu_louvain_serial(int n, const long long* indptr, const int* indices,
                                  const float* weights, double threshold, int relative,
                                  double resolution, const int* cancel, void* found) {
    return cpu::guarded([&] {
        const cpu::Thresholds same{threshold, threshold, std::numeric_limits<long long>::max(),
                                   relative != 0, false};
        return cpu::louvain({n, indptr, indices, weights}, same, resolution,
                            cpu::CancelFlag(cancel), static_cast<cpu::Hierarchy*>(found));
    });
}
