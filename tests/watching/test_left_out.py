"""What is left out of sources as people paste them, where lines are, and what errors say."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore.errors import KernelCompileError
from gpucore.watching.compiling.compiler import compile_kernel
from gpucore.watching.source.outside import OUTSIDE
from gpucore.watching.source.translate import rewrite, translate
from support.launching import N, kernel, launched

HOST = """
#include <cstdio>
#include <vector>
#include <algorithm>
#include "helper_other.h"
#ifdef _WIN32
#include <windows.h>
#endif
#define CHECK(call) do { if ((call) != cudaSuccess) exit(1); } while (0)
using namespace std;
using namespace thrust;
using std::vector;
const int SCALE = 3;
static vector<float> pool;
cudaStream_t stream;
constexpr int twice(int x) { return 2 * x; }
struct Buffer {
    float* data;
    Buffer(int n) { CHECK(cudaMalloc(&data, n)); }
    __device__ float at(int i) const { return i; }
    vector<float> copied() const;
    friend ostream& operator<<(ostream& out, const Buffer& b) { return out << b.data; }
};
__host__ __device__ float helper(int i) { return twice(i) * SCALE; }
template <class T> void print(const vector<T>& v) { for (auto x : v) cout << x; }
__global__ void k(float* o)
{
    o[threadIdx.x] = helper(threadIdx.x);
}
void run(vector<float>& host)
{
    k<<<1, 32>>>(host.data());
    CHECK(cudaDeviceSynchronize());
    sort(host.begin(), host.end(), [](float a, float b) { return a < b; });
}
int main(int argc, char** argv)
{
    printf("}{ %d\\n", argc);
    run(pool);
}
"""


def test_host_code_and_launches_are_left_out(lab_compiler):
    np.testing.assert_array_equal(launched(HOST), 6 * np.arange(N))
    made = translate(HOST)
    assert made.dropped == ("helper_other.h",)
    assert made.headers == ("cstdio",)
    line = "    o[threadIdx.x] = helper(threadIdx.x);"
    assert made.text.splitlines().index(line) == HOST.splitlines().index(line)
    assert "main" not in made.text
    assert "Buffer" not in made.text


def test_a_host_function_is_no_helper_of_the_same_name(lab_compiler):
    source = (
        "__device__ float scaled(float x) { return 2 * x; }\n"
        + kernel("o[t] = scaled(t);")
        + "\nvoid start(float* x, int n) { k<<<1, n>>>(x); }"
        + "\nvoid scaled(float* x, int n) { start(x, n); }"
        + "\nvoid t(Matrix x) { scaled(x, 1); start(x); }"
    )
    np.testing.assert_array_equal(launched(source), 2 * np.arange(N))


def test_a_class_that_a_kernel_uses_loses_the_members_of_the_host(lab_compiler):
    source = HOST.replace("= helper(threadIdx.x)", "= b.at(threadIdx.x)")
    source = source.replace("k(float* o)\n", "k(float* o, Buffer b)\n")
    assert "cudaMalloc" not in translate(source).text
    compile_kernel(translate(source))


def test_headers_come_from_the_given_folders(lab_compiler, tmp_path):
    (tmp_path / "shapes.h").write_text(
        '#pragma once\n#include <cmath>\n#include <missing.h>\n#include "inner.h"\n'
        "__device__ inline float area(float r) { return SIDE * fabsf(r); }\n"
    )
    (tmp_path / "inner.h").write_text("#define SIDE 3\n")
    source = '#include "shapes.h"\n' + kernel("o[t] = area(-t);")
    np.testing.assert_array_equal(launched(source, include=[tmp_path]), 3 * np.arange(N))
    with pytest.raises(KernelCompileError) as caught:
        compile_kernel(translate(source))
    assert "line 3: 'area' was not declared" in str(caught.value)
    assert "not found were shapes.h: name the folders of these headers with include=" in str(
        caught.value
    )


def test_lines_after_a_header_keep_their_numbers(lab_compiler, tmp_path):
    (tmp_path / "one.h").write_text(
        "\n\nint unused;\n__device__ inline int f() { return wrong; }\n"
    )
    source = '#include "one.h"\n__global__ void k(int* o)\n{\n    *o = f();\n    *o = nowhere;\n}'
    with pytest.raises(KernelCompileError) as caught:
        compile_kernel(translate(source, include=[tmp_path]))
    assert "one.h, line 4: 'wrong' was not declared" in str(caught.value)
    assert "line 5: 'nowhere' was not declared" in str(caught.value)
    assert "5 |     *o = nowhere;" in str(caught.value)


@pytest.mark.parametrize(
    "source",
    [
        "__global__\nvoid\nf(int* x)\n{\n__shared__\nint s[4]\n[8];\n}\n",
        "/* a\n b */ __global__ void f() {}\n",
        "int main()\n{\n}\n__global__ void f() {}\n",
        "#define A(x) \\\n  x\n__global__ void f() { A(\n 1\n); }\n",
        "extern \"C\"\n{\n__global__ void f() {}\n}\n",
    ],
)  # fmt: skip
def test_lines_keep_their_numbers(source):
    text = translate(source).text
    assert text.count("\n") == source.count("\n")
    at = next(i for i, line in enumerate(source.splitlines()) if "f(" in line)
    assert "f(" in text.splitlines()[at]


SAMPLES = {
    "a launch by a kernel": "k<<<1, 1>>>(o);",
    "inline PTX": 'asm volatile("bar.sync 0;");',
    "textures and surfaces": "o[0] = tex2D<float>(image, 1, 2);",
    "tensor cores": "nvcuda::wmma::fill_fragment(a, 0);",
    "clusters": "auto c = cg::this_cluster();",
    "thrust and cub": "thrust::sort(o, o + 2);",
    "asynchronous copies": "__pipeline_commit();",
    "the device's heap": "int* p = new int[3];",
    "cuRAND": "curandState s;",
    "CUDA's runtime": "cudaDeviceSynchronize();",
    "partitions": "auto g = cg::binary_partition(tile, t > 3);",
    "coalesced_threads": "auto g = cg::coalesced_threads();",
    "grids over several GPUs": "auto g = cg::this_multi_grid();",
}


@pytest.mark.parametrize("what", SAMPLES)
def test_what_is_outside_is_one_sentence_with_the_line(what):
    with pytest.raises(KernelCompileError) as caught:
        rewrite(f"// {SAMPLES[what]}\n__global__ void k(float* o) {{\n  {SAMPLES[what]}\n}}")
    assert str(caught.value).startswith("line 3: ")
    assert what in str(caught.value)
    assert "\n" not in str(caught.value)
    # The same in code of the host is no obstacle.
    rewrite(f"void host() {{ {SAMPLES[what]} }}\n__global__ void k() {{}}")


def test_the_table_of_what_is_outside_has_a_sample_of_every_row():
    for row in OUTSIDE:
        assert any(what in row.what for what in SAMPLES), row.what


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("struct S { S(const S&); int a; };\n__global__ void k(int* o,\n S s) {}",
         ["a kernel's parameter is copied byte by byte; this type has a copy of its own"]),
        ("__global__ void k(float* o) {\n volatile __shared__ int s[4];\n o[0] = s.x; }",
         ["line 3: request for member 'x' in 's', which is of non-class type 'volatile int [4]'",
          "    3 |  o[0] = s.x; }"]),
        ("__device__ int f(int);\n__global__ void k(int* o) { o[0] = f(1); }",
         ["f is declared, but not defined"]),
        ("__global__ void k(int* o) {\n __shared__ int s[WRONG];\n s[0] = 1; }",
         ["line 2: 'WRONG' was not declared in this scope", "    2 |  __shared__ int s[WRONG];"]),
        ("template <class T> __device__ T half_of(T x) {\n return x.y; }\n"
         "__global__ void k(int* o) { o[0] = half_of(o[1]); }",
         ["line 2: request for member 'y' in 'x', which is of non-class type 'int'",
          "    2 |  return x.y; }"]),
        ("__global__ void k(int* o) {\n atomicAdd(o, 1, 2); }",
         ["line 2: no matching function for call to 'atomicAdd(int*&, int, int)'",
          "    2 |  atomicAdd(o, 1, 2); }"]),
        ("namespace n {\n__global__ void k(Unknown x, int* o) {} }",
         ["line 2: 'Unknown' was not declared in this scope",
          "    2 | __global__ void k(Unknown x, int* o) {} }"]),
        ("#if 1\n__global__ void k() {}", ["line 1: unterminated #if", "    1 | #if 1"]),
        ('#error "not here"\n__global__ void k() {}',
         ['line 1: #error "not here"', '    1 | #error "not here"']),
    ],
)  # fmt: skip
def test_errors_have_the_readers_lines_and_words_only(lab_compiler, source, lines):
    with pytest.raises(KernelCompileError) as caught:
        compile_kernel(translate(source))
    report = str(caught.value).splitlines()
    assert report[0] == "the kernel does not compile:"
    assert report[1:] == lines
    assert not any(word in str(caught.value) for word in ("SIMT", "simt", "_key", ".h:"))


@pytest.mark.parametrize(
    "source",
    [
        kernel("o[t] = INT_MAX > 0 && FLT_MAX > 1 && sizeof(uint64_t) == 8;"),
        kernel("o[t] = one();", before="static __device__ __noinline__ int one() { return 1; }"),
        kernel("/* \u00fc */ o[t] = 1; // \u4e2d\n").replace("\n", "\r\n"),
        kernel("o[t] = A(1,\\\r\n 2);", before="#define A(x, y) \\\r\n (y - x)\r\n"),
        kernel("\n#pragma unroll\nfor (int i = 0; i < 2; ++i) o[t] = i;"),
        kernel('o[t] = UNROLL(i);', before='#define UNROLL(i) ({ int s = 0; _Pragma("unroll") '
               'for (int i = 0; i < 1; ++i) ++s; s; })'),
        kernel("extern __shared__ int a[], b[]; a[t] = 1; __syncwarp(); o[t] = b[t];"),
        kernel("int half = 2, text = 1; o[t] = half - text;"),
        kernel("o[t] = ops[1](t) > 0;", before="__device__ int f(int t) { return t + 1; }\n"
               "typedef int (*Op)(int);\n__device__ Op ops[2] = {nullptr, f};"),
        kernel("auto g = [=] __device__ (int x) { return x + 1; }; o[t] = g(0);"),
        kernel("o[t] = Traits<int>::one + Traits<float>::one;",
               before="template <class T> struct Traits { enum { one = 0 }; };\n"
               "template <> struct Traits<int> { static constexpr int one = 1; };"),
        kernel("o[t] = V{1}.x; V v(0); v += V(1); o[t] = v.x;",
               before="struct V { float x; __device__ V(float a) : x{a} {}\n"
               "  __device__ V& operator+=(const V& o); };\n"
               "__device__ V& V::operator+=(const V& o) { x += o.x; return *this; }"),
        kernel("o[t] = (v * 2.f < w) + (v == w);", before="struct P { float x; };\n"
               "__device__ P operator*(P a, float b) { return {a.x * b}; }\n"
               "__device__ bool operator<(P a, P b) { return a.x < b.x; }\n"
               "__device__ bool operator==(P a, P b) { return false; }\n"
               "__constant__ P v = {1}, w = {3};"),
    ],
)  # fmt: skip
def test_odds_and_ends_of_real_files(lab_compiler, source):
    assert (launched(source, shared_mem=256) == 1).all()


def test_a_pragma_goes_with_the_loop_that_it_is_about(lab_compiler):
    source = (
        "__device__ int unused(int n)\n{\n#pragma unroll\n    for (int i = 0; i < 4; ++i) ++n;\n"
        "    return n;\n}\n__global__ void k(int* x)\n{\n#pragma unroll\n"
        "    for (int i = 0; i < 4; ++i) x[i] = i;\n}\n"
    )
    assert translate(source).text.count("#pragma") == 1
