"""Whole programs: host code, CUDA's runtime, and every launch watched."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest

from gpucore.errors import GraphError, KernelCompileError
from gpucore.watching.hosted import rewrite_program
from gpucore.watching.program import watch_program

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


@pytest.fixture
def program(lab_compiler, tmp_path):
    """Watch a program of these lines; returns the report, and what it printed."""

    def run(source, *arguments, **options):
        path = tmp_path / "program.cu"
        path.write_text(source)
        with (tmp_path / "out").open("w+") as out:
            found = watch_program(
                path, arguments, stdout=out, **{"schedules": 4, "seconds": 60, **options}
            )
            out.seek(0)
            return found, out.read()

    return run


def lines(found):
    """Return kind and line of all findings."""
    every = [*found.findings, *(one for kernel in found.kernels for one in kernel["findings"])]
    return {(one["kind"], one["line"]) for one in every}


def main(body, top=""):
    """Return a program; the body begins at line 10 or later."""
    return f"{HEAD}{top}\nint main()\n{{\n{body}\n}}\n"


def test_a_right_program_is_ok_and_prints(program):
    found, text = program(SUM % "atomicAdd(out, x[i])", "100")
    assert found.ok, str(found)
    assert text == "4950\n"
    (kernel,) = found.kernels
    assert (kernel["name"], kernel["launches"], kernel["watched"]) == ("sum", 1, 1)
    assert (kernel["schedules"], kernel["results"]) == (4, 1)
    assert "sum: no data race, one result in 4 schedules" in str(found)


def test_a_race_is_found_and_the_program_goes_on(program):
    found, text = program(SUM % "*out += x[i]", "100")
    assert not found.ok
    assert text.strip().isdigit()
    assert found.kernels[0]["races"][0]["first"]["line"] == 7


def test_exit_codes(program):
    ends = "  {}"
    assert program(main(ends.format("return 7;")))[0].exit_code == 7
    assert program(main(ends.format("if (true) exit(3); return 0;")))[0].exit_code == 3
    assert program(main(ends.format("std::exit(2);")))[0].exit_code == 2
    found, _ = program(main(ends.format("")))
    assert found.ok
    assert "launched no kernel" in str(found)


def test_memory_is_checked_to_the_byte(program):
    top = "__global__ void set(char* p, int at) { p[at] = 1; }\n"
    top += "__global__ void get(const char* p, int at, char* to) { *to = p[at]; }"
    calls = """\
    char *a, *b; int n = 5;
    cudaMalloc(&a, 10); cudaMalloc(&b, 10);
    cudaMemset(a, 0, 5);
    get<<<1, 1>>>(a, 4, b);
    %s"""
    right, _ = program(main(calls % "get<<<1, 1>>>(b, 0, a);", top))
    assert right.ok, str(right)
    for wrong, kind in (
        ("set<<<1, 1>>>(a, 10);", "outside"),
        ("get<<<1, 1>>>(a, n, b);", "uninitialised"),
        ("get<<<1, 1>>>(b, 3, a);", "uninitialised"),
        ("cudaMemcpy(a, b, 11, cudaMemcpyDeviceToDevice);", "copy"),
        ("cudaFree(a); cudaFree(a);", "free"),
        ("cudaFree(a); set<<<1, 1>>>(a, 0);", "elsewhere"),
        ("set<<<1, 2048>>>(a, 0);", "launch"),
        ("set<<<0, 1>>>(a, 0);", "launch"),
    ):
        found, _ = program(main(calls % wrong, top))
        assert {kind for kind, _ in lines(found)} == {kind}, (wrong, str(found))


def test_an_error_of_a_launch_stays(program):
    top = "__global__ void bad(int* p) { *p = 1; }"
    body = """    bad<<<1, 1>>>(nullptr);
    cudaDeviceSynchronize(); cudaGetLastError();
    int* p;
    puts(cudaGetErrorString(cudaMalloc(&p, 4)));
    puts(cudaGetErrorName(cudaGetLastError()));"""
    found, text = program(main(body, top))
    assert text == "an illegal memory access was encountered\ncudaErrorIllegalAddress\n"
    assert lines(found) == {("elsewhere", 4)}


def test_templates_overloads_namespaces_and_structures(program):
    top = """
