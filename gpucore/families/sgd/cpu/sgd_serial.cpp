// A sweep by one thread.

#include "sgd.h"

CPU_EXPORT int cpu_sgd_serial(const cpu::SgdTask* task) {
    return cpu::guarded([&] {
        const cpu::SgdUpdate update = cpu::sgd_update(task->model.k, false);
        return cpu::with_logs(task->recording, [&](auto logs) {
            auto log = logs.of(0);
            log.begin(task->sweep);
            const bool whole = cpu::sgd_process(update, task->model, task->entries, task->count,
                                                cpu::CancelFlag(task->cancel), log);
            return whole ? cpu::kDone : cpu::kCancelled;
        });
    });
}
