"""The figures of the Louvain paper: both rules beside each other, and the share of active lanes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpucore import run
from gpucore.bench.papers.declare import get_paper
from gpucore.bench.papers.run import Wish, run_paper
from gpucore.device import get_device
from gpucore.families.communities.bench.figure_numbers import hashing
from gpucore.loading import load

BOTH = ("figure 1", "figure 2", "figure 3", "figure 4")
HASHING = "section V, hashing"
RESULTS = Path(__file__).resolve().parents[3] / "benchmarks" / "results"


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    out = tmp_path_factory.mktemp("out")
    numbers = (*BOTH, "section V, lanes", HASHING)
    wish = Wish(instances=("delaunay6",), cores=2, figures=numbers)
    found, _ = run_paper(get_paper("louvain"), wish, get_device("host"), out, out / "cache")
    return {figure["number"]: figure for figure in found["figures"]}


@pytest.mark.parametrize("number", BOTH)
def test_figures_1_to_4_draw_the_papers_rule_and_ours(figures, number):
    titles = [chart["title"] for chart in figures[number]["charts"]]
    assert [sum("the paper's rule" in title for title in titles)] == [1]
    assert [sum("our rule" in title for title in titles)] == [1]


@pytest.mark.parametrize("number", BOTH)
def test_every_kernel_of_figures_1_to_4_names_its_rule(number):
    """A case without a rule has that of the day, so results would not say what they measured."""
    kernels = [case for case in _figure(number).cases(2) if case.params.get("variant") == "buckets"]
    rules = [case.params["rule"] for case in kernels]
    assert rules.count("paper") == rules.count("ours") > 0


def test_methods_with_equal_thresholds_are_compared(figures):
    """Over a sequential method with absolute thresholds only kernels with such are drawn."""
    absolute, relative = figures["figure 3"]["charts"]
    assert {row["name"] for row in absolute["series"]} == {"buckets", "fast, absolute thresholds"}
    assert {row["name"] for row in relative["series"]} == {"buckets, our rule", "fast (ours)"}


def test_the_share_of_active_lanes_is_that_of_the_counters(figures):
    result = run("louvain", load("karate"), device="host", variant="buckets", record="counters")
    warps = result.record.warps
    share = warps["edges"].sum() / warps["lane_slots"].sum()
    assert result.figures["active_lanes"] == pytest.approx(share)
    assert 0 < share <= 1
    assert "active_lanes" not in run("louvain", load("karate"), device="host").figures
    (printed,) = figures["section V, lanes"]["printed"]
    assert printed["value"] == "62.5 %"
    assert printed["ours"].endswith("%")


def test_hashing_is_compared_by_the_first_sweep_alone(figures):
    (printed,) = figures[HASHING]["printed"]
    assert (printed["value"], printed["place"]) == ("9 × on average", "section V")
    assert "1 instance" in printed["ours"]
    device, threads = (case.key for case in _figure(HASHING).cases(2))

    def one(seconds):
        return {"seconds": 1.0, "kept": {"stages": [{"first_sweep_seconds": seconds}]}}

    assert hashing({"measurements": {"a": {device: one(0.25), threads: one(2.0)}}}) == {"a": 8.0}
    assert hashing({"measurements": {"a": {device: one(0.25)}}}) == {}


def _figure(number):
    return next(f for f in get_paper("louvain").figures if f.number == number)


def test_what_the_profiler_counted_is_what_the_paper_page_says():
    profile = json.loads((RESULTS / "louvain-profile-h200" / "profile.json").read_text())
    every = profile["kernels"]["all"]
    said = get_paper("louvain").not_shown["section V, warps"]
    ours = (
        f"ours {every['eligible_warps']:.1f} and {100 * every['active_threads']:.1f} % on cnr-2000"
    )
    assert ours in said
    parts = [one for name, one in profile["kernels"].items() if name != "all"]
    for key in ("launches", "milliseconds"):
        assert sum(one[key] for one in parts) == pytest.approx(every[key], rel=1e-3)
