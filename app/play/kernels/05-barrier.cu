// Prefix sums: out[t] is x[0] + ... + x[t]. In each step, an element gets what lies to its left.
__global__ void prefix(const int* x, int* out) {
    __shared__ int sum[64];
    int t = threadIdx.x;
    sum[t] = x[t];
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
        int left = t >= step ? sum[t - step] : 0;
        sum[t] += left;
        __syncthreads();
    }
    out[t] = sum[t];
}
