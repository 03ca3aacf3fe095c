"""Exercises accept what is right, and say why what is wrong is wrong."""

import numpy as np
import pytest

from warpscope.labs.kit import exercises
from warpscope.labs.kit.kernels import run
from warpscope.labs.matching import runs as matching

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
def climb(compiler):
    return run(CLIMB, np.ones(32, np.int32), np.zeros(32, np.int32))


@pytest.fixture(scope="module")
def row():
    return matching.watch(matching.path(3, 4, 5, 2))


def test_no_guess_is_no_answer(climb):
    verdict = exercises.loop_steps(None, climb)
    assert verdict.ok is None
    assert "None" in verdict.why


def test_what_is_no_number_is_told(climb):
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
def test_warps(compiler, guess, ok):
    source = "SIMT_KERNEL(f)(int* out)\n{\n    out[threadIdx.x] = 1;\n}\n"
    verdict = exercises.warps(guess, run(source, np.zeros(40, np.int32), block=40))
    assert verdict.ok is ok
    assert "leave 8 over" in verdict.why


@pytest.mark.parametrize(
    ("guess", "ok", "why"),
    [(8, True, "256 bytes travel"), (4, False, "side by side"), (1, False, "32")],
)
def test_sectors(compiler, guess, ok, why):
    verdict = exercises.sectors(
        guess, run(LOAD, np.zeros(64, np.float32), np.zeros(32, np.float32))
    )
    assert verdict.ok is ok
    assert why in verdict.why


@pytest.mark.parametrize(
    ("code", "ok", "why"),
    [
        ("atomicAdd(total, 1)", True, "in one go"),
        ("total[0] = total[0] + 1", False, "one of the two additions is lost"),
        ("if (threadIdx.x == 0) total[0] = 64", True, "64, 64"),
        ("total[0] = 64", False, "Right by luck"),
        ("totals += 1", False, "totals"),
    ],
)
def test_counter(compiler, code, ok, why):
    verdict = exercises.counter(COUNT.replace("ADD", code))
    assert verdict.ok is ok
    assert why in verdict.why


def test_verdicts_are_shown_as_text(climb):
    html = exercises.loop_steps("<b>", climb)._repr_html_()
    assert "<b>'" not in html
    assert "Not yet." in html


@pytest.mark.parametrize(("vertex", "mate"), [(0, 1), (1, 0), (2, 3), (3, 2), (4, -1)])
def test_mates_of_the_path(row, vertex, mate):
    assert matching.mate_of(mate, vertex, row).ok
    assert not matching.mate_of(mate + 7, vertex, row).ok


def test_the_favourite_is_explained(row):
    why = matching.mate_of(2, 1, row).why
    assert "2 holds a better bid" in why
    assert "displaces 1" in why


def test_displaced(row):
    assert matching.displaced(1, row).ok
    assert "most went to vertices that were free" in matching.displaced(5, row).why


def test_every_schedule_ends_the_same():
    runs = [matching.watch("karate", seed=seed) for seed in range(3)]
    assert matching.different_matchings(1, runs).ok
    assert "where they end" in matching.different_matchings(3, runs).why


def right(neighbours):
    wanted = [(weight, vertex) for vertex, weight, bid in neighbours if weight > bid]
    return max(wanted)[1] if wanted else None


def deaf(neighbours):
    return max(neighbours, key=lambda n: n[1])[0] if neighbours else None


def lightest(neighbours):
    wanted = [(weight, vertex) for vertex, weight, bid in neighbours if weight > bid]
    return min(wanted)[1] if wanted else None


@pytest.mark.parametrize(
    ("rule", "ok", "why"),
    [
        (right, True, "certified"),
        (deaf, False, "a circle|is not the suitor"),
        (lightest, False, "is not the suitor|heavier"),
        (lambda neighbours: None, False, "an edge is left"),
        (lambda neighbours: -5, False, "no neighbour"),
    ],
)
def test_rules(rule, ok, why):
    import re

    verdict = matching.rule(rule)
    assert verdict.ok is ok, verdict
    assert re.search(why, verdict.why), verdict
