// How a kernel records what it does.  Levels are compiled in: at RECORD 0 nothing of this
// reaches the machine code, at 1 every warp writes one row of counters an iteration, at 2 it
// also appends events.
//
// Both buffers are bounded.  Rows have a fixed place, so they need no atomic: [iteration][warp];
// iterations past the last kept one are added into it.  Events are appended through one counter,
// one atomic a warp; it counts on past the capacity, so what was lost is known exactly.
// gpucore/record/recorder.py makes the table of addresses and reads the buffers back.
#pragma once

#ifndef RECORD
#define RECORD 0
#endif

#if RECORD >= 1
#define RECORD_PARAMS , Recorder* rec
#define RECORD_COUNTERS(...) __VA_ARGS__
#else
#define RECORD_PARAMS
#define RECORD_COUNTERS(...)
#endif

#if RECORD >= 2
#define RECORD_EVENTS(...) __VA_ARGS__
#else
#define RECORD_EVENTS(...)
#endif

#if RECORD >= 1

struct Recorder {
    unsigned* events;                  // 8 words an event
    unsigned long long event_capacity;
    unsigned long long* event_count;   // counts on past the capacity
    unsigned* rows;                    // 8 words a row, [iteration][warp]
    unsigned long long row_capacity;   // iterations kept for each warp
    unsigned* iterations;              // one a warp: how many it went through
    unsigned long long warps;
    unsigned long long reserved;
};

// Add the 8 words of a row into its place; word 7 is a float.  One lane of the warp calls.
__device__ inline void record_row(Recorder* rec, int warp, int iteration, unsigned vertices,
                                  unsigned edges, unsigned lane_slots, unsigned proposals,
                                  unsigned accepted, unsigned displaced, unsigned exhausted,
                                  float gain)
{
    const unsigned long long last = rec->row_capacity - 1;
    const unsigned long long kept = (unsigned long long)iteration < last ? iteration : last;
    unsigned* row = rec->rows + (kept * rec->warps + warp) * 8;
    row[0] += vertices;
    row[1] += edges;
    row[2] += lane_slots;
    row[3] += proposals;
    row[4] += accepted;
    row[5] += displaced;
    row[6] += exhausted;
    row[7] = __float_as_uint(__uint_as_float(row[7]) + gain);
    rec->iterations[warp] = iteration + 1;
}

__device__ inline void write_event(Recorder* rec, unsigned long long slot, int iteration, int warp,
                                   unsigned lane, unsigned kind, int a, int b, int c, float value,
                                   int batch)
{
    if (slot >= rec->event_capacity) return;
    unsigned* event = rec->events + slot * 8;
    event[0] = iteration;
    event[1] = warp;
    event[2] = kind | lane << 8;
    event[3] = a;
    event[4] = b;
    event[5] = c;
    event[6] = __float_as_uint(value);
    event[7] = batch;
}

// All lanes of a warp call; those with `kind` != 0 append one event each, under one atomic.
__device__ inline void record_events(Recorder* rec, int iteration, int warp, unsigned kind, int a,
                                     int b, int c, float value, int batch)
{
    const unsigned lane = threadIdx.x % 32;
    const unsigned who = __ballot_sync(0xffffffffu, kind != 0);
    if (who == 0) return;
    const int leader = __ffs(who) - 1;
    unsigned long long base = 0;
    if ((int)lane == leader)
        base = atomicAdd(rec->event_count, (unsigned long long)__popc(who));
    base = __shfl_sync(0xffffffffu, base, leader);
    if (kind != 0)
        write_event(rec, base + __popc(who & ((1u << lane) - 1)), iteration, warp, lane, kind, a, b,
                    c, value, batch);
}

// One lane alone appends one event, for code in which the lanes of a warp have parted.
__device__ inline void record_event(Recorder* rec, int iteration, int warp, unsigned kind, int a,
                                    int b, int c, float value, int batch)
{
    const unsigned long long slot = atomicAdd(rec->event_count, 1ull);
    write_event(rec, slot, iteration, warp, threadIdx.x % 32, kind, a, b, c, value, batch);
}

#endif
