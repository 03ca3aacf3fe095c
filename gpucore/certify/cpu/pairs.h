// First checks of every certificate of a matching: pairs of vertices that are edges.
#pragma once

#include <limits>

#include "proof.h"

namespace proof {

// Mirrors Pairs of gpucore/certify/native.py.
struct Pairs {
    Found outside;  // mates that are neither -1 nor a vertex
    Found itself;   // vertices matched to themselves
    Found odd;      // vertices whose mate has another mate
    Found missing;  // vertices whose pair is not an edge
    long long matched;
    double weight;

    bool mutual() const { return outside.count == 0 && itself.count == 0 && odd.count == 0; }
};

// Edges that violate a property: entries of the adjacency, and their rows.
// Mirrors Edges of gpucore/certify/native.py.
struct Edges {
    Found entries;
    int rows[kNamed] = {};

    void add(int row, long long entry) {
        if (entries.count < kNamed) rows[entries.count] = row;
        entries.add(entry);
    }
    void append(const Edges& other) {
        for (long long i = 0; i < std::min<long long>(other.entries.count, kNamed); ++i)
            if (entries.count + i < kNamed) rows[entries.count + i] = other.rows[i];
        entries.append(other.entries);
    }
};

// Check that `mate` pairs vertices; the first failed property ends the checks.
inline bool pair_up(int n, const Work& work, const int* mate, Pairs* out) {
    std::vector<Pairs> parts(work.count(n));
    bool done = pieces(work, n, [&](int, long long block, long long begin, long long end) {
        Pairs part{};
        for (long long u = begin; u < end; ++u) {
            if (mate[u] < -1 || mate[u] >= n) part.outside.add(u);
            else if (mate[u] == u) part.itself.add(u);
            part.matched += mate[u] >= 0;
        }
        parts[block] = part;
    });
    for (const Pairs& part : parts) {
        out->outside.append(part.outside);
        out->itself.append(part.itself);
        out->matched += part.matched;
    }
    if (!done || !out->mutual()) return done;
    done = pieces(work, n, [&](int, long long block, long long begin, long long end) {
        Found odd;
        for (long long u = begin; u < end; ++u)
            if (mate[u] >= 0 && mate[mate[u]] != u) odd.add(u);
        parts[block].odd = odd;
    });
    for (const Pairs& part : parts) out->odd.append(part.odd);
    return done;
}

// Find the weight of each vertex's matched edge, and call row(block, u, weight) for each vertex.
template <class Row>
bool weigh_pairs(const Csr& graph, const Work& work, const int* mate, float* matched, Pairs* out,
                 Row&& row) {
    const RowBlocks rows(work, graph.n, graph.indptr);
    struct Part {
        double weight = 0.0;
        Found missing;
    };
    std::vector<Part> parts(rows.count());
    const bool done = blocks(work, rows.count(), [&](int, long long block) {
        const int last = rows.last(block);
        Part part;
        for (int u = rows.first(block); u < last; ++u) {
            float held = 0.0f;
            if (mate[u] >= 0) {
                const int* begin = graph.indices + graph.indptr[u];
                const int* end = graph.indices + graph.indptr[u + 1];
                const int* at = std::lower_bound(begin, end, mate[u]);  // rows are sorted
                const bool there = at != end && *at == mate[u];
                held = there ? graph.weights[at - graph.indices]
                             : std::numeric_limits<float>::quiet_NaN();
                if (!there) part.missing.add(u);
                if (mate[u] > u) part.weight += static_cast<double>(held);
            }
            matched[u] = held;
            row(block, u, held);
        }
        parts[block] = part;
    });
    for (const Part& part : parts) out->missing.append(part.missing);
    out->weight = sum_of(parts, [](const Part& part) { return part.weight; });
    return done;
}

}  // namespace proof
