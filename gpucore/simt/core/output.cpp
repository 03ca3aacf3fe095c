#include "output.h"

#include <algorithm>
#include <cstdio>

#include "api.h"
#include "hooks.h"
#include "worker.h"

namespace simt {

// The text is written into its place: a lane's stack has no room for a long one.
void Output::print(const char* format, va_list values)
{
    if (text_.empty()) text_.reserve(most + 1);   // vsnprintf ends it with a zero
    const std::size_t used = text_.size();
    text_.resize(most + 1);
    const int length = std::vsnprintf(text_.data() + used, most + 1 - used, format, values);
    const std::size_t wanted = length < 0 ? 0 : std::size_t(length);
    const std::size_t kept = std::min(wanted, most - used);
    text_.resize(used + kept);
    dropped_ += wanted - kept;
}

void print(const char* format, ...)
{
    const Shield shield;
    Launch& launch = *current_lane().warp->worker->launch;
    va_list values;
    va_start(values, format);
    const Lock lock(launch.mutex);
    launch.output.print(format, values);
    va_end(values);
}

Output& last_output()
{
    static SIMT_EACH_THREAD Output output;
    return output;
}

}  // namespace simt

// Fills as much as there is room for, and returns how many characters the last launch of this OS
// thread printed and were kept; `dropped` is how many were not.
SIMT_API unsigned long long simt_output(char* text, unsigned long long room,
                                        unsigned long long* dropped)
{
    const simt::Output& output = simt::last_output();
    std::copy_n(output.text().data(), std::min<std::size_t>(output.text().size(), room), text);
    *dropped = output.dropped();
    return output.text().size();
}
