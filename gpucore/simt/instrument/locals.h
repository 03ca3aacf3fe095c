// The local arrays of a watched source: which lane has which, and what of them has been written.
//
// The source declares them between guards (../host/local.h), so an index that is a little too large
// changes nothing else.  One that is far too large leaves the lane's part of its stack, which nothing
// else of the kernel does.
#pragma once

#include <cstdint>
#include <vector>

#include "../core/worker.h"
#include "findings.h"
#include "sites.h"

namespace simt::instrument {

class Locals {
public:
    void start(const Worker& worker);
    void declared(std::size_t lane, const void* array, std::size_t bytes, std::size_t element,
                  const char* name, bool is_written);
    void left(std::size_t lane);

    // Looks at an access to the stacks before it happens; `frame`: below it nothing is in use.
    // `found.count` becomes 1 if it is wrong; false: it must not happen.
    bool check(std::size_t lane, std::uint64_t frame, std::uint64_t at, std::size_t size, Kind kind,
               Finding& found);

private:
    struct Array {
        std::uint64_t begin, bytes;
        std::size_t element;
        const char* name;
        std::size_t shadow;               // of its first byte, in the lane's
    };
    struct Own {
        std::vector<Array> arrays;        // the innermost scope's last
        std::vector<unsigned char> shadow;
    };

    const Array* find(std::uint64_t at) const;
    static void describe(const Array* array, std::uint64_t at, Finding& found);
    static void check_written(Own& own, const Array& array, std::uint64_t at, std::size_t size,
                              Kind kind, Finding& found);

    const Worker* worker_ = nullptr;
    std::vector<Own> lanes_;
};

}  // namespace simt::instrument
