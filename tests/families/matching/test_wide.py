"""Suitor "fast" numbers entries by 64 bits, and vertices times lanes too: at the borders and above.

Narrow types are planted in copies of the kernels; each of them must show.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gpucore
from gpucore import limits, native
from gpucore.device import get_device
from gpucore.device.source import folders, source_path
from gpucore.errors import DeviceError, GraphError
from gpucore.families.matching import suitor
from gpucore.families.matching.outcome import Adjacency
from gpucore.families.matching.suitor import SuitorParams, _fast
from gpucore.problems.graph.graph import Graph
from gpucore.record import Recorder
from support.matching_cases import greedy_mates, random_graph, skewed_graph
from support.planting import Mistake, Planted, build
from support.planting.apart import in_a_copy
from support.wide import STARTS, shifted, untouched

BUILD = Path(__file__).parents[3] / "build" / "matching-wide-tests"


def behind_vertex_0(graph):
    """Return the graph with a new vertex 0 without edges, where narrow numbers lead."""
    u, v, w = graph.edges()
    return Graph.from_edges(graph.num_vertices + 1, u + 1, v + 1, w)


#: Lanes, warps and blocks search: short rows, long ones, and hubs.
GRAPH = behind_vertex_0(skewed_graph(12, 60_000, 2, levels=5))


def with_late_hub(n, m, degree):
    """Return a random graph whose last vertex is a hub with heavy edges."""
    graph = random_graph(n, m, 3)
    u, v, w = graph.edges()
    rim = np.arange(degree) * (n // degree - 1)
    ends = np.concatenate((u, rim)), np.concatenate((v, np.full(degree, n - 1)))
    weights = np.concatenate((w, 1 + np.arange(degree) / degree))
    return Graph.from_edges(n, *ends, weights, duplicates="larger")


#: More vertices than 16 bits can number.
MANY = with_late_hub(70_000, 150_000, 1500)


def mates(device, arrays, n):
    """Return the mates that "fast" finds in these rows."""
    bids, mate = np.zeros(n, np.uint64), np.full(n, -1, np.int32)
    recorder = Recorder(device, "off", warps=1)
    _fast(Adjacency(n, arrays), SuitorParams(), device, recorder, bids, mate)
    return mate


def narrow(name, old, new, header="suitor_search.cuh", nth=0):
    return Mistake(name, "suitor_fast", old, new, nth=nth, header=header)


WEIGHT = "__ldcs(p.weights + s.begin + i)"
NARROW_WEIGHT = "__ldcs(p.weights + (unsigned)s.begin + i)"
#: Entries whose number is cut to 32 bits.
ENTRIES = (
    narrow("weights_of_first_round", WEIGHT, NARROW_WEIGHT, header="suitor_groups.cuh"),
    narrow("weights_of_others", WEIGHT, NARROW_WEIGHT),
    narrow(
        "neighbours", "__ldcs(p.indices + s.begin + i)", "__ldcs(p.indices + (unsigned)s.begin + i)"
    ),
    narrow(
        "shuffle",
        "mine.begin, owner)",
        "(unsigned)mine.begin, owner)",
        header="suitor_groups.cuh",
    ),
    narrow(
        "choice_of_lanes",
        "p.indices[mine.begin + ",
        "p.indices[(unsigned)mine.begin + ",
        header="suitor_groups.cuh",
    ),
    narrow(
        "choice_of_hubs",
        "p.indices[p.indptr[u] + ",
        "p.indices[(unsigned)p.indptr[u] + ",
        header="suitor_hubs.cuh",
    ),
)
#: Numbers of vertices that are cut to 16 bits, as those of threads would be to 32.
VERTICES = (
    Mistake(
        "begin",
        "suitor_fast",
        "const long long u = (long long)blockIdx.x * blockDim.x + threadIdx.x;",
        "const long long u = (unsigned short)(blockIdx.x * blockDim.x + threadIdx.x);",
    ),
    narrow(
        "first_round",
        "const long long id = (long long)warp * 32 + lane;",
        "const long long id = (unsigned short)(warp * 32 + lane);",
        header="suitor_fast.cuh",
    ),
    narrow(
        "rest",
        "const long long first = (long long)warp * VERTICES;",
        "const long long first = (unsigned short)(warp * VERTICES);",
        header="suitor_fast.cuh",
    ),
)


@pytest.mark.parametrize("where", STARTS)
@pytest.mark.parametrize("one_launch", [-1, 1 << 21], ids=["several launches", "one launch"])
def test_entries_at_the_borders(where, one_launch, monkeypatch):
    assert GRAPH.max_degree > 1024
    monkeypatch.setattr(suitor, "ONE_LAUNCH", one_launch)
    found = mates(get_device("host"), shifted(GRAPH, where), GRAPH.num_vertices)
    np.testing.assert_array_equal(found, greedy_mates(GRAPH))


@pytest.fixture(scope="module")
def planted():
    try:
        native.library(instrumented=True)
    except DeviceError as error:
        pytest.skip(str(error))
    sources = [source_path("suitor_fast")]
    shared = [path for folder in folders() for path in folder.glob("*.cuh")]
    return build(BUILD, sources + shared, ENTRIES + VERTICES)


@pytest.mark.parametrize("mistake", ENTRIES, ids=lambda one: one.name)
@in_a_copy
def test_a_narrow_number_of_an_entry_shows(planted, mistake):
    device = Planted(planted, mistake, observe="nothing")
    found = mates(device, shifted(GRAPH, "above"), GRAPH.num_vertices)
    assert (found != greedy_mates(GRAPH)).any()
    rows = (GRAPH.indptr, GRAPH.indices, GRAPH.weights)
    np.testing.assert_array_equal(
        mates(device, rows, GRAPH.num_vertices), greedy_mates(GRAPH)
    )  # only there


@pytest.mark.parametrize("mistake", VERTICES, ids=lambda one: one.name)
@in_a_copy
def test_a_narrow_number_of_a_vertex_shows(planted, mistake, monkeypatch):
    monkeypatch.setattr(suitor, "ONE_LAUNCH", -1)
    rows = (MANY.indptr, MANY.indices, MANY.weights)
    assert MANY.num_vertices > 2**16
    found = mates(Planted(planted, mistake, observe="nothing"), rows, MANY.num_vertices)
    assert (found != greedy_mates(MANY)).any()


def test_rows_that_are_too_long_are_refused(monkeypatch):
    monkeypatch.setattr(limits, "LONGEST_ROW", GRAPH.max_degree)
    assert gpucore.run("suitor", GRAPH, device="host").certificate.ok
    monkeypatch.setattr(limits, "LONGEST_ROW", GRAPH.max_degree - 1)
    with pytest.raises(GraphError, match=rf"{GRAPH.max_degree:,} neighbours, and kernels take"):
        gpucore.run("suitor", GRAPH, device="host")


def test_variants_with_narrow_kernels_refuse():
    indices, weights = untouched(2**31, np.int32), untouched(2**31, np.float32)
    graph = object.__new__(Graph)
    for name, value in {"indptr": np.zeros(3, np.int64), "indices": indices}.items():
        object.__setattr__(graph, name, value)
    object.__setattr__(graph, "weights", weights)
    with pytest.raises(GraphError, match=r"2,147,483,648 entries.*suitor nosync.*use.*fast"):
        gpucore.run("suitor", graph, device="host", variant="nosync")
    with pytest.raises(GraphError, match=r"2,147,483,648 entries.*kernels of ld.*smaller graph"):
        gpucore.run("ld", graph, device="host")
