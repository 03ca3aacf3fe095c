#include "requests.h"

namespace simt::instrument {

void RequestLog::keep(const Site& site, const LaneAccess* access, int count)
{
    WarpRequest request{site.pc, site.kind, site.space, 0, access[0].size, block, warp, {}};
    for (int i = 0; i < count; ++i) {
        request.active |= 1u << access[i].lane;
        request.address[access[i].lane] = access[i].address;
    }
    kept.push_back(request);
}

}  // namespace simt::instrument
