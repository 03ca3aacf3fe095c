// How a kernel records what it does.  Levels are compiled in: at RECORD 0 nothing of this
// reaches the machine code, at 1 every warp writes one row of counters an iteration, at 2 it
// also appends events.
//
// Both buffers are bounded.  Rows have a fixed place, so they need no atomic: [iteration][warp];
// iterations past the last kept one are added into it.  Warps that write a row in every iteration
// find whatever the memory held before; all other rows are zeroed before the launch.  Events are
// appended through one counter, one atomic a warp; it counts on past the capacity, so what was
// lost is known exactly.  An event is one sector of memory; its time stands apart, so that both
// are written whole by the lanes of a warp.
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

// Every member takes 8 bytes, also where a pointer is shorter.
struct Recorder {
    __align__(8) unsigned* events;     // 8 words an event
    unsigned long long event_capacity;
    __align__(8) unsigned long long* event_count;   // counts on past the capacity
    __align__(8) unsigned* rows;       // 8 words a row, [iteration][warp]
    unsigned long long row_capacity;   // iterations kept for each warp
    __align__(8) unsigned* iterations;              // one a warp: how many it went through
    unsigned long long warps;
    __align__(8) unsigned long long* times;         // when each event was written: simt_time()
};

struct __align__(16) RowHalf {
    unsigned words[4];
};

// What a row says.  Which words mean what is the family's affair; these names are the matchings'.
struct Row {
    unsigned vertices, edges, lane_slots, proposals, accepted, displaced, exhausted;
    float gain;
};

__device__ inline unsigned* row_place(Recorder* rec, int warp, unsigned long long iteration)
{
    return rec->rows + (iteration * rec->warps + warp) * 8;
}

// Add to a row; one lane of the warp calls.
__device__ inline void add_to_row(Recorder* rec, int warp, int iteration, Row row)
{
    const unsigned long long last = rec->row_capacity - 1;
    unsigned* place = row_place(rec, warp, iteration < (long long)last ? iteration : last);
    place[0] += row.vertices;
    place[1] += row.edges;
    place[2] += row.lane_slots;
    place[3] += row.proposals;
    place[4] += row.accepted;
    place[5] += row.displaced;
    place[6] += row.exhausted;
    place[7] = __float_as_uint(__uint_as_float(place[7]) + row.gain);
    if (rec->iterations[warp] < iteration + 1u) rec->iterations[warp] = iteration + 1;
}

// Add all words to a row that several warps may share; one lane of the warp calls.  Where a launch
// has more warps than the record, several share a row.
__device__ inline void add_words_to_row(Recorder* rec, int warp, int iteration,
                                        const unsigned (&words)[8])
{
    const int row = warp % (int)rec->warps;
    const unsigned long long last = rec->row_capacity - 1;
    unsigned* place = row_place(rec, row, iteration < (long long)last ? iteration : last);
    for (int i = 0; i < 8; ++i)
        if (words[i]) atomicAdd(place + i, words[i]);
    atomicMax(rec->iterations + row, iteration + 1u);
}

// Write the row of an iteration that has only this one; one lane of the warp calls.  Nothing is
// read, so that the warp goes on without waiting for memory.
__device__ inline void record_row(Recorder* rec, int warp, int iteration, Row row)
{
    if (iteration + 1ull >= rec->row_capacity) {
        add_to_row(rec, warp, iteration, row);
        return;
    }
    RowHalf* place = reinterpret_cast<RowHalf*>(row_place(rec, warp, iteration));
    place[0] = {{row.vertices, row.edges, row.lane_slots, row.proposals}};
    place[1] = {{row.accepted, row.displaced, row.exhausted, __float_as_uint(row.gain)}};
    rec->iterations[warp] = iteration + 1;
}

// Sum over the warp; every lane gets it.
__device__ inline unsigned warp_sum(unsigned value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(0xffffffffu, value, d);
    return value;
#else
    return __reduce_add_sync(0xffffffffu, value);
#endif
}

// Largest value of the warp; every lane gets it.
__device__ inline unsigned warp_largest(unsigned value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int d = 16; d > 0; d /= 2) value = max(value, __shfl_xor_sync(0xffffffffu, value, d));
    return value;
#else
    return __reduce_max_sync(0xffffffffu, value);
#endif
}

__device__ inline float warp_sum(float value)
{
    for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(0xffffffffu, value, d);
    return value;
}

__device__ inline void write_event(Recorder* rec, unsigned long long slot, unsigned long long time,
                                   int iteration, int warp, unsigned lane, unsigned kind, int a,
                                   int b, int c, float value, int batch)
{
    if (slot >= rec->event_capacity) return;
    rec->times[slot] = time;
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

// All lanes of a warp call; those with `kind` != 0 append one event each, under one atomic and at
// one time: reading the clock while the atomic is under way costs nothing more.
__device__ inline void record_events(Recorder* rec, int iteration, int warp, unsigned kind, int a,
                                     int b, int c, float value, int batch)
{
    const unsigned lane = threadIdx.x % 32;
    const unsigned who = __ballot_sync(0xffffffffu, kind != 0);
    if (who == 0) return;
    const int leader = __ffs(who) - 1;
    unsigned long long base = 0, time = 0;
    if ((int)lane == leader) {
        base = atomicAdd(rec->event_count, (unsigned long long)__popc(who));
        time = simt_time();
    }
    base = __shfl_sync(0xffffffffu, base, leader);
    time = __shfl_sync(0xffffffffu, time, leader);
    if (kind != 0)
        write_event(rec, base + __popc(who & ((1u << lane) - 1)), time, iteration, warp, lane, kind,
                    a, b, c, value, batch);
}

// One lane alone appends one event, for code in which the lanes of a warp have parted.
__device__ inline void record_event(Recorder* rec, int iteration, int warp, unsigned kind, int a,
                                    int b, int c, float value, int batch)
{
    const unsigned long long slot = atomicAdd(rec->event_count, 1ull);
    write_event(rec, slot, simt_time(), iteration, warp, threadIdx.x % 32, kind, a, b, c, value,
                batch);
}

#endif
