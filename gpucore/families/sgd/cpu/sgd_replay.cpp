// A sweep by one thread in a given order: the reference of the kernels' schedules, with which
// certificates compare.

#include <vector>

#include "sgd.h"

// `order` has numbers of ratings; the caller has checked that they exist.
CPU_EXPORT int cpu_sgd_replay(const cpu::SgdModel* model, const int* users, const int* items,
                              const float* values, const int* order, long long count,
                              const int* cancel) {
    return cpu::guarded([&] {
        const cpu::SgdUpdate update = cpu::sgd_update(model->k, false);
        const cpu::CancelFlag stop(cancel);
        std::vector<cpu::SgdEntry> batch;
        batch.reserve(cpu::kSgdBatch);
        for (long long i = 0; i < count; ++i) {
            const int which = order[i];
            batch.push_back({users[which], items[which], values[which]});
            if (batch.size() < cpu::kSgdBatch && i + 1 < count) continue;
            if (stop.raised()) return cpu::kCancelled;
            update(*model, batch.data(), static_cast<long long>(batch.size()));
            batch.clear();
        }
        return cpu::kDone;
    });
}
