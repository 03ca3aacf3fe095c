// Double every element. There are 64 threads, and n is 50.
__global__ void twice(const int* x, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * x[i];
}
