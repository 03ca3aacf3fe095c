"""Exercises of the lab on warps accept right answers and explain wrong ones."""

import numpy as np
import pytest

from warplens.labs.kit.kernels import run
from warplens.labs.warp import exercises

CLIMB = """
SIMT_KERNEL(climb)(const int* in, int* out)
{
    int sum = 0;
    for (int step = 0; step <= threadIdx.x; ++step)
        sum += in[step];     // BODY
    out[threadIdx.x] = sum;
}
"""
LOAD = """
SIMT_KERNEL(load)(const float* in, float* out)
{
    out[threadIdx.x] = in[threadIdx.x * 2];   // LOAD
}
"""
COUNT = """
SIMT_KERNEL(count)(int* total)
{
    ADD;
}
"""


@pytest.fixture(scope="module")
def climb(lab_compiler):
    return run(CLIMB, np.ones(32, np.int32), np.zeros(32, np.int32))


def test_no_guess_is_no_answer(climb):
    verdict = exercises.loop_steps(None, climb)
    assert verdict.ok is None
    assert "None" in verdict.why


def test_an_answer_that_is_no_number_is_refused(climb):
    assert "'many' is not a number" in exercises.loop_steps("many", climb).why


@pytest.mark.parametrize(
    ("guess", "ok", "why"),
    [(32, True, "last lane"), (528, False, "lanes' own turns"), (16, False, "mean")],
)
def test_loop_steps(climb, guess, ok, why):
    verdict = exercises.loop_steps(guess, climb)
    assert verdict.ok is ok
    assert why in verdict.why
    assert "48% were waiting" in verdict.why


@pytest.mark.parametrize(("guess", "ok"), [(2, True), (1, False), (40, False)])
def test_warps(lab_compiler, guess, ok):
    source = "SIMT_KERNEL(f)(int* out)\n{\n    out[threadIdx.x] = 1;\n}\n"
    verdict = exercises.warps(guess, run(source, np.zeros(40, np.int32), block=40))
    assert verdict.ok is ok
    assert "leave 8 over" in verdict.why


@pytest.mark.parametrize(
    ("guess", "ok", "why"),
    [(8, True, "256 bytes travel"), (4, False, "side by side"), (1, False, "32")],
)
def test_sectors(lab_compiler, guess, ok, why):
    verdict = exercises.sectors(
        guess, run(LOAD, np.zeros(64, np.float32), np.zeros(32, np.float32))
    )
    assert verdict.ok is ok
    assert why in verdict.why


@pytest.mark.parametrize(
    ("code", "ok", "why"),
    [
        ("atomicAdd(total, 1)", True, "in one step"),
        ("total[0] = total[0] + 1", None, "one of the two additions is lost"),  # as it came
        ("total[0] += 1", False, "one of the two additions is lost"),
        ("if (threadIdx.x % 2) atomicAdd(total, 1)", False, "No addition was lost"),
        ("if (threadIdx.x == 0) total[0] = 64", True, "64, 64"),
        ("total[0] = 64", False, "Right by luck"),
        ("totals += 1", False, "totals"),
    ],
)
def test_counter(lab_compiler, code, ok, why):
    verdict = exercises.counter(COUNT.replace("ADD", code))
    assert verdict.ok is ok
    assert why in verdict.why


def test_verdicts_are_shown_as_text(climb):
    html = exercises.loop_steps("<b>", climb)._repr_html_()
    assert "<b>'" not in html
    assert "Not counted." in html
