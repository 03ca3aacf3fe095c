// Memory of the device, of the host, and of both; copies and fills.
#pragma once

#include <cstring>

#include "launch.h"

enum cudaMemcpyKind {
    cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum { cudaMemAttachGlobal = 1, cudaMemAttachHost = 2, cudaMemAttachSingle = 4 };
enum { cudaHostRegisterDefault = 0, cudaHostRegisterPortable = 1, cudaHostRegisterMapped = 2 };
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy
};
enum cudaMemLocationType {
    cudaMemLocationTypeInvalid, cudaMemLocationTypeDevice, cudaMemLocationTypeHost
};
struct cudaMemLocation {
    cudaMemLocationType type;
    int id;
};
enum { cudaCpuDeviceId = -1, cudaInvalidDeviceId = -2 };
enum { cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2,
       cudaHostAllocWriteCombined = 4 };

namespace simt::program {

template <class T> cudaError_t allocate(T** memory, std::size_t bytes, bool written, int line)
{
    if (is_sticky()) return last_error;
    *memory = nullptr;
    if (bytes == 0) return cudaSuccess;
    *memory = static_cast<T*>(calls.allocate(bytes, written, line));
    return result(*memory == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}

inline cudaError_t copy(void* to, const void* from, std::size_t bytes, int line)
{
    if (is_sticky() || bytes == 0) return last_error;
    const int error = calls.copied(to, from, bytes, line);
    if (error == 0) std::memmove(to, from, bytes);
    return result(error);
}

inline cudaError_t fill(void* to, int value, std::size_t bytes, int line)
{
    if (is_sticky() || bytes == 0) return last_error;
    const int error = calls.copied(to, nullptr, bytes, line);
    if (error == 0) std::memset(to, value, bytes);
    return result(error);
}

}  // namespace simt::program

// CUDA's functions, each with the line that it is called from.
#define SIMT_ALLOCATOR(name, written, ...)                                                       \
    template <class T> cudaError_t name(T** memory, std::size_t bytes __VA_ARGS__,               \
                                        int line = __builtin_LINE())                             \
    { return simt::program::allocate(memory, bytes, written, line); }
SIMT_ALLOCATOR(cudaMalloc, false)
SIMT_ALLOCATOR(cudaMallocHost, true, , unsigned = 0)
SIMT_ALLOCATOR(cudaHostAlloc, true, , unsigned = 0)
SIMT_ALLOCATOR(cudaMallocManaged, true, , unsigned = cudaMemAttachGlobal)
SIMT_ALLOCATOR(cudaMallocAsync, false, , cudaStream_t)
#undef SIMT_ALLOCATOR

template <class T>
cudaError_t cudaMallocPitch(T** memory, std::size_t* pitch, std::size_t width, std::size_t height,
                            int line = __builtin_LINE())
{
    *pitch = (width + 511) / 512 * 512;
    return simt::program::allocate(memory, *pitch * height, false, line);
}

namespace simt::program {

inline cudaError_t release(void* memory, int line)
{
    return memory == nullptr ? last_error : result(calls.release(memory, line));
}

inline cudaError_t copy_rows(void* to, std::size_t to_pitch, const void* from,
                             std::size_t from_pitch, std::size_t width, std::size_t height, int line)
{
    for (std::size_t row = 0; row < height; ++row)
        if (copy(static_cast<char*>(to) + row * to_pitch,
                 static_cast<const char*>(from) + row * from_pitch, width, line) != cudaSuccess)
            break;
    return last_error;
}

inline cudaError_t fill_rows(void* to, std::size_t pitch, int value, std::size_t width,
                             std::size_t height, int line)
{
    for (std::size_t row = 0; row < height; ++row)
        if (fill(static_cast<char*>(to) + row * pitch, value, width, line) != cudaSuccess) break;
    return last_error;
}

}  // namespace simt::program

inline cudaError_t cudaFree(void* memory, int line = __builtin_LINE())
{ return simt::program::release(memory, line); }
inline cudaError_t cudaFreeHost(void* memory, int line = __builtin_LINE())
{ return simt::program::release(memory, line); }
inline cudaError_t cudaFreeAsync(void* memory, cudaStream_t, int line = __builtin_LINE())
{ return simt::program::release(memory, line); }

inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes,
                              cudaMemcpyKind = cudaMemcpyDefault, int line = __builtin_LINE())
{ return simt::program::copy(to, from, bytes, line); }
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes,
                                   cudaMemcpyKind = cudaMemcpyDefault, cudaStream_t = nullptr,
                                   int line = __builtin_LINE())
{ return simt::program::copy(to, from, bytes, line); }
inline cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from,
                                std::size_t from_pitch, std::size_t width, std::size_t height,
                                cudaMemcpyKind = cudaMemcpyDefault, int line = __builtin_LINE())
{ return simt::program::copy_rows(to, to_pitch, from, from_pitch, width, height, line); }
inline cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes,
                                  int line = __builtin_LINE())
{ return simt::program::copy(to, from, bytes, line); }
inline cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes,
                                       cudaStream_t = nullptr, int line = __builtin_LINE())
{ return simt::program::copy(to, from, bytes, line); }
inline cudaError_t cudaMemset(void* to, int value, std::size_t bytes, int line = __builtin_LINE())
{ return simt::program::fill(to, value, bytes, line); }
inline cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t = nullptr,
                                   int line = __builtin_LINE())
{ return simt::program::fill(to, value, bytes, line); }
inline cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width,
                                std::size_t height, int line = __builtin_LINE())
{ return simt::program::fill_rows(to, pitch, value, width, height, line); }

