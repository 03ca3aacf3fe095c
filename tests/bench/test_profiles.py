"""Performance profiles against numbers computed by hand."""

import math
import xml.etree.ElementTree as ET

import pytest

from gpucore.bench.plots.profile import profile_plot, time_plot
from gpucore.bench.profiles import geometric_mean, performance_profiles
from gpucore.errors import ParameterError

# Three problems. Ratios to the best: a 1, 1, 4; b 2, 1, 1; c 8, failed, 2.
TIMES = {"a": [1.0, 3.0, 4.0], "b": [2.0, 3.0, 1.0], "c": [8.0, math.nan, 2.0]}


def profiles():
    return {profile.method: profile for profile in performance_profiles(TIMES)}


def test_ratios_are_those_worked_out_by_hand():
    found = {method: profile.ratios.tolist() for method, profile in profiles().items()}
    assert found == {"a": [1, 1, 4], "b": [1, 1, 2], "c": [2, 8]}


@pytest.mark.parametrize(
    ("method", "tau", "fraction"),
    [("a", 1, 2 / 3), ("a", 3.99, 2 / 3), ("a", 4, 1), ("b", 1.5, 2 / 3), ("b", 2, 1), ("c", 1, 0)],
)
def test_fraction(method, tau, fraction):
    assert profiles()[method].fraction(tau) == pytest.approx(fraction)


def test_a_failure_keeps_the_curve_down_for_ever():
    assert profiles()["c"].fraction(1e300) == pytest.approx(2 / 3)
    assert profiles()["c"].worst == math.inf


def test_order_is_by_wins_then_by_the_worst_ratio():
    assert [profile.method for profile in performance_profiles(TIMES)] == ["b", "a", "c"]


def test_problems_without_a_solver_do_not_count():
    table = {"a": [1.0, math.inf], "b": [2.0, math.nan]}
    assert [profile.problems for profile in performance_profiles(table)] == [1, 1]


def test_a_time_of_zero_is_the_best_and_not_a_division_by_zero():
    found = {p.method: p for p in performance_profiles({"a": [0.0], "b": [1.0]})}
    assert found["a"].wins == 1
    assert found["b"].wins == 0


@pytest.mark.parametrize("times", [{}, {"a": []}, {"a": [1.0], "b": [1.0, 2.0]}, {"a": [math.inf]}])
def test_nothing_to_compare_is_an_error(times):
    with pytest.raises(ParameterError):
        performance_profiles(times)


def test_geometric_mean():
    assert geometric_mean([1, 4, 16]) == pytest.approx(4)


def test_profile_plot_is_a_picture_whose_steps_end_where_the_profile_does():
    picture = ET.fromstring(
        profile_plot("Two & a failure", performance_profiles(TIMES), list("abc"))
    )
    texts = [element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Two & a failure", "a", "b", "c", "100 %"} <= set(texts)
    paths = [p for p in picture.iter("{http://www.w3.org/2000/svg}path") if p.find("*") is not None]
    ends = {p[0].text.split(":")[0]: float(p.get("d").rpartition("V")[2]) for p in paths}
    assert ends["a"] == ends["b"] == 64
    assert ends["c"] == pytest.approx(64 + 320 / 3, abs=0.01)


def test_time_plot_has_a_dot_for_every_time():
    picture = ET.fromstring(time_plot("Times", {"a": {"x": 1e-3, "y": 2.0}, "b": {"x": 0.5}}))
    hints = {
        dot[0].text for dot in picture.iter("{http://www.w3.org/2000/svg}circle") if len(dot) > 0
    }
    assert {"x, a: 1 ms", "y, a: 2 s", "x, b: 500 ms"} <= hints
