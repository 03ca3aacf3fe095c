"""The Louvain paper's rule without any option, so that these tests run on older code too.

Each test fails on the code before the rule was literal (33 of the 36 cases; in the others both do
the same): there thresholds were parts of the gain so far on the device, sweeps that lost modularity
were undone, and a stage was large by its vertices with edges.
"""

from __future__ import annotations

import pytest

import gpucore
from gpucore.loading import load
from support.running import uncertified

from .runs import PAPER, gains, lonely, losing, real_graph


def find(graph, variant, device, **params):
    """Run a variant with the default rule."""
    return gpucore.run("louvain", graph, device=device, variant=variant, **params)


@pytest.mark.parametrize("variant", PAPER)
@pytest.mark.parametrize("threshold", [1e-6, 1e-3, 0.05])
@pytest.mark.parametrize("name", ["karate", "email-eu-core", "minnesota"])
def test_by_default_a_phase_ends_when_a_sweep_gains_less_than_the_threshold(
    each_device, variant, threshold, name
):
    """Algorithm 1, line 12, literally: the gain itself is compared, and nothing else happens."""
    result = find(real_graph(name), variant, each_device, t_final=threshold, record="counters")
    for _, sweeps in gains(result):
        assert all(gain >= threshold for gain in sweeps[:-1])
        assert sweeps[-1] < threshold
    assert not result.record.steps["taken_back"].any()


@pytest.mark.parametrize("variant", PAPER)
def test_by_the_papers_rule_a_sweep_that_loses_is_the_last_and_stays(each_device, variant):
    result = find(losing(variant), variant, each_device, record="events")
    lost = [sweeps for _, sweeps in gains(result) if min(sweeps) < 0]
    assert lost
    assert all(gain >= 0 for sweeps in lost for gain in sweeps[:-1])
    assert not result.record.steps["taken_back"].any()


@pytest.mark.parametrize("variant", PAPER)
def test_a_stage_is_large_by_all_its_vertices(each_device, variant):
    """Section V counts vertices, those without edges too."""
    result = find(lonely(), variant, each_device, t_bin=0.5, bin_vertices=100)
    assert result.figures["stages"][0]["threshold"] == 0.5


@pytest.mark.parametrize("variant", PAPER)
def test_a_threshold_is_a_gain_as_on_the_processor(each_device, variant):
    """No sweep gains 0.9, so the first one is the last, on the device and on the processor."""
    graph = load("planted:n=400,communities=10,degree_in=16,degree_out=2,shuffle=false,seed=1")
    serial = uncertified("louvain_serial", graph, threshold=0.9)
    result = find(graph, variant, each_device, t_final=0.9)
    sweeps = [found.figures["stages"][0]["sweeps"] for found in (serial, result)]
    assert sweeps == [1, 1]
