"""Hubs that are so large that blocks take pieces of their adjacencies."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore
from gpucore.families.matching.hubs import HUB_PIECE
from gpucore.problems.graph.graph import Graph
from support.deliveries import deliveries
from support.devices import random_schedule
from support.running import uncertified


def large_hubs(seed):
    """Return a graph with vertices of one, two and three pieces, and few distinct weights."""
    rng = np.random.default_rng(seed)
    n = 3 * HUB_PIECE
    degrees = (HUB_PIECE - 5, HUB_PIECE + 1, 2 * HUB_PIECE, 2 * HUB_PIECE + 700)
    hubs = (0, n // 3, n // 2, n - 1)
    ends = [rng.choice(np.setdiff1d(np.arange(n), hubs), degree, False) for degree in degrees]
    u = np.concatenate([np.repeat(hubs, degrees), rng.integers(1, n - 1, n)])
    v = np.concatenate([*ends, rng.integers(1, n - 1, n)])
    weights = rng.integers(1, 2000, len(u)).astype(np.float32)
    return Graph.from_edges(n, u[u != v], v[u != v], weights[u != v], duplicates="max")


GRAPH = large_hubs(1)
EVERYTHING = [("suitor", {}), ("bmatching", {"b": 1}), ("bmatching", {"b": 3})]
NAMES = ["suitor", "b = 1", "b = 3"]


def right_mates(name, given):
    """Return the mates that the methods on the processor find."""
    if name == "suitor":
        return uncertified("suitor_serial", GRAPH).mate
    return uncertified("bsuitor_serial", GRAPH, **given).mates


def mates_of(result):
    return result.mate if hasattr(result, "mate") else result.mates


@pytest.mark.parametrize(("name", "given"), EVERYTHING, ids=NAMES)
def test_one_device(each_device, name, given):
    for record in ("off", "events"):
        result = gpucore.run(name, GRAPH, device=each_device, record=record, **given)
        assert result.certificate.ok, str(result.certificate)
        np.testing.assert_array_equal(mates_of(result), right_mates(name, given))


@pytest.mark.parametrize(("name", "given"), EVERYTHING, ids=NAMES)
def test_ranks_and_schedules(name, given):
    right = right_mates(name, given)
    for ranks in (1, 2, 3):
        device = random_schedule(ranks)
        options = {"ranks": ranks, "transport": "peers", "device": device} | given
        with deliveries(again=ranks > 2):
            result = gpucore.run(name, GRAPH, **options)
        np.testing.assert_array_equal(mates_of(result), right, f"{ranks} ranks")


@pytest.mark.parametrize(("name", "given"), EVERYTHING, ids=NAMES)
def test_every_edge_of_a_hub_is_counted_once(name, given):
    """Rows of the first iteration hold all edges, whoever proposes along them."""
    steps = gpucore.run(name, GRAPH, device="host", record="counters", **given).record.steps
    assert steps["edges"][0] == len(GRAPH.indices)
