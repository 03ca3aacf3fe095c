// Add 10 to every element. The launch has 2 blocks of 32 threads, and the arrays have 64 elements.
__global__ void map(const int* x, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = x[i] + 10;
}
