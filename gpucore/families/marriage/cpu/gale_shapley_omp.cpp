// Gale and Shapley's algorithm on several threads: each has its share of the men and a queue of its
// own (Manne, Naim, Lerring and Halappanavar, CSC 2016, section 4). No thread waits for another.

#include "marriage_team.h"

CPU_EXPORT int cpu_gale_shapley_omp(const cpu::MarriageTask* task) {
    const auto share = [&](int rank) {
        return static_cast<int>(static_cast<long long>(task->num_men) * rank / task->threads);
    };
    return cpu::solve_marriage_in_team(
        *task, [&](auto& market, int rank, cpu::Watch watch, cpu::Tally* tally, auto& log) {
            return cpu::by_queue(market, share(rank), share(rank + 1), watch, tally, log);
        });
}
