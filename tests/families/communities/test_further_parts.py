"""A stage whose moves at the same time lost modularity is swept again in more parts."""

from __future__ import annotations

import pytest

import gpucore
from gpucore.device import get_device
from gpucore.families.communities.fast import ends, last, phase, sizes, small
from gpucore.families.communities.params import LouvainParams
from gpucore.families.communities.starts import ROUNDING
from gpucore.problems.graph.generate import rmat

from .runs import find, phase_of, random_graph


@pytest.fixture
def in_step(monkeypatch):
    """Return a device whose threads move in step, and stages that are swept in one part."""
    for name, value in (("TINY", 0), ("PARTS", ((0, 1),)), ("NEIGHBOURS", 1 << 40)):
        monkeypatch.setattr(sizes, name, value)
    monkeypatch.setattr(small, "MOST_ENTRIES", 0)
    monkeypatch.setattr(last, "MAX_ENTRIES", 0)
    return get_device("host", policy="round_robin", resident=60, yield_atomic=1.0)


def test_leiden_goes_on_where_a_stage_lost(in_step, monkeypatch):
    """Hubs draw more vertices at the same time than each of these expects, in some graphs."""
    monkeypatch.setattr(ends, "EARLY", 0.0)  # more sweeps lose more

    def found_in(graph):  # moves of single vertices could make up for what was lost
        options = {"variant": "leiden", "device": in_step, "starts": 1, "refine": 0}
        return gpucore.run("louvain", graph, certify=False, **options)

    with monkeypatch.context() as once:
        once.setattr(phase, "MOST_PARTS", 1)
        tried = ((graph, found_in(graph)) for graph in hubs())
        graph, ended = next((graph, ended) for graph, ended in tried if given_up(ended))
    found = found_in(graph)
    assert not given_up(found)
    assert found.modularity > ended.modularity + 0.0001


def hubs():
    return (rmat(10, 16, seed=seed) for seed in range(1, 9))


def given_up(found):
    """Return whether a stage of a run ended it, because it lost modularity."""
    return any(stage.get("given_up") for stage in found.figures["stages"])


def losing(monkeypatch, *attempts, lost=1.0):
    """Let these attempts of later stages lose so much; return the parts of all."""
    contract, parts = phase.FastPhase.contract, []

    def changed(one):
        smaller, total, mapping, now = contract(one)
        if one.run.stages:
            parts.append(one.sizes.parts)
            if len(parts) in attempts:
                now = one.begun - lost
        return smaller, total, mapping, now

    monkeypatch.setattr(phase.FastPhase, "contract", changed)
    return parts


def test_fast_goes_on_where_a_stage_lost(in_step, monkeypatch):
    graph = random_graph(300, 900, 4)
    expected = find(graph, "fast", in_step, starts=1)
    parts = losing(monkeypatch, 1)
    found = find(graph, "fast", in_step, starts=1)
    assert parts[:2] == [1, sizes.MORE_PARTS]
    assert found.modularity == pytest.approx(expected.modularity, abs=0.03)
    assert len(found.figures["stages"]) > 2


def test_a_stage_that_lost_next_to_nothing_is_the_last_one(in_step, monkeypatch):
    """It is given up, and not swept again: it would hardly gain what a last stage has to."""
    graph = random_graph(300, 900, 4)
    parts = losing(monkeypatch, 1, lost=1e-7)
    found = find(graph, "fast", in_step, starts=1, refine=0)
    assert parts == [1]
    first, given_up = found.figures["stages"]
    assert given_up["modularity"] < first["modularity"] == found.modularity


@pytest.mark.parametrize("thresholds, least", [("relative", 5e-7), ("absolute", 1e-6)])
def test_how_much_a_stage_has_to_lose_to_be_swept_again(thresholds, least):
    given = phase_of(random_graph(100, 300, 1), 20, 1, get_device("host")).run
    given.params = LouvainParams(thresholds=thresholds)
    assert given.has_lost(0.5 - 1.01 * least, 0.5)
    assert not given.has_lost(0.5 - 0.99 * least, 0.5)
    given.params = LouvainParams(thresholds=thresholds, t_final=0.0)
    assert given.has_lost(0.5 - 2 * ROUNDING, 0.5)
    assert not given.has_lost(0.5 - ROUNDING / 2, 0.5)


@pytest.mark.parametrize("more", [{"record": "events"}, {"deterministic": True}])
def test_neither_records_nor_reproducible_runs_have_two_attempts(more, monkeypatch):
    parts = losing(monkeypatch, 1, 2, 3)
    find(random_graph(300, 900, 4), "fast", starts=1, **more)
    assert len(parts) == 1


def test_the_vertices_are_alone_again():
    one = phase_of(random_graph(100, 300, 1), 20, 1, get_device("host"))
    parts = one.sizes.parts
    assert one.begin_again()
    assert one.community.tolist() == list(range(100))
    assert one.total.tolist() == one.strength.tolist()
    assert one.sizes.parts > parts
    while one.begin_again():
        pass
    assert one.sizes.parts == sizes.MOST_PARTS
