// A sweep by several threads that never share a vector: DSGD.
//
// Source: R. Gemulla, E. Nijkamp, P. J. Haas and Y. Sismanis, "Large-scale matrix factorization
// with distributed stochastic gradient descent", KDD 2011. With T threads the matrix is cut into
// T x T blocks. A stratum is T blocks that share no user and no item; its blocks are processed at
// the same time, the strata one after the other. The result does not depend on the timing.

#include "sgd.h"
#include "team.h"

// The block of rows r and columns c has the entries `starts[r T + c]` to `starts[r T + c + 1] - 1`.
CPU_EXPORT int cpu_sgd_dsgd_omp(const cpu::SgdTask* task) {
    return cpu::guarded([&] {
        const cpu::SgdUpdate update = cpu::sgd_update(task->model.k, false);
        const cpu::CancelFlag cancel(task->cancel);
        const int threads = task->threads;
        cpu::Barrier barrier(threads);
        bool cancelled = false;
        cpu::run_team(threads, [&](int rank) {
            for (int stratum = 0; stratum < threads && !cancelled; ++stratum) {
                const long long column = (rank + stratum) % threads;
                const long long* block =
                    task->starts + static_cast<long long>(rank) * threads + column;
                cpu::sgd_process(update, task->model, task->entries + block[0],
                                 block[1] - block[0], cancel);
                barrier.wait([&] { cancelled = cancel.raised(); });
            }
        });
        return cancelled ? cpu::kCancelled : cpu::kDone;
    });
}
