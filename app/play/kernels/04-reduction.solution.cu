// Add 64 numbers up. One block; the total belongs into sum[0].
__global__ void total(const int* x, int* sum) {
    __shared__ int part[64];
    int t = threadIdx.x;
    part[t] = x[t];
    for (int half = 32; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) part[t] += part[t + half];
    }
    if (t == 0) sum[0] = part[0];
}
