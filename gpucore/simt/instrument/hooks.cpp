// The hooks that the executor calls in an instrumented build; see core/hooks.h.
#include "../core/hooks.h"

#include "../host/local.h"
#include "../host/observe.h"
#include "instrument.h"

namespace simt {

using instrument::active;
using instrument::Kind;
using instrument::Space;
using instrument::Strength;

namespace hook {

void launch_started(Worker& worker) { instrument::own_instrument().start(worker); }

void launch_ended(Worker&) { instrument::own_instrument().stop(); }

void block_started(Block& block)
{
    if (active != nullptr) active->block_started(block);
}

void lane_arrived(Lane& lane, Place place)
{
    const Shield shield;
    if (active != nullptr) active->lane_arrived(lane, place);
}

void lanes_met(Warp& warp, u32 group, Call call)
{
    const Shield shield;
    if (active != nullptr) active->lanes_met(warp, group, call);
}

void segment_ended(Warp& warp)
{
    const Shield shield;
    if (active != nullptr) active->segment_ended(warp);
}

void barrier_passed(Block& block)
{
    const Shield shield;
    if (active != nullptr) active->barrier_passed(block);
}

void grid_passed()
{
    if (active != nullptr) active->grid_passed();
}

void compare_failed(const void* address, Place place)
{
    const Shield shield;
    if (active != nullptr) active->compare_failed(address, place);
}

void barrier_complete(const Block& block)
{
    const Shield shield;
    if (active != nullptr) active->barrier_complete(block);
}

void fenced(bool of_block)
{
    const Shield shield;
    if (active != nullptr) active->fenced(current_lane(), of_block);
}

void shared_declared(const Worker& worker, u32 offset, std::size_t size, const char* name)
{
    const Shield shield;
    if (active != nullptr) active->bounds.shared_declared(worker, offset, size, name);
}

bool broke_rule(const Lane& lane, Rule rule, u32 lanes)
{
    const Shield shield;
    return active != nullptr && active->broke_rule(lane, rule, lanes);
}

void lane_ended()
{
    if (active != nullptr) active->progressed();
}

}  // namespace hook

// The instrument of a launch whose local arrays are looked at, on a lane; else null.
static instrument::Instrument* of_locals()
{
    return current != nullptr && active != nullptr && active->bounds.on() ? active : nullptr;
}

void local_declared(const void* array, std::size_t bytes, std::size_t element, const char* name,
                    bool is_written) noexcept
{
    const Shield shield;
    if (instrument::Instrument* const own = of_locals())
        own->bounds.locals.declared(own->number_of(current_lane()), array, bytes, element, name,
                                    is_written);
}

void local_left() noexcept
{
    if (instrument::Instrument* const own = of_locals())
        own->bounds.locals.left(own->number_of(current_lane()));
}

// A lane gives way before an access is recorded, and not between the record and the access itself: so
// what it wrote is there as soon as anything else happens.
static void observe(const void* address, std::size_t size, Kind kind, Strength strength, Place place)
{
    if (active == nullptr || current == nullptr) return;
    const Space space = active->space_of(address);
    if (space == Space::none) return;
    if (space == Space::local) {
        const Shield shield;
        return active->local_access(current_lane(), address, size, kind, place);
    }
    active->step(current_lane(), place);
    if (kind != Kind::atomic) {
        active->keep_step(current_lane());
        yield_at_access();
    }
    if (!active->looks_for_anything()) return;
    const Shield shield;
    active->access(current_lane(), address, size, space, kind, strength, place);
}

void hook::atomic_access(const void* address, std::size_t size, Place place)
{
    observe(address, size, Kind::atomic, Strength::atomic, place);
}

void observe_access(const void* address, std::size_t size, Access access, Place place)
{
    const bool reads = access == Access::read || access == Access::racy_read ||
                       access == Access::volatile_read;
    const Strength strength = access == Access::read || access == Access::write ? Strength::plain
                              : access == Access::racy_read || access == Access::racy_write
                                  ? Strength::atomic
                                  : Strength::through_volatile;
    observe(address, size, reads ? Kind::load : Kind::store, strength, place);
}

}  // namespace simt
