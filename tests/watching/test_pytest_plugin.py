"""The fixtures that watch kernels and programs in a reader's own tests."""

pytest_plugins = ["pytester"]

TESTS = '''
import numpy as np

RACY = """
__global__ void total(const int* x, int* sum) {
    sum[0] += x[threadIdx.x];
}
"""
PROGRAM = RACY + "int main() { int* x; cudaMalloc(&x, 256); cudaMemset(x, 0, 256); %s; }"


def arguments():
    return np.arange(64, dtype=np.int32), np.zeros(1, np.int32)


def test_racy(watch_kernel):
    watch_kernel(RACY, 1, 64, arguments(), schedules=3)


def test_right(watch_kernel):
    right = RACY.replace("sum[0] += x[threadIdx.x]", "atomicAdd(sum, x[threadIdx.x])")
    assert watch_kernel(right, 1, 64, arguments(), schedules=3).arrays[1][0] == 2016


def test_racy_program(watch_program, tmp_path):
    path = tmp_path / "p.cu"
    path.write_text(PROGRAM % "total<<<1, 64>>>(x, x)")
    watch_program(path, schedules=3)


def test_right_program(watch_program, tmp_path):
    path = tmp_path / "p.cu"
    path.write_text(PROGRAM % "total<<<1, 1>>>(x, x)")
    assert watch_program(path, schedules=3).exit_code == 0
'''


def test_findings_fail_tests_with_their_report(pytester, lab_compiler):
    pytester.makepyfile(TESTS)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(
        [
            "E * Failed: total: 2 data races, *",
            "E * line 3: the global store of block 0, thread 0 and *",
            "*test_racy_program*",
            "E * Failed: total: 1 data race, *",
        ]
    )
    assert "pytest_plugin.py" not in result.stdout.str()  # no traceback of ours
