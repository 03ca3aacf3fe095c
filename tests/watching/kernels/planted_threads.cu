// Kernels with one mistake each, and the same kernels without it (`_right`).  A comment "<- KIND" stands
// in each line that a finding of this kind has to name; no other finding may be made.

__global__ void barrier_by_some_lanes(const int* x, int* out, int n)
{
    if (threadIdx.x % 2 == 0) {
        __syncthreads();  // <- barrier left
        out[threadIdx.x] = 1;
    }
}
__global__ void barrier_by_some_lanes_right(const int* x, int* out, int n)
{
    __syncthreads();
    if (threadIdx.x % 2 == 0) out[threadIdx.x] = 1;
}

__global__ void barrier_in_a_loop(const int* x, int* out, int n)
{
    for (int i = 0; i < x[threadIdx.x] % 3; ++i) {
        out[threadIdx.x] += 1;
        __syncthreads();  // <- barrier left
    }
}
__global__ void barrier_in_a_loop_right(const int* x, int* out, int n)
{
    for (int i = 0; i < 3; ++i) {
        if (i < x[threadIdx.x] % 3) out[threadIdx.x] += 1;
        __syncthreads();
    }
}

__global__ void barriers_apart(const int* x, int* out, int n)
{
    if (threadIdx.x < 32) {
        out[threadIdx.x] = 1;
        __syncthreads();  // <- barrier apart
    } else {
        __syncthreads();
        out[threadIdx.x] = 2;
    }
}
__global__ void barriers_apart_right(const int* x, int* out, int n)
{
    if (threadIdx.x < 32) out[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x >= 32) out[threadIdx.x] = 2;
}

__global__ void shuffle_with_absent_lanes(const int* x, int* out, int n)
{
    int v = x[threadIdx.x];
    if (threadIdx.x % 32 < 20) v = __shfl_down_sync(0xffffffff, v, 8);  // <- absent lanes
    out[threadIdx.x] = v;
}
__global__ void shuffle_with_absent_lanes_right(const int* x, int* out, int n)
{
    int v = x[threadIdx.x];
    const int moved = __shfl_down_sync(0xffffffff, v, 8);
    out[threadIdx.x] = threadIdx.x % 32 < 20 ? moved : v;
}

__global__ void vote_with_absent_lanes(const int* x, int* out, int n)
{
    if (threadIdx.x % 32 != 5) out[threadIdx.x] = __any_sync(0xffffffff, x[threadIdx.x] > 3);  // <- absent lanes
}
__global__ void vote_with_absent_lanes_right(const int* x, int* out, int n)
{
    const unsigned come = 0xffffffffu & ~(1u << 5);
    if (threadIdx.x % 32 != 5) out[threadIdx.x] = __any_sync(come, x[threadIdx.x] > 3);
}

__global__ void syncwarp_without_itself(const int* x, int* out, int n)
{
    __syncwarp(threadIdx.x % 32 < 31 ? 0x7fffffff : 0x40000000);  // <- own mask
    out[threadIdx.x] = 1;
}
__global__ void syncwarp_without_itself_right(const int* x, int* out, int n)
{
    __syncwarp(threadIdx.x % 32 < 31 ? 0x7fffffff : 0x80000000);
    out[threadIdx.x] = 1;
}

__global__ void shuffle_from_outside_the_mask(const int* x, int* out, int n)
{
    if (threadIdx.x % 32 < 16)
        out[threadIdx.x] = __shfl_sync(0x0000ffff, x[threadIdx.x], 20);  // <- shuffle source
}
__global__ void shuffle_from_outside_the_mask_right(const int* x, int* out, int n)
{
    if (threadIdx.x % 32 < 16) out[threadIdx.x] = __shfl_sync(0x0000ffff, x[threadIdx.x], 10);
}

__global__ void shuffle_of_odd_width(const int* x, int* out, int n)
{
    out[threadIdx.x] = __shfl_sync(0xffffffff, x[threadIdx.x], 1, 12);  // <- shuffle width
}
__global__ void shuffle_of_odd_width_right(const int* x, int* out, int n)
{
    out[threadIdx.x] = __shfl_sync(0xffffffff, x[threadIdx.x], 1, 8);
}

__global__ void lock_that_stays(const int* x, int* out, int n)
{
    while (atomicExch(out, 1) != 0) {  // <- endless
    }
}
__global__ void lock_that_stays_right(const int* x, int* out, int n)
{
    while (atomicExch(out, 1) != 0) {
    }
    atomicExch(out, 0);
}

__global__ void flag_that_no_thread_sets(const int* x, int* out, int n)
{
    volatile int* flag = out;
    while (flag[0] == 0) {  // <- endless
    }
}
__global__ void flag_that_no_thread_sets_right(const int* x, int* out, int n)
{
    volatile int* flag = out;
    if (threadIdx.x == 0) {
        __threadfence();
        flag[0] = 1;
    }
    while (flag[0] == 0) {
    }
}

