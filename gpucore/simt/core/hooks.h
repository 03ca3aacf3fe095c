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
//   barrier_complete the same at a barrier of the block only, while the lanes still wait in it
//   grid_passed      all live lanes of the grid met
//   atomic_access    a lane is about to read and write [address, address + size) atomically
//   compare_failed   the last reported compare-and-swap did not swap
//   fenced           the lane passed a fence, for its block or for all
//   shared_declared  a static shared variable got its place in every block
//   broke_rule       a lane did what CUDA leaves undefined; true: it is noted, and the launch goes on
//   lane_ended       a lane returned
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

// What strict mode refuses.
enum class Rule { barrier_kinds, not_in_mask, absent, from_outside, width };

namespace hook {

#if defined(SIMT_INSTRUMENT)
// Bytes between two shared variables that belong to none of them; a multiple of the banks' 128.
constexpr u32 gap = 1024;
void launch_started(Worker& worker);
void launch_ended(Worker& worker);
void block_started(Block& block);
void lane_arrived(Lane& lane, Place place);
void lanes_met(Warp& warp, u32 group, Call call);
void segment_ended(Warp& warp);
void barrier_passed(Block& block);
void barrier_complete(const Block& block);
void grid_passed();
void fenced(bool of_block);
void shared_declared(const Worker& worker, u32 offset, std::size_t size, const char* name);
bool broke_rule(const Lane& lane, Rule rule, u32 lanes);
void lane_ended();
void atomic_access(const void* address, std::size_t size, Place place);
void compare_failed(const void* address, Place place);
#else
constexpr u32 gap = 0;
inline void launch_started(Worker&) {}
inline void launch_ended(Worker&) {}
inline void block_started(Block&) {}
inline void lane_arrived(Lane&, Place) {}
inline void lanes_met(Warp&, u32, Call) {}
inline void segment_ended(Warp&) {}
inline void barrier_passed(Block&) {}
inline void barrier_complete(const Block&) {}
inline void grid_passed() {}
inline void fenced(bool) {}
inline void shared_declared(const Worker&, u32, std::size_t, const char*) {}
inline bool broke_rule(const Lane&, Rule, u32) { return false; }
inline void lane_ended() {}
inline void atomic_access(const void*, std::size_t, Place) {}
inline void compare_failed(const void*, Place) {}
#endif

}  // namespace hook

}  // namespace simt
