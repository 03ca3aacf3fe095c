// Streams and events: every call has ended when it returns, so they only keep times.
#pragma once

#include <chrono>

#include "errors.h"
#include "launch.h"

struct simt_stream {};
struct simt_event {
    std::chrono::steady_clock::time_point time;
};
typedef simt_event* cudaEvent_t;

#define CUDART_CB
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void*);
typedef void (*cudaHostFn_t)(void*);

enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
enum { cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2 };

// X(name, parameters): functions that have nothing to wait for
#define SIMT_WAITS(X)                                                                         \
    X(cudaDeviceSynchronize, ()) X(cudaThreadSynchronize, ()) X(cudaDeviceReset, ())          \
    X(cudaThreadExit, ())                                                                     \
    X(cudaStreamSynchronize, (cudaStream_t)) X(cudaStreamQuery, (cudaStream_t))               \
    X(cudaStreamWaitEvent, (cudaStream_t, cudaEvent_t, unsigned = 0))                         \
    X(cudaEventSynchronize, (cudaEvent_t)) X(cudaEventQuery, (cudaEvent_t))                   \
    X(cudaProfilerStart, ()) X(cudaProfilerStop, ())
#define SIMT_WAIT(name, parameters) \
    inline cudaError_t name parameters { return simt::program::last_error; }
SIMT_WAITS(SIMT_WAIT)
#undef SIMT_WAIT
#undef SIMT_WAITS

inline cudaError_t cudaStreamCreate(cudaStream_t* stream)
{
    *stream = new simt_stream;
    return simt::program::last_error;
}

inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned)
{ return cudaStreamCreate(stream); }
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int)
{ return cudaStreamCreate(stream); }

inline cudaError_t cudaStreamGetPriority(cudaStream_t, int* priority)
{ *priority = 0; return simt::program::last_error; }

inline cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function,
                                         void* data, unsigned)
{
    function(stream, simt::program::last_error, data);
    return simt::program::last_error;
}

inline cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void* data)
{
    function(data);
    return simt::program::last_error;
}

inline cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    delete stream;
    return simt::program::last_error;
}

inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t = nullptr)
{
    event->time = std::chrono::steady_clock::now();
    return simt::program::last_error;
}

inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t, unsigned)
{ return cudaEventRecord(event); }

inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned = 0)
{
    *event = new simt_event{};
    return cudaEventRecord(*event);
}

inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned)
{ return cudaEventCreate(event); }

inline cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return simt::program::last_error;
}

inline cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
    return simt::program::last_error;
}
