// McVitie and Wilson's algorithm on several threads, like the Suitor algorithm: an idle thread
// takes some more men (Manne, Naim, Lerring and Halappanavar, CSC 2016, section 4).

#include "marriage_team.h"

CPU_EXPORT int cpu_mcvitie_wilson_omp(const cpu::MarriageTask* task) {
    cpu::Chunks men(task->num_men);
    return cpu::solve_marriage_in_team(
        *task, [&](auto& market, cpu::Share, cpu::Watch watch, cpu::Tally* tally, auto& log) {
            return cpu::by_stacks(market, men, watch, tally, log);
        });
}
