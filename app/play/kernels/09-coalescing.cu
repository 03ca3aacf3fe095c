// Add 10 to every element of 64 rows with 16 elements each, with few sectors a request.
__global__ void rows(const int* x, int* out) {
    int row = threadIdx.x;
    for (int column = 0; column < 16; ++column) {
        int i = 16 * row + column;
        out[i] = x[i] + 10;
    }
}
