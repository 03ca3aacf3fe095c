#include "instrument.h"

#include <memory>

#include "../core/crash.h"
#include "../core/hooks.h"
#include "../host/memory.h"

namespace simt::instrument {

// How often a lane that has run ahead lets the others go before it goes on all the same.
static constexpr int patience = 64;

static constexpr char not_its_own[] = "an access to memory that is not the kernel's";

SIMT_TLS Instrument* active = nullptr;

// Only a pointer is thread-local: the library's thread-local data lies in a block that all
// libraries of a process share, and that has room for a few hundred bytes.
Instrument& own_instrument()
{
    static SIMT_EACH_THREAD std::unique_ptr<Instrument> own;
    if (own == nullptr) own = std::make_unique<Instrument>();
    return *own;
}

void Instrument::start(Worker& worker)
{
    sites_.clear();
    races_.start(u32(worker.blocks.size()), worker.launch->warps_per_block);
    for (Lockstep& walk : walks_) walk.clear();
    findings_.clear();
    worker_ = &worker;
    find_arrays();
    bounds.start(worker);
    steps_ = last_progress_ = 0;
    if (bounds.on()) last_pc_.assign(worker.lanes.size(), nullptr);
    // Epochs and walks are of one OS thread; a launch on several is not looked into.
    if (worker.launch->workers > 1) return;
    walks_.resize(worker.warps.size());
    races_on_ = want_races;
    lines_on_ = want_lines;
    active = this;
}

void Instrument::stop()
{
    // Where a signal ended the launch, the last write may have been what it did not survive.
    if (stopped_at() == nullptr) races_.settle();
    else races_.forget_write();
    active = nullptr;
}

static u32 linear(const Dim& at, const Dim& size) { return at.x + size.x * (at.y + size.y * at.z); }

static const Block& block_of(const Lane& lane) { return *lane.warp->block; }

template <class T> static bool within(const std::vector<T>& all, const void* address)
{
    return address >= static_cast<const void*>(all.data()) &&
           address < static_cast<const void*>(all.data() + all.size());
}

Space Instrument::space_of(const void* address) const
{
    const Worker& worker = *worker_;
    const unsigned char* const at = static_cast<const unsigned char*>(address);
    if (at >= worker.shared_begin() && at < worker.shared_begin() + worker.shared_bytes())
        return Space::shared;
    if (worker.stacks.contains(address)) return Space::local;
    if (within(worker.lanes, address) || within(worker.blocks, address) || address == &current ||
        address == &quantum)
        return Space::none;
    return Space::global;
}

void Instrument::find_arrays()
{
    arrays_.clear();
    last_array_ = 0;
    const Request& request = worker_->launch->request;
    for (int i = 0; i < worker_->launch->kernel.parameter_count; ++i)
        if (request.sizes[i] != 0)
            arrays_.push_back(
                {*static_cast<std::uint64_t*>(request.arguments[i]), request.sizes[i]});
    if (!arguments_only) return;
    std::vector<Region> regions{{8, 0, 0, nullptr}};
    for (const Array& array : arrays_) regions.push_back({array.begin, array.bytes, 0, nullptr});
    bounds.give(regions.data(), regions.size());
}

// An array begins anywhere in the host's memory, but on a GPU at a multiple of 256 bytes, and that
// decides which bytes share a sector.  So arrays are moved, each into an address range of its own.
std::uint64_t Instrument::gpu_address(Space space, std::uint64_t address)
{
    constexpr std::uint64_t range = std::uint64_t(1) << 48;
    if (space == Space::shared) return address;
    for (std::size_t tried = 0; tried < arrays_.size(); ++tried) {
        const Array& array = arrays_[last_array_];
        if (address - array.begin < array.bytes)
            return (last_array_ + 1) * range + (address - array.begin);
        last_array_ = last_array_ + 1 < arrays_.size() ? last_array_ + 1 : 0;
    }
    return address;
}

Thread Instrument::thread_of(const Lane& lane) const
{
    const Block& block = block_of(lane);
    return {linear(block.index, block.grid), linear(lane.thread, block.threads),
            u32(&block - worker_->blocks.data()), lane.warp->index};
}

void Instrument::access(Lane& lane, const void* address, std::size_t size, Space space, Kind kind,
                        Strength strength, Place place)
{
    const std::uint64_t at = reinterpret_cast<std::uint64_t>(address);
    const std::uint32_t site = sites_.find(place.pc, kind, space);
    if (races_on_ && races_.settle()) progressed();
    if (bounds.on()) {
        bool is_fine = true;
        if (!bounds.check(lane, address, size, space, kind, site, findings_, is_fine))
            worker_->give_up(not_its_own);
        if (!is_fine) return;
    }
    if (races_on_) {
        const bool writes = kind != Kind::load;
        races_.access(thread_of(lane), at,
                      {site, u32(size), writes, kind == Kind::atomic, strength},
                      space == Space::shared);
    }
    if (lines_on_) append(lane, site, place, gpu_address(space, at), u32(size));
}

void Instrument::local_access(Lane& lane, const void* address, std::size_t size, Kind kind,
                              Place place)
{
    if (!bounds.on()) return;
    Finding found = finding(Fault::outside, lane);
    found.count = found.line = 0;
    found.space = u32(Space::local);
    found.size = size;
    const bool may = bounds.locals.check(
        number_of(lane), reinterpret_cast<std::uint64_t>(place.frame),
        reinterpret_cast<std::uint64_t>(address), size, kind, found);
    if (found.count != 0) {
        found.site = sites_.find(place.pc, kind, Space::local);
        findings_.add(found);
    }
    if (!may) worker_->give_up(not_its_own);
}

void Instrument::fenced(Lane& lane, bool of_block)
{
    if (races_on_) races_.order.fenced(thread_of(lane), of_block);
}

void Instrument::compare_failed(const void* address, Place place)
{
    const Space space = lines_on_ ? space_of(address) : Space::none;
    if (space == Space::global || space == Space::shared)
        ++sites_[sites_.find(place.pc, Kind::atomic, space)].cas_failed;
}

void Instrument::block_entered(Lane& lane, Place place)
{
    append(lane, sites_.find(place.pc, Kind::block, Space::none), place, 0, 0);
}

// How far the lane's stack reaches down.
std::uint64_t Instrument::depth_of(const Lane& lane, Place place) const
{
    const std::size_t number = number_of(lane);
    const char* const top = worker_->stacks.low(number) + worker_->stacks.usable(number);
    return std::uint64_t(top - static_cast<const char*>(place.frame));
}

void Instrument::append(Lane& lane, std::uint32_t site, Place place, std::uint64_t address,
                        std::uint32_t size)
{
    Lockstep& walk = walks_[lane.warp->index];
    walk.append(int(lane.id), site, place.pc, depth_of(lane, place), address, size);
}

void Instrument::keep_step(Lane& lane)
{
    if (!lines_on_) return;
    Lockstep& walk = walks_[lane.warp->index];
    // Not for ever: the others may be waiting for this lane in a way that is not known here.
    for (int turn = 0; turn < patience && (walk.full() & lane.bit()) != 0; ++turn) {
        if ((lane.warp->runnable & ~walk.full()) == 0) {
            const Shield shield;
            replay(*lane.warp, lane.warp->runnable);
        } else {
            lane.warp->worker->suspend(lane, false);
        }
    }
    if (walk.overfull(int(lane.id))) {
        const Shield shield;
        replay(*lane.warp, 0);
    }
}

// A meeting of the whole warp ends the walks; one of some lanes is a step in theirs.  Lanes that
// have returned may have done so behind a place that the others have not come to: then a meeting of
// all others is only one of some lanes as well.
void Instrument::lane_arrived(Lane& lane, Place place)
{
    if (!lines_on_) return;
    const u32 live = lane.warp->live;
    if ((live & ~lane.mask) == 0 && (walks_[lane.warp->index].busy() & ~live) == 0) return;
    const std::uint32_t site = sites_.find(place.pc, Kind::meeting, Space::none);
    walks_[lane.warp->index].append_meeting(int(lane.id), site, place.pc, depth_of(lane, place),
                                            lane.mask & live);
}

void Instrument::lanes_met(Warp& warp, u32 group, Call call)
{
    progressed();
    if (races_on_ && call == Call::syncwarp) races_.order.warp_synchronised(warp.index, group);
    if (lines_on_ && group == warp.live && (walks_[warp.index].busy() & ~group) == 0)
        segment_ended(warp);
}

void Instrument::segment_ended(Warp& warp)
{
    if (lines_on_) replay(warp, 0);
}

void Instrument::replay(Warp& warp, u32 open)
{
    requests.block = linear(warp.block->index, warp.block->grid);
    requests.warp = u32(&warp - warp.block->warps);
    walks_[warp.index].replay(sites_, requests, open);
}

void Instrument::block_started(Block& block)
{
    races_.order.block_started(u32(&block - worker_->blocks.data()));
    bounds.block_started(block);
}

void Instrument::barrier_passed(Block& block)
{
    progressed();
    races_.order.block_synchronised(u32(&block - worker_->blocks.data()));
    for (u32 w = 0; w < block.warp_count; ++w) segment_ended(block.warps[w]);
}

void Instrument::grid_passed() { races_.order.grid_synchronised(); }

}  // namespace simt::instrument
