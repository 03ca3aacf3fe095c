// The hooks that the executor calls in an instrumented build; see core/hooks.h.
#include "../core/hooks.h"

#include "../host/observe.h"
#include "instrument.h"

namespace simt {

using instrument::active;
using instrument::Kind;
using instrument::Space;

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
    if (active != nullptr) active->compare_failed(current_lane(), address, place);
}

}  // namespace hook

// Whether the access was one that a GPU would have made.
static bool observe(const void* address, std::size_t size, Kind kind, bool synchronising,
                    Place place)
{
    if (active == nullptr || current == nullptr) return false;
    Lane& lane = current_lane();
    const Space space = active->space_of(lane, address);
    if (space == Space::none) return false;
    if (active->looks_for_anything()) {
        const Shield shield;
        active->access(lane, address, size, space, kind, synchronising, place);
    }
    return true;
}

void hook::atomic_access(const void* address, std::size_t size, Place place)
{
    observe(address, size, Kind::atomic, true, place);
}

void observe_access(const void* address, std::size_t size, Access access, Place place)
{
    const bool reads = access == Access::read || access == Access::racy_read;
    const bool synchronising = access == Access::racy_read || access == Access::racy_write;
    if (!observe(address, size, reads ? Kind::load : Kind::store, synchronising, place)) return;
    active->keep_step(current_lane());
    yield_at_access();
}

}  // namespace simt
