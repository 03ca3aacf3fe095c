"""Kernels as people paste them: shared variables, names, templates and parameters."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore.device.host import HostDevice
from gpucore.errors import KernelCompileError, KernelError
from gpucore.watching.compiling.compiler import compile_kernel
from gpucore.watching.source.lexer import Source
from gpucore.watching.source.translate import rewrite, translate
from support.launching import N, kernel, launched

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
