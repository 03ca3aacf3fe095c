// Add 10 to every element of 64 rows with 16 elements each, with few sectors a request.
__global__ void rows(const int* x, int* out) {
    for (int i = threadIdx.x; i < 16 * 64; i += blockDim.x) {
        out[i] = x[i] + 10;
    }
}
