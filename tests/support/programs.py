"""Programs for the tests of watched programs."""

from __future__ import annotations

HEAD = "#include <cstdio>\n#include <cstdlib>\n#include <cuda_runtime.h>\n"


SUM = (
    HEAD
    + """\
__global__ void sum(const int* x, int n, int* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) %s;
}
int main(int argc, char** argv)
{
    int n = atoi(argv[1]), result, *x, *out;
    int* host = (int*)malloc(n * sizeof(int));
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&x, n * sizeof(int));
    cudaMalloc((void**)&out, sizeof(int));
    cudaMemcpy(x, host, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof(int));
    sum<<<(n + 31) / 32, 32>>>(x, n, out);
    if (cudaDeviceSynchronize() != cudaSuccess) exit(4);
    cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(out);
    printf("%%d\\n", result);
    return result != n * (n - 1) / 2;
}
"""
)


def lines(found):
    """Return kind and line of all findings."""
    every = [*found.findings, *(one for kernel in found.kernels for one in kernel["findings"])]
    return {(one["kind"], one["line"]) for one in every}


def main(body, top=""):
    """Return a program; the body begins at line 10 or later."""
    return f"{HEAD}{top}\nint main()\n{{\n{body}\n}}\n"
