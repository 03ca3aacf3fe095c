#include "locals.h"

#include <cstring>

#include "../host/local.h"

namespace simt::instrument {

void Locals::start(const Worker& worker)
{
    worker_ = &worker;
    lanes_.resize(worker.lanes.size());
    for (Own& own : lanes_) {
        own.arrays.clear();
        own.shadow.clear();
    }
}

void Locals::declared(std::size_t lane, const void* array, std::size_t bytes, std::size_t element,
                      const char* name, bool is_written)
{
    Own& own = lanes_[lane];
    own.arrays.push_back({reinterpret_cast<std::uint64_t>(array), bytes, element, name,
                          own.shadow.size()});
    own.shadow.resize(own.shadow.size() + bytes, is_written);
}

void Locals::left(std::size_t lane)
{
    Own& own = lanes_[lane];
    if (own.arrays.empty()) return;
    own.shadow.resize(own.arrays.back().shadow);
    own.arrays.pop_back();
}

// How far an access is from an array; 0: it is partly inside.
static std::uint64_t distance_of(std::uint64_t begin, std::uint64_t end, std::uint64_t at,
                                 std::size_t size)
{
    return at + size <= begin ? begin - at - size + 1 : at >= end ? at - end + 1 : 0;
}

bool Locals::check(std::size_t lane, std::uint64_t frame, std::uint64_t at, std::size_t size,
                   Kind kind, Finding& found)
{
    Own& own = lanes_[lane];
    const Array* nearest = nullptr;
    std::uint64_t distance = ~std::uint64_t(0);
    for (std::size_t i = own.arrays.size(); i-- > 0;) {
        const Array& array = own.arrays[i];
        const std::uint64_t end = array.begin + array.bytes;
        if (at >= array.begin && at + size <= end) {
            check_written(own, array, at, size, kind, found);
            return true;
        }
        const std::uint64_t between = distance_of(array.begin, end, at, size);
        if (between >= distance) continue;
        distance = between;
        nearest = &array;
    }
    const bool is_guard = distance <= local_guard;
    const auto low = reinterpret_cast<std::uint64_t>(worker_->stacks.low(lane));
    if (!is_guard && at >= frame && at + size <= low + worker_->stacks.usable(lane)) return true;
    const Array* const other = is_guard ? nullptr : find(at);
    if (other != nullptr || nearest == nullptr) found.fault = std::uint32_t(Fault::elsewhere);
    describe(other != nullptr ? other : nearest, at, found);
    return is_guard;
}

// The array of any lane that an address is in.
const Locals::Array* Locals::find(std::uint64_t at) const
{
    for (const Own& own : lanes_)
        for (const Array& array : own.arrays)
            if (at - array.begin < array.bytes) return &array;
    return nullptr;
}

void Locals::describe(const Array* array, std::uint64_t at, Finding& found)
{
    found.count = 1;
    found.offset = std::int64_t(array == nullptr ? at : at - array->begin);
    if (array == nullptr) return;
    found.bytes = array->bytes;
    found.size = array->element;
    std::strncpy(found.name, array->name, sizeof found.name - 1);   // zeros behind it
}

// An element counts as written if any byte of it is: see bounds.cpp.
void Locals::check_written(Own& own, const Array& array, std::uint64_t at, std::size_t size,
                           Kind kind, Finding& found)
{
    unsigned char* const shadow = own.shadow.data() + array.shadow + (at - array.begin);
    if (kind != Kind::store && std::memchr(shadow, 1, size) == nullptr) {
        found.fault = std::uint32_t(Fault::unwritten);
        describe(&array, at, found);
    }
    if (kind != Kind::load) std::memset(shadow, 1, size);
}

}  // namespace simt::instrument
