"""A matrix as a graph: both sides' lists, against SciPy, and what is refused."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from scipy import sparse

import gpucore
from gpucore.errors import GraphError
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.graph.graph import Graph
from support.bipartite_strategies import bipartite_graphs, entry_lists
from support.graph_strategies import relaxed


@relaxed
@given(entry_lists())
def test_entries_become_both_sides_lists(drawn):
    shape, entries = drawn
    rows, columns = np.array(entries, np.int64).reshape(-1, 2).T
    graph = BipartiteGraph.from_entries(rows, columns, shape)
    matrix = sparse.coo_array((np.ones(rows.size), (rows, columns)), shape=shape).tocsr()
    matrix.sum_duplicates()
    assert (graph.num_rows, graph.num_columns) == graph.shape == shape
    assert graph.num_edges == matrix.nnz
    indptr, found = graph.by_row()
    assert (indptr == matrix.indptr).all()
    assert (found == matrix.indices).all()
    turned = matrix.tocsc()
    indptr, found = graph.by_column()
    assert (indptr == turned.indptr).all()
    assert (found == turned.indices).all()
    assert set(zip(*(side.tolist() for side in graph.entries()), strict=True)) == set(entries)
    assert (graph.to_matrix().toarray() == (matrix.toarray() != 0)).all()


@relaxed
@given(bipartite_graphs())
def test_it_is_a_graph_that_passes_every_check(graph):
    whole = Graph(graph.indptr, graph.indices, graph.weights)
    again = BipartiteGraph(graph.indptr, graph.indices, graph.weights, num_rows=graph.num_rows)
    assert again == graph
    assert again.fingerprint == graph.fingerprint != whole.fingerprint
    assert graph != whole
    assert (graph.num_edges, graph.num_loops) == (whole.num_edges, whole.num_loops)
    u, v, w = graph.edges()
    assert (u < graph.num_rows).all()
    assert (v >= graph.num_rows).all()
    assert (w == 1).all()
    assert not graph.weighted
    nnz, (_, columns), (_, rows) = graph.num_edges, graph.by_row(), graph.by_column()
    assert (graph.indices[:nnz] == columns + graph.num_rows).all()
    assert (graph.indices[nnz:] == rows).all()


@relaxed
@given(bipartite_graphs())
def test_transposing(graph):
    turned = graph.transpose()
    assert turned.shape == graph.shape[::-1]
    assert (turned.to_matrix().toarray() == graph.to_matrix().toarray().T).all()
    assert turned.transpose() == graph
    assert turned.source["prepared"] == [{"step": "transpose"}]


@relaxed
@given(bipartite_graphs())
def test_matrices_of_any_kind(graph):
    matrix = graph.to_matrix()
    for form in ("csr", "csc", "coo", "lil", "dok"):
        assert BipartiteGraph.from_matrix(matrix.asformat(form)) == graph
    assert BipartiteGraph.from_matrix(sparse.csr_matrix(matrix)) == graph
    assert BipartiteGraph.from_matrix(-7.5 * matrix.toarray()) == graph


def test_dtypes_and_immutability():
    graph = BipartiteGraph.from_entries([0, 1, 1], [2, 0, 1], (2, 3))
    assert [a.dtype for a in (*graph.by_row(), *graph.by_column())] == [np.int64, np.int32] * 2
    assert [a.dtype for a in graph.entries()] == [np.int32] * 2
    assert graph.to_matrix().dtype == np.int8
    for array in (graph.indptr, graph.indices, graph.weights):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_stored_zeros_and_repeated_entries_are_one_edge_each():
    matrix = sparse.coo_array(([0.0, 2, -2, np.nan], ([0, 1, 1, 0], [0, 1, 1, 1])), shape=(2, 2))
    assert BipartiteGraph.from_matrix(matrix).to_matrix().toarray().tolist() == [[1, 1], [0, 1]]
    many = BipartiteGraph.from_entries([0] * 300, [0] * 300, (1, 1))
    assert many.to_matrix().toarray().tolist() == [[1]]


def test_shape_matters():
    wide, tall = (BipartiteGraph.from_entries([], [], shape) for shape in ((1, 2), (2, 1)))
    assert wide != tall
    assert hash(wide) != hash(tall)
    assert BipartiteGraph.from_entries([], [], (0, 0)).num_edges == 0


def test_attributes_go_with_their_vertices():
    graph = BipartiteGraph.from_entries(
        [0, 1], [1, 0], (2, 2), name="pairs", names="abxy", coordinates=np.arange(8).reshape(4, 2)
    )
    assert repr(graph) == "BipartiteGraph('pairs', rows=2, columns=2, edges=2)"
    turned = graph.transpose()
    assert turned.names == ("x", "y", "a", "b")
    assert turned.coordinates.tolist() == [[4, 5], [6, 7], [0, 1], [2, 3]]
    renamed = graph.with_attributes(name="other", names=None)
    assert isinstance(renamed, BipartiteGraph)
    assert renamed == graph
    assert (renamed.name, renamed.names, renamed.num_rows) == ("other", None, 2)
    for other in (pickle.loads(pickle.dumps(graph)), copy.deepcopy(graph)):
        assert other == graph
        assert (other.num_rows, other.names) == (2, graph.names)


def test_networkx_knows_the_sides():
    graph = BipartiteGraph.from_entries([0, 1], [0, 0], (2, 1)).to_networkx()
    assert [side for _, side in graph.nodes(data="bipartite")] == [0, 0, 1]
    assert list(graph.edges) == [(0, 2), (1, 2)]


def test_it_is_exported():
    assert gpucore.BipartiteGraph is BipartiteGraph


ENTRIES = {
    "row": (([0, 2], [0, 0], (2, 2)), "entry 1 .2, 0.: row 2 is out of range, .* has 2 rows"),
    "column": (([0], [-1], (2, 2)), "entry 0 .0, -1.: column -1 is out of range, .* 2 columns"),
    "no rows": (([0], [0], (0, 2)), "the matrix has 0 rows"),
    "lengths": (([0, 1], [0], (2, 2)), "equal lengths, not 2 and 1"),
    "float": (([0.5], [0], (2, 2)), "rows must hold integers"),
    "wide": (([2**32], [0], (2, 2)), "out of range"),
    "shape": (([], [], (1, 2, 3)), "must be two numbers"),
    "negative": (([], [], (-1, 2)), "between 0 and"),
    "huge": (([], [], (2**30, 2**30)), "32-bit"),
}


@pytest.mark.parametrize("case", ENTRIES)
def test_bad_entries(case):
    arguments, message = ENTRIES[case]
    with pytest.raises(GraphError, match=message):
        BipartiteGraph.from_entries(*arguments)


def test_edges_within_a_side_are_refused():
    triangle = Graph.from_edges(3, [0, 1, 2], [1, 2, 0])
    rows = (triangle.indptr, triangle.indices, triangle.weights)
    with pytest.raises(GraphError, match=r"edge .0, 1. joins two rows"):
        BipartiteGraph(*rows, num_rows=2)
    with pytest.raises(GraphError, match=r"edge .1, 2. joins two columns"):
        BipartiteGraph(*rows, num_rows=1)
    with pytest.raises(GraphError, match="4 rows cannot be among 3 vertices"):
        BipartiteGraph(*rows, num_rows=4)


def test_what_makes_no_bipartite_graph():
    with pytest.raises(GraphError, match="has no weights"):
        BipartiteGraph([0, 1, 2], [1, 0], [3.0, 3.0], num_rows=1, weighted=True)
    with pytest.raises(GraphError, match="weights that are all 1"):
        BipartiteGraph([0, 1, 2], [1, 0], [3.0, 3.0], num_rows=1)
    with pytest.raises(GraphError, match="from_entries or from_matrix"):
        BipartiteGraph.from_edges(2, [0], [1])
    with pytest.raises(GraphError, match=r"not the shape .3,."):
        BipartiteGraph.from_matrix([1, 2, 3])
