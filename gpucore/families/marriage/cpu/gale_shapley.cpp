// Gale and Shapley's algorithm (American Mathematical Monthly 69(1), 1962) on one thread: with a
// queue, as in algorithm 1 of Manne, Naim, Lerring and Halappanavar, CSC 2016, or in rounds.

#include "marriage_orders.h"

CPU_EXPORT int cpu_gale_shapley(const cpu::MarriageTask* task) {
    return cpu::solve_marriage(
        *task, [&](auto& market, cpu::Watch watch, cpu::Tally* tally, auto& log) {
            return task->in_rounds ? cpu::by_rounds(market, task->num_men, watch, tally, log)
                                   : cpu::by_queue(market, 0, task->num_men, watch, tally, log);
        });
}