template <class T, int N> __global__ void fill(T* x, T value) { x[threadIdx.x % N] = value; }
namespace inner { __global__ void one(double* x) { if (threadIdx.x + threadIdx.y == 0) *x += 1; } }
__global__ void over(int* x) { atomicAdd(x, 1); }
__global__ void over(float* x) { atomicAdd(x, 1.f); }
struct Pair { int* x; int by; };
__global__ void by_value(Pair pair) { atomicAdd(pair.x, pair.by); }
template <class T> void host(T* x, T value) { fill<T, 32><<<1, 32>>>(x, value); }
__constant__ int table[4]; __device__ int counter = 5;
__global__ void constants(int* x) { atomicAdd(&counter, table[2]); x[0] = 1 + 0 * table[3]; }"""
    body = """    int *x; double* d; float* f; int host_table[4] = {1, 2, 3, 4}, n, c;
    cudaMalloc(&x, 128); cudaMallocManaged(&d, 8); cudaMallocHost(&f, 4);
    *d = 1; *f = 2;
    host(x, 5);
    inner::one<<<dim3(1, 1), {4, 2}>>>(d);
    void (*kernel)(int*) = over;
    kernel<<<1, 1>>>(x);
    over<<<1, 2>>>(f);
    by_value<<<1, 1, 0, 0>>>({x, 4});
    cudaMemcpyToSymbol(table, host_table, sizeof host_table);
    constants<<<1, 1>>>(x + 1);
    void* all[] = {&x};
    cudaLaunchKernel(kernel, 1, 1, all);
    cudaMemcpy(&n, x, 4, cudaMemcpyDefault); cudaMemcpyFromSymbol(&c, counter, sizeof c);
    printf("%d %g %g %d\\n", n, *d, *f, c);"""
    found, text = program(main(body, top))
    assert text == "11 2 4 8\n"
    assert found.ok, str(found)
    names = [kernel["name"] for kernel in found.kernels]
    assert names == ["fill<T, 32>", "inner::one", "kernel", "over", "by_value", "constants"]


def test_the_standard_library_and_what_a_kernel_prints(program):
    top = """#include <iostream>
