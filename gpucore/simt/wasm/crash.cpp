// The report of a crash, asked for once a launch has ended in a trap.
#include "../core/crash.h"

#include <cstdio>

#include "../core/worker.h"

namespace simt {

static const Lane* lane_of(const Worker& worker, const Context& context)
{
    for (const Lane& lane : worker.lanes)
        if (&lane.context == &context) return &lane;
    return nullptr;
}

void report_crash(const char* what, const Context* overflowed, char* error, int error_bytes)
{
    std::string text = what;
    if (current != nullptr) {
        Worker& worker = *current_lane().warp->worker;
        worker.crash = {what, false, nullptr, &current_lane(), false};
        if (overflowed != nullptr)
            worker.crash = {Stacks::overflow, false, nullptr, lane_of(worker, *overflowed), false};
        text = worker.crash_report();
    }
    std::snprintf(error, std::size_t(error_bytes), "%s", text.c_str());
}

}  // namespace simt
