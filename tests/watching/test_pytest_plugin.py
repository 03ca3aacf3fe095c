"""The marker that makes findings fail a reader's own tests."""

pytest_plugins = ["pytester"]

TESTS = '''
import numpy as np
import pytest

import gpucore
from gpucore.watching.programs.program import watch_program

RACY = """
__global__ void total(const int* x, int* sum) {
    sum[0] += x[threadIdx.x];
}
"""
PROGRAM = RACY + "int main() { int* x; cudaMalloc(&x, 256); cudaMemset(x, 0, 256); %s; }"


def arguments():
    return np.arange(64, dtype=np.int32), np.zeros(1, np.int32)


@pytest.mark.watch
def test_racy():
    gpucore.watch(RACY, 1, 64, arguments(), schedules=3)


def test_racy_without_the_marker():
    assert not gpucore.watch(RACY, 1, 64, arguments(), schedules=3).ok


@pytest.mark.watch
def test_right():
    right = RACY.replace("sum[0] += x[threadIdx.x]", "atomicAdd(sum, x[threadIdx.x])")
    assert gpucore.watch(right, 1, 64, arguments(), schedules=3).arrays[1][0] == 2016


@pytest.mark.watch
def test_fails_by_itself():
    gpucore.watch(RACY, 1, 64, arguments(), schedules=3)
    assert 1 == 2


@pytest.mark.watch
def test_racy_program(tmp_path):
    path = tmp_path / "p.cu"
    path.write_text(PROGRAM % "total<<<1, 64>>>(x, x)")
    watch_program(path, schedules=3)


@pytest.mark.watch
def test_right_program(tmp_path):
    path = tmp_path / "p.cu"
    path.write_text(PROGRAM % "total<<<1, 1>>>(x, x)")
    assert watch_program(path, schedules=3).exit_code == 0
'''


def test_findings_fail_tests_with_their_report(pytester, lab_compiler):
    pytester.makepyfile(TESTS)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--strict-markers")
    result.assert_outcomes(passed=3, failed=3)
    result.stdout.fnmatch_lines(
        [
            "*test_racy*",
            "total: 2 data races, *",
            "  line 3: the global store of block 0, thread 0 and *",
            "*test_fails_by_itself*",
            "E * assert 1 == 2",
            "*test_racy_program*",
            "total: 1 data race, *",
        ]
    )
    assert "pytest_plugin.py" not in result.stdout.str()  # no traceback of ours
