// Gale and Shapley's algorithm on several threads: each has its share of the men and a queue of its
// own (Manne, Naim, Lerring and Halappanavar, CSC 2016, section 4). No thread waits for another.

#include "marriage_team.h"

CPU_EXPORT int cpu_gale_shapley_omp(const cpu::MarriageTask* task) {
    return cpu::solve_marriage_in_team(
        *task, [&](auto& market, cpu::Share share, cpu::Watch watch, cpu::Tally* tally, auto& log) {
            return cpu::by_queue(market, share.begin(task->num_men), share.end(task->num_men),
                                 watch, tally, log);
        });
}
