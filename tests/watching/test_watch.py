"""Plain CUDA C++ under many schedules: races, results, and what lines cost."""

from __future__ import annotations

import types

import numpy as np
import pytest

import gpucore
from gpucore.device import get_device
from gpucore.errors import KernelCompileError, KernelError, ParameterError

SUM = """
#include <cuda_runtime.h>
// adds up a block
extern "C" __global__ void __launch_bounds__(64) total(const int* x, int* sum)
{
    __shared__ int part[64];
    part[threadIdx.x] = x[threadIdx.x];
    %s
    for (int half = 32; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        %s
    }
    if (threadIdx.x == 0)
        *sum = part[0];
}
"""
GOOD, WRONG = SUM % ("__syncthreads();", "__syncthreads();"), SUM % ("", "__syncthreads();")
STRIDED = """
__global__ void gather(const float* x, float* y) {
    y[threadIdx.x] = x[32 * threadIdx.x];
}
"""
DYNAMIC = """
__device__ inline float twice(float a) { return a + a; }
__global__ void turn(float* x) {
    extern __shared__ float tile[];
    tile[threadIdx.x * 32] = twice(x[threadIdx.x]);
    __syncthreads();
    x[threadIdx.x] = tile[(31 - threadIdx.x) * 32];
}
"""


def numbers():
    return np.arange(64, dtype=np.int32), np.zeros(1, np.int32)


def test_a_right_kernel_has_one_result_and_no_race(lab_compiler):
    x, total = numbers()
    found = gpucore.watch(GOOD, 1, 64, (x, total))
    assert found.ok
    assert (found.results, found.schedules, found.races) == (1, 20, ())
    assert found.arrays[1][0] == x.sum()
    assert total[0] == 0  # the arguments are copied
    assert "no data race, one result in 20 schedules" in str(found)


def test_a_missing_barrier_is_a_race_with_its_lines(lab_compiler):
    found = gpucore.watch(WRONG, 1, 64, numbers(), schedules=40)
    assert not found.ok
    lines = {race.first.line for race in found.races} | {race.second.line for race in found.races}
    assert {7, 11} <= lines
    assert "put a barrier between them" in str(found)
    assert "<table>" in found._repr_html_()


def test_lines_that_cost_are_explained(lab_compiler):
    x = np.arange(1024, dtype=np.float32)
    found = gpucore.watch(STRIDED, 1, 32, (x, np.zeros(32, np.float32)), schedules=1)
    remark = next(r for r in found.remarks if r.measure == "coalescing")
    assert remark.line == 3
    assert "touch 32 sectors of 32 bytes where 4 would do" in remark.text
    x = np.arange(32, dtype=np.float32)
    found = gpucore.watch(DYNAMIC, 1, 32, (x,), shared_mem=4096, schedules=3)
    assert np.array_equal(found.arrays[0], 2 * x[::-1])
    assert {r.line for r in found.remarks if r.measure == "bank conflicts"} == {5, 7}
    count = (
        "__global__ void k(int* x){ __shared__ int s[1]; s[0] = 0; atomicAdd(s, *x); *x = s[0]; }"
    )
    found = gpucore.watch(count, 1, 32, (np.ones(1, np.int32),), schedules=1)
    assert [
        r.text for r in found.remarks if "lanes access one word, or words of one bank" in r.text
    ]


def test_raw_kernels_bring_source_and_name(lab_compiler):
    raw = types.SimpleNamespace(code=GOOD, name="total")  # as cupy.RawKernel
    assert gpucore.watch(raw, 1, 64, numbers(), schedules=1).name == "total"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("int x;", "there is no kernel"),
        ("__global__ void f(){ asm(\"nop;\"); }", "inline PTX"),
        ("__global__ void f(int* x){\n  y[0] = 1;\n}", "line 2: .y. was not declared"),
        ("__global__ void f(int* x){ *x = __shfl_down(*x, 1); }", "no __shfl_down; write .*_sync"),
    ],
)  # fmt: skip
def test_what_is_outside_of_the_subset_is_named(lab_compiler, source, words):
    with pytest.raises(KernelCompileError, match=words.replace("(", r"\(")):
        gpucore.watch(source, 1, 32, (np.zeros(1, np.int32),))


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"block": 0}, ParameterError, "block is 0"),
        ({"grid": 1 << 20}, ParameterError, "take a smaller problem"),
        ({"schedules": 0}, ParameterError, "schedules is 0"),
        ({"schedules": 2.5}, ParameterError, "schedules is 2.5"),
        ({"seed": "a"}, ParameterError, "seed is 'a'; take a whole number"),
        ({"steps": 1e6}, ParameterError, "steps is 1000000.0"),
        ({"cooperative": "yes"}, ParameterError, "cooperative is 'yes'"),
        ({"name": "none"}, KernelError, "no kernel 'none'; the source has total"),
    ],
)
def test_bad_calls(lab_compiler, options, error, words):
    call = {"grid": 1, "block": 64, **options}
    with pytest.raises(error, match=words):
        gpucore.watch(GOOD, args=numbers(), **call)


def test_only_a_gpu_is_asked_for_its_result(lab_compiler):
    with pytest.raises(ParameterError, match="is no GPU"):
        gpucore.watch(GOOD, 1, 64, numbers(), schedules=1, device=get_device("host"))


@pytest.mark.gpu
def test_a_gpu_has_the_same_result(lab_compiler):
    found = gpucore.watch(GOOD, 1, 64, numbers(), schedules=2, device=get_device("cuda"))
    assert found.on_gpu is True
    assert "the GPU's among them" in str(found)
