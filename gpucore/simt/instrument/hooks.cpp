// The hooks that the executor calls in an instrumented build; see core/hooks.h.
#include "../core/hooks.h"

#include "../host/observe.h"
#include "instrument.h"

namespace simt {

using instrument::Instrument;
using instrument::Kind;

static Instrument& own() { return instrument::current_instrument(); }

namespace hook {

void launch_started(Worker& worker) { own().start(worker); }

void launch_ended(Worker&) { own().stop(); }

void block_started(Block& block)
{
    if (own().active()) own().block_started(block);
}

void lane_arrived(Lane& lane, Place place)
{
    const Shield shield;
    if (own().active()) own().lane_arrived(lane, place);
}

void lanes_met(Warp& warp, u32 group, Call call)
{
    const Shield shield;
    if (own().active()) own().lanes_met(warp, group, call);
}

void segment_ended(Warp& warp)
{
    const Shield shield;
    if (own().active()) own().segment_ended(warp);
}

void barrier_passed(Block& block)
{
    const Shield shield;
    if (own().active()) own().barrier_passed(block);
}

void grid_passed()
{
    if (own().active()) own().grid_passed();
}

void atomic_access(const void* address, std::size_t size, Place place)
{
    const Shield shield;
    if (own().active()) own().access(current_lane(), address, size, Kind::atomic, true, place);
}

void compare_failed(const void* address, Place place)
{
    const Shield shield;
    if (own().active()) own().compare_failed(current_lane(), address, place);
}

}  // namespace hook

void observe_access(const void* address, std::size_t size, Access access, Place place)
{
    if (current == nullptr || !own().active()) return;
    const bool reads = access == Access::read || access == Access::racy_read;
    const bool synchronising = access == Access::racy_read || access == Access::racy_write;
    bool real;
    {
        const Shield shield;
        real = own().access(current_lane(), address, size, reads ? Kind::load : Kind::store,
                            synchronising, place);
    }
    if (real) yield_at_access();
}

}  // namespace simt
