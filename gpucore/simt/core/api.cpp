#include "api.h"

#include <cstdio>
#include <vector>

namespace simt {

// Built on first use: kernels register while the library is being loaded, in no known order.
static std::vector<KernelEntry>& table()
{
    static std::vector<KernelEntry> entries;
    return entries;
}

Registration::Registration(const KernelEntry& entry) { table().push_back(entry); }

}  // namespace simt

int simt_kernel_count() { return int(simt::table().size()); }

const simt::KernelEntry* simt_kernel(int index) { return &simt::table()[std::size_t(index)]; }

int simt_launch(int kernel, const simt::Request* request, simt::Stats* stats, char* error,
                int error_bytes)
{
    std::string text;
    const simt::Outcome outcome =
        simt::run(simt::table()[std::size_t(kernel)], *request, *stats, text);
    std::snprintf(error, std::size_t(error_bytes), "%s", text.c_str());
    return int(outcome);
}

void simt_interrupt(unsigned long long token) { simt::interrupt(token); }

int simt_max_lanes() { return int(simt::max_lanes); }
