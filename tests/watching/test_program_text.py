"""The text of programs: files, headers, what real ones write, and what is refused."""

from __future__ import annotations

import pytest

from gpucore.errors import GraphError, KernelCompileError
from gpucore.watching.programs.program import watch_program
from gpucore.watching.source.hosted import rewrite_program
from gpucore.watching.source.outside import OUTSIDE_PROGRAMS
from support.programs import HEAD, lines, main


def test_wrong_programs_are_explained(program, tmp_path):
    with pytest.raises(KernelCompileError, match="no main function"):
        program("__global__ void k() {}")
    with pytest.raises(KernelCompileError, match="line 7: 'y' was not declared"):
        program(main("    y = 1;"))
    with pytest.raises(KernelCompileError, match="line 4: inline PTX"):
        program(main("    k<<<1, 1>>>();", '__global__ void k() { asm("nop;"); }'))
    with pytest.raises(GraphError, match="cannot be read"):
        watch_program(tmp_path / "none.cu")


def test_lines_and_launches_in_macros_stay():
    text = "#define GO(k) k<<<2, 3>>>()\n__global__ void k() {}\nvoid f() { a.exit(1); exit(2); }\n"
    made, kernels = rewrite_program(text + "int main()\n{ inner::k<<<dim3(1), n >> 2, 5>>>(1); }")
    assert kernels == {"k": ("",)}
    assert "a.exit(1); ::simt::program::leave(2);" in made.splitlines()[2]
    last = '{ ::simt::program::launch("inner::k", 5, inner::k, dim3(1), n >> 2, 5)(1); return 0; }'
    assert made.splitlines()[4] == last


def test_a_launch_may_be_written_with_spaces():
    made, _ = rewrite_program("int main() { k<int> << <1, 2 >> > (3); a << b << c; }")
    assert '::simt::program::launch("k<int>", 1, k<int>, 1, 2 ) (3); a << b << c;' in made


def test_local_variables_without_a_value_are_found(program):
    top = "__global__ void k(int* x) { int y; x[0] = y + 1; }"
    found, _ = program(main("    int* x; cudaMalloc(&x, 4); k<<<1, 1>>>(x);", top))
    assert ("uninitialised", 4) in lines(found)


def test_findings_in_headers_name_them(program, tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "sums.h").write_text(
        "__device__ inline void sum(int* out, int x)\n{\n    *out += x;\n}\n"
    )
    top = '#include "sums.h"\n__global__ void k(int* x) { sum(x, threadIdx.x); x[1] = 1; }'
    body = "    int* x; cudaMalloc(&x, 4); cudaMemset(x, 0, 4); k<<<1, 2>>>(x);"
    found, _ = program(main(body, top), include=[tmp_path / "deep"])
    race = found.kernels[0]["races"][0]
    assert (race["first"]["file"], race["first"]["line"]) == ("sums.h", 3)
    assert "sums.h, line 3: the global store of block 0" in str(found)
    assert "line 5: block 0, thread 0 writes x[1], of 4 bytes allocated at line 8" in str(found)


def test_lines_that_never_ran_are_named_with_what_would_run_them(program):
    top = """__device__ int help(int x) {
    return x;
}
__global__ void k(int* x, int n) {
    for (int i = threadIdx.x; i < n; i += 32) {
        x[i] = i;
        if (n > 40 && i < 3) {
            x[i] += help(i);
            x[i] -= 1;
        } else if (i == 39) {
            x[0] = 7;
        } else
            x[i] += 1;
    }
}
__global__ void other(int* x) {
    x[0] = 1;
}"""
    body = """    int* x; cudaMalloc(&x, 256);
    k<<<1, 32>>>(x, argc > 1 ? 50 : 20);
    if (argc > 5) other<<<1, 1>>>(x);"""
    source = f"{HEAD}{top}\nint main(int argc, char**)\n{{\n{body}\n}}\n"
    found, _ = program(source)
    assert found.ok
    assert [text.replace(", so nothing was checked there", "") for text in found.warnings] == [
        "lines 11 to 12 never ran: watch an input for which `n > 40 && i < 3` holds, too.",
        "line 14 never ran: watch an input for which `i == 39` holds, too.",
    ]
    assert "line 14 never ran" in str(found)
    assert program(source, "more")[0].warnings == ()


