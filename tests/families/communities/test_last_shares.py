"""A stage that adds too small a share of the modularity is the last one."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from gpucore.device.base import Kernel
from gpucore.families.communities.fast import ends, last, later, queued, sizes, small
from gpucore.loading import load

from .cases import networkx_modularity
from .runs import find, real_graph

#: How the stages of a graph may be run: what is changed, so that they are.
WAYS = {
    "one launch": (),
    "launches": ((small, "MOST_ENTRIES", 0), (last, "MAX_ENTRIES", 0), (later, "MOST_ENTRIES", 0)),
    "one block": ((small, "MOST_ENTRIES", 0), (later, "MOST_ENTRIES", 0)),
}


def plane():
    return load("delaunay:n=5000,seed=1")


def modularities(result):
    """Return the modularity after every stage of communities."""
    return [s["modularity"] for s in result.figures["stages"] if not s.get("refining")]


@pytest.mark.parametrize("variant", ["fast", "leiden"])
@pytest.mark.parametrize("way", WAYS)
def test_the_first_stage_that_adds_little_is_the_last_one(way, variant, monkeypatch):
    for where, name, value in WAYS[way]:
        monkeypatch.setattr(where, name, value)
    monkeypatch.setitem(ends.LAST_SHARES, variant, 0.0)
    every = modularities(find(plane(), variant, starts=1, refine=0))
    share = 0.05
    monkeypatch.setitem(ends.LAST_SHARES, variant, share)
    result = find(plane(), variant, starts=1, refine=0)
    found = modularities(result)
    assert len(found) < len(every)
    *more, least = [(after - before) / after for before, after in pairwise(found)]
    assert all(added >= share for added in more)
    assert least < share
    assert result.modularity == pytest.approx(networkx_modularity(plane(), result.community))


@pytest.mark.parametrize("variant", ["fast", "leiden"])
def test_a_tiny_graph_has_no_such_share(variant, monkeypatch):
    monkeypatch.setitem(ends.LAST_SHARES, variant, 0.9)
    assert real_graph("lesmis").num_vertices < sizes.TINY
    found = modularities(find(real_graph("lesmis"), variant, starts=1, refine=0))
    assert len(found) > 2
    assert found[1] - found[0] < 0.9 * found[1]


def test_absolute_thresholds_have_no_such_share(monkeypatch):
    monkeypatch.setitem(ends.LAST_SHARES, "fast", 0.9)
    found = modularities(find(plane(), "fast", starts=1, thresholds="absolute"))
    assert len(found) > 3


@pytest.fixture
def judged(monkeypatch):
    """Return a list that gets the end of every sweep which is a launch of its own."""
    prepare, found = Kernel.prepare, []

    def watched(kernel, *args, **more):
        launch = prepare(kernel, *args, **more)
        if kernel.name != "fast_judge":
            return launch
        return lambda: (found.append(None), launch())

    for where, name in ((small, "MOST_ENTRIES"), (later, "MOST_ENTRIES"), (last, "MAX_ENTRIES")):
        monkeypatch.setattr(where, name, 0)
    monkeypatch.setattr(sizes, "COOPERATIVE_ENTRIES", 0)
    monkeypatch.setattr(Kernel, "prepare", watched)
    return found


@pytest.mark.parametrize("variant", ["fast", "leiden"])
def test_the_host_asks_while_the_next_sweep_runs(variant, judged, monkeypatch):
    options = {"starts": 1, "refine": 0, "deterministic": True}
    in_batches = find(plane(), variant, **options)
    in_advance = len(judged)
    judged.clear()
    monkeypatch.setattr(queued, "ASKING_ENTRIES", 0)
    asked = find(plane(), variant, **options)
    stages = asked.figures["stages"]
    assert np.array_equal(asked.community, in_batches.community)
    assert [s["sweeps"] for s in stages] == [s["sweeps"] for s in in_batches.figures["stages"]]
    swept = sum(stage["sweeps"] for stage in stages)
    parts = max(1, in_advance // (queued.QUEUED * len(stages)))
    assert swept <= len(judged) / parts <= swept + len(stages)
    assert len(judged) < in_advance
