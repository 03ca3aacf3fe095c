// Transpose a matrix of 32 by 32 elements by way of shared memory, without bank conflicts.
__global__ void transpose(const int* x, int* out) {
    __shared__ int tile[32][33];
    int column = threadIdx.x;
    for (int row = threadIdx.y; row < 32; row += blockDim.y) {
        tile[row][column] = x[32 * row + column];
    }
    __syncthreads();
    for (int row = threadIdx.y; row < 32; row += blockDim.y) {
        out[32 * row + column] = tile[column][row];
    }
}
