// What an instrumented launch found, for gpucore/device/profile.py.
#include <algorithm>

#include "../core/api.h"
#include "../core/crash.h"
#include "image.h"
#include "instrument.h"

using simt::instrument::Finding;
using simt::instrument::library_start;
using simt::instrument::own_instrument;
using simt::instrument::Race;
using simt::instrument::Region;
using simt::instrument::RequestLog;
using simt::instrument::Site;
using simt::instrument::WarpRequest;

// Chooses what the next launches of this OS thread look for.
SIMT_API void simt_instrument(int races, int lines)
{
    own_instrument().want_races = races != 0;
    own_instrument().want_lines = lines != 0;
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

SIMT_API unsigned long long simt_findings(Finding* out, unsigned long long room)
{
    const auto& findings = own_instrument().findings();
    std::copy_n(findings.begin(), std::min<std::size_t>(findings.size(), room), out);
    return findings.size();
}

// Begins to note which code the watched launches of this OS thread come past.
SIMT_API void simt_forget_passed() { own_instrument().passed.forget(); }

// Return addresses of the executor's hooks in that code, as above.
SIMT_API unsigned long long simt_passed(std::uint64_t* out, unsigned long long room)
{
    const std::vector<std::uint64_t> passed = own_instrument().passed.all();
    const std::uint64_t start = library_start();
    for (std::size_t i = 0; i < std::min<std::size_t>(passed.size(), room); ++i)
        out[i] = passed[i] - start;
    return passed.size();
}

// Where a signal ended the last launch of this OS thread, from the start of the library; or 0.
SIMT_API unsigned long long simt_stopped_at()
{
    const auto at = reinterpret_cast<std::uint64_t>(simt::stopped_at());
    return at == 0 ? 0 : at - library_start();
}

// Names the memory that the next launches of this OS thread may touch, and how many steps each may
// take; no regions: nothing is checked.
SIMT_API void simt_watch(const Region* regions, unsigned long long count, unsigned long long steps)
{
    own_instrument().bounds.give(regions, std::size_t(count));
    own_instrument().most_steps = steps;
    own_instrument().arguments_only = false;
}

// The same for launches that may touch their arguments only.
SIMT_API void simt_watch_arguments(unsigned long long steps)
{
    own_instrument().most_steps = steps;
    own_instrument().arguments_only = true;
}

// Forgets the requests kept so far, and keeps the first `most` of the launches to come.
SIMT_API void simt_keep_requests(unsigned long long most)
{
    RequestLog& log = own_instrument().requests;
    log.kept.clear();
    log.most = most;
}

SIMT_API unsigned long long simt_kept_requests(WarpRequest* out, unsigned long long room)
{
    const auto& kept = own_instrument().requests.kept;
    const std::uint64_t start = library_start();
    const std::size_t count = std::min<std::size_t>(kept.size(), room);
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = kept[i];
        out[i].pc -= start;
    }
    return kept.size();
}
