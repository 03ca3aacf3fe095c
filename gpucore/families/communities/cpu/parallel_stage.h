// The graph of one stage of the parallel method, and sums of weights by community.
#pragma once

#include <utility>
#include <vector>

#include "common.h"
#include "crew.h"

namespace cpu {

// Weights are integers in fixed point, as in the kernels: a sum does not depend on the order of
// the threads that add, so results do not depend on their number.
using Weight = unsigned long long;

struct ParallelStage {
    int n = 0;
    const long long* indptr = nullptr;
    const int* indices = nullptr;
    std::vector<Weight> weights;            // loops count both ends
    std::vector<Weight> strength;           // sum of a vertex's weights
    std::vector<long long> own_indptr;      // of contracted graphs; the first one is the caller's
    std::vector<int> own_indices;

    long long entries() const { return indptr[n]; }
};

// Sums by community for one thread, in cache lines of its own: open addressing, as large as the
// largest list needs.
class alignas(64) Tally {
public:
    void prepare(long long keys) {
        for (const std::size_t slot : used_) keys_[slot] = kEmpty;
        used_.clear();
        std::size_t size = keys_.empty() ? 64 : keys_.size();
        while (size < 2 * static_cast<std::size_t>(keys)) size *= 2;
        if (size == keys_.size()) return;
        keys_.assign(size, kEmpty);
        sums_.assign(size, 0);
    }
    void add(int key, Weight weight) {
        std::size_t slot = (static_cast<unsigned>(key) * 0x9e3779b1u) & (keys_.size() - 1);
        while (keys_[slot] != kEmpty && keys_[slot] != key) slot = (slot + 1) & (keys_.size() - 1);
        if (keys_[slot] == kEmpty) {
            keys_[slot] = key;
            sums_[slot] = 0;
            used_.push_back(slot);
        }
        sums_[slot] += weight;
    }
    // Call body(key, sum) in the order in which the keys came.
    template <class Body>
    void each(Body&& body) const {
        for (const std::size_t slot : used_) body(keys_[slot], sums_[slot]);
    }
    std::size_t size() const { return used_.size(); }

private:
    static constexpr int kEmpty = -1;
    std::vector<int> keys_;
    std::vector<Weight> sums_;
    std::vector<std::size_t> used_;
};

ParallelStage first_parallel_stage(const Csr& graph, double unit, Crew* crew,
                                   const CancelFlag& cancel);

// Every one of the `count` communities of `mapping` becomes a vertex.
ParallelStage contract(const ParallelStage& stage, const std::vector<int>& mapping, int count,
                       Crew* crew, const CancelFlag& cancel);

}  // namespace cpu
