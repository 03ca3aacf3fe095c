// Input and output of the CPU methods for matrix factorisation by stochastic gradient descent.
//
// Source: R. Kaleem, A. Venkat, S. Pai, M. Hall and K. Pingali, "Synchronization trade-offs in GPU
// implementations of graph algorithms", IPDPS 2016, section II. An update is the one of the kernels
// (kernels/sgd.cuh), bit by bit, so that all methods can be compared with all schedules.
#pragma once

#include <algorithm>

#include "common.h"
#include "record.h"

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
    const Recording* recording;  // null: nothing is recorded
    int sweep;                   // its number, for the record
};

// The events of the record, as kernels/sgd.cuh numbers and describes them.
enum SgdEvent : unsigned { UPDATE = 1 };

// The words of a thread's row in the record.
enum SgdWord { kUpdates = 0, kTurns = 3, kLaneSlots = 4, kBarriers = 6 };

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

// By how much the prediction of a rating is off now, for the record; other threads may change the
// vectors meanwhile.
inline float sgd_error(const SgdModel& model, const SgdEntry& entry) {
    const volatile float* const p = model.users + static_cast<long long>(entry.user) * model.k;
    const volatile float* const q = model.items + static_cast<long long>(entry.item) * model.k;
    float predicted = model.mean;
    for (int c = 0; c < model.k; ++c) predicted += p[c] * q[c];
    if (model.flags & kBiases) {
        const volatile float* const biases[2] = {model.user_bias + entry.user,
                                                 model.item_bias + entry.item};
        predicted += *biases[0] + *biases[1];
    }
    return entry.value - predicted;
}

// Process ratings batch by batch, or one by one for the record, where the first one is `step`;
// return false if the caller cancels.
template <class Log>
bool sgd_process(SgdUpdate update, const SgdModel& model, const SgdEntry* entries, long long count,
                 const CancelFlag& cancel, Log& log, long long step = 0) {
    for (long long i = 0; i < count; i += kSgdBatch) {
        if (cancel.raised()) return false;
        const long long batch = std::min(kSgdBatch, count - i);
        if (!Log::kOn) {
            update(model, entries + i, batch);
            continue;
        }
        for (const SgdEntry* entry = entries + i; entry < entries + i + batch; ++entry) {
            const float error = sgd_error(model, *entry);
            update(model, entry, 1);
            log.event(UPDATE, entry->user, entry->item, -1, error,
                      static_cast<int>(step + (entry - entries)));
        }
        for (const int word : {kUpdates, kTurns, kLaneSlots}) log.count(word, batch);
    }
    return true;
}

}  // namespace cpu
