// Kernels with one mistake each, and the same kernels without it (`_right`).  A comment "<- KIND" stands
// in each line that a finding of this kind has to name; no other finding may be made.

__global__ void reads_outside(const int* x, int* out, int n)
{
    out[threadIdx.x] = x[threadIdx.x + 1];  // <- outside
}
__global__ void reads_outside_right(const int* x, int* out, int n)
{
    out[threadIdx.x] = x[threadIdx.x + (threadIdx.x + 1 < n)];
}

__global__ void reads_far_outside(const int* x, int* out, int n)
{
    if (threadIdx.x == 3) out[0] = x[1000000];  // <- outside
}
__global__ void reads_far_outside_right(const int* x, int* out, int n)
{
    if (threadIdx.x == 3) out[0] = x[1000000 % n];
}

__global__ void writes_before(const int* x, int* out, int n)
{
    out[int(threadIdx.x) - 1] = x[threadIdx.x];  // <- outside
}
__global__ void writes_before_right(const int* x, int* out, int n)
{
    if (threadIdx.x > 0) out[int(threadIdx.x) - 1] = x[threadIdx.x];
}

__global__ void updates_outside(const int* x, int* out, int n)
{
    atomicAdd(out + n, 1);  // <- outside
}
__global__ void updates_outside_right(const int* x, int* out, int n)
{
    atomicAdd(out + n - 1, 1);
}

__global__ void shared_outside(const int* x, int* out, int n)
{
    __shared__ int tile[32];
    __shared__ int other[32];
    tile[threadIdx.x] = other[threadIdx.x] = x[threadIdx.x];  // <- outside
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x ^ 1] + other[threadIdx.x % 32];  // <- outside
}
__global__ void shared_outside_right(const int* x, int* out, int n)
{
    __shared__ int tile[64];
    __shared__ int other[64];
    tile[threadIdx.x] = other[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x ^ 1] + other[threadIdx.x % 32];
}

__global__ void dynamic_outside(const int* x, int* out, int n)
{
    extern __shared__ int moved[];
    moved[threadIdx.x + 1] = x[threadIdx.x];  // <- outside
    __syncthreads();
    if (threadIdx.x > 0) out[threadIdx.x] = moved[threadIdx.x];
}
__global__ void dynamic_outside_right(const int* x, int* out, int n)
{
    extern __shared__ int moved[];
    moved[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x > 0) out[threadIdx.x] = moved[threadIdx.x];
}

__global__ void local_outside(const int* x, int* out, int n)
{
    int own[4] = {0};
    for (int i = 0; i <= n / 16; ++i) own[i] += x[(threadIdx.x + i) % n];  // <- outside
    out[threadIdx.x] = own[0] + own[3];
}
__global__ void local_outside_right(const int* x, int* out, int n)
{
    int own[4] = {0};
    for (int i = 0; i < n / 16; ++i) own[i] += x[(threadIdx.x + i) % n];
    out[threadIdx.x] = own[0] + own[3];
}

__global__ void local_before(const int* x, int* out, int n)
{
    int own[] = {1, 2, x[threadIdx.x]};
    const int* before = own - n / 64;
    out[threadIdx.x] = *before;  // <- outside
}
__global__ void local_before_right(const int* x, int* out, int n)
{
    int own[] = {1, 2, x[threadIdx.x]};
    const int* before = own + n / 64;
    out[threadIdx.x] = *before;
}

__global__ void local_far_outside(const int* x, int* out, int n)
{
    float own[2][2];
    if (threadIdx.x == 1) own[x[threadIdx.x] * n * n][0] = 1;  // <- outside
}
__global__ void local_far_outside_right(const int* x, int* out, int n)
{
    float own[2][2];
    if (threadIdx.x == 1) own[x[threadIdx.x] * n * n % 2][0] = 1;
}

struct Pair { char kind; int value; };
__global__ void uninitialised_local_array(const int* x, int* out, int n)
{
    Pair own[4];
    for (int i = threadIdx.x > 5; i < 4; ++i) { own[i].kind = 1; own[i].value = x[i]; }
    Pair last = own[n % 4];  // <- uninitialised
    out[threadIdx.x] = last.value;
}
__global__ void uninitialised_local_array_right(const int* x, int* out, int n)
{
    Pair own[4];
    for (int i = threadIdx.x > 5; i < 4; ++i) { own[i].kind = 1; own[i].value = x[i]; }
    Pair last = own[n % 4 + (threadIdx.x > 5)];
    out[threadIdx.x] = last.value;
}

