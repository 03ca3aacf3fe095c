"""Whole programs: host code, CUDA's runtime, and every launch watched."""

from __future__ import annotations

from support.programs import SUM, lines, main


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
    top = """#include <cooperative_groups.h>
template <class T, int N> __global__ void fill(T* x, T value) { x[threadIdx.x % N] = value; }
namespace inner {
__global__ void meet(int* x) { cooperative_groups::this_grid().sync(); atomicAdd(x, 1); }
__global__ void one(double* x) { if (threadIdx.x + threadIdx.y == 0) *x += 1; } }
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
    int value = 19; void* two[] = {&x, &value};
    cudaLaunchKernel((const void*)fill<int, 32>, dim3(1), dim3(1), two, 0, 0);
    cudaLaunchCooperativeKernel((void *)&inner::meet, 2, 1, all);
    cudaMemcpy(&n, x, 4, cudaMemcpyDefault); cudaMemcpyFromSymbol(&c, counter, sizeof c);
    printf("%d %g %g %d\\n", n, *d, *f, c);"""
    found, text = program(main(body, top))
    assert text == "21 2 4 8\n"
    assert found.ok, str(found)
    names = [kernel["name"] for kernel in found.kernels]
    assert names == [
        "fill<T, 32>", "inner::one", "kernel", "over", "by_value", "constants", "fill<int, 32>",
        "inner::meet",
    ]  # fmt: skip


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


def test_host_code_uses_atomics_as_often_as_it_likes(program):
    top = "#include <cuda/atomic>\n__global__ void k(int* x) { *x = 1; }\n"
    body = """    int* x; cudaMalloc(&x, 4); k<<<1, 1>>>(x);
    cuda::atomic<int> word(0);
    for (int i = 0; i < 5000; ++i) { ++word; if (word.load() > i + 1) word.store(0); }
    k<<<1, 1>>>(x); printf("%d\\n", word.load());"""
    found, text = program(main(body, top))
    assert (found.ok, text) == (True, "5000\n"), str(found)


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
    found, _ = program(main(body, top), seconds=10, steps=1 << 40)
    assert str(found) == "the program was ended after 10 seconds, in spin, launched at line 7"
