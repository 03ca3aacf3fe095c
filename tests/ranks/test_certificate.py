"""The certificate of a b-matching in parts, on each device: the same as of the whole graph."""

from __future__ import annotations

import tracemalloc
from itertools import pairwise

import numpy as np
import pytest

from gpucore.certify import pairs
from gpucore.certify.stability import form, heaviest, parts, ranks
from gpucore.certify.stability.part import Part
from gpucore.certify.stability.parts import memory_needed
from gpucore.certify.stability.ranks import certify_on_ranks
from gpucore.families.bmatching.certificate import certify_bmatching
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.part import cut, with_arrays
from gpucore.ranks.threads import run_threads
from support.bmatching_cases import greedy_b_mates, lists_to_arrays
from support.matching_cases import random_graph, skewed_graph

GRAPH = skewed_graph(6, 300, 4, levels=4)
N = GRAPH.num_vertices
CAPACITY = np.random.default_rng(1).integers(0, 4, N).astype(np.int32)
EDGES = {(u, v) for u, v, _ in zip(*(x.tolist() for x in GRAPH.edges()), strict=True)}


@pytest.fixture(params=["whole", "pieces"])
def pieces(request, monkeypatch):
    """Let chunks and blocks hold all, then a few: rows and lists are longer than a piece."""
    if request.param == "pieces":
        for module, name, size in (
            (pairs, "CHUNK", 17),
            (pairs, "DEVICE_CHUNK", 17),
            (form, "BLOCK", 19),
            (heaviest, "BLOCK", 19),
            (ranks, "SENT", 7),
        ):
            monkeypatch.setattr(module, name, size)


def in_parts(device, size, graph, capacity, starts, mates):
    """Certify on ranks, with the rows on the device."""
    all_parts = cut(graph, size)

    def body(comm, stop):
        own = device.sibling(comm.rank)
        part = with_arrays(all_parts[comm.rank], own.asarray)
        lists = starts[part.lo : part.hi + 1]
        share = (capacity[part.lo : part.hi], lists - lists[0], mates[lists[0] : lists[-1]])
        return certify_on_ranks(part, *share, comm, own)

    return run_threads(size, body)


def same(device, size, capacity, lists):
    """Return the certificate in parts, after a comparison with that of the whole graph."""
    arrays = (capacity, *lists_to_arrays(lists))
    whole = certify_bmatching(GRAPH, *arrays)
    found = in_parts(device, size, GRAPH, *arrays)
    assert found.checks == whole.checks
    assert dict(found.figures) == pytest.approx(dict(whole.figures), rel=1e-12)
    return found


def right():
    """Return greedy's lists of mates."""
    starts, mates = greedy_b_mates(GRAPH, CAPACITY)
    return [mates[a:b].tolist() for a, b in pairwise(starts.tolist())]


def far_pair(lists):
    """Return the matched pair whose numbers differ most: its ends are on two ranks."""
    return max(((u, v) for u, own in enumerate(lists) for v in own), key=lambda e: e[1] - e[0])


def other_edge(lists):
    """Return an edge that is not matched, one end of which has no room."""
    return next(
        (u, v) for u, v in sorted(EDGES) if v not in lists[u] and 0 < CAPACITY[u] <= len(lists[u])
    )


def a_wrong_mate(lists):
    """Let both ends of a pair that is no edge say that they are mates, instead of others."""
    u, v = far_pair(lists)
    for end, mate in ((u, v), (v, u)):
        lists[end].remove(mate)
    other = next(
        w for w in range(N) if w not in (u, v) and (min(u, w), max(u, w)) not in EDGES
        and len(lists[w]) < CAPACITY[w]
    )  # fmt: skip
    lists[u].append(other)
    lists[other].append(u)


def a_mate_that_does_not_exist(lists):
    lists[far_pair(lists)[1]].append(N)


def itself(lists):
    lists[far_pair(lists)[1]].append(far_pair(lists)[1])


def a_mate_twice(lists):
    u, v = far_pair(lists)
    lists[v].append(u)


def too_many_mates(lists):
    u, v = other_edge(lists)
    lists[u].append(v)
    lists[v].append(u)


def one_end_only(lists):
    u, v = far_pair(lists)
    lists[v].remove(u)


def a_pair_left_out(lists):
    u, v = far_pair(lists)
    lists[u].remove(v)
    lists[v].remove(u)


