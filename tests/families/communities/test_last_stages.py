"""The last stages of the tuned variant, all in one launch."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore.device import get_device
from gpucore.families.communities.fast import last, small
from gpucore.loading import load
from gpucore.problems.graph.graph import Graph

from .runs import cliques, find, random_graph

GRAPHS = {
    "communities": lambda: load("planted:n=4000,communities=80,seed=1"),
    "isolated vertices": lambda: load("rmat:scale=13,seed=1"),
    "plane": lambda: load("delaunay:n=5000,seed=1"),
    "loops and real weights": lambda: random_graph(3000, 9000, 1, loops=500, weights="real"),
    "cliques": lambda: cliques(400, 6),
}


@pytest.fixture(autouse=True)
def large(monkeypatch):
    """Let no graph be so small that all is one launch."""
    monkeypatch.setattr(small, "MOST_ENTRIES", 0)


def is_last(stage):
    """Return whether a stage was swept and contracted in the launch of the last ones."""
    return bool(stage.get("one_launch"))


@pytest.mark.parametrize("name", GRAPHS)
def test_last_stages_find_as_much(name, monkeypatch):
    """One launch and a launch a step find the same modularity but for chance; both certified."""
    graph = GRAPHS[name]()
    one = find(graph, "fast")
    assert any(map(is_last, one.figures["stages"])), "not one launch"
    monkeypatch.setattr(last, "MAX_ENTRIES", 0)
    many = find(graph, "fast")
    assert not any(map(is_last, many.figures["stages"]))
    assert one.modularity > many.modularity - 0.01
    sizes = [s["communities"] for s in one.figures["stages"] if not s.get("refining")]
    assert sizes == sorted(sizes, reverse=True)
    whole = find(graph, "fast", refine=0)
    assert len(whole.levels) in (len(whole.figures["stages"]), len(whole.figures["stages"]) - 1)


@pytest.mark.parametrize("parts", [1, 8, 100])
def test_parts_of_last_stages(parts, monkeypatch):
    """A sweep in parts, and one without, are certified."""
    monkeypatch.setattr(last, "PARTS", parts)
    assert find(load("planted:n=4000,communities=80,seed=2"), "fast").modularity > 0.5


@pytest.mark.parametrize("stages", [1, 2])
def test_limit_of_stages(stages, monkeypatch):
    """A launch that ends at its limit of stages returns the levels so far."""
    monkeypatch.setattr(last, "MAX_STAGES", stages)
    result = find(load("delaunay:n=5000,seed=1"), "fast")
    joint = [s for s in result.figures["stages"] if is_last(s)]
    assert len(joint) == stages


def test_stage_of_too_many_vertices(monkeypatch):
    """A stage of few edges but many vertices takes its own launches."""
    monkeypatch.setattr(last, "VERTICES_A_THREAD", 0)
    result = find(load("delaunay:n=5000,seed=1"), "fast")
    assert not any(map(is_last, result.figures["stages"]))


def test_edges_without_weight():
    """Edges of weight zero are left out of the last graphs; the certificate agrees."""
    rng = np.random.default_rng(3)
    base = random_graph(3000, 9000, 3)
    u, v = base.edges[:2] if not callable(base.edges) else base.edges()[:2]
    weights = rng.integers(0, 2, len(u)).astype(np.float32)
    find(Graph.from_edges(3000, u, v, weights), "fast")


def lost(result):
    """Return whether the last stage before refinement lost modularity."""
    path = [s["modularity"] for s in result.figures["stages"] if not s.get("refining")]
    return path[-1] < path[-2] - 1e-12


def test_warps_meet_in_the_second_attempt(monkeypatch):
    """Warps that go on to other parts move as many vertices at the same time as before."""

    monkeypatch.setattr(last, "EARLY", 0.0)

    def losses(enough):
        monkeypatch.setattr(last, "ENOUGH_PARTS", enough)
        device = get_device("host", policy="round_robin", resident=64, yield_atomic=1.0)
        graphs = (load(f"rmat:scale=11,a=0.45,b=0.22,c=0.22,seed={seed}") for seed in range(6))
        return [lost(find(graph, "fast", device, starts=1, refine=0)) for graph in graphs]

    assert all(losses(0))
    assert sum(losses(last.PARTS + 1)) <= 1  # it lessens the losses, and cannot exclude them


def test_lost_stages_are_run_again_in_more_parts(monkeypatch):
    """Threads in step move too many vertices at the same time; in more parts they do not."""
    monkeypatch.setattr(last, "EARLY", 0.0)

    def found(seed, enough):
        monkeypatch.setattr(last, "ENOUGH_PARTS", enough)
        device = get_device("host", policy="round_robin", resident=64, yield_atomic=1.0)
        graph = load(f"rmat:scale=11,a=0.45,b=0.22,c=0.22,seed={seed}")
        return find(graph, "fast", device, starts=1, refine=0)

    enough = last.ENOUGH_PARTS
    seed, once = next((s, once) for s in range(16) if lost(once := found(s, 0)))
    again = found(seed, enough)
    assert is_last(again.figures["stages"][-1]) and not lost(again)
    assert again.modularity > once.modularity
