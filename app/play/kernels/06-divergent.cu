// Each element becomes its left neighbour; the first one becomes 0. There are 64 threads, and n is 50.
__global__ void shift(const int* x, int* out, int n) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    if (t < n) {
        tile[t] = x[t];
        __syncthreads();
        out[t] = t > 0 ? tile[t - 1] : 0;
    }
}
