// Weight of a b-matching, by one binary search a pair.

#include <algorithm>

#include "common.h"

// Returns the number of pairs that are no edge of the graph (0 for a b-matching).
CPU_EXPORT long long cpu_bmatching_weight(int n, const long long* indptr, const int* indices,
                                          const float* weights, const long long* starts,
                                          const int* mates, double* weight) {
    long long missing = 0;
    *weight = 0.0;
    for (int u = 0; u < n; ++u) {
        const int* at = indices + indptr[u];
        const int* const end = indices + indptr[u + 1];
        for (long long i = starts[u]; i < starts[u + 1]; ++i) {
            if (mates[i] <= u) continue;  // counted at the other end
            at = std::lower_bound(at, end, mates[i]);
            if (at == end || *at != mates[i])
                ++missing;
            else
                *weight += static_cast<double>(weights[at - indices]);
        }
    }
    return missing;
}
