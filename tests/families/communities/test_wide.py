"""Louvain "fast" numbers entries by 64 bits: the same communities at the borders and above."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import gpucore
from gpucore import native
from gpucore.device import get_device
from gpucore.device.source import folders, source_path
from gpucore.errors import DeviceError, GraphError
from gpucore.families.communities.fast.batches import slots_of
from gpucore.families.communities.fast.contraction import PairTable, number
from gpucore.families.communities.first_stage import stage_of_part
from gpucore.families.communities.params import LouvainParams
from gpucore.families.communities.part_certificate import certify_part, modularity_of_rows
from gpucore.families.communities.stage import FLOATS, ONES, Run, Stage
from gpucore.families.communities.stages import run_stages
from gpucore.problems.graph.generate import planted_partition, rmat
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.part import cut
from gpucore.record import Recorder
from support.planting import Mistake, Planted, build
from support.planting.apart import in_a_copy
from support.wide import STARTS, shifted, untouched

from .runs import phase_of

BUILD = Path(__file__).parents[3] / "build" / "communities-wide-tests"


def graph_of_all_rows():
    """Return rows for lanes, warps, and blocks with tables in shared and in global memory.

    The longest is of more edges than one launch has room for.
    """
    u, v, w = rmat(11, 8, seed=2, weights="integer").edges()
    leaves = np.arange(1, 2500)
    return Graph.from_edges(
        2500, [*u, *np.zeros_like(leaves)], [*v, *leaves], [*w, *leaves % 9 + 1], duplicates="max"
    )


GRAPH = graph_of_all_rows()


def levels(device, arrays, graph, kind):
    """Return the hierarchy that "fast" finds in these rows, and its modularity."""
    indptr, indices, weights = arrays
    stage = Stage(
        graph.num_vertices, len(graph.indices), indptr, indices,
        weights if kind == FLOATS else np.ones(1, np.float32),
        np.zeros(1, np.uint64), kind, 1.0,
    )  # fmt: skip
    run = Run(device, Recorder(device, "off", warps=1), LouvainParams(), stage)
    found = run_stages(run, stage)
    mappings = [*found.levels] if found.refined is None else [*found.levels, found.refined]
    return [np.array(one) for one in mappings], found.modularity


@cache
def expected_levels(kind):
    """Return what the rows of GRAPH give where entries have small numbers."""
    return levels(get_device("host"), rows_of(GRAPH), GRAPH, kind)


def rows_of(graph):
    return graph.indptr, graph.indices, graph.weights


def same(one, other):
    return len(one) == len(other) and all(map(np.array_equal, one, other))


@pytest.mark.parametrize("kind", [ONES, FLOATS])
@pytest.mark.parametrize("where", STARTS)
def test_entries_at_the_borders(where, kind):
    assert GRAPH.max_degree > 2048
    expected, reached = expected_levels(kind)
    found, other = levels(get_device("host"), shifted(GRAPH, where), GRAPH, kind)
    assert same(found, expected)
    assert other == reached


#: Entries whose number is cut to 32 bits.
MISTAKES = [
    Mistake(name, source, old, new, header=header)
    for name, source, old, new, header in (
        ("weights", "louvain_fast", "level.weights[e]", "level.weights[(unsigned)e]",
         "louvain.cuh"),
        ("weights_of_pairs", "louvain_fast_contract", "level.weights[e]",
         "level.weights[(unsigned)e]", "louvain.cuh"),
        ("strength", "louvain_state", "level.weights[e]", "level.weights[(unsigned)e]",
         "louvain.cuh"),
    )
]  # fmt: skip


@pytest.fixture(scope="module")
def planted():
    try:
        native.library(instrumented=True)
    except DeviceError as error:
        pytest.skip(str(error))
    expected_levels(FLOATS)  # copies of this process have it, too
    sources = [source_path(one.source) for one in MISTAKES]
    shared = [path for folder in folders() for path in folder.glob("*.cuh")]
    return build(BUILD, sources + shared, MISTAKES)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda one: one.name)
@in_a_copy
def test_a_narrow_number_of_an_entry_shows(planted, mistake):
    expected, reached = expected_levels(FLOATS)
    device = Planted(planted, mistake, observe="nothing")
    found, other = levels(device, shifted(GRAPH, "above"), GRAPH, FLOATS)
    assert not same(found, expected) or other != reached


#: Entries of a contracted graph whose number is cut to 32 bits.
WRITTEN = [
    Mistake(f"written_{nth}", "louvain_fast_contract", "const long long e = indptr[",
            "const unsigned e = (unsigned)indptr[", nth=nth, header="louvain_fast_contract.cuh")
    for nth in range(2)
]  # fmt: skip


def written(device, start):
    """Return a contracted graph's lists, written from entry `start` on."""
    phase = phase_of(GRAPH, 700, 1, get_device("host"))
    phase.work.facts.begin()
    table = PairTable(phase, number(phase)[0])
    table.hold(slots_of(len(GRAPH.indices)))
    table.fill()
    table.measure(0, phase.stage.n)
    table.start()
    found = phase.work.facts.read()
    end = start + found.entries
    indices, sums = untouched(end, np.int32), untouched(end, np.uint64)
    table.indptr += start
    phase.run.device = device
    table.write(0, found.communities, indices, sums)
    return indices[start:], sums[start:]


