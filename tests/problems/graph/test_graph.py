import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpucore.errors import GraphError
from gpucore.problems.graph.graph import Graph
from support.graph_strategies import edge_dicts, graphs, relaxed


@relaxed
@given(edge_dicts(), st.randoms())
def test_from_edges_stores_both_directions_in_sorted_rows(drawn, random):
    n, edges = drawn
    order = list(edges)
    random.shuffle(order)
    ends = [(u, v) if random.random() < 0.5 else (v, u) for u, v in order]
    graph = Graph.from_edges(
        n, [u for u, _ in ends], [v for _, v in ends], [edges[pair] for pair in order]
    )
    dense = {}
    for row in range(n):
        ids, weights = graph.neighbours(row)
        assert (np.diff(ids) > 0).all()
        dense |= {
            (row, column): w for column, w in zip(ids.tolist(), weights.tolist(), strict=True)
        }
    expected = {pair: w for (u, v), w in edges.items() for pair in ((u, v), (v, u))}
    assert dense == expected
    assert graph.num_vertices == n
    assert graph.num_loops == sum(u == v for u, v in edges)
    assert graph.num_edges == sum(u != v for u, v in edges)
    assert graph.degrees.tolist() == [sum(u == row for u, _ in expected) for row in range(n)]
    assert graph.max_degree == max(graph.degrees, default=0)


@relaxed
@given(graphs())
def test_edges_and_loops_give_the_graph_back(graph):
    u, v, w = graph.edges()
    at, loops = graph.loops()
    assert (u < v).all()
    assert sorted(zip(u, v, strict=True)) == list(zip(u, v, strict=True))
    again = Graph.from_edges(
        graph.num_vertices,
        np.concatenate((v, at)),
        np.concatenate((u, at)),
        np.concatenate((w, loops)),
    )
    assert again == graph
    assert again.fingerprint == graph.fingerprint


@relaxed
@given(graphs(), st.randoms())
def test_from_csr_sorts_rows(graph, random):
    indices, weights = graph.indices.copy(), graph.weights.copy()
    for start, end in zip(graph.indptr[:-1], graph.indptr[1:], strict=True):
        order = list(range(start, end))
        random.shuffle(order)
        indices[start:end], weights[start:end] = graph.indices[order], graph.weights[order]
    assert Graph.from_csr(graph.indptr, indices, weights) == graph
    assert Graph(graph.indptr, graph.indices, graph.weights) == graph


@relaxed
@given(graphs(weighted=True))
def test_scipy_matrix_is_symmetric_and_a_copy(graph):
    matrix = graph.to_scipy()
    assert (matrix != matrix.T).nnz == 0
    matrix.data[:] = 7
    assert graph.fingerprint == Graph.from_csr(*graph_arrays(graph)).fingerprint


def graph_arrays(graph):
    return graph.indptr, graph.indices, graph.weights


def test_dtypes_and_immutability():
    graph = Graph.from_edges(3, [0, 1], [1, 2], [2, 3], name="path")
    assert [a.dtype for a in graph_arrays(graph)] == [np.int64, np.int32, np.float32]
    assert all(a.flags.c_contiguous for a in graph_arrays(graph))
    for array in (*graph_arrays(graph), graph.degrees):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError):
        graph.name = "other"
    assert graph.nbytes == 4 * 8 + 4 * 4 + 4 * 4


def test_pickling_and_copying():
    graph = Graph.from_edges(3, [0, 1], [1, 2], [2, 3], coordinates=np.eye(3)[:, :2])
    for again in (pickle.loads(pickle.dumps(graph)), copy.deepcopy(graph)):
        assert again == graph
        arrays = (*graph_arrays(again), again.coordinates)
        assert not any(array.flags.writeable for array in arrays)


def test_arrays_given_stay_the_callers():
    weights = np.ones(2, np.float32)
    graph = Graph(np.array([0, 1, 2]), np.array([1, 0]), weights)
    weights[:] = 5
    assert graph.weights.tolist() == [1, 1]


def test_empty_graphs():
    empty, lonely = Graph.from_edges(0, [], []), Graph.from_edges(3, [], [])
    assert (empty.num_vertices, empty.num_edges, empty.max_degree) == (0, 0, 0)
    assert (lonely.num_vertices, lonely.num_edges) == (3, 0)
    assert empty != lonely
    assert empty.to_networkx().number_of_nodes() == 0


@pytest.mark.parametrize(
    ("duplicates", "weight"), [("first", -5), ("sum", 2), ("max", 4), ("larger", -5)]
)
def test_duplicates(duplicates, weight):
    given_weights = [-5, 4, 3]
    graph = Graph.from_edges(2, [0, 1, 0], [1, 0, 1], given_weights, duplicates=duplicates)
    assert graph.edges()[2].tolist() == [weight]