__global__ void null_pointer(const int* x, int* out, int n)
{
    const int* p = n > 0 ? nullptr : x;
    out[threadIdx.x] = p[threadIdx.x];  // <- elsewhere
}
__global__ void null_pointer_right(const int* x, int* out, int n)
{
    const int* p = n < 0 ? nullptr : x;
    out[threadIdx.x] = p[threadIdx.x];
}

__global__ void uninitialised_shared(const int* x, int* out, int n)
{
    __shared__ int part[64];
    if (threadIdx.x < 60) part[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = part[63 - threadIdx.x];  // <- uninitialised
}
__global__ void uninitialised_shared_right(const int* x, int* out, int n)
{
    __shared__ int part[64];
    part[threadIdx.x] = threadIdx.x < 60 ? x[threadIdx.x] : 0;
    __syncthreads();
    out[threadIdx.x] = part[63 - threadIdx.x];
}

__global__ void uninitialised_counter(const int* x, int* out, int n)
{
    __shared__ int sum;
    atomicAdd(&sum, x[threadIdx.x]);  // <- uninitialised
    __syncthreads();
    if (threadIdx.x == 0) out[0] = sum;
}
__global__ void uninitialised_counter_right(const int* x, int* out, int n)
{
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, x[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) out[0] = sum;
}

// `out` begins without content.
__global__ void uninitialised_global(const int* x, int* out, int n)
{
    out[threadIdx.x] += x[threadIdx.x];  // <- uninitialised
}
__global__ void uninitialised_global_right(const int* x, int* out, int n)
{
    out[threadIdx.x] = x[threadIdx.x];
    out[threadIdx.x] += 1;
}

// A copy of a structure reads what lies between its members, which is never written.
__global__ void uninitialised_global_structure(const int* x, int* out, int n)
{
    Pair* pairs = reinterpret_cast<Pair*>(out);
    if (threadIdx.x < 30) { pairs[threadIdx.x].kind = 1; pairs[threadIdx.x].value = x[threadIdx.x]; }
    Pair own = threadIdx.x < 32 ? pairs[threadIdx.x] : Pair();  // <- uninitialised
    if (threadIdx.x < 32) pairs[threadIdx.x] = own;
}
__global__ void uninitialised_global_structure_right(const int* x, int* out, int n)
{
    Pair* pairs = reinterpret_cast<Pair*>(out);
    if (threadIdx.x < 32) { pairs[threadIdx.x].kind = 1; pairs[threadIdx.x].value = x[threadIdx.x]; }
    Pair own = threadIdx.x < 32 ? pairs[threadIdx.x] : Pair();
    if (threadIdx.x < 32) pairs[threadIdx.x] = own;
}

__global__ void uninitialised_shared_structure(const int* x, int* out, int n)
{
    __shared__ Pair part[64];
    if (threadIdx.x < 60) { part[threadIdx.x].kind = 1; part[threadIdx.x].value = x[threadIdx.x]; }
    __syncthreads();
    Pair own = part[63 - threadIdx.x];  // <- uninitialised
    out[threadIdx.x] = own.value + own.kind;
}
__global__ void uninitialised_shared_structure_right(const int* x, int* out, int n)
{
    __shared__ Pair part[64];
    part[threadIdx.x].kind = 1;
    part[threadIdx.x].value = x[threadIdx.x];
    __syncthreads();
    Pair own = part[63 - threadIdx.x];
    out[threadIdx.x] = own.value + own.kind;
}

__global__ void uninitialised_local(const int* x, int* out, int n)
{
    int sum;
    sum += x[threadIdx.x];  // <- uninitialised
    out[threadIdx.x] = sum;
}
__global__ void uninitialised_local_right(const int* x, int* out, int n)
{
    int sum = 0;
    sum += x[threadIdx.x];
    out[threadIdx.x] = sum;
}
