"""Variables of the device: found by name, and written from Python."""

from __future__ import annotations

import ctypes as c

import numpy as np
import pytest

from gpucore.device.host import HostDevice
from gpucore.errors import KernelError
from gpucore.watching.compiling.compiler import compile_kernel
from gpucore.watching.memory.variables import addresses, device_variables, variable
from gpucore.watching.source.translate import translate

SOURCE = """
#include <cmath>
__constant__ float table[4];
__constant__ const int fixed[2] = {1, 2};
const double weights[3] = {1, 2, 3};
__device__ int calls = 3;
static __device__ unsigned long long sums[2];
__device__ float never_used[7];
__shared__ int room[8];
extern __shared__ int dynamic[];
namespace physics { __managed__ double g = 9.81; struct Cell { int a, b; }; __device__ Cell cell; }
__global__ void k(float* o, int i)
{
    static __device__ int inside = 4;
    __shared__ int own[4];
    own[0] = room[0] = 1;
    o[0] = table[2] + fixed[i] + weights[i] + calls + inside + own[0];
    o[1] = physics::g + physics::cell.b;
    sums[0] = ++calls;
}
"""


@pytest.fixture(scope="module")
def host(lab_compiler):
    return HostDevice(library=compile_kernel(translate(SOURCE)), instrumented=True)


def test_the_variables_of_the_source_and_no_others(host):
    found = {one.name: (one.size, one.writable) for one in device_variables(host.library.path)}
    assert found == {
        "table": (16, True),
        "fixed": (8, False),
        "weights": (24, False),
        "calls": (4, True),
        "sums": (16, True),
        "physics::g": (8, True),
        "physics::cell": (8, True),
        "inside": (4, True),
    }


def test_values_from_python_reach_the_kernel(host):
    out = np.zeros(2, np.float32)

    def write(name, value):
        address, size = variable(host.library, name)
        assert size == value.nbytes
        c.memmove(address, value.ctypes.data, size)

    write("table", np.array([0, 0, 7, 0], np.float32))
    write("physics::g", np.array(1.5))
    write("cell", np.array([1, 2], np.int32))
    host.kernel("lab", "k")(1, 1, [out, 1])
    assert out.tolist() == [7 + 2 + 2 + 3 + 4 + 1, 3.5]
    address, size = addresses(host.library)["sums"]
    assert np.frombuffer(c.string_at(address, size), np.uint64).tolist() == [4, 0]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tables", "there is no __constant__ or __device__ variable 'tables'; the source has"),
        ("fixed", "fixed is const and has its value in the source"),
    ],
)
def test_names_that_cannot_be_written(host, name, words):
    with pytest.raises(KernelError, match=words):
        variable(host.library, name)