def test_larger_prefers_the_positive_of_two_opposite_weights():
    graph = Graph.from_edges(2, [0, 1], [1, 0], [-5, 5], duplicates="larger")
    assert graph.edges()[2].tolist() == [5]


def test_unweighted_duplicates_stay_ones():
    graph = Graph.from_edges(2, [0, 0], [1, 1], duplicates="first")
    assert not graph.weighted
    assert graph.weights.tolist() == [1, 1]


def test_attributes_and_repr():
    graph = Graph.from_edges(2, [0, 1], [1, 1], coordinates=[[0, 0], [1, 2]], names=["a", "b"])
    assert repr(graph) == "Graph(vertices=2, edges=1, loops=1)"
    assert graph.names == ("a", "b")
    assert graph.coordinates.dtype == np.float64
    renamed = graph.with_attributes(name="pair", coordinates=None)
    assert renamed == graph
    assert (renamed.name, renamed.coordinates, renamed.names) == ("pair", None, ("a", "b"))
    assert graph.source == {"kind": "memory"}


EDGES = {
    "out of range": ((2, [0, 1], [1, 2]), "edge 1 .1, 2.: vertex 2 is out of range"),
    "negative": ((2, [0, -1], [1, 1]), "edge 1 .-1, 1.: vertex -1 is out of range"),
    "float": ((2, [0.5], [1.0]), "u must hold integers, not float64"),
    "lengths": ((2, [0, 1], [1]), "equal lengths, not 2 and 1"),
    "shape": ((2, [[0]], [[1]]), "one-dimensional"),
    "nan": ((3, [0, 1], [1, 2], [1, np.nan]), "w.1. = nan is not a finite number"),
    "inf": ((2, [0], [1], [-np.inf]), "w.0. = -inf is not a finite number"),
    "too far apart": (
        (3, [0, 1], [1, 2], [1e39, 1e-300]),
        r"weights.0. = 1e.39 and weights.1. = 1e-300 differ too much",
    ),
    "complex": ((2, [0], [1], [1j]), "must be real numbers"),
    "weights": ((2, [0], [1], [1, 2]), "must have shape .1,."),
    "duplicate": ((3, [0, 1, 1], [1, 2, 0]), "edge .0, 1. is given more than once"),
    "vertices": ((-1, [], []), "between 0 and 2147483647, not -1"),
    "huge": ((2**40, [], []), "32-bit"),
    "not a number": (("7", [], []), "must be an integer, not '7'"),
}


@pytest.mark.parametrize("case", EDGES)
def test_bad_edges(case):
    arguments, message = EDGES[case]
    with pytest.raises(GraphError, match=message):
        Graph.from_edges(*arguments)


ROWS = {
    "start": (([1, 1], [], []), "rise from 0"),
    "end": (([0, 2], [0], [1]), "number of entries .1."),
    "falls": (([0, 2, 1, 2], [1, 0], [1, 1]), "without falling"),
    "empty": (([], [], []), "at least one number"),
    "range": (([0, 1, 2], [1, 2], [1, 1]), "indices.1. = 2 is out of range for 2 vertices"),
    "unsorted": (([0, 2, 3, 4], [2, 1, 0, 0], [1] * 4), "row 0 is not sorted"),
    "twice": (([0, 2, 4], [1, 1, 0, 0], [1] * 4), "row 0 holds the neighbour 1 twice"),
    "one direction": (([0, 1, 1], [1], [1]), "not symmetric: entry .0, 1. = 1 has no equal"),
    "other weight": (([0, 1, 2], [1, 0], [1, 2]), "entry .0, 1. = 1 has no equal entry .1, 0."),
    "lower missing": (([0, 1, 2, 3], [1, 0, 1], [1] * 3), "entry .2, 1. = 1 has no equal"),
    "wide indices": (([0, 1, 2], [1, 2**32], [1, 1]), "out of range"),
}


@pytest.mark.parametrize("case", ROWS)
def test_bad_rows(case):
    arrays, message = ROWS[case]
    with pytest.raises(GraphError, match=message):
        Graph(*map(np.array, (arrays[0] or np.empty(0, int), *arrays[1:])))


def test_bad_attributes():
    with pytest.raises(GraphError, match="3 names were given for 2 vertices"):
        Graph.from_edges(2, [], [], names="abc")
    with pytest.raises(GraphError, match="coordinates must have shape"):
        Graph.from_edges(2, [], [], coordinates=[0, 1])
    with pytest.raises(GraphError, match="coordinates must be finite"):
        Graph.from_edges(1, [], [], coordinates=[[0, np.nan]])
    with pytest.raises(GraphError, match="weights that are all 1"):
        Graph.from_edges(2, [0], [1], [3], weighted=False)
    with pytest.raises(GraphError, match="duplicates must be"):
        Graph.from_edges(2, [0, 0], [1, 1], duplicates="min")
    with pytest.raises(GraphError, match="there is no vertex 2"):
        Graph.from_edges(2, [], []).neighbours(2)