def half_of_all_left_out(lists):
    for u, v in sorted(EDGES)[::2]:
        if v in lists[u]:
            lists[u].remove(v)
            lists[v].remove(u)


MISTAKES = (
    (a_wrong_mate, "pairs are edges"),
    (a_mate_that_does_not_exist, "well formed"),
    (itself, "well formed"),
    (a_mate_twice, "no mate twice"),
    (too_many_mates, "capacities kept"),
    (one_end_only, "symmetric"),
    (a_pair_left_out, "b-stable"),
    (half_of_all_left_out, "b-stable"),
)


@pytest.mark.usefixtures("pieces")
@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_parts_together_are_certified(each_device, size):
    assert same(each_device, size, CAPACITY, right()).ok


@pytest.mark.usefixtures("pieces")
@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize(("mistake", "check"), MISTAKES)
def test_a_mistake_is_found(each_device, mistake, check, size):
    lists = right()
    u, v = far_pair(lists)
    assert size == 1 or len({int(cut(GRAPH, size)[0].owners(end)) for end in (u, v)}) == 2
    mistake(lists)
    certificate = same(each_device, size, CAPACITY, lists)
    assert certificate.failure is not None
    assert certificate.failure.name == check


@pytest.mark.parametrize("size", [1, 2, 3])
def test_more_room_is_found(each_device, size):
    """An edge blocks whose ends are on two ranks: all need to know what a vertex holds."""
    lists, capacity = right(), CAPACITY.copy()
    u, v = max((e for e in EDGES if e[1] not in lists[e[0]]), key=lambda e: e[1] - e[0])
    capacity[[u, v]] += 1
    certificate = same(each_device, size, capacity, lists)
    assert certificate.failure.name == "b-stable"


def test_more_ranks_than_vertices_with_rows(each_device):
    """Some ranks have no rows at all."""
    graph = random_graph(4, 9, 1)
    capacity = np.ones(4, np.int32)
    arrays = (capacity, *greedy_b_mates(graph, capacity))
    assert in_parts(each_device, 9, graph, *arrays).ok


@pytest.mark.usefixtures("pieces")
@pytest.mark.parametrize("largest", [1, 99])
def test_the_heaviest_edges_of_each_vertex(each_device, largest):
    """The bound of the certificate takes the better of two; this is one of them."""
    u, v, w = GRAPH.edges()
    u, v, w = np.append([5, 6], u), np.append([5, 7], v), np.append([9.0, -1.0], w)
    graph = Graph.from_edges(N, u, v, w, duplicates="first")
    part = with_arrays(cut(graph, 1)[0], each_device.asarray)
    mates = each_device.asarray(np.empty(0, np.int32))
    most_edges = np.minimum(CAPACITY, largest).astype(CAPACITY.dtype)
    capacity = each_device.asarray(most_edges)
    rows = (part.indptr, part.indices, part.weights)
    own = Part(N, 0, *rows, capacity, mates, mates, each_device.xp)
    assert any(np.diff(graph.indptr) > 17)
    u, v, w = graph.edges()
    expected = 0.0
    for vertex, most in enumerate(most_edges.tolist()):
        own_weights = w[((u == vertex) | (v == vertex)) & (u != v) & (w > 0)].tolist()
        expected += sum(sorted(own_weights, reverse=True)[:most])
    assert heaviest.heaviest_edges(own) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("scale", "edges", "b"), [(14, 150_000, 3), (12, 300_000, 1)])
@pytest.mark.parametrize("most", [1 << 12, 1 << 16])
def test_memory_is_as_counted(make_device, monkeypatch, scale, edges, b, most):
    """NumPy's arrays are counted by Python; those of a GPU have the same sizes."""
    for module, name in ((pairs, "CHUNK"), (form, "BLOCK"), (heaviest, "BLOCK"), (parts, "BLOCK")):
        monkeypatch.setattr(module, name, most)
    graph = skewed_graph(scale, edges, 7)
    n, capacity = graph.num_vertices, np.full(graph.num_vertices, b, np.int32)
    starts, mates = greedy_b_mates(graph, capacity)
    part = cut(graph, 1)[0]

    def body(comm, stop):
        tracemalloc.start()
        found = certify_on_ranks(part, capacity, starts, mates, comm, make_device("host"))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert found.ok
        return peak

    peak = run_threads(1, body)
    assert 8 * n < peak < memory_needed(n, n, graph.indices.size, mates.size)
