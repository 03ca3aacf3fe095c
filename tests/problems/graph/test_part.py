"""Parts of graphs: cut, joined, compared by fingerprints, moved between ranks."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpucore.errors import GraphError
from gpucore.loading import load
from gpucore.problems.graph.distributed.balance import rebalanced
from gpucore.problems.graph.fingerprint import digest, fingerprint
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.part import GraphPart, cut, join, part_of
from support.graph_strategies import graphs, relaxed
from support.rank_threads import on_ranks

RANKS = st.sampled_from([1, 2, 3, 4, 7, 20])


@relaxed
@given(graphs(), RANKS)
def test_joined_parts_are_the_graph(graph, ranks):
    parts = cut(graph, ranks)
    assert [part.rank for part in parts] == list(range(ranks)) and parts[0].ranks == ranks
    assert sum(part.rows for part in parts) == graph.num_vertices
    assert sum(part.entries for part in parts) == graph.indices.size
    for part in parts:
        assert part.indptr[0] == 0
        assert part.indptr[-1] == part.entries
        assert (part.indptr.dtype, part.indices.dtype) == (np.int64, np.int32)
        assert part.indptr.size == part.rows + 1 == part.hi - part.lo + 1
    joined = join(parts[::-1])
    assert joined == graph
    assert (joined.weighted, joined.name, joined.source) == (
        graph.weighted, graph.name, graph.source,
    )  # fmt: skip


@relaxed
@given(graphs(), RANKS)
def test_parts_are_balanced_up_to_one_row(graph, ranks):
    work = graph.indices.size + graph.num_vertices
    for part in cut(graph, ranks):
        assert part.entries + part.rows <= work / ranks + graph.max_degree + 1


@relaxed
@given(graphs(), RANKS)
def test_owners(graph, ranks):
    parts = cut(graph, ranks)
    owners = parts[0].owners(np.arange(graph.num_vertices))
    for part in parts:
        assert (owners[part.lo : part.hi] == part.rank).all()


@relaxed
@given(graphs(), RANKS)
def test_fingerprint_is_the_same_for_any_number_of_parts(graph, ranks):
    whole = fingerprint(graph.num_vertices, [digest(part) for part in cut(graph, 1)])
    assert fingerprint(graph.num_vertices, map(digest, cut(graph, ranks))) == whole
    assert fingerprint(graph.num_vertices + 1, map(digest, cut(graph, ranks))) != whole


def test_fingerprint_in_chunks(monkeypatch):
    part = cut(load("netscience"), 2)[1]
    expected = digest(part).tolist()
    monkeypatch.setattr("gpucore.problems.graph.fingerprint._CHUNK", 100)
    assert digest(part).tolist() == expected


def test_every_change_changes_the_fingerprint():
    graph = load("karate_weighted")
    (part,) = cut(graph, 1)
    own = fingerprint(part.n, [digest(part)])
    for name, place in (("indices", 5), ("indices", 100), ("weights", 0), ("weights", 155)):
        changed = getattr(part, name).copy()
        changed[place] += 1
        other = replace(part, **{name: changed})
        assert fingerprint(part.n, [digest(other)]) != own
    rows = part.indptr.copy()
    rows[4] += 1  # an entry of another row
    assert fingerprint(part.n, [digest(replace(part, indptr=rows))]) != own
    swapped = part.weights.copy()
    swapped[:2] = swapped[1::-1]
    assert (swapped != part.weights).any()
    assert fingerprint(part.n, [digest(replace(part, weights=swapped))]) != own


@relaxed
@given(graphs(), RANKS, st.data())
def test_rows_move_to_the_ranks_of_balanced_parts(graph, ranks, data):
    inner = data.draw(
        st.lists(st.integers(0, graph.num_vertices), min_size=ranks - 1, max_size=ranks - 1)
    )
    bounds = np.array([0, *sorted(inner), graph.num_vertices], np.int64)
    found = on_ranks(ranks, lambda rank: rebalanced(part_of(graph, bounds, rank.rank), rank))
    for part, expected in zip(found, cut(graph, ranks), strict=True):
        assert part.bounds.tolist() == expected.bounds.tolist()
        assert part.indptr.tolist() == expected.indptr.tolist()
        assert part.indices.tolist() == expected.indices.tolist()
        assert part.weights.tobytes() == expected.weights.tobytes()


def test_parts_that_do_not_fit():
    graph = load("karate")
    with pytest.raises(GraphError, match=r"the parts \[0, 2\] are not all parts"):
        join(cut(graph, 3)[::2])
    with pytest.raises(GraphError, match=r"the parts \[0, 0\] are not all parts"):
        join([cut(graph, 2)[0]] * 2)
    with pytest.raises(GraphError, match="are not all parts"):
        join([])
    with pytest.raises(GraphError, match="parts 0 and 1 are not parts of the same graph"):
        join([cut(graph, 2)[0], cut(load("lesmis"), 2)[1]])
    with pytest.raises(GraphError, match="at least 1 part, not 0"):
        cut(graph, 0)
    one, two = cut(graph, 2)
    with pytest.raises(GraphError, match="not symmetric"):
        join([one, replace(two, weights=two.weights + 1)])


def test_a_part_is_a_view():
    graph = Graph.from_edges(4, [0, 1, 2], [1, 2, 3])
    parts = cut(graph, 2)
    assert all(isinstance(part, GraphPart) for part in parts)
    assert all(np.shares_memory(part.indices, graph.indices) for part in parts)
    assert sum(part.nbytes for part in parts) == graph.nbytes + 8
