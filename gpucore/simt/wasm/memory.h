// Memory of the caller's arrays, with canaries where other machines have pages that end a launch.
#pragma once

#include <string>

#include "../core/launch.h"

namespace simt {

// What was written to outside of all arrays, as an error text; empty if nothing was.  The canaries
// are put back.
std::string written_outside(const Launch& launch);

}  // namespace simt
