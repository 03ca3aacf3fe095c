"""Contraction in batches makes the same graph as one table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gpucore import native
from gpucore.device import get_device
from gpucore.device.source import folders, source_path
from gpucore.errors import DeviceError, KernelError
from gpucore.families.communities.fast.batches import divided
from gpucore.families.communities.fast.contraction import contract, number
from gpucore.problems.graph.generate import rmat
from support.devices import race_detector, random_schedule
from support.planting import Mistake, Planted, build
from support.planting.apart import in_a_copy

from .runs import hubs, phase_of, random_graph

BUILD = Path(__file__).parents[3] / "build" / "communities-batches-tests"

#: Vertices of every class of degree, loops, no weights, whole and real ones.
GRAPHS = {
    "unit": random_graph(1500, 9000, 1),
    "loops": random_graph(900, 5000, 2, loops=90, weights="real"),
    "whole": rmat(10, 8, seed=3, weights="integer"),
    "hubs": hubs(1700),
}


def rows(found):
    """Return what contraction made, each list in ascending order, as NumPy's arrays."""
    stage, *others, _ = found
    arrays = (stage.indptr, stage.indices, stage.sums, *others)
    indptr, indices, sums, *others = (
        one if isinstance(one, np.ndarray) else one.get() for one in arrays
    )
    own = np.repeat(np.arange(stage.n), np.diff(indptr))
    order = np.lexsort((indices, own))
    return [indptr, indices[order], sums[order], *others]


def same(found, expected):
    pairs = zip(rows(found), rows(expected), strict=True)
    return found[0].entries == expected[0].entries and all(np.array_equal(*pair) for pair in pairs)


def batches_of(phase):
    phase.work.facts.begin()
    mapping, _ = number(phase)
    return len(divided(phase, mapping, phase.work.facts.read().communities, 0).bounds) - 1


@pytest.mark.parametrize("communities", [2, 40, 700])
@pytest.mark.parametrize("name", GRAPHS)
def test_batches_make_the_graph_of_one_table(name, communities, each_device):
    phase = phase_of(GRAPHS[name], communities, 5, each_device)
    expected, found = contract(phase), contract(phase, free=0)
    assert communities < 700 or batches_of(phase) > 4
    assert same(found, expected)
    assert found[3] == pytest.approx(expected[3], abs=1e-13)


def test_every_class_of_degree_is_there():
    first = phase_of(GRAPHS["hubs"], 700, 5, get_device("host")).order.first
    whole = phase_of(GRAPHS["whole"], 700, 5, get_device("host")).order.first
    assert all(np.diff(whole)[:7] > 0), whole
    assert np.diff(first)[7] > 0, first


@pytest.mark.parametrize("seed", range(12))
def test_under_any_schedule(seed):
    name = list(GRAPHS)[seed % len(GRAPHS)]
    expected = contract(phase_of(GRAPHS[name], 700, seed, get_device("host")))
    assert same(contract(phase_of(GRAPHS[name], 700, seed, random_schedule(seed)), 0), expected)


@pytest.mark.parametrize("graph", [GRAPHS["loops"], hubs(330)], ids=["loops", "hubs"])
def test_no_races(graph):
    try:
        device = race_detector()
    except DeviceError as error:
        pytest.skip(str(error))
    found = contract(phase_of(graph, 120, 1, device), free=0)
    assert device.profile().races == ()
    assert same(found, contract(phase_of(graph, 120, 1, get_device("host"))))


def planted_in(name, source, old, new, nth=0, header=""):
    return Mistake(name, source, old, new, nth=nth, header=header)


BATCHES, CONTRACT = "louvain_fast_batches", "louvain_fast_contract"
MISTAKES = [
    planted_in("batch_before", BATCHES, "first[middle] <= community", "first[middle] < community"),
    planted_in("no_barrier", BATCHES, "place = atomicAdd(block_counts + mine, 1);\n    }\n"
               "    __syncthreads();", "place = atomicAdd(block_counts + mine, 1);\n    }\n"),
    planted_in("no_place_taken", BATCHES, "atomicAdd(cursors + k, block_counts[k])",
               "atomicAdd(cursors + k, 0)"),
    planted_in("all_inner_lengths", CONTRACT, "add_loops(begin + (long long)blockIdx.x",
               "add_loops((long long)blockIdx.x"),
    planted_in("all_inner_edges", CONTRACT, "for (long long c = begin + thread; c < end;",
               "for (long long c = thread; c < end;", header="louvain_fast_contract.cuh"),
]  # fmt: skip


@pytest.fixture(scope="module")
def planted():
    try:
        native.library(instrumented=True)
    except DeviceError as error:
        pytest.skip(str(error))
    sources = [source_path(one) for one in (BATCHES, CONTRACT)]
    shared = [path for folder in folders() for path in folder.glob("*.cuh")]
    return build(BUILD, sources + shared, MISTAKES)


def shows(device, name, seed):
    """Return whether a contraction differs, fails, or has a race."""
    expected = contract(phase_of(GRAPHS[name], 700, seed, get_device("host")))
    try:
        found = contract(phase_of(GRAPHS[name], 700, seed, device), free=0)
    except KernelError:  # an order with vertices that are none
        return True
    exact = found[3] == pytest.approx(expected[3], abs=1e-13)
    return bool(device.profile().races) or not exact or not same(found, expected)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda one: one.name)
@in_a_copy
def test_a_mistake_is_found(planted, mistake):
    assert any(
        shows(Planted(planted, mistake, policy="random", seed=seed), "loops", seed)
        for seed in range(4)
    )
