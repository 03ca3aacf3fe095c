// Weight and cardinality of a matching, by one binary search a pair.

#include <algorithm>

#include "matching.h"

// Returns the number of pairs that are no edge of the graph (0 for a matching).
CPU_EXPORT long long cpu_matching_weight(int n, const long long* indptr, const int* indices,
                                         const float* weights, const int* mate, double* weight,
                                         long long* cardinality) {
    long long missing = 0;
    *weight = 0.0;
    *cardinality = 0;
    for (int u = 0; u < n; ++u) {
        const int v = mate[u];
        if (v <= u) continue;  // unmatched, or counted at the other end
        const int* const end = indices + indptr[u + 1];
        const int* const at = std::lower_bound(indices + indptr[u], end, v);
        if (at == end || *at != v) {
            ++missing;
            continue;
        }
        *weight += static_cast<double>(weights[at - indices]);
        ++*cardinality;
    }
    return missing;
}
