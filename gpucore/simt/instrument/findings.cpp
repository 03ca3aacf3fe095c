#include "findings.h"

namespace simt::instrument {

void Findings::add(const Finding& finding)
{
    for (Finding& known : all_) {
        if (known.fault == finding.fault && known.site == finding.site &&
            known.region == finding.region && known.space == finding.space &&
            known.line == finding.line && known.other_line == finding.other_line) {
            ++known.count;
            if (finding.fault == std::uint32_t(Fault::absent)) known.lanes |= finding.lanes;
            return;
        }
    }
    if (all_.size() < most) all_.push_back(finding);
}

}  // namespace simt::instrument
