"""Facts about the rows of a part are those that array operations find."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gpucore import native
from gpucore.device import get_device
from gpucore.device.source import folders, source_path
from gpucore.errors import DeviceError
from gpucore.problems.graph import facts as module
from gpucore.problems.graph.distributed.load import load_whole
from gpucore.problems.graph.facts import Facts, facts_of
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.part import GraphPart, cut, with_arrays
from support.devices import race_detector
from support.planting import Mistake, Planted, build
from support.planting.apart import in_a_copy
from support.wide import STARTS, shifted

BUILD = Path(__file__).parents[3] / "build" / "row-facts-tests"


def drawn(n, m, seed, weights=(-1.0, 0.0, 0.5, 1.0, 2.0), spread=1):
    """Return a graph with loops, in which only every `spread`-th vertex has edges."""
    rng = np.random.default_rng(seed)
    u, v = rng.integers(0, n // spread, m) * spread, rng.integers(0, n // spread, m) * spread
    u[: m // 20] = v[: m // 20]
    return Graph.from_edges(n, u, v, rng.choice(weights, m), duplicates="first")


def star(n):
    """Return a hub among many vertices without edges, whose row is longer than a warp's share."""
    return Graph.from_edges(n, np.full(3000, 7), np.arange(3000) * (n // 3000), np.ones(3000))


GRAPHS = {
    "many": drawn(700, 9000, 1),
    "ones": drawn(300, 2000, 2, weights=[1.0]),
    "whole": drawn(300, 2000, 3, weights=[1.0, 3.0]),
    "apart": drawn(90_000, 3000, 4, spread=3000),
    "hub": star(60_000),
    "one edge": Graph.from_edges(5000, [4999], [0], [2.0]),
    "nothing": Graph.from_edges(4, [], []),
}


def expected(part):
    """Return the facts by array operations."""
    row = part.lo + np.repeat(np.arange(part.rows), np.diff(part.indptr))
    w = part.weights
    wrong = (~(w > 0), w < 0, w != 1, w != np.rint(w))
    counts = [int(one.sum()) for one in (row == part.indices, *wrong)]
    return Facts(*counts, total=float(w.sum(dtype=np.float64)))


@pytest.fixture
def few_blocks(monkeypatch):
    """Each warp has several shares of the entries."""
    monkeypatch.setattr(module, "BLOCKS", 1)


@pytest.mark.parametrize("ranks", [1, 3])
@pytest.mark.parametrize("name", GRAPHS)
def test_facts(name, ranks, each_device):
    for part in cut(GRAPHS[name], ranks):
        there = with_arrays(part, each_device.asarray)
        assert facts_of(there, each_device) == expected(part)


@pytest.mark.parametrize("name", GRAPHS)
def test_facts_of_several_shares(name, each_device, few_blocks):
    test_facts(name, 1, each_device)


def test_a_weight_that_is_no_number_is_not_above_zero():
    (part,) = cut(Graph.from_edges(3, [0, 1], [1, 2], [1.0, 2.0]), 1)
    part = replace(part, weights=np.array([1, np.nan, 2, np.inf], np.float32))
    found = facts_of(part, get_device("host"))
    assert (found.not_above_zero, found.below_zero, found.not_whole) == (1, 0, 1)


def test_one_weight_that_stands_for_all(each_device):
    part = load_whole("rmat_rows:scale=9,weights=unit", each_device, matching=False)
    assert part.weights.strides == (0,)
    assert facts_of(part, each_device) == Facts(0, 0, 0, 0, 0, float(part.entries))


def test_no_races():
    try:
        device = race_detector()
    except DeviceError as error:
        pytest.skip(str(error))
    (part,) = cut(GRAPHS["many"], 1)
    assert facts_of(part, device) == expected(part)
    assert device.profile().races == ()


def at(where):
    """Return a part whose entries have large numbers, and its facts."""
    (part,) = cut(GRAPHS["many"], 1)
    indptr, indices, weights = shifted(GRAPHS["many"], where)
    moved = GraphPart(part.n, part.bounds, 0, indptr, indices, weights)
    return moved, expected(part)


@pytest.mark.parametrize("where", STARTS)
def test_entries_at_the_borders(where, few_blocks):
    part, facts = at(where)
    assert facts_of(part, get_device("host")) == facts


MISTAKES = [
    Mistake("narrow_weights", "row_facts", "weights[e * stride]", "weights[(unsigned)e * stride]"),
    Mistake("narrow_indices", "row_facts", "indices[e]", "indices[(unsigned)e]"),
    Mistake("row_before", "row_facts", "indptr[middle] <= e", "indptr[middle] < e"),
    Mistake("no_later_row", "row_facts", "low += stride;", "break;"),
    Mistake("one_share", "row_facts", "begin += warps * SHARE", "begin += stop"),
]


@pytest.fixture(scope="module")
def planted():
    try:
        native.library(instrumented=True)
    except DeviceError as error:
        pytest.skip(str(error))
    shared = [path for folder in folders() for path in folder.glob("*.cuh")]
    return build(BUILD, [source_path("row_facts"), *shared], MISTAKES)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda one: one.name)
@in_a_copy
def test_a_mistake_shows(planted, mistake, few_blocks):
    part, facts = at("above")
    assert facts_of(part, Planted(planted, mistake, observe="nothing")) != facts
