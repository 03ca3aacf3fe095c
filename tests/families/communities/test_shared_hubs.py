"""Several blocks share the hubs of a stage that has few; communities have shares of a table."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore.families.communities.fast import contraction, last, launches, sizes, small, tables
from gpucore.problems.graph.graph import Graph
from support.devices import race_detector

from .runs import find

#: Slots of a block's table: a piece of a hub has half as many edges.
SLOTS = 256


def wheel(hubs, n, seed):
    """Return a ring of `n` vertices, each a neighbour of one of the `hubs`, mostly by thirds."""
    draw = np.random.default_rng(seed)
    ring = np.arange(n)
    hub = n + np.where(draw.random(n) < 0.9, ring * hubs // n, draw.integers(0, hubs, n))
    u, v = np.concatenate([ring, ring]), np.concatenate([(ring + 1) % n, hub])
    return Graph.from_edges(n + hubs, u, v, duplicates="first")


@pytest.fixture
def launched(monkeypatch):
    """Sweep stages as a whole, by many blocks a hub; return the names of the launches."""
    for name, value in (("TINY", 0), ("PARTS", ((1, 8),))):
        monkeypatch.setattr(sizes, name, value)
    for module in (launches, tables):
        monkeypatch.setattr(module, "hub_slots", lambda device: SLOTS)
    monkeypatch.setattr(small, "MOST_ENTRIES", 0)
    monkeypatch.setattr(last, "MAX_ENTRIES", 0)
    monkeypatch.setattr(sizes, "JOINT_ENTRIES", 0)
    prepare, names = launches._launches_of_hubs, []

    def noted(phase, kernel, name, *more):
        names.append(name)
        return prepare(phase, kernel, name, *more)

    monkeypatch.setattr(launches, "_launches_of_hubs", noted)
    return names


@pytest.mark.parametrize("variant", ["fast", "leiden"])
def test_shared_hubs_join_their_neighbours(variant, launched, monkeypatch):
    graph = wheel(3, 6000, 1)
    found = find(graph, variant, starts=1)
    assert {"fast_move", "fast_pairs"} <= set(launched)
    monkeypatch.setattr(sizes.Sizes, "are_few_hubs", lambda self, longest: False)
    launched.clear()
    alone = find(graph, variant, starts=1)
    assert set(launched) == {"fast_pairs"}
    assert found.modularity == pytest.approx(alone.modularity, abs=0.01)


@pytest.mark.parametrize("variant", ["fast", "leiden"])
def test_a_reproducible_run_is_the_same_if_blocks_share_hubs(
    variant, launched, each_device, monkeypatch
):
    """A launch for each class of degrees, and hubs in all parts of a sweep."""
    monkeypatch.setattr(sizes, "COOPERATIVE_ENTRIES", 0)
    graph = wheel(10, 18_000, 3)

    def communities(**more):
        launched.clear()
        return find(graph, variant, each_device, starts=1, deterministic=True, **more)

    shared = communities()
    assert "fast_move" in launched
    recorded = communities(record="counters")
    assert "fast_move" in launched
    monkeypatch.setattr(sizes.Sizes, "are_few_hubs", lambda self, longest: False)
    alone = communities()
    assert "fast_move" not in launched
    for found in (shared, recorded):
        np.testing.assert_array_equal(found.community, alone.community)
        assert found.sweeps == alone.sweeps


def test_no_races_where_blocks_share_the_hubs_of_a_part(launched, monkeypatch):
    monkeypatch.setattr(sizes, "COOPERATIVE_ENTRIES", 0)
    device = race_detector()
    find(wheel(3, 5000, 4), "fast", device, starts=1, refine=0, max_sweeps=2, deterministic=True)
    assert "fast_move" in launched
    assert device.profile().races == ()


def test_moves_and_edges_of_shared_hubs_are_recorded(launched):
    record = find(wheel(3, 6000, 1), "fast", starts=1, refine=0, record="events").record
    assert "fast_move" in launched
    iterations, steps = record.warps["iteration"], record.steps
    moves = np.bincount(iterations, record.warps["moves"], minlength=record.num_steps)
    np.testing.assert_array_equal(moves, steps["moves"])
    merging = steps["merging"] == 1
    edges = np.bincount(iterations, record.warps["edges"], minlength=record.num_steps)
    np.testing.assert_array_equal(edges[merging], steps["edges"][merging])


def test_shares_of_a_table_do_not_change_the_sums(launched, monkeypatch):
    graph = wheel(3, 6000, 2)
    apart = find(graph, "fast", starts=1, deterministic=True)
    monkeypatch.setattr(contraction, "SHARED_ENTRIES", 0)
    shared = find(graph, "fast", starts=1, deterministic=True)
    assert np.array_equal(shared.community, apart.community)
