// The sum of the squared errors of a factorisation, in double precision, by several threads.
//
// Threads share the ratings by chunks of fixed size, whose sums are added in their order, so that
// the result is the same for any number of threads.

#include <atomic>
#include <vector>

#include "sgd.h"
#include "team.h"

namespace cpu {

namespace {

constexpr long long kChunk = 1 << 14;
constexpr int kSums = 8;

// Products of floats are exact in double precision, so only the order of the additions matters.
double error_of(const SgdModel& model, const SgdEntry& entry) {
    const float* p = model.users + static_cast<long long>(entry.user) * model.k;
    const float* q = model.items + static_cast<long long>(entry.item) * model.k;
    double sums[kSums] = {};
    for (int c = 0; c < model.k; c += kSums)
        for (int i = 0; i < kSums; ++i) sums[i] += static_cast<double>(p[c + i]) * q[c + i];
    double predicted = model.mean;
    for (const double sum : sums) predicted += sum;
    if (model.flags & kBiases)
        predicted += static_cast<double>(model.user_bias[entry.user]) + model.item_bias[entry.item];
    return entry.value - predicted;
}

double squares_of(const SgdModel& model, const SgdEntry* entries, long long count) {
    double sum = 0.0;
    for (long long i = 0; i < count; ++i) {
        if (i + kSgdAhead < count) sgd_fetch(model, model.k, entries[i + kSgdAhead]);
        const double error = error_of(model, entries[i]);
        sum += error * error;
    }
    return sum;
}

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_sgd_squares(cpu::SgdTask* task) {
    return cpu::guarded([&] {
        const cpu::CancelFlag cancel(task->cancel);
        const long long chunks = (task->count + cpu::kChunk - 1) / cpu::kChunk;
        std::vector<double> sums(static_cast<std::size_t>(chunks));
        std::atomic<bool> cancelled{false};
        const int threads = static_cast<int>(std::min<long long>(task->threads, chunks));
        cpu::run_team(std::max(threads, 1), [&](int rank) {
            for (long long c = rank; c < chunks; c += threads) {
                if (cancel.raised()) {
                    cancelled = true;
                    return;
                }
                const long long begin = c * cpu::kChunk;
                const long long size = std::min(cpu::kChunk, task->count - begin);
                sums[static_cast<std::size_t>(c)] =
                    cpu::squares_of(task->model, task->entries + begin, size);
            }
        });
        task->squares = 0.0;
        for (const double sum : sums) task->squares += sum;
        return cancelled ? cpu::kCancelled : cpu::kDone;
    });
}
