"""Sources as people paste them: what is kept, what is left out, and where lines are."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore.device.host import HostDevice
from gpucore.errors import KernelCompileError, KernelError
from gpucore.watching.compiler import compile_kernel
from gpucore.watching.lexer import Source
from gpucore.watching.translate import OUTSIDE, rewrite, translate

N = 32


def launched(source, *args, name=None, shared_mem=0, include=()):
    """Launch a source's kernel on one block of 32 threads, and return its first array."""
    made = translate(source, name, include)
    host = HostDevice(library=compile_kernel(made), instrumented=True)
    out = np.zeros(N, np.float32)
    host.kernel("lab", made.kernels[0])(1, N, [out, *args], shared_mem=shared_mem)
    return out


def kernel(body, parameters="float* o", before=""):
    return f"{before}\n__global__ void k({parameters}) {{ int t = threadIdx.x; {body} }}"


REVERSED = "%s s[t] = t; __syncthreads(); o[t] = s[31 - t];"


def test_the_lexer_knows_strings_comments_and_directives():
    source = Source(
        'a /* { */ "}\\"" R"x(" {)x" \'}\' // b\n#define C { \\\n }\nx<<<1, 2>>>(1\'000, .5e-3f);'
    )
    kinds = [(token.kind, token.text) for token in source.tokens]
    assert ("directive", "#define C { \\\n }") in kinds
    assert [text for kind, text in kinds if kind == "word"] == ["a", "x"]
    assert [text for kind, text in kinds if kind == "string"] == ['"}\\""', 'R"x(" {)x"', "'}'"]
    assert [text for kind, text in kinds if kind == "number"] == ["1", "2", "1'000", ".5e-3f"]
    assert "<<<" in [text for kind, text in kinds if kind == "sign"]
    assert source.place(len(source.tokens) - 1) == ("", 4)


@pytest.mark.parametrize(
    "declaration",
    [
        "__shared__ int s[32];",
        "volatile __shared__ int s[64];",
        "__shared__ volatile int s[32];",
        "int volatile __shared__ s[32];",
        "static __shared__ unsigned short a[3], s[32], b;",
        "__shared__ __align__(16) float s[32];",
        "alignas(double) __shared__ float s[32];",
        "__shared__ float s[32] __attribute__((aligned(16)));",
        "extern __shared__ int s[];",
        "extern volatile __shared__ int s[];",
        "extern __shared__ volatile int s[];",
        "__shared__ __align__(8) extern int s[];",
        "__shared__ int a[2][32], *s; s = a[1];",
        "__shared__ int a[32], (*p)[32]; p = &a; auto& s = *p;",
        "__shared__ struct { int v[32]; char c; } both; int* s = both.v;",
        "__shared__ union U { int v[32]; char c; } both; int* s = both.v;",
        "__shared__ Tile<int, 32> s;",
        "__shared__ typename Tile<int, 32>::Row s;",
        "SHARED(int) s[WIDTH];",
    ],
)
def test_every_form_of_shared_variables(lab_compiler, declaration):
    before = (
        "template <class T, int N> struct Tile { typedef T Row[N]; T v[N];\n"
        "  __device__ T& operator[](int i) { return v[i]; } };\n"
        "#define WIDTH 32\n#define SHARED(T) __shared__ T"
    )
    out = launched(kernel(REVERSED % declaration, before=before), shared_mem=256)
    np.testing.assert_array_equal(out, np.arange(N)[::-1])


def test_alignment_of_shared_variables_is_kept(lab_compiler):
    body = (
        "__shared__ char c; alignas(64) __shared__ char a; __shared__ __align__(32) float f[2];"
        "c = 0; o[t] = (size_t)&a % 64 + (size_t)f % 32 + c;"
    )
    assert not launched(kernel(body)).any()


def test_shared_variables_at_file_scope_are_one_a_block(lab_compiler):
    source = """
extern __shared__ float room[];
__shared__ int step[32];
__device__ void fill(int t) { step[t] = t; room[t] = 2 * t; }
__global__ void k(float* o) {
    fill(threadIdx.x); __syncthreads();
    o[threadIdx.x] = step[31 - threadIdx.x] + room[threadIdx.x];
}
__global__ void other(int* o) { extern __shared__ double numbers[]; o[0] = numbers[0]; }
"""
    np.testing.assert_array_equal(launched(source, shared_mem=256), 31 + np.arange(N))


def test_a_shared_variable_has_no_initial_value():
    with pytest.raises(KernelCompileError, match="line 2: a shared variable has no initial value"):
        rewrite("__global__ void k() {\n__shared__ int a = 3; }")


