// Input and output of the CPU methods for matrix factorisation by stochastic gradient descent.
//
// Source: R. Kaleem, A. Venkat, S. Pai, M. Hall and K. Pingali, "Synchronization trade-offs in GPU
// implementations of graph algorithms", IPDPS 2016, section II. An update is the one of the kernels
// (kernels/sgd.cuh), bit by bit, so that all methods can be compared with all schedules.
#pragma once

#include <algorithm>

#include "common.h"

namespace cpu {

enum SgdFlags : int { kBiases = 1, kPositive = 2 };

// One rating. The methods read an array of these from its begin to its end.
struct SgdEntry {
    int user;
    int item;
    float value;
};

// The vectors, and the rule of a sweep; `native.py` has the same structure.
struct SgdModel {
    float* users;  // a row of k components for each user
    float* items;
    float* user_bias;  // null without biases
    float* item_bias;
    int k;  // 8, 16, 32, 64 or 128
    int flags;
    float mean;  // added to every prediction
    float rate;
    float decay;  // rate times regularisation
};

// A sweep, or the errors after it; `native.py` has the same structure.
struct SgdTask {
    SgdModel model;
    const SgdEntry* entries;
    long long count;
    const long long* starts;  // DSGD: where each block begins
    int threads;
    const int* cancel;
    double squares;  // the sum of the squared errors
};

// Updates the vectors by one rating after the other.
using SgdUpdate = void (*)(const SgdModel& model, const SgdEntry* entries, long long count);

// The fastest code for this processor. `racy`: other threads use the same vectors meanwhile.
SgdUpdate sgd_update(int k, bool racy);

// The vectors of a rating are anywhere in memory, so they are fetched this many ratings ahead.
constexpr long long kSgdAhead = 12;

__attribute__((always_inline)) inline void sgd_fetch(const SgdModel& model, int k,
                                                     const SgdEntry& entry) {
    constexpr int kLine = 16;  // floats of a cache line
    for (int i = 0; i < k; i += kLine) {
        __builtin_prefetch(model.users + static_cast<long long>(entry.user) * k + i);
        __builtin_prefetch(model.items + static_cast<long long>(entry.item) * k + i);
    }
}

// Between two batches a thread checks whether it is to stop.
constexpr long long kSgdBatch = 4096;

// Process ratings batch by batch; return false if the caller cancels.
inline bool sgd_process(SgdUpdate update, const SgdModel& model, const SgdEntry* entries,
                        long long count, const CancelFlag& cancel) {
    for (long long i = 0; i < count; i += kSgdBatch) {
        if (cancel.raised()) return false;
        update(model, entries + i, std::min(kSgdBatch, count - i));
    }
    return true;
}

}  // namespace cpu
