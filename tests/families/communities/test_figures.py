"""The figures of the Louvain paper: both rules beside each other, and the share of active lanes."""

from __future__ import annotations

import pytest

from gpucore import run
from gpucore.bench.papers.declare import get_paper
from gpucore.bench.papers.run import Wish, run_paper
from gpucore.device import get_device
from gpucore.loading import load

BOTH = ("figure 1", "figure 2", "figure 3", "figure 4")


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    out = tmp_path_factory.mktemp("out")
    numbers = (*BOTH, "section V, lanes")
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
    figure = next(f for f in get_paper("louvain").figures if f.number == number)
    kernels = [case for case in figure.cases(2) if case.params.get("variant") == "buckets"]
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