// A symbol is a variable of the unit, which host code can name.
template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t bytes,
                               std::size_t offset = 0, cudaMemcpyKind = cudaMemcpyHostToDevice)
{
    if (offset > sizeof symbol || bytes > sizeof symbol - offset)
        return simt::program::result(cudaErrorInvalidValue);
    std::memmove(reinterpret_cast<char*>(const_cast<T*>(&symbol)) + offset, from, bytes);
    return simt::program::last_error;
}

template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes,
                                 std::size_t offset = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost)
{
    if (offset > sizeof symbol || bytes > sizeof symbol - offset)
        return simt::program::result(cudaErrorInvalidValue);
    std::memmove(to, reinterpret_cast<const char*>(&symbol) + offset, bytes);
    return simt::program::last_error;
}

template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, std::size_t bytes,
                                    std::size_t offset, cudaMemcpyKind, cudaStream_t = nullptr)
{ return cudaMemcpyToSymbol(symbol, from, bytes, offset); }
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t bytes,
                                      std::size_t offset, cudaMemcpyKind, cudaStream_t = nullptr)
{ return cudaMemcpyFromSymbol(to, symbol, bytes, offset); }
template <class T> cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T& symbol)
{ *bytes = sizeof symbol; return cudaSuccess; }

template <class P, class T> cudaError_t cudaGetSymbolAddress(P** address, const T& symbol)
{
    *address = reinterpret_cast<P*>(const_cast<T*>(&symbol));
    return cudaSuccess;
}

template <class P> cudaError_t cudaHostGetDevicePointer(P** device, void* host, unsigned)
{
    *device = static_cast<P*>(host);
    return cudaSuccess;
}

inline cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total)
{
    *free = simt::program::calls.left();
    *total = std::size_t(1) << 30;
    return cudaSuccess;
}

template <class T>
cudaError_t cudaMemPrefetchAsync(const T*, std::size_t, int, cudaStream_t = nullptr)
{ return simt::program::last_error; }
template <class T>
cudaError_t cudaMemPrefetchAsync(const T*, std::size_t, cudaMemLocation, unsigned, cudaStream_t = nullptr)
{ return simt::program::last_error; }
template <class T>
cudaError_t cudaMemAdvise(const T*, std::size_t, cudaMemoryAdvise, cudaMemLocation)
{ return simt::program::last_error; }
template <class T> cudaError_t cudaMemAdvise(const T*, std::size_t, cudaMemoryAdvise, int)
{ return simt::program::last_error; }
template <class T>
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, T*, std::size_t = 0, unsigned = cudaMemAttachSingle)
{ return simt::program::last_error; }
