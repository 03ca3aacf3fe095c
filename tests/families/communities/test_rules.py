"""Rules that end a phase: literally the paper's, ours, and each option alone, on GPU and CPU."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore
from gpucore.families.communities.rules import PRESETS
from gpucore.loading import load
from support.running import uncertified

from .runs import PAPER, find, gains, lonely, losing, real_graph


@pytest.mark.parametrize("variant", PAPER)
def test_take_back_alone_undoes_the_last_sweep(each_device, variant):
    graph = losing(variant)
    result = find(graph, variant, each_device, record="events", take_back=True)
    lost = [sweeps for _, sweeps in gains(result) if min(sweeps) < 0]
    assert lost
    assert all(gain >= 0 for sweeps in lost for gain in sweeps[:-1])
    assert result.record.steps["taken_back"].any()


@pytest.mark.parametrize("variant", PAPER)
def test_alternate_alone_goes_on_after_a_sweep_that_loses(each_device, variant):
    graph = losing(variant)
    # Alone, it goes on until there are too many sweeps.
    options = {"record": "events", "alternate": True, "max_sweeps": 40}
    result = find(graph, variant, each_device, **options)
    found = [sweeps for _, sweeps in gains(result) if min(sweeps) < 0]
    assert any(min(sweeps[:-1], default=0.0) < 0 for sweeps in found)
    assert not result.record.steps["taken_back"].any()


def test_ease_lets_sweeps_in_one_direction_go_on(each_device):
    with_it, without = (
        find(real_graph("minnesota"), "relaxed", each_device, rule="ours", ease=ease, t_final=1e-3)
        for ease in (True, False)
    )
    assert with_it.sweeps > without.sweeps


def test_ease_has_no_effect_on_buckets():
    runs = [
        find(real_graph("minnesota"), "buckets", rule="ours", ease=ease) for ease in (True, False)
    ]
    np.testing.assert_array_equal(runs[0].community, runs[1].community)


@pytest.mark.parametrize("variant", PAPER)
def test_relative_thresholds_are_a_part_of_the_gain_so_far(each_device, variant):
    options = {"thresholds": "relative", "t_final": 0.02, "record": "counters"}
    result = find(real_graph("email-eu-core"), variant, each_device, **options)
    for start, sweeps in gains(result):
        reached = start + np.cumsum(sweeps)
        wanted = np.maximum(0.02 * (reached - start), 0.02 * reached)
        assert (np.array(sweeps) >= wanted)[:-1].all()
        assert sweeps[-1] < wanted[-1]


@pytest.mark.parametrize("variant", PAPER)
def test_our_rule_is_all_options_at_once(each_device, variant):
    graph = real_graph("minnesota")
    ours = {name: getattr(PRESETS["ours"], name) for name in PRESETS["ours"].__annotations__}
    first = find(graph, variant, each_device, rule="ours")
    second = find(graph, variant, each_device, **ours)
    np.testing.assert_array_equal(first.community, second.community)
    assert first.params | {"rule": "paper"} == second.params


@pytest.mark.parametrize("runner", [*PAPER, "fast", "louvain_adaptive"])
def test_a_stage_is_large_by_the_same_count_everywhere(runner):
    """Section V counts vertices; as an option, only those with edges count."""
    for counted, threshold in (("all", 0.5), ("with_edges", 1e-6)):
        limits = {"t_bin": 0.5, "bin_vertices": 100, "counted": counted}
        if runner == "louvain_adaptive":
            result = uncertified(runner, lonely(), **limits)
        else:
            result = find(lonely(), runner, **limits)
        assert result.figures["stages"][0]["threshold"] == threshold
    assert PRESETS["paper"].counted == "all"


@pytest.mark.parametrize(
    ("runner", "extra"),
    [(v, {"rule": "paper"}) for v in PAPER]
    + [("fast", {"thresholds": "absolute"}), ("louvain_adaptive", {}), ("louvain_serial", {})],
)
def test_absolute_and_relative_mean_the_same_everywhere(runner, extra):
    """No sweep gains 0.9 itself, but the first one gains all of the gain so far."""
    graph = load("planted:n=400,communities=10,degree_in=16,degree_out=2,shuffle=false,seed=1")
    sweeps = {}
    for thresholds in ("absolute", "relative"):
        options = {**extra, "thresholds": thresholds}
        options |= {"threshold": 0.9} if runner == "louvain_serial" else {"t_final": 0.9}
        if runner.startswith("louvain"):
            result = uncertified(runner, graph, **options)
        else:
            result = gpucore.run("louvain", graph, device="host", variant=runner, **options)
        sweeps[thresholds] = result.figures["stages"][0]["sweeps"]
        least = 2 if runner == "fast" else 1  # "fast" ends after two sweeps that gain little
        assert (sweeps[thresholds] == least) == (thresholds == "absolute"), sweeps


def test_the_cpu_has_the_papers_rule_by_default():
    graph = real_graph("power")
    plain = uncertified("louvain_adaptive", graph, t_final=0.1)
    same = uncertified("louvain_serial", graph, threshold=0.1)
    other = uncertified("louvain_adaptive", graph, t_final=0.1, thresholds="relative")
    assert plain.params["thresholds"] == "absolute"
    assert plain.sweeps == same.sweeps < other.sweeps


@pytest.mark.parametrize("runner", ["buckets", "louvain_serial", "louvain_adaptive"])
def test_the_first_sweep_is_timed(runner):
    graph = real_graph("email-eu-core")
    on_cpu = runner.startswith("louvain")
    result = uncertified(runner, graph) if on_cpu else find(graph, runner)
    for stage in result.figures["stages"]:
        assert 0 < stage["first_sweep_seconds"] <= stage["optimise_seconds"]
