"""Local arrays in every form that C++ declares them, and what is left as it is."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore
from gpucore.watching.source.translate import rewrite

N = 32


def watched(body, before="", n=4, **options):
    source = f"{before}\n__global__ void k(int* out, int n) {{\nint t = threadIdx.x;\n{body}\n}}"
    call = {"schedules": 2, **options}
    return gpucore.watch(source, 1, N, (np.zeros(N, np.int32), n), **call)


@pytest.mark.parametrize(
    ("declaration", "use"),
    [
        ("int a[4] = {0};", "a[n] = 1"),
        ("int a[4] = {1, 2}, *p = a, b[2][2], c = 3;", "b[n / 2][0] = c + *p"),
        ("int c = 3, a[3];", "a[n] = c"),
        ("const float a[] = {1, 2, 3};", "out[t] = a[n]"),
        ('char a[] = "abc";', "a[n] = 'x'"),
        ("char a[4]{'a'};", "a[n] = 'x'"),
        ("__align__(16) float a[4];", "a[n] = 1"),
        ("alignas(16) unsigned short a[4], b[2];", "b[n] = 1"),
        ("volatile unsigned a[4];", "a[n] = 1"),
        ("double *a[3];", "a[n] = nullptr"),
        ("P a[4];", "a[n].y = 1"),
        ("inner::Q<int, 2> a[3];", "a[n].v[1] = 2"),
        ("struct P a[2] = {{1, 2}, {3}};", "a[n].x = 1"),
        ("auto f = [&](int i) { int a[2]; a[i] = 1; };", "f(n)"),
        ("for (int i = 0; i < 1; ++i) {\n#pragma unroll\nint a[2];", "a[n] = 1; }"),
    ],
)
def test_every_declaration_is_looked_at(lab_compiler, declaration, use):
    before = "struct P { int x, y; };\n"
    before += "namespace inner { template <class T, int N> struct Q { T v[N]; }; }"
    body = f"{declaration} {use};"
    report = watched(body, before)
    line = 5 + declaration.count("\n")
    assert [(one.kind, one.line) for one in report.findings] == [("outside", line)], str(report)
    assert watched(body, before, n=0).ok


def test_values_and_sizes_are_as_in_cuda(lab_compiler):
    body = """
    int a[] = {5, 6, 7}, b[2][3] = {{1, 2, 3}, {4}}; char s[] = "abc"; alignas(16) float v[4] = {};
    float4 four = *reinterpret_cast<float4*>(v); int copied[3];
    memcpy(copied, a, sizeof a);
    memset(b, 0, sizeof(int));
    out[0] = sizeof a + sizeof b + sizeof s; out[1] = b[1][0] + b[0][1]; out[2] = s[3] + four.x;
    out[3] = last(a); out[4] = copied[2]; out[5] = size_t(v) % 16; out[6] = b[0][0];
    """
    before = "template <int N> __device__ int last(int (&x)[N]) { return x[N - 1]; }"
    report = watched(f"if (t == 0) {{ {body} }}", before)
    assert report.ok, str(report)
    assert report.arrays[0][:7].tolist() == [12 + 24 + 4, 6, 0, 7, 7, 0, 0]


def test_recursion_and_early_returns_forget_arrays(lab_compiler):
    before = """__device__ int sum(int depth) {
        int a[2] = {depth, 1};
        if (depth == 0) return a[0];
        return a[1] + sum(depth - 1);
    }"""
    report = watched("int a[2]; a[1] = sum(8); out[t] = a[1]; if (t == 3) out[0] = a[0];", before)
    assert [one.kind for one in report.findings] == ["uninitialised"]
    assert "reads a[0]" in str(report)
    assert report.arrays[0][5] == 8


def test_memory_of_another_thread_is_not_the_kernels(lab_compiler):
    body = """__shared__ int* shown; int own[2] = {t, t};
    if (t == 0) shown = own;
    __syncthreads();
    out[t] = shown[0];"""
    report = watched(body)
    assert ("elsewhere", 7) in {(one.kind, one.line) for one in report.findings}, str(report)
    assert "own[0], of a local array of 2 elements of another thread" in str(report)


def test_other_statements_stay():
    for body in (
        "a[3] = b[2];",
        "return a[3];",
        "static int a[3];",
        "constexpr int a[] = {1};",
        "switch (x) { case 1: int a[3]; }",
        "goto end; int a[3]; end:;",
        "for (int a[2] = {0, 1}; a[0] < 2; ++a[0]) ;",
        "S s = {x, y[2]};",
    ):
        text = f"__global__ void k(int* x) {{ {body} }}"
        assert "Local" not in rewrite(text)[0], body
    host = "int main() { int a[3]; } __global__ void k(int* x) {}"
    assert "Local" not in rewrite(host)[0]