__global__ void empty_loop(const int* x, int* out, int n)
{  // <- endless (the machine code of an empty loop has no line of its own)
    for (;;) {
    }
}
__global__ void empty_loop_right(const int* x, int* out, int n)
{
    for (;;) {
        if (n > 0) break;
    }
}

__global__ void sum_without_atomic(const int* x, int* out, int n)
{
    out[0] += x[threadIdx.x];  // <- race
}
__global__ void sum_without_atomic_right(const int* x, int* out, int n)
{
    atomicAdd(out, x[threadIdx.x]);
}

__global__ void missing_barrier(const int* x, int* out, int n)
{
    __shared__ int part[64];
    part[threadIdx.x] = x[threadIdx.x];  // <- race
    if (n < 0) __syncthreads();
    if (threadIdx.x >= 32) out[threadIdx.x] = part[threadIdx.x - 32];  // <- race, uninitialised
}
__global__ void missing_barrier_right(const int* x, int* out, int n)
{
    __shared__ int part[64];
    part[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x >= 32) out[threadIdx.x] = part[threadIdx.x - 32];
}

__global__ void volatile_without_syncwarp(const int* x, int* out, int n)
{
    __shared__ volatile int sums[64];
    sums[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 16) sums[threadIdx.x] += sums[threadIdx.x + 16];  // <- race
    if (threadIdx.x < 8) sums[threadIdx.x] += sums[threadIdx.x + 8];  // <- race
    __syncthreads();
    out[threadIdx.x] = sums[0];
}
__global__ void volatile_without_syncwarp_right(const int* x, int* out, int n)
{
    __shared__ volatile int sums[64];
    sums[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 16) sums[threadIdx.x] += sums[threadIdx.x + 16];
    __syncwarp();
    if (threadIdx.x < 8) sums[threadIdx.x] += sums[threadIdx.x + 8];
    __syncthreads();
    out[threadIdx.x] = sums[0];
}

__global__ void lock_without_fences(const int* x, int* out, int n)
{
    if (threadIdx.x % 32 != 0) return;
    while (atomicCAS(out, 0, 1) != 0) {
    }
    out[1] += x[threadIdx.x];  // <- race
    atomicExch(out, 0);
}
__global__ void lock_without_fences_right(const int* x, int* out, int n)
{
    if (threadIdx.x % 32 != 0) return;
    while (atomicCAS(out, 0, 1) != 0) {
    }
    __threadfence();
    out[1] += x[threadIdx.x];
    __threadfence();
    atomicExch(out, 0);
}

// The programming guide's sum: the last block to come adds what the others have left.
__global__ void last_block_without_fence(const int* x, int* out, int n)
{
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        out[2 + blockIdx.x] = x[blockIdx.x];  // <- race
        is_last = atomicAdd(out, 1) == int(gridDim.x) - 1;  // <- race
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        int sum = 0;
        for (int b = 0; b < int(gridDim.x); ++b) sum += out[2 + b];  // <- race
        out[1] = sum;
        out[0] = 0;  // <- race
    }
}
__global__ void last_block_without_fence_right(const int* x, int* out, int n)
{
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        out[2 + blockIdx.x] = x[blockIdx.x];
        __threadfence();
        is_last = atomicAdd(out, 1) == int(gridDim.x) - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        int sum = 0;
        for (int b = 0; b < int(gridDim.x); ++b) sum += out[2 + b];
        out[1] = sum;
        out[0] = 0;
    }
}

// A fence of the block does not reach the other block.
__global__ void flag_after_a_fence_of_the_block(const int* x, int* out, int n)
{
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        out[1] = 42;  // <- race
        __threadfence_block();
        atomicExch(out, 1);
    } else if (atomicAdd(out, 0) == 1) {
        __threadfence();
        out[2] = out[1];  // <- race
    }
}
__global__ void flag_after_a_fence_of_the_block_right(const int* x, int* out, int n)
{
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        out[1] = 42;
        __threadfence();
        atomicExch(out, 1);
    } else if (atomicAdd(out, 0) == 1) {
        __threadfence();
        out[2] = out[1];
    }
}

__global__ void different_values_at_one_place(const int* x, int* out, int n)
{
    out[0] = threadIdx.x / 32;  // <- race
}
__global__ void different_values_at_one_place_right(const int* x, int* out, int n)
{
    out[0] = 1;  // <- same value
}

__device__ int calls = 0;
__global__ void division_by_zero(const int* x, int* out, int n)
{
    calls = 1;  // <- same value
    out[threadIdx.x] = x[threadIdx.x] / (n - 64);  // <- error
}
__global__ void division_by_zero_right(const int* x, int* out, int n)
{
    if (threadIdx.x == 0 && blockIdx.x == 0) out[0] = calls++;
}
