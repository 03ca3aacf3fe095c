"""printf and assert in watched kernels."""

from __future__ import annotations

import ctypes as c

import numpy as np

from gpucore import native
from gpucore.device.host import HostDevice
from gpucore.watching.compiler import compile_kernel
from gpucore.watching.translate import translate

PRINT = """#include <cstdio>
__global__ void k(int n, int* returned)
{
    for (int i = 0; i < n; ++i)
        returned[threadIdx.x] = printf("%d of %u: %.2f %s\\n", i, threadIdx.x, 0.5f * i, "ok");
    if (n == 0 && threadIdx.x == 1) returned[0] = printf("100%%") + 10 * printf("%c", 'x');
}
"""


def printed(n, lanes):
    """Return the text that a launch printed, how much was dropped, and what printf returned."""
    library = compile_kernel(translate(PRINT))
    device, returned = HostDevice(library=library, instrumented=True), np.zeros(lanes, np.int32)
    device.kernel("lab", "k")(1, lanes, (n, returned))
    function = native.library(library, instrumented=True).cdll.simt_output
    function.argtypes = [c.c_char_p, c.c_uint64, c.POINTER(c.c_uint64)]
    function.restype = c.c_uint64
    dropped = c.c_uint64()
    text = c.create_string_buffer(function(None, 0, c.byref(dropped)))
    function(text, len(text), c.byref(dropped))
    return text.raw.decode(), dropped.value, returned.tolist()


def test_printed_text_is_kept_in_the_order_of_the_lanes(lab_compiler):
    lines = [f"{i} of {lane}: {i / 2:.2f} ok\n" for lane in range(2) for i in range(3)]
    assert printed(3, 2) == ("".join(lines), 0, [4, 4])
    assert printed(0, 2) == ("100%x", 0, [10, 0])
    assert printed(0, 1) == ("", 0, [0])  # each launch begins with none


def test_printed_text_is_bounded(lab_compiler):
    whole = "".join(f"{i} of 0: {i / 2:.2f} ok\n" for i in range(5000))
    text, dropped, _ = printed(5000, 1)
    assert text == whole[: 64 << 10]
    assert dropped == len(whole) - (64 << 10)


def test_a_failed_assertion_ends_the_launch(run):
    body = "assert(out[threadIdx.x] < 5);\nassert((out[0] == 1, true));\nout[threadIdx.x] = 7;"
    call = {"parameters": "int* out", "top": "#include <assert.h>"}
    report = run(body, np.array([1] * 6 + [9] + [1] * 25, np.int32), **call)
    (failed,) = report.findings
    assert failed.line == 4
    assert "the assertion `out[threadIdx.x] < 5` failed" in failed.text
    assert "thread (6,0,0)" in failed.text
    assert run(body, np.ones(32, np.int32), **call).arrays[0].tolist() == [7] * 32


def test_assertions_can_be_switched_off(run):
    call = {"parameters": "int* out", "top": "#define NDEBUG\n#include <cassert>"}
    run("assert(out[0] == 5);", np.zeros(1, np.int32), **call)
