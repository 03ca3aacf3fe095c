// Error codes, with CUDA's numbers.
#pragma once

// X(name, number, what cudaGetErrorString returns)
#define SIMT_ERRORS(X)                                                                \
    X(cudaSuccess, 0, "no error") X(cudaErrorInvalidValue, 1, "invalid argument")     \
    X(cudaErrorMemoryAllocation, 2, "out of memory")                                  \
    X(cudaErrorInitializationError, 3, "initialization error")                        \
    X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")             \
    X(cudaErrorInvalidSymbol, 13, "invalid device symbol")                            \
    X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")       \
    X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                   \
    X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                          \
    X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                 \
    X(cudaErrorNotReady, 600, "device not ready")                                     \
    X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")       \
    X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")         \
    X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")       \
    X(cudaErrorAssert, 710, "device-side assert triggered")                           \
    X(cudaErrorLaunchFailure, 719, "unspecified launch failure")                      \
    X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch") \
    X(cudaErrorNotSupported, 801, "operation not supported")                          \
    X(cudaErrorUnknown, 999, "unknown error")

enum cudaError {
#define SIMT_ERROR(name, number, text) name = number,
    SIMT_ERRORS(SIMT_ERROR)
#undef SIMT_ERROR
};
typedef cudaError cudaError_t;

inline const char* cudaGetErrorString(cudaError_t error)
{
    switch (error) {
#define SIMT_ERROR(name, number, text) case name: return text;
        SIMT_ERRORS(SIMT_ERROR)
#undef SIMT_ERROR
    }
    return "unrecognized error code";
}

inline const char* cudaGetErrorName(cudaError_t error)
{
    switch (error) {
#define SIMT_ERROR(name, number, text) case name: return #name;
        SIMT_ERRORS(SIMT_ERROR)
#undef SIMT_ERROR
    }
    return "unrecognized error code";
}

namespace simt::program {

inline cudaError_t last_error = cudaSuccess;

// A failed launch is the error of every later call, as on a GPU.
inline bool is_sticky() { return last_error >= cudaErrorIllegalAddress && last_error < cudaErrorNotSupported; }

inline cudaError_t result(int error)
{
    if (is_sticky()) return last_error;
    if (error != 0) last_error = cudaError_t(error);
    return cudaError_t(error);
}

}  // namespace simt::program

inline cudaError_t cudaPeekAtLastError() { return simt::program::last_error; }

inline cudaError_t cudaGetLastError()
{
    const cudaError_t error = simt::program::last_error;
    if (!simt::program::is_sticky()) simt::program::last_error = cudaSuccess;
    return error;
}
