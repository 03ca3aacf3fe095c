// Which memory a watched kernel may touch, and what of it has been written.
//
// The caller names the arrays, which lie far apart with guards of accessible memory around them. So an
// index that is a little too large reads a guard and the launch goes on; an access to anything else
// ends it.  Shared variables have guards of their own (hook::gap).  A shadow of a byte for a byte says
// what is valid, and what has been written.
#pragma once

#include <cstdint>
#include <vector>

#include "../core/worker.h"
#include "findings.h"
#include "locals.h"
#include "sites.h"

namespace simt::instrument {

// Memory that the caller gave; profile.py mirrors it.
struct Region {
    std::uint64_t begin, bytes;
    std::uint64_t guard;             // accessible bytes on either side
    unsigned char* written;          // not zero where written, a byte a byte; null: all is
};

class Bounds {
public:
    // Regions of the launches to come on this OS thread; none: nothing is checked.
    void give(const Region* regions, std::size_t count) { regions_.assign(regions, regions + count); }
    bool on() const { return !regions_.empty(); }

    Locals locals;

    void start(const Worker& worker);
    void block_started(const Block& block);
    void shared_declared(const Worker& worker, std::uint32_t offset, std::size_t size,
                         const char* name);

    // Looks at an access before it happens; false: it must not happen.  `is_fine` says whether it is
    // inside of its array.
    bool check(const Lane& lane, const void* address, std::size_t size, Space space, Kind kind,
               std::uint32_t site, Findings& findings, bool& is_fine);

private:
    struct Variable {
        std::uint32_t offset;
        std::size_t size;
        const char* name;
    };
    enum Shadow : unsigned char { invalid, unwritten, written };

    bool check_global(std::uint64_t at, std::size_t size, Kind kind, Finding& found);
    bool check_shared(const Lane& lane, std::uint64_t at, std::size_t size, Kind kind,
                      Finding& found);
    void name_variable(const Block& block, std::int64_t offset, Finding& found) const;

    std::vector<Region> regions_;
    std::size_t last_ = 0;
    const Worker* worker_ = nullptr;
    std::vector<Variable> variables_;
    std::vector<unsigned char> shadow_;      // of all blocks' shared memory
};

}  // namespace simt::instrument
