// A reduction and a scan by blocks, with an atomic and a shuffle.
constexpr int BLOCK = 64;
constexpr int SEED = 7;

__device__ int mixed(int value) {
  return value * SEED % 97;
}

__device__ int warp_sum(int value) {
  for (int step = 16; step > 0; step /= 2)
    value += __shfl_down_sync(0xffffffff, value, step);
  return value;
}

__global__ void sums(int n, const int* in, int* out, int* total, unsigned* counts) {
  __shared__ int part[BLOCK];
  __shared__ int warps[BLOCK / 32];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? mixed(in[i]) : 0;
  __syncthreads();
  for (int step = 1; step < BLOCK; step *= 2) {
    const int add = t >= step ? part[t - step] : 0;
    __syncthreads();
    part[t] += add;
    __syncthreads();
  }
  const int sum = warp_sum(i < n ? in[i] : 0);
  if (t % 32 == 0) warps[t / 32] = sum;
  __syncthreads();
  if (t == 0) {
    int all = 0;
    for (int warp = 0; warp < BLOCK / 32; ++warp) all += warps[warp];
    atomicAdd(total, all);
  }
  if (i < n) {
    out[i] = part[t];
    atomicMax(&counts[part[t] % 8], unsigned(i));
  }
}