@pytest.mark.parametrize(
    ("source", "name", "exported"),
    [
        ('extern "C" {\n__global__ void k(float* o) { o[0] = 1; }\n}', None, "k"),
        ('extern "C" __global__ void k(float* o) { o[0] = 1; }', None, "k"),
        ("static __global__ void k(float* o) { o[0] = 1; }", None, "k"),
        ("__global__ static inline void k(float* o) { o[0] = 1; }", None, "k"),
        ("void __global__ __launch_bounds__(32, 2) k(float* o) { o[0] = 1; }", None, "k"),
        ("namespace a { namespace b {\n__global__ void k(float* o) { o[0] = 1; }}}", None,
         "a::b::k"),
        ("namespace a::b {\n__global__ void k(float* o) { o[0] = 1; }}", "k", "a::b::k"),
        ("template <typename T, int B>\n__global__ void k(T* o) { o[0] = B == 256; }",
         "k<float,256>", "k<float, 256>"),
        ("template <class T> __global__ void k(T* o);\n"
         "template <class T> __global__ void k(T* o) { o[0] = 1; }\n"
         "template <> __global__ void k<int>(int* o) { o[0] = 2; }\n"
         "template __global__ void k<float>(float*);", "k<float>", "k<float>"),
    ],
)  # fmt: skip
def test_kernels_in_every_place(lab_compiler, source, name, exported):
    assert translate(source, name).kernels == (exported,)
    assert launched(source, name=name)[0] == 1


def test_arguments_of_templates_are_types_of_the_source(lab_compiler):
    source = """
struct Plus { __device__ int operator()(int a, int b) const { return a + b; } };
enum { STEP = 7 };
template <class F, int N> __global__ void k(float* o) { o[threadIdx.x] = F()(1, N); }
"""
    assert (launched(source, name="k<Plus, STEP>") == 8).all()


def test_a_name_chooses_one_kernel_and_leaves_the_others_out(lab_compiler):
    source = '__global__ void odd() { asm(""); }\n' + kernel("o[t] = 1;")
    assert launched(source, name="k").all()
    with pytest.raises(KernelCompileError, match="line 1: inline PTX"):
        translate(source)


@pytest.mark.parametrize(
    ("source", "name", "words"),
    [
        ("template <class T, int N> __global__ void k(T* o) {}", None,
         'k is a template: name it with its arguments, as in name="k<float, 256>"'),
        ("template <class T> __global__ void k(T* o) {}", "k", 'as in name="k<float>"'),
        ("__global__ void k() {}", "other", "there is no kernel 'other'; the source has k"),
        ("int x;", None, "there is no kernel"),
        ("struct S {\n static __global__ void k() {} };\n__global__ void f() {}", None,
         "line 2: a kernel is no member of a class"),
        ("__global__ void k() {}\n__global__ void k(int x) {}", None,
         "line 1: there are several kernels k"),
        ("__global__ void k(\nint& x) {}", None, "line 2: a kernel takes no references"),
    ],
)  # fmt: skip
def test_kernels_that_cannot_be_launched(lab_compiler, source, name, words):
    with pytest.raises((KernelError, KernelCompileError), match=words.replace("(", r"\(")):
        translate(source, name)


def test_parameters_of_all_kinds(lab_compiler):
    source = kernel(
        "o[t] = *p + n + up + (m == DOWN) + (w == WIDE) + *q;",
        "float* __restrict__ o, const volatile int* p, const __grid_constant__ int n, bool up, "
        "Mode m, Wide w, const float* const __restrict q",
        "enum Mode { UP, DOWN }; enum class Wide : unsigned long long { WIDE = 1ull << 40 };\n"
        "#define WIDE Wide::WIDE\n",
    ).replace("Wide::WIDE = 1", "WIDE = 1")
    source = source.replace("#define WIDE Wide::WIDE\n", "").replace("w == WIDE", "w == Wide::WIDE")
    args = (np.array([5], np.int32), 2, True, 1, 1 << 40, np.array([0.5], np.float32))
    assert (launched(source, *args) == 10.5).all()


HOST = """
#include <cstdio>
#include <vector>
#include <algorithm>
#include "helper_cuda.h"
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
    assert made.dropped == ("helper_cuda.h",)
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


def test_structures_by_value_are_records_of_numpy(lab_compiler):
    source = kernel(
        "o[t] = p.s * p.n + q.v[3] + t4.c;",
        "float* o, P p, Q q, int n, Tiny t4",
        "struct P { char n; float s; }; struct alignas(16) Q { double v[4]; };\n"
        "struct Tiny { char c; };",
    )
    p = np.array([(20, 2.5)], np.dtype([("n", "i1"), ("s", "f4")], align=True))[0]
    q = np.array([([1, 2, 3, 4],)], np.dtype([("v", "f8", 4)]))[0]
    tiny = np.array([(1,)], np.dtype([("c", "i1")]))[0]
    assert (launched(source, p, q, 7, tiny) == 55).all()
    with pytest.raises(KernelError, match="a structure of 8 bytes, and the record has 5"):
        launched(source, np.array([(20, 2.5)], [("n", "i1"), ("s", "f4")])[0], q, 7, tiny)
    with pytest.raises(
        KernelError, match=r"must be an array of float32.*takes float\*, this is double"
    ):
        host = HostDevice(library=compile_kernel(translate(kernel("o[t] = 1;"))), instrumented=True)
        host.kernel("lab", "k")(1, N, [np.zeros(N)])
    with pytest.raises(KernelError, match="argument 1 is a structure of 8 bytes; pass a NumPy rec"):
        launched(source, 3, q, 7, tiny)


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
