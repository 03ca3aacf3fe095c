// Add 64 numbers up. One block; the total belongs into sum[0].
__global__ void total(const int* x, int* sum) {
    sum[0] += x[threadIdx.x];
}
