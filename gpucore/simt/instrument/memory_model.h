// What a warp's memory request costs on an NVIDIA GPU, by the rules of the CUDA C++ Best Practices
// Guide, sections "Coalesced Access to Global Memory" and "Shared Memory and Memory Banks".
#pragma once

#include <cstdint>

namespace simt::instrument {

// One lane's part in a request.
struct LaneAccess {
    std::uint64_t address;
    std::uint32_t size;
    std::uint32_t lane;
};

struct GlobalCost {
    std::uint32_t sectors;   // distinct aligned pieces of 32 bytes that are touched
    std::uint32_t ideal;     // how many the distinct bytes would fill if they lay together
};

// `count` is at most 32.
GlobalCost global_cost(const LaneAccess* access, int count);

// Passes over the 32 banks of 4 bytes beyond the first.  Lanes that want the same word share one
// pass, but atomics on the same word are served one after the other.  Wide accesses are served for
// half a warp (8 bytes) or a quarter (16 bytes) at a time; that is no conflict.
std::uint32_t bank_conflicts(const LaneAccess* access, int count, bool atomic);

}  // namespace simt::instrument
