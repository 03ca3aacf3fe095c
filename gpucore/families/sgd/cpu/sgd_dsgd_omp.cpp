// A sweep by several threads that never share a vector: DSGD.
//
// Source: R. Gemulla, E. Nijkamp, P. J. Haas and Y. Sismanis, "Large-scale matrix factorization
// with distributed stochastic gradient descent", KDD 2011. With T threads the matrix is cut into
// T x T blocks. A stratum is T blocks that share no user and no item; its blocks are processed at
// the same time, the strata one after the other. The result does not depend on the timing.

#include "sgd.h"
#include "team.h"

namespace cpu {
namespace {

// The ratings of a stratum's largest block: its steps.
long long longest_block(const SgdTask& task, int stratum) {
    long long longest = 0;
    for (int row = 0; row < task.threads; ++row) {
        const long long column = (row + stratum) % task.threads;
        const long long block = static_cast<long long>(row) * task.threads + column;
        longest = std::max(longest, task.starts[block + 1] - task.starts[block]);
    }
    return longest;
}

// One thread's blocks, one after the other.
template <class Log>
void process_blocks(const SgdTask& task, int rank, SgdUpdate update, Barrier& barrier,
                    bool& cancelled, Log log) {
    const CancelFlag cancel(task.cancel);
    log.begin(task.sweep);
    long long step = 0;
    const int threads = task.threads;
    for (int stratum = 0; stratum < threads && !cancelled; ++stratum) {
        const long long column = (rank + stratum) % threads;
        const long long* block = task.starts + static_cast<long long>(rank) * threads + column;
        sgd_process(update, task.model, task.entries + block[0], block[1] - block[0], cancel, log,
                    step);
        if (Log::kOn) step += longest_block(task, stratum);
        log.count(kBarriers, 1);
        barrier.wait([&] { cancelled = cancel.raised(); });
    }
}

}  // namespace
}  // namespace cpu

// The block of rows r and columns c has the entries `starts[r T + c]` to `starts[r T + c + 1] - 1`.
CPU_EXPORT int cpu_sgd_dsgd_omp(const cpu::SgdTask* task) {
    return cpu::guarded([&] {
        const cpu::SgdUpdate update = cpu::sgd_update(task->model.k, false);
        cpu::Barrier barrier(task->threads);
        bool cancelled = false;
        return cpu::with_logs(task->recording, [&](auto logs) {
            cpu::run_team(task->threads, [&](int rank) {
                cpu::process_blocks(*task, rank, update, barrier, cancelled, logs.of(rank));
            });
            return cancelled ? cpu::kCancelled : cpu::kDone;
        });
    });
}