def test_lines_of_the_host_are_none_that_never_ran(program):
    """The block that never runs is the last one of the kernel; main stands behind it."""
    top = """template <typename T>
__global__ void scan(T* data, int n) {
    extern __shared__ char raw[];
    T* part = reinterpret_cast<T*>(raw);
    const int i = threadIdx.x;
    part[i] = i < n ? data[i] : T(0);
    __syncthreads();
    for (int far = 1; far < blockDim.x; far *= 2) {
        const T more = i >= far ? part[i - far] : T(0);
        __syncthreads();
        part[i] += more;
        __syncthreads();
    }
    if (i < n) data[i] = part[i];
}"""
    body = """    int* x; cudaMalloc(&x, 256); cudaMemset(x, 0, 256);
    scan<int><<<1, 32, 128>>>(x, 64);"""
    assert program(main(body, top))[0].warnings == ()


def test_programs_of_the_samples_find_their_helpers(program, tmp_path):
    top = """#include <helper_cuda.h>
#include <helper_functions.h>
#include "helper_math.h"
__global__ void k(float3* x, float s) {
    float3 a = make_float3(1.f) * s + make_float3(0, 1, 2);
    x[threadIdx.x] = a / length(a) - dot(a, a) * cross(a, -a);
}"""
    body = """    findCudaDevice(argc, (const char**)argv);
    StopWatchInterface* timer; sdkCreateTimer(&timer); sdkStartTimer(&timer);
    float3 *x, host;
    checkCudaErrors(cudaMalloc(&x, 2 * sizeof(float3)));
    k<<<1, 2>>>(x, getCmdLineArgumentFloat(argc, (const char**)argv, "scale"));
    getLastCudaError("launch");
    checkCudaErrors(cudaMemcpy(&host, x, sizeof host, cudaMemcpyDefault));
    sdkStopTimer(&timer);
    printf("%.1f %d %d\\n", host.x * MAX(2, 3), checkCmdLineFlag(argc, (const char**)argv, "quick"),
           sdkGetTimerValue(&timer) >= 0);
    sdkDeleteTimer(&timer);
    checkCudaErrors(cudaMemcpy(x, x + 1, 24, cudaMemcpyDefault));"""
    source = f"{HEAD}{top}\nint main(int argc, char** argv)\n{{\n{body}\n}}\n"
    found, text = program(source, "--scale=2", "-quick")
    assert text == "1.1 1 1\n"  # a = (2, 3, 4)
    assert found.exit_code == 1
    assert {kind for kind, _ in lines(found)} == {"copy"}


#: A line of host code for each row of what programs cannot have.
OUTSIDE = {
    "CUDA graphs": "cudaGraph_t graph;",
    "textures": "cudaTextureObject_t t;",
    "graphics": "cudaGraphicsResource* r;",
    "thrust": "thrust::sort(a, b);",
    "libraries": "cublasHandle_t h;",
    "memory pools": "cudaMemPool_t pool;",
    "three dimensions": "cudaMemcpy3DParms p;",
    "registered": "cudaHostRegister(x, 4, 0);",
    "attributes": "cudaAccessPolicyWindow w;",
    "images": "sdkLoadPGM<float>(a, &b, &c, &d);",
}


def test_what_programs_cannot_have_is_refused_with_its_line():
    for row in OUTSIDE_PROGRAMS:
        what = next(what for what in OUTSIDE if what in row.what)
        with pytest.raises(KernelCompileError, match=rf"line 2: .*{what}.* cannot be watched; "):
            rewrite_program(f"int main() {{\n{OUTSIDE[what]} }}")


def test_what_real_programs_write(program):
    top = """__global__ void add(int* x, int by = 3) { atomicAdd(x, by); }
__global__ void work(int* x) { atomicAdd(x, 10); }
void work() { int* x; cudaMalloc(&x, 4); cudaMemset(x, 0, 4); work<<<1, 1>>>(x); cudaFree(x); }
void CUDART_CB told(cudaStream_t, cudaError_t status, void* data) { *(int*)data += status == 0; }"""
    body = """    dim3 blockDim(2, 1, 1), gridDim(1);
    clock_t begin = clock();
    int *x, n, count = 0, peer = 5; cudaMalloc(&x, 4); cudaMemset(x, 0, 4);
    add<<<gridDim, blockDim>>>(x);
    work();
    cudaStreamAddCallback(0, told, &count, 0);
    cudaDeviceCanAccessPeer(&peer, 0, 1);
    cudaMemcpy(&n, x, 4, cudaMemcpyDefault);
    printf("%d %d %d %d %d\\n", n, blockDim.x, count, peer, clock() >= begin);"""
    found, text = program(main(body, top))
    assert text == "6 2 1 0 1\n"
    assert found.ok, str(found)
