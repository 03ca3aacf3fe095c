// A sweep by several threads without locks.
//
// Source: F. Niu, B. Recht, C. Ré and S. J. Wright, "Hogwild!: a lock-free approach to
// parallelizing stochastic gradient descent", NIPS 2011. Each thread has an equal share of the
// ratings, which are in random order. Two threads that update the same vector at the same time may
// lose components of one update; with sparse ratings this is rare.

#include <atomic>

#include "sgd.h"
#include "team.h"

CPU_EXPORT int cpu_sgd_hogwild_omp(const cpu::SgdTask* task) {
    return cpu::guarded([&] {
        const cpu::SgdUpdate update = cpu::sgd_update(task->model.k, true);
        std::atomic<bool> cancelled{false};
        const auto share = [&](int rank) { return task->count * rank / task->threads; };
        return cpu::with_logs(task->recording, [&](auto logs) {
            cpu::run_team(task->threads, [&](int rank) {
                auto log = logs.of(rank);
                log.begin(task->sweep);
                const long long begin = share(rank), end = share(rank + 1);
                if (!cpu::sgd_process(update, task->model, task->entries + begin, end - begin,
                                      cpu::CancelFlag(task->cancel), log))
                    cancelled = true;
            });
            return cancelled ? cpu::kCancelled : cpu::kDone;
        });
    });
}
