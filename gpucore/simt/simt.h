// What every kernel includes: one kernel source, two machines.
//
// A CUDA compiler (nvcc or NVRTC) takes the first half; a host C++17 compiler takes the host
// executor, which gives CUDA's own names the same meaning, lane by lane.
//
// Beyond CUDA's names a kernel may use
//   SIMT_KERNEL(name)(parameters) { ... }   a kernel; SIMT_KERNEL(name, __launch_bounds__(256, 8))
//                                           gives the CUDA compiler an attribute
//   SIMT_EXPORT(name)                       makes it known to the host executor
//   SIMT_SHARED(T[n], name)                 static shared memory
//   SIMT_DYN_SHARED(T, name)                the dynamic shared memory, as a T*
//   simt_load(p), simt_store(p, v)          an access that other threads race with on purpose
//   simt_load_near(p)                       the same for a read, which may return what this
//                                           multiprocessor read before, since the launch began or
//                                           a block of it called simt_refresh(): a million reads of
//                                           one place would wait for each other
//   simt_refresh()                          see above; for the thread, too, a fence
//   simt_global(p)                          p, which points to global memory: a GPU need not find
//                                           out, for which a 64-bit addition waits for an answer
//   simt_grid_sync(state)                   all threads of a cooperative launch meet; `state` is
//                                           a zeroed word of global memory
//   simt_grid_meet(state)                   the same, and a GPU keeps its first-level caches: what
//                                           others have written is read by simt_load() until the
//                                           next simt_grid_sync
//   simt_time()                             a clock that all threads of all launches share: on a
//                                           GPU nanoseconds, on the host the executor's steps
#pragma once

#if defined(__CUDACC__)

#if defined(SIMT_ONLY)
// Compile only the kernels `name` for which SIMT_ONLY_name is defined as `~, KERNEL`. The others
// are templates without an instance: they are parsed, and make no machine code.
#define SIMT_SECOND(first, second, ...) second
#define SIMT_CHOICE(...) SIMT_SECOND(__VA_ARGS__, OTHER, )
#define SIMT_JOINED(a, b) a##b
#define SIMT_JOIN(a, b) SIMT_JOINED(a, b)
#define SIMT_HEAD_KERNEL(...) extern "C" __global__ void __VA_ARGS__
#define SIMT_HEAD_OTHER(...) template <class Unused> __device__ void
#define SIMT_HEAD(name) SIMT_JOIN(SIMT_HEAD_, SIMT_CHOICE(SIMT_JOIN(SIMT_ONLY_, name)))
#define SIMT_KERNEL(name, ...) SIMT_HEAD(name)(__VA_ARGS__) name
#else
#define SIMT_KERNEL(name, ...) extern "C" __global__ void __VA_ARGS__ name
#endif
#define SIMT_EXPORT(name)

template <class T> struct simt_identity { typedef T type; };

#define SIMT_SHARED(T, name) __shared__ typename simt_identity<T>::type name
#define SIMT_DYN_SHARED(T, name)                                          \
    extern __shared__ __align__(16) unsigned char simt_dynamic_shared[];  \
    T* const name = reinterpret_cast<T*>(simt_dynamic_shared)

template <class T> __device__ __forceinline__ T simt_load(const T* address)
{
    return *static_cast<const volatile T*>(address);
}

__device__ __forceinline__ unsigned long long simt_load_near(const unsigned long long* address)
{
    unsigned long long value;
    asm volatile("ld.relaxed.cta.global.u64 %0, [%1];" : "=l"(value) : "l"(__cvta_generic_to_global(address)));
    return value;
}

__device__ __forceinline__ void simt_refresh() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }

template <class T>
__device__ __forceinline__ void simt_store(T* address, typename simt_identity<T>::type value)
{
    *static_cast<volatile T*>(address) = value;
}

template <class T> __device__ __forceinline__ T* simt_global(T* address)
{
    __builtin_assume(__isGlobal(address));
    return address;
}

__device__ __forceinline__ unsigned long long simt_time()
{
    unsigned long long time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

// A barrier in one word: the highest bit changes when all blocks have arrived, since the first block
// adds what the others leave to it.  One atomic operation a block, and reads until the bit changes; one that
// acquires empties the first-level cache.
template <bool KEEPS_CACHE> __device__ inline void simt_grid_barrier(unsigned* state)
{
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
        const bool first = blockIdx.x == 0 && blockIdx.y == 0 && blockIdx.z == 0;
        const unsigned others = gridDim.x * gridDim.y * gridDim.z - 1;
        unsigned before, now;
        asm volatile("atom.release.gpu.add.u32 %0, [%1], %2;"
                     : "=r"(before)
                     : "l"(state), "r"(first ? (1u << 31) - others : 1u)
                     : "memory");
        do {
            if (KEEPS_CACHE) asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(now) : "l"(state) : "memory");
            else asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(state) : "memory");
        } while (((before ^ now) & 1u << 31) == 0);
    }
    __syncthreads();
}

__device__ inline void simt_grid_sync(unsigned* state) { simt_grid_barrier<false>(state); }
__device__ inline void simt_grid_meet(unsigned* state) { simt_grid_barrier<true>(state); }

#else

#include "host/atomics.h"
#include "host/barriers.h"
#include "host/builtins.h"
#include "host/collectives.h"
#include "host/export.h"
#include "host/memory.h"
#include "host/view.h"

#endif
