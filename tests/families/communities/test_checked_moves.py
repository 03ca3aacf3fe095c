"""In later stages a vertex moves only if it still gains when others came first."""

from __future__ import annotations

from itertools import pairwise

import pytest

from gpucore.device import get_device
from gpucore.families.communities.fast import last, phase, sizes, small
from gpucore.problems.graph.generate import rmat

from .runs import find

SEEDS = range(1, 9)


def least_gain(result):
    """Return the least gain of a later stage that was swept, in modularity."""
    path = [s["modularity"] for s in result.figures["stages"] if not s.get("refining")]
    return min((b - a for a, b in pairwise(path)), default=0.0)


@pytest.fixture
def in_step(monkeypatch):
    """Return a device whose threads move in step; every stage is swept once, in one part."""
    for module, name, value in (
        (sizes, "TINY", 0),
        (sizes, "PARTS", ((0, 1),)),
        (sizes, "NEIGHBOURS", 1 << 40),
        (phase, "MOST_PARTS", 1),
        (small, "MOST_ENTRIES", 0),
        (last, "PARTS", 1),
        (last, "ENOUGH_PARTS", 0),
    ):
        monkeypatch.setattr(module, name, value)
    return get_device("host", policy="round_robin", resident=60, yield_atomic=1.0)


@pytest.mark.parametrize("entries", [0, 1 << 20], ids=["launches", "one block"])
def test_stages_do_not_lose(entries, in_step, monkeypatch):
    """Hubs draw more vertices at the same time than each of these expects, in some graphs."""
    monkeypatch.setattr(last, "MAX_ENTRIES", entries)

    def losses(checked):
        for module in (phase, last):
            monkeypatch.setattr(module, "CHECKED", checked)
        runs = (find(rmat(10, 16, seed=s), "fast", in_step, starts=1, refine=0) for s in SEEDS)
        return [loss for run in runs if (loss := -least_gain(run)) > 1e-12]

    assert sum(losses(0)) > 0.001
    assert sum(losses(1)) < sum(losses(0)) / 10
