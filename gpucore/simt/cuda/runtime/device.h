// The device that a program sees: one, of compute capability 8.0.
#pragma once

#include <cstdio>

#include "errors.h"
#include "launch.h"

struct cudaDeviceProp {
    char name[256];
    std::size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerMultiprocessor, totalConstMem;
    std::size_t sharedMemPerBlockOptin, memPitch, textureAlignment;
    int regsPerBlock, regsPerMultiprocessor, warpSize, maxThreadsPerBlock;
    int maxThreadsDim[3], maxGridSize[3];
    int clockRate, memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize;
    int major, minor, multiProcessorCount, maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor;
    int computeMode, integrated, canMapHostMemory, concurrentKernels, asyncEngineCount, ECCEnabled;
    int deviceOverlap, kernelExecTimeoutEnabled, tccDriver, unifiedAddressing, managedMemory;
    int cooperativeLaunch, concurrentManagedAccess, pageableMemoryAccess;
    int streamPrioritiesSupported, hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio;
    int canUseHostPointerForRegisteredMem, directManagedMemAccessFromHost, isMultiGpuBoard;
    std::size_t accessPolicyMaxWindowSize, reservedSharedMemPerBlock;
    int pciBusID, pciDeviceID, pciDomainID;
};

enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrWarpSize = 10, cudaDevAttrClockRate = 13, cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrGpuOverlap = 15, cudaDevAttrComputeMode = 20, cudaDevAttrConcurrentKernels = 31, cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrManagedMemory = 83, cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrCooperativeLaunch = 95
};
enum cudaComputeMode { cudaComputeModeDefault, cudaComputeModeExclusive, cudaComputeModeProhibited,
                       cudaComputeModeExclusiveProcess };
enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte,
                           cudaSharedMemBankSizeEightByte };
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1,
                     cudaFuncCachePreferEqual };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
                         cudaFuncAttributePreferredSharedMemoryCarveout = 9 };
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize };
enum { cudaDeviceScheduleAuto = 0, cudaDeviceMapHost = 8 };

// A small device, so that programs that fill one launch few blocks.
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* found, int)
{
    *found = {};
    std::snprintf(found->name, sizeof found->name, "Warplens host executor");
    found->totalGlobalMem = std::size_t(1) << 30;
    found->sharedMemPerBlock = found->sharedMemPerBlockOptin = 48 << 10;
    found->sharedMemPerMultiprocessor = 96 << 10;
    found->totalConstMem = 64 << 10;
    found->regsPerBlock = found->regsPerMultiprocessor = 65536;
    found->warpSize = 32;
    found->maxThreadsPerBlock = found->maxThreadsDim[0] = found->maxThreadsDim[1] = 1024;
    found->maxThreadsDim[2] = 64;
    found->maxGridSize[0] = 2147483647;
    found->maxGridSize[1] = found->maxGridSize[2] = 65535;
    found->clockRate = found->memoryClockRate = 1000000;
    found->memoryBusWidth = 256;
    found->l2CacheSize = 4 << 20;
    found->major = 8;
    found->multiProcessorCount = 2;
    found->maxThreadsPerMultiProcessor = 1024;
    found->maxBlocksPerMultiProcessor = 16;
    found->canMapHostMemory = found->concurrentKernels = found->unifiedAddressing = 1;
    found->streamPrioritiesSupported = 1;
    found->managedMemory = found->cooperativeLaunch = found->concurrentManagedAccess = 1;
    return simt::program::last_error;
}

inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int)
{
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
        case cudaDevAttrComputeMode: *value = p.computeMode; break;
        case cudaDevAttrMaxSharedMemoryPerBlock: *value = int(p.sharedMemPerBlock); break;
        case cudaDevAttrWarpSize: *value = p.warpSize; break;
        case cudaDevAttrClockRate: *value = p.clockRate; break;
        case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
        case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
        case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
        case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
        default: *value = 1;
    }
    return simt::program::last_error;
}

inline cudaError_t cudaGetDeviceCount(int* count) { *count = 1; return simt::program::last_error; }
inline cudaError_t cudaGetDevice(int* device) { *device = 0; return simt::program::last_error; }
inline cudaError_t cudaSetDevice(int device)
{ return simt::program::result(device == 0 ? cudaSuccess : cudaErrorInvalidDevice); }
inline cudaError_t cudaSetDeviceFlags(unsigned) { return simt::program::last_error; }
inline cudaError_t cudaDeviceSetLimit(cudaLimit, std::size_t) { return simt::program::last_error; }
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return simt::program::last_error; }
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return simt::program::last_error; }
inline cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest)
{ *least = *greatest = 0; return simt::program::last_error; }
inline cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return cudaGetDevice(device); }
inline cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit)
{ *value = 48 << 10; return simt::program::last_error; }

// There is no other device.
inline cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) { *can = 0; return simt::program::last_error; }
inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned)
{ return simt::program::result(cudaErrorInvalidDevice); }
inline cudaError_t cudaDeviceDisablePeerAccess(int)
{ return simt::program::result(cudaErrorInvalidDevice); }

inline cudaError_t cudaDriverGetVersion(int* version) { *version = 12000; return cudaSuccess; }
inline cudaError_t cudaRuntimeGetVersion(int* version) { *version = 12000; return cudaSuccess; }

struct cudaFuncAttributes {
    std::size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, maxDynamicSharedSizeBytes;
};
template <class F> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* found, F)
{
    *found = {0, 0, 0, 1024, 32, 80, 80, 48 << 10};
    return simt::program::last_error;
}
template <class F> cudaError_t cudaFuncSetSharedMemConfig(F, cudaSharedMemConfig)
{ return simt::program::last_error; }
template <class F> cudaError_t cudaFuncSetCacheConfig(F, cudaFuncCache)
{ return simt::program::last_error; }
template <class F> cudaError_t cudaFuncSetAttribute(F, cudaFuncAttribute, int)
{ return simt::program::last_error; }

template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F, int threads, std::size_t)
{
    *blocks = threads > 0 ? 1024 / threads : 0;
    return simt::program::last_error;
}

template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, F, std::size_t = 0, int = 0)
{
    *grid = 2;
    *block = 256;
    return simt::program::last_error;
}
