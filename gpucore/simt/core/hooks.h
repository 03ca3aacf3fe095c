// Where an instrumented build looks in; in the plain build every hook compiles to nothing.
//
// A build with -DSIMT_INSTRUMENT has to define the functions below.  They are called on the stack
// of a lane (48 KiB), except launch_started and launch_ended, and must not switch lanes.
//
//   launch_started   before the first block of a worker (an OS thread); lanes are made
//   launch_ended     after its last one, also when the launch failed
//   block_started    a block took its place; its shared memory is [dynamic, dynamic + dynamic
//                    bytes) and [statics, statics + Worker::static_bytes)
//   lane_arrived     a lane came to a collective
//   lanes_met        the lanes of `group` met in a collective and go on; if these are all live
//                    lanes, what they did since the last time may be taken as executed together
//   segment_ended    the last lane of a warp returned, so the same holds
//   barrier_passed   all live lanes of a block met; of every block, at a barrier of the grid
//   grid_passed      all live lanes of the grid met
//   atomic_access    a lane is about to read and write [address, address + size) atomically
//   compare_failed   the last reported compare-and-swap did not swap
//
// Hooks that allocate, or that sanitizer callbacks reach, take a Shield: while one is alive the
// lane is not torn off by the signal that ends a cancelled launch (core/crash.cpp).
#pragma once

#include <cstddef>

#include "../host/place.h"
#include "state.h"

namespace simt {

struct Shield {
    Shield();
    ~Shield();
    Shield(const Shield&) = delete;
    Shield& operator=(const Shield&) = delete;
};

// Lets another lane go with a probability of `yield_access`; for hooks of plain accesses.
void yield_at_access();

namespace hook {

#if defined(SIMT_INSTRUMENT)
void launch_started(Worker& worker);
void launch_ended(Worker& worker);
void block_started(Block& block);
void lane_arrived(Lane& lane, Place place);
void lanes_met(Warp& warp, u32 group, Call call);
void segment_ended(Warp& warp);
void barrier_passed(Block& block);
void grid_passed();
void atomic_access(const void* address, std::size_t size, Place place);
void compare_failed(const void* address, Place place);
#else
inline void launch_started(Worker&) {}
inline void launch_ended(Worker&) {}
inline void block_started(Block&) {}
inline void lane_arrived(Lane&, Place) {}
inline void lanes_met(Warp&, u32, Call) {}
inline void segment_ended(Warp&) {}
inline void barrier_passed(Block&) {}
inline void grid_passed() {}
inline void atomic_access(const void*, std::size_t, Place) {}
inline void compare_failed(const void*, Place) {}
#endif

}  // namespace hook

}  // namespace simt
