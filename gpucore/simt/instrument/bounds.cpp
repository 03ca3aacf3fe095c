#include "bounds.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "../core/hooks.h"
#include "image.h"

namespace simt::instrument {

static constexpr std::uint32_t none = ~0u;

void Bounds::start(const Worker& worker)
{
    worker_ = &worker;
    variables_.clear();
    last_ = 0;
    if (!on()) return;
    shadow_.assign(worker.shared_bytes(), invalid);
    locals.start(worker);
}

void Bounds::block_started(const Block& block)
{
    if (!on()) return;
    const Worker& worker = *block.worker;
    unsigned char* const shadow = shadow_.data() + (block.dynamic - worker.shared_begin());
    std::memset(shadow, invalid, worker.shared_stride() - hook::gap);
    std::memset(shadow, unwritten, worker.launch->request.shared_bytes);
    unsigned char* const statics = shadow + (block.statics - block.dynamic);
    for (const Variable& variable : variables_)
        std::memset(statics + variable.offset, unwritten, variable.size);
}

void Bounds::shared_declared(const Worker& worker, std::uint32_t offset, std::size_t size,
                             const char* name)
{
    if (!on()) return;
    variables_.push_back({offset, size, name});
    for (const Block& block : worker.blocks)
        std::memset(shadow_.data() + (block.statics - worker.shared_begin()) + offset, unwritten,
                    size);
}

bool Bounds::check(const Lane& lane, const void* address, std::size_t size, Space space, Kind kind,
                   std::uint32_t site, Findings& findings, bool& is_fine)
{
    const Dim b = lane.block->index, g = lane.block->grid, t = lane.thread, n = lane.block->threads;
    Finding found{};
    found.fault = std::uint32_t(Fault::outside);
    found.site = site;
    found.block = b.x + g.x * (b.y + g.y * b.z);
    found.thread = t.x + n.x * (t.y + n.y * t.z);
    found.region = none;
    found.space = std::uint32_t(space);
    found.size = size;
    found.count = 0;
    const std::uint64_t at = reinterpret_cast<std::uint64_t>(address);
    const bool may = space == Space::shared ? check_shared(lane, at, size, kind, found)
                                            : check_global(at, size, kind, found);
    is_fine = found.count == 0 || found.fault == std::uint32_t(Fault::unwritten);
    if (found.count != 0) findings.add(found);
    return may;
}

// A value counts as written if any byte of it is: the copy of a structure reads what lies between
// its members, too. So it is for shared memory and for local arrays.
bool Bounds::check_global(std::uint64_t at, std::size_t size, Kind kind, Finding& found)
{
    for (std::size_t tried = 0; tried < regions_.size(); ++tried) {
        const Region& region = regions_[last_];
        if (at - region.begin < region.bytes && size <= region.bytes - (at - region.begin)) {
            if (region.written == nullptr) return true;
            unsigned char* const shadow = region.written + (at - region.begin);
            const bool is_written = std::memchr(shadow, 1, size) != nullptr;
            if (kind != Kind::load) std::memset(shadow, 1, size);
            if (kind != Kind::store && !is_written) {
                found.fault = std::uint32_t(Fault::unwritten);
                found.count = 1;
                found.region = std::uint32_t(last_);
                found.offset = std::int64_t(at - region.begin);
                found.bytes = region.bytes;
            }
            return true;
        }
        last_ = last_ + 1 < regions_.size() ? last_ + 1 : 0;
    }
    if (kind == Kind::load && is_constant(at)) return true;
    // Outside of all: it belongs to the nearest.
    std::uint64_t nearest = ~std::uint64_t(0);
    for (std::size_t i = 0; i < regions_.size(); ++i) {
        const Region& region = regions_[i];
        const std::uint64_t end = region.begin + region.bytes;
        const std::uint64_t distance = at < region.begin ? region.begin - at : at >= end ? at - end : 0;
        if (distance >= nearest) continue;
        nearest = distance;
        found.region = std::uint32_t(i);
        found.offset = std::int64_t(at - region.begin);
        found.bytes = region.bytes;
    }
    found.count = 1;
    // Arrays lie at least twice as far apart; in 32-bit memory they cannot, and only null is far from all.
    constexpr bool is_wide = sizeof(void*) == 8;
    constexpr std::uint64_t reach = std::uint64_t(1) << 32, null = 1 << 16;
    if (is_wide ? nearest >= reach : at < null) {
        found.fault = std::uint32_t(Fault::elsewhere);
        found.region = none;
        found.offset = std::int64_t(at);
        return false;
    }
    const Region& region = regions_[found.region];
    return at >= region.begin - region.guard && at + size <= region.begin + region.bytes + region.guard;
}

bool Bounds::check_shared(const Lane& lane, std::uint64_t at, std::size_t size, Kind kind,
                          Finding& found)
{
    const Block& block = *static_cast<const Block*>(lane.block);
    const Worker& worker = *worker_;
    const std::uint64_t begin = reinterpret_cast<std::uint64_t>(worker.shared_begin());
    if (at < begin || at + size > begin + shadow_.size()) {
        found.fault = std::uint32_t(Fault::elsewhere);
        found.count = 1;
        return false;
    }
    unsigned char* const shadow = shadow_.data() + (at - begin);
    bool is_valid = true, is_written = false;
    for (std::size_t i = 0; i < size; ++i) {
        is_valid &= shadow[i] != invalid;
        is_written |= shadow[i] == written;
    }
    if (is_valid && (is_written || kind == Kind::store)) {
        if (kind != Kind::load) std::memset(shadow, written, size);
        return true;
    }
    found.fault = std::uint32_t(is_valid ? Fault::unwritten : Fault::outside);
    found.count = 1;
    name_variable(block, std::int64_t(at - reinterpret_cast<std::uint64_t>(block.dynamic)), found);
    if (is_valid && kind != Kind::load) std::memset(shadow, written, size);
    return true;
}

// The variable that is nearest to an offset from the block's dynamic shared memory.
void Bounds::name_variable(const Block& block, std::int64_t offset, Finding& found) const
{
    const std::int64_t statics = block.statics - block.dynamic;
    const std::int64_t dynamic = std::int64_t(worker_->launch->request.shared_bytes);
    std::int64_t nearest = offset < 0 ? -offset : offset >= dynamic ? offset - dynamic : -1;
    found.offset = offset;
    found.bytes = std::uint64_t(dynamic);
    for (std::size_t i = 0; i < variables_.size(); ++i) {
        const std::int64_t first = statics + variables_[i].offset;
        const std::int64_t end = first + std::int64_t(variables_[i].size);
        const std::int64_t distance = offset < first ? first - offset : offset >= end ? offset - end : -1;
        if (distance >= nearest) continue;
        nearest = distance;
        found.region = std::uint32_t(i);
        found.offset = offset - first;
        found.bytes = variables_[i].size;
        std::snprintf(found.name, sizeof found.name, "%s", variables_[i].name);
    }
}

}  // namespace simt::instrument
