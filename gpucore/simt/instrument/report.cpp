// What an instrumented launch found, for gpucore/device/profile.py.
#include <dlfcn.h>

#include <algorithm>

#include "../core/api.h"
#include "instrument.h"
#include "requests.h"

using simt::instrument::own_instrument;
using simt::instrument::Race;
using simt::instrument::request_log;
using simt::instrument::Site;
using simt::instrument::WarpRequest;

// Chooses what the next launches of this OS thread look for.
SIMT_API void simt_instrument(int races, int lines)
{
    own_instrument().want_races = races != 0;
    own_instrument().want_lines = lines != 0;
}

// Addresses of code are offsets from the start of the library, as in its line table.
static std::uint64_t library_start()
{
    Dl_info info;
    const void* const here = reinterpret_cast<const void*>(&simt_instrument);
    return dladdr(here, &info) ? reinterpret_cast<std::uint64_t>(info.dli_fbase) : 0;
}

// Both return how many there are, and fill as many as there is room for.  They describe the last
// launch of this OS thread.
SIMT_API unsigned long long simt_sites(Site* out, unsigned long long room)
{
    const auto& sites = own_instrument().sites();
    const std::uint64_t start = library_start();
    const std::size_t count = std::min<std::size_t>(sites.size(), room);
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = sites[std::uint32_t(i)];
        out[i].pc -= start;
    }
    return sites.size();
}

SIMT_API unsigned long long simt_races(Race* out, unsigned long long room)
{
    const auto& races = own_instrument().races();
    std::copy_n(races.begin(), std::min<std::size_t>(races.size(), room), out);
    return races.size();
}

// Forgets the requests kept so far, and keeps the first `most` of the launches to come.
SIMT_API void simt_keep_requests(unsigned long long most)
{
    request_log.kept.clear();
    request_log.most = most;
}

SIMT_API unsigned long long simt_kept_requests(WarpRequest* out, unsigned long long room)
{
    const auto& kept = request_log.kept;
    const std::uint64_t start = library_start();
    const std::size_t count = std::min<std::size_t>(kept.size(), room);
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = kept[i];
        out[i].pc -= start;
    }
    return kept.size();
}
