// Shared by the CPU methods for matching: their counters, and the order of edges.
#pragma once

#include "common.h"
#include "offers.h"

namespace cpu {

// Counters of a method.
struct Work {
    long long scans;   // walks over one vertex's neighbours
    long long rounds;  // synchronised rounds, for the methods that have them
};

}  // namespace cpu
