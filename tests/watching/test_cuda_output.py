"""printf and assert in watched kernels."""

from __future__ import annotations

import numpy as np

import gpucore

PRINT = """#include <cstdio>
__global__ void k(int n, int* returned)
{
    for (int i = 0; i < n; ++i)
        returned[threadIdx.x] = printf("%d of %u: %.2f %s\\n", i, threadIdx.x, 0.5f * i, "ok");
    if (n == 0 && threadIdx.x == 1) returned[0] = printf("100%%") + 10 * printf("%c", 'x');
}
"""


def printed(n, lanes):
    """Return the text that a launch printed, and what printf returned."""
    found = gpucore.watch(PRINT, 1, lanes, (n, np.zeros(lanes, np.int32)), schedules=2)
    return found, found.arrays[0].tolist()


def test_printed_text_is_kept_in_the_order_of_the_lanes(lab_compiler):
    lines = [f"{i} of {lane}: {i / 2:.2f} ok\n" for lane in range(2) for i in range(3)]
    found, returned = printed(3, 2)
    assert (found.output, returned) == ("".join(lines), [4, 4])
    assert str(found).endswith("\n  | 2 of 1: 1.00 ok")
    assert "<pre>0 of 0: 0.00 ok" in found._repr_html_()
    assert printed(0, 2)[0].output == "100%x"
    assert printed(0, 1)[0].output == ""  # each launch begins with none


def test_printed_text_is_bounded(lab_compiler):
    whole = "".join(f"{i} of 0: {i / 2:.2f} ok\n" for i in range(5000))
    most = 64 << 10
    more = f"\n... and {len(whole) - most:,} more characters\n"
    assert printed(5000, 1)[0].output == whole[:most] + more


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
