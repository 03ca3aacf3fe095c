// The neighbours of each vertex from the best to the worst, sorted as far as they are needed.
//
// The partially sorted lists of A. Khan et al., "Efficient approximation algorithms for weighted
// b-matching", SIAM Journal on Scientific Computing 38(5), 2016: most vertices ask few of their
// neighbours. Here the best 3 b(v) are sorted at first, and as many of the rest whenever a vertex
// has asked them all.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "bmatching.h"

namespace cpu {

class Preferred {
public:
    explicit Preferred(const BMatchingTask& task)
        : graph_(task.graph), begins_(task.graph.n + 1LL), states_(task.graph.n) {
        for (int v = 0; v < graph_.n; ++v) {
            const long long degree = graph_.indptr[v + 1] - graph_.indptr[v];
            const long long part = 3 * (task.slots[v + 1] - task.slots[v]);
            begins_[v + 1] = begins_[v] + std::min(part, degree);
        }
        sorted_.resize(static_cast<std::size_t>(begins_[graph_.n]));
    }

    // The next neighbour of v with its weight, as an offer seen from v; none if all have been asked.
    // Only one thread at a time may ask for v.
    Offer next(int v, long long* scans) {
        State& state = states_[v];
        Offer* const begin = sorted_.data() + begins_[v];
        if (state.asked == state.count) {
            if (!state.more) return kNoOffer;
            sort_next(v, state.count == 0 ? ~Offer{0} : begin[state.count - 1]);
            ++*scans;
            if (state.count == 0) return kNoOffer;
        }
        return begin[state.asked++];
    }

private:
    struct State {
        int asked = 0;
        int count = 0;
        bool more = true;  // whether there may be neighbours beyond the sorted ones
    };

    // Sort the best neighbours that are below an offer.
    void sort_next(int v, Offer below) {
        State& state = states_[v];
        Offer* const begin = sorted_.data() + begins_[v];
        const long long size = begins_[v + 1] - begins_[v];
        state = {0, 0, false};
        for (long long e = graph_.indptr[v]; e < graph_.indptr[v + 1] && size > 0; ++e) {
            if (!usable(v, graph_.indices[e], graph_.weights[e])) continue;
            const Offer offer = make_offer(graph_.weights[e], graph_.indices[e]);
            if (offer >= below) continue;
            if (state.count < size) {
                begin[state.count++] = offer;
                if (state.count == size) std::make_heap(begin, begin + size, std::greater<>());
                continue;
            }
            // As many as there is space for: keep the best, in a heap with the worst on top.
            state.more = true;
            if (offer < *begin) continue;
            std::pop_heap(begin, begin + size, std::greater<>());
            begin[size - 1] = offer;
            std::push_heap(begin, begin + size, std::greater<>());
        }
        std::sort(begin, begin + state.count, std::greater<>());
    }

    const Csr graph_;
    std::vector<long long> begins_;
    std::vector<State> states_;
    std::vector<Offer> sorted_;
};

}  // namespace cpu
