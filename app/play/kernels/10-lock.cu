// Each of 4 blocks pays 10 into one account. A lock makes the payments take turns.
__global__ void pay(int* lock, int* balance) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    *balance += 10;
    *lock = 0;
}
