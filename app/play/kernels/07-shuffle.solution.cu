// Add 24 numbers up by shuffles. n is 24, and a warp has 32 lanes.
__global__ void warp_total(const int* x, int* sum, int n) {
    int lane = threadIdx.x;
    int value = lane < n ? x[lane] : 0;
    for (int half = 16; half > 0; half /= 2) {
        value += __shfl_down_sync(0xffffffff, value, half);
    }
    if (lane == 0) sum[0] = value;
}
