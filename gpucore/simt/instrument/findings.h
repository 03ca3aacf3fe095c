// What a watched launch did wrong, besides races; gpucore/watching/reports/findings.py reads it by this order.
#pragma once

#include <cstdint>
#include <vector>

namespace simt::instrument {

enum class Fault : std::uint32_t {
    outside,          // an access outside of the array, or the shared variable, next to it
    elsewhere,        // an access to memory that is not the kernel's at all
    unwritten,        // a read of what no thread has written
    barrier_left,     // threads returned without coming to a barrier of their block
    barrier_apart,    // threads of a block are in barriers at different lines
    barrier_kinds,    // or in different kinds of barriers
    absent,           // a mask names lanes that return without coming
    not_in_mask,      // a lane is missing from its own mask
    from_outside,     // a shuffle reads from a lane outside of the mask
    width,            // a shuffle's width is no power of two up to 32
    endless,          // the launch made no progress for very many steps, or reached its bound of them
};

struct Finding {
    std::uint32_t fault, site;       // the site where there is one, else ~0
    std::uint32_t block, thread;     // who was first
    std::uint32_t region;            // number of the array or of the shared variable, ~0: none
    std::uint32_t space;
    std::uint32_t lanes;             // a mask, or a number of threads
    std::uint32_t line, other_line;  // where there is no site
    std::int64_t offset;             // of the access in the region, in bytes
    std::uint64_t bytes;             // of the region; a mask; the bound of steps that was reached
    std::uint64_t size;              // of the access
    std::uint64_t count;             // how often
    char name[48];                   // of the variable, or of the call
    char file[48];                   // of the lines
};

// The findings of a launch, each pair of place and fault once.
class Findings {
public:
    void clear() { all_.clear(); }
    void add(const Finding& finding);
    const std::vector<Finding>& all() const { return all_; }

private:
    static constexpr std::size_t most = 200;
    std::vector<Finding> all_;
};

}  // namespace simt::instrument
