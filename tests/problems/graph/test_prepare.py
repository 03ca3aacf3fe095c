import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from gpucore.errors import GraphError
from gpucore.problems.graph import prepare
from gpucore.problems.graph.graph import Graph
from support.graph_strategies import graphs, relaxed

SMALL = st.sampled_from([-2.0, -0.5, 0.0, 0.5, 3.0])


@relaxed
@given(graphs(weights=SMALL, weighted=True))
def test_steps_against_dense_matrices(graph):
    dense = graph.to_scipy().toarray()
    stored = graph.to_scipy().astype(bool).toarray() | (dense != 0)
    assert (prepare.absolute_values(graph).to_scipy().toarray() == np.abs(dense)).all()
    without = prepare.drop_loops(graph)
    assert without.num_loops == 0
    assert (without.to_scipy().toarray() == dense - np.diag(np.diag(dense))).all()
    nonzero = prepare.drop_zeros(graph)
    assert nonzero.indices.size == np.count_nonzero(dense)
    assert (nonzero.to_scipy().toarray() == dense).all()
    for step in (without, nonzero):  # still a graph that passes every check
        assert Graph(step.indptr, step.indices, step.weights) == step
    assert stored.shape == dense.shape


@relaxed
@given(graphs(), st.integers(0, 2**32))
def test_random_weights_follow_the_edges(graph, seed):
    drawn = prepare.random_weights(graph, seed)
    u, _, w = drawn.edges()
    expected = 1 - np.random.default_rng(seed).random(u.size, dtype=np.float32)
    assert (w == expected).all()
    assert (w > 0).all()
    assert (w <= 1).all()
    assert drawn.weighted
    assert (drawn.indices == graph.indices).all()
    assert Graph(drawn.indptr, drawn.indices, drawn.weights) == drawn


def test_integer_weights():
    graph = Graph.from_edges(400, np.arange(399), np.arange(1, 400))
    weights = prepare.integer_weights(graph, seed=3, most=4).edges()[2]
    assert set(weights.tolist()) == {1, 2, 3, 4}
    with pytest.raises(GraphError, match="between 1 and"):
        prepare.integer_weights(graph, most=0)


@relaxed
@given(
    hnp.arrays(np.float32, st.integers(0, 6).map(lambda n: (n, n)), elements=SMALL.map(np.float32)),
    st.sampled_from(["coo", "csr", "csc"]),
)
def test_symmetrise_takes_the_larger_entry(matrix, layout):
    graph = prepare.symmetrise(sparse.coo_array(matrix).asformat(layout))
    larger = np.where(np.abs(matrix) > np.abs(matrix.T), matrix, matrix.T)
    opposite = np.abs(matrix) == np.abs(matrix.T)
    expected = np.where(opposite, np.maximum(matrix, matrix.T), larger)
    assert (graph.to_scipy().toarray() == expected).all()
    total = prepare.symmetrise(sparse.coo_matrix(matrix), combine="sum").to_scipy().toarray()
    assert (total == matrix + matrix.T - np.diag(np.diag(matrix))).all()


def test_symmetrise_refuses():
    with pytest.raises(GraphError, match=r"square matrix, not one of shape .2, 3."):
        prepare.symmetrise(sparse.coo_array((2, 3)))
    with pytest.raises(GraphError, match="real numbers"):
        prepare.symmetrise(sparse.coo_array([[0, 1j], [0, 0]]))


def test_for_matching_as_the_papers_do():
    matrix = sparse.coo_array(
        ([4.0, -2.0, -2.0, 0.0, 0.0], ([0, 0, 1, 1, 2], [0, 1, 0, 2, 1])), shape=(3, 3)
    )
    graph = prepare.for_matching(prepare.symmetrise(matrix), weights="absolute")
    assert [part.tolist() for part in graph.edges()] == [[0], [1], [2.0]]
    steps = [step["step"] for step in graph.source["prepared"]]
    assert steps == ["drop_loops", "absolute_values", "drop_zeros"]
    assert prepare.for_matching(prepare.symmetrise(matrix)).num_edges == 0
    with pytest.raises(GraphError, match="positive or absolute, not 'signed'"):
        prepare.for_matching(graph, weights="signed")


def test_for_matching_draws_weights_where_there_are_none():
    path = Graph.from_edges(3, [0, 1], [1, 2], names=["a", "b", "c"])
    graph = prepare.for_matching(path, seed=4)
    assert graph == prepare.random_weights(path, seed=4)
    assert graph.names == ("a", "b", "c")
    assert graph.source["prepared"] == [{"step": "random_weights", "seed": 4}]
    assert prepare.for_matching(graph) is graph