@pytest.mark.parametrize("start", [2**31 - 5000, 2**32 - 5000, 2**32])
def test_written_entries_at_the_borders(start):
    expected = written(get_device("host"), 0)
    assert same(written(get_device("host"), start), expected)


@pytest.fixture(scope="module")
def planted_writing():
    try:
        native.library(instrumented=True)
    except DeviceError as error:
        pytest.skip(str(error))
    shared = [path for folder in folders() for path in folder.glob("*.cuh")]
    sources = [source_path("louvain_fast_contract"), *shared]
    return build(BUILD.with_name("communities-written-tests"), sources, WRITTEN)


@pytest.mark.parametrize("mistake", WRITTEN, ids=lambda one: one.name)
@in_a_copy
def test_a_narrow_number_of_a_written_entry_shows(planted_writing, mistake):
    expected = written(get_device("host"), 0)
    device = Planted(planted_writing, mistake, observe="nothing")
    assert not same(written(device, 2**32), expected)


@pytest.mark.parametrize(
    "graph",
    [
        planted_partition(600, 6, seed=3),
        rmat(9, seed=1, weights="uniform"),
        rmat(9, seed=1, weights="integer"),
        Graph.from_edges(4, [0, 1, 2, 2], [1, 2, 2, 3], [1, 2, 3, 0.5]),
        Graph.from_edges(3, [], []),
    ],
    ids=str,
)
def test_a_graph_without_host_copy_has_the_same_run_and_is_certified(graph):
    device = get_device("host")
    (part,) = cut(graph, 1)
    alone = gpucore.run("louvain", graph, device=device)
    result = gpucore.run("louvain", part, device=device)
    assert result.certificate.ok, str(result.certificate)
    np.testing.assert_array_equal(result.community, alone.community)
    figures = result.certificate.figures
    for name in ("communities", "levels"):
        assert figures[name] == alone.certificate.figures[name]
    for name in ("modularity", "total_weight"):
        assert figures[name] == pytest.approx(alone.certificate.figures[name], rel=1e-12)
    recorded = gpucore.run("louvain", part, device=device, record="counters")
    assert recorded.certificate.ok
    header = gpucore.run("louvain", graph, device=device, record="counters").record.header
    assert recorded.record.header["modularity"] == pytest.approx(header["modularity"], abs=1e-12)


def test_wrong_partitions_and_figures_are_found():
    graph, device = planted_partition(600, 6, seed=3), get_device("host")
    (part,) = cut(graph, 1)
    result = gpucore.run("louvain", part, device=device, certify=False)
    moved = result.community.copy()
    moved[5] = (moved[5] + 1) % (moved.max() + 1)
    for name, changed in {
        "hierarchy": {"community": moved},
        "partition": {"community": result.community[:-1]},
        "reported figures": {"community": moved, "levels": ()},
    }.items():
        wrong = type(result)(**{**vars(result), **changed})
        certificate = certify_part(part, wrong, device)
        assert certificate.failure is not None, name
        assert certificate.failure.name == name
    assert modularity_of_rows(part, result.community, 1.0)[0] == pytest.approx(
        result.modularity, abs=1e-12
    )


def test_weights_that_have_no_modularity():
    (part,) = cut(Graph.from_edges(3, [0, 1], [1, 2], [1.0, -1.0]), 1)
    with pytest.raises(GraphError, match="negative weight"):
        stage_of_part(part, get_device("host"))
    (part,) = cut(Graph.from_edges(2, [0, 0], [0, 1], [3e38, 1.0]), 1)
    with pytest.raises(GraphError, match="counts twice"):
        stage_of_part(part, get_device("host"))
    with pytest.raises(GraphError, match="record of events needs the graph on the host"):
        gpucore.run("louvain", cut(GRAPH, 1)[0], device="host", record="events")