#include <vector>
#include <atomic>
#include <memory>
#include <cassert>
__global__ void k(int n) { assert(n > 1); printf("lane %d\\n", threadIdx.x); }
struct Base { virtual ~Base() {} virtual int n() { return 2; } };"""
    body = """    std::vector<int> v(3, 1); std::atomic<int> a{1};
    auto p = std::make_shared<Base>();
    static std::vector<int> w(v);
    a += 2; assert(v.size() == 3);
    std::cout << "first " << a << std::endl;
    k<<<1, p->n()>>>(w.size());
    cudaDeviceProp prop; cudaGetDeviceProperties(&prop, 0);
    printf("last %d\\n", prop.warpSize);"""
    found, text = program(main(body, top))
    assert text == "first 3\nlane 0\nlane 1\nlast 32\n"
    assert found.ok, str(found)


def test_only_the_first_launches_are_watched(program):
    top = "__global__ void race(int* x) { *x = *x + threadIdx.x; }\n"
    top += "__global__ void step(int* x, int i) { x[i] = i; }"
    body = """    int* x; cudaMalloc(&x, 4 * 9);
    for (int i = 0; i < 10; ++i) step<<<1, 1>>>(x, i);"""
    found, _ = program(main(body, top), launches=2)
    (kernel,) = found.kernels
    assert (kernel["launches"], kernel["watched"]) == (10, 2)
    assert lines(found) == {("outside", 5)}  # memory is checked in all


def test_memory_is_bounded_and_that_of_the_host_is_zero(program):
    body = """    int *x, *y; cudaMallocManaged(&y, 4);
    printf("%d %s\\n", *y, cudaGetErrorName(cudaMalloc(&x, size_t(1) << 31)));"""
    found, text = program(main(body))
    assert text == "0 cudaErrorMemoryAllocation\n"
    assert lines(found) == {("memory", 8)}


def test_crashes_of_host_code_and_long_programs_end(program):
    top = "__global__ void race(int* x) { *x = threadIdx.x; }"
    launch = "    int* x; cudaMalloc(&x, 4); race<<<1, 2>>>(x);\n"
    found, _ = program(main(launch + "    *(volatile int*)8 = 1;", top))
    assert not found.ok
    assert (found.exit_code, found.ended) == (None, "host code was ended by SIGSEGV")
    assert found.kernels[0]["races"]
    found, _ = program(main(launch + "    for (volatile int i = 0;; ++i) {}", top), seconds=2)
    assert "ended after 2 seconds" in str(found)
    assert found.kernels[0]["races"]


def test_an_endless_kernel_is_ended(program):
    top = "__global__ void spin(volatile int* x) { while (*x == 0) {} }"
    body = "    int* x; cudaMalloc(&x, 4); cudaMemset(x, 0, 4); spin<<<1, 32>>>(x);\n"
    body += "    puts(cudaGetErrorName(cudaDeviceSynchronize()));"
    found, text = program(main(body, top), steps=100_000)
    assert text == "cudaErrorLaunchTimeout\n"
    assert {kind for kind, _ in lines(found)} == {"endless"}


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
    assert kernels == ("k",)
    assert "a.exit(1); ::simt::program::leave(2);" in made.splitlines()[2]
    last = '{ ::simt::program::launch("inner::k", 5, inner::k, dim3(1), n >> 2, 5)(1); return 0; }'
    assert made.splitlines()[4] == last


def test_a_launch_may_be_written_with_spaces():
    made, _ = rewrite_program("int main() { k<int> << <1, 2 >> > (3); a << b << c; }")
    assert '::simt::program::launch("k<int>", 1, k<int>, 1, 2 ) (3); a << b << c;' in made


COMMAND = [sys.executable, "-m", "gpucore.cli", "watch"]


def test_the_command_passes_arguments_and_output(lab_compiler, tmp_path):
    path = tmp_path / "sum.cu"
    path.write_text(SUM % "atomicAdd(out, x[i])")
    plain = subprocess.run(
        [*COMMAND, path, "--schedules", "2", "--", "40"], capture_output=True, text=True
    )
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.startswith("780\nsum: no data race, one result in 2 schedules\n")
    ran = subprocess.run([*COMMAND, path, "--json", "--", "40"], capture_output=True, text=True)
    report = json.loads(ran.stdout)
    assert report.keys() == {"file", "ok", "exit_code", "ended", "findings", "kernels"}
    assert ran.stderr == "780\n"


def test_the_command_is_interrupted_with_its_program(lab_compiler, tmp_path):
    path = tmp_path / "long.cu"
    path.write_text(main('    puts("begun"); fflush(stdout); for (volatile int i = 0;; ++i) {}'))
    running = subprocess.Popen([*COMMAND, path], stdout=subprocess.PIPE, text=True)
    assert running.stdout.readline() == "begun\n"
    running.send_signal(signal.SIGINT)
    assert running.wait(60) == 130
    assert running.stdout.read() == ""  # its program is gone, too: nothing holds the pipe


def test_local_variables_without_a_value_are_found(program):
    top = "__global__ void k(int* x) { int y; x[0] = y + 1; }"
    found, _ = program(main("    int* x; cudaMalloc(&x, 4); k<<<1, 1>>>(x);", top))
    assert ("uninitialised", 4) in lines(found)
