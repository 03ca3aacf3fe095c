// Lanes, warps and blocks as the executor keeps them.
#pragma once

#include <cstdint>

#include "../host/calls.h"
#include "../host/view.h"
#include "context.h"

namespace simt {

typedef std::uint32_t u32;
typedef std::uint64_t u64;

struct Block;
struct Warp;
class Worker;

struct Location {
    const char* file = nullptr;
    int line = 0;
};

const char* name_of(Call call);   // as in CUDA

// One thread of the kernel: a fiber, and what it brought to the call it waits in.  It fills one
// line of the cache, since every switch between lanes touches two of them.
struct alignas(64) Lane : LaneView {
    unsigned char source;     // lane it wants to read from
    Call call = Call::start;
    u32 mask;                 // lanes it wants to meet
    int line;                 // where it last called the executor
    const char* file;
    Warp* warp;
    u64 value;                // what it brought; once the group has met, its result
    Context context;

    u32 bit() const { return 1u << id; }
    Location at() const { return {file, line}; }
};

// 32 lanes.  Every lane is in exactly one of `runnable`, `waiting`, `at_barrier`, `at_grid`, or
// has returned; `live` are those that have not returned.
struct Warp {
    u32 live, runnable;
    u32 waiting;         // in a warp collective
    u32 at_barrier;      // in a barrier of the block
    u32 at_grid;         // in a barrier of the grid
    u32 last;            // lane that ran last when the warp was left: the one above goes first
    u32 index;           // in its worker
    Lane* lanes;
    Block* block;
    Worker* worker;
};

struct Block : BlockView {
    Worker* worker;
    Warp* warps;
    u32 warp_count;
    u32 live;                  // lanes that have not returned
    u32 arrived, at_grid;      // lanes in a barrier of the block, of the grid
    Call barrier;              // which barrier those that arrived are in
    u32 predicates;            // how many of them brought a true predicate
    u32 last_arrived, last_predicates;   // of the barrier that was passed last
    unsigned char* statics;    // static shared memory
};

// The statistics of a launch; native.py reads them by this order.
struct Stats {
    u64 collectives, lane_steps, switches, atomics, cas_failed, barriers, grid_barriers, blocks;
};

}  // namespace simt
