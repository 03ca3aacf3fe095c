"""In a dense later stage, moves wait until all of a part are decided."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore.device import get_device
from gpucore.families.communities.fast import ends, last, phase, sizes, small
from gpucore.problems.graph.graph import Graph

from .runs import find, random_graph


def groups(seed):
    """Return 150 groups of 6 to 29 vertices, with three of ten edges elsewhere."""
    draw = np.random.default_rng(seed)
    size = draw.integers(6, 30, 150)
    group = np.repeat(np.arange(150), size)
    n, first = len(group), np.cumsum(size) - size
    u = np.repeat(np.arange(n), 8)
    near = first[group[u]] + draw.integers(0, size[group[u]])
    v = np.where(draw.random(8 * n) < 0.7, near, draw.integers(0, n, 8 * n))
    apart = u != v
    return Graph.from_edges(n, u[apart], v[apart], duplicates="first")


@pytest.fixture
def waits(monkeypatch):
    """Let blocks meet after a sweep, as on a GPU; return which stages wait."""
    for name, value in (("TINY", 0), ("PARTS", ((1000, 4),)), ("HOST_BLOCKS", 64), ("DENSE", 32)):
        monkeypatch.setattr(sizes, name, value)
    monkeypatch.setattr(small, "MOST_ENTRIES", 0)
    monkeypatch.setattr(last, "MAX_ENTRIES", 0)
    monkeypatch.setattr(ends, "EARLY", 0.0)
    monkeypatch.setattr(sizes.Sizes, "apart", property(lambda self: 1 if self.waits else 99))
    init, found = phase.FastPhase.__init__, []

    def noted(one, *more):
        init(one, *more)
        found.append(bool(one._waiting))

    monkeypatch.setattr(phase.FastPhase, "__init__", noted)
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_communities_do_not_go_astray(seed, waits, monkeypatch):
    device = get_device("host", policy="round_robin", resident=64, yield_atomic=1.0)
    found = find(groups(seed), "fast", device, starts=1, refine=0)
    assert waits[:2] == [False, True]
    monkeypatch.setattr(sizes, "DENSE", 1 << 30)
    astray = find(groups(seed), "fast", device, starts=1, refine=0)
    assert found.modularity > astray.modularity + 0.001  # .0015 to .008, by schedule


def test_only_dense_later_stages_wait(waits):
    find(random_graph(400, 1200, 1), "fast", starts=1)
    assert not any(waits)


def test_a_later_stage_with_a_large_hub_takes_launches(monkeypatch):
    """In one launch a block would have it alone, and the others would wait."""
    graph, kept = groups(3), []
    monkeypatch.setattr(small, "MOST_ENTRIES", 0)
    monkeypatch.setattr(last, "MAX_ENTRIES", 0)
    init = phase.Sizes.__init__

    def noted(one, *more):
        init(one, *more)
        kept.append((one.cooperative, one.parts > 1, one.waits))

    monkeypatch.setattr(phase.Sizes, "__init__", noted)
    find(graph, "fast", starts=1, refine=0)
    assert all(cooperative for cooperative, *_ in kept)
    first, *_ = kept
    kept.clear()
    monkeypatch.setattr(sizes, "COOPERATIVE_DEGREE", 1)
    find(graph, "fast", starts=1, refine=0)
    assert kept[0] == first
    assert kept[1:] and not any(any(later) for later in kept[1:])
