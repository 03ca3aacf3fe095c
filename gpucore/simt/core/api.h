// The library's C interface, for ctypes; gpucore/native.py mirrors it.
#pragma once

#include "launch.h"

#define SIMT_API extern "C" __attribute__((visibility("default")))

SIMT_API int simt_kernel_count();
// The entries live as long as the library.
SIMT_API const simt::KernelEntry* simt_kernel(int index);
// 0 done, 1 failed (the reason is in `error`), 2 cancelled.
SIMT_API int simt_launch(int kernel, const simt::Request* request, simt::Stats* stats, char* error,
                         int error_bytes);
SIMT_API void simt_interrupt(unsigned long long token);
SIMT_API int simt_max_lanes();
#if defined(__wasm__)
// After a trap: writes where the kernel was, with `what` as the cause.  The instance is of no use
// then.
SIMT_API void simt_crash(const char* what, char* error, int error_bytes);
#endif
