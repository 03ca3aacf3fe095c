// McVitie and Wilson's algorithm (Communications of the ACM 14(7), 1971) on one thread, with a
// stack instead of a recursion (Manne, Naim, Lerring and Halappanavar, CSC 2016, section 2).

#include "marriage_orders.h"

CPU_EXPORT int cpu_mcvitie_wilson(const cpu::MarriageTask* task) {
    return cpu::solve_marriage(
        *task, [&](auto& market, cpu::Watch watch, cpu::Tally* tally, auto& log) {
            return cpu::by_stack(market, 0, task->num_men, watch, tally, log);
        });
}
