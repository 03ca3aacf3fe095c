"""Weights in single precision: none vanishes, none counts as another without a word."""

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import gpucore
from gpucore import Graph, GraphError
from gpucore.notes import notes_of
from gpucore.problems.graph.convert import from_networkx, from_scipy
from gpucore.problems.graph.prepare import for_matching

#: Edges of a small graph: a square with a diagonal and a tail.
U, V = [0, 1, 2, 3, 0, 3], [1, 2, 3, 0, 2, 4]
WEIGHTS = [3.0, 5.0, 2.0, 4.0, 1.0, 6.0]

scales = st.sampled_from([1e-300, 1e-180, 1e-50, 1e-44, 1e-10, 1.0, 1e38, 1e39, 1e150, 1e300])


def scaled(scale):
    return Graph.from_edges(5, U, V, np.array(WEIGHTS) * scale)


@given(scales, st.sampled_from(["suitor", "suitor_serial", "greedy", "networkx_exact", "redblue"]))
def test_a_matching_does_not_depend_on_the_unit(scale, name):
    plain, graph = scaled(1.0), scaled(scale)
    options = {"device": "host"} if name in ("suitor", "redblue") else {}
    found, expected = gpucore.run(name, graph, **options), gpucore.run(name, plain, **options)
    assert found.certificate.ok, found.certificate
    assert found.mate.tolist() == expected.mate.tolist()
    assert found.weight == pytest.approx(expected.weight * scale, rel=1e-6)
    assert bool(found.notes) == (not 2.0**-126 <= scale <= 2.0**125)


@given(scales)
def test_other_families_do_not_depend_on_the_unit(scale):
    plain, graph = scaled(1.0), scaled(scale)
    b = [gpucore.run("bmatching", each, device="host", b=2) for each in (plain, graph)]
    assert b[1].mates.tolist() == b[0].mates.tolist()
    assert b[1].weight == pytest.approx(b[0].weight * scale, rel=1e-6)
    q = [gpucore.run("louvain_serial", each) for each in (plain, graph)]
    assert q[1].community.tolist() == q[0].community.tolist()
    assert q[1].modularity == pytest.approx(q[0].modularity, abs=1e-6)
    assert all(result.certificate.ok for result in (*b, *q))
    total = q[1].certificate.figures["total_weight"]
    assert total == pytest.approx(2 * sum(WEIGHTS) * scale, rel=1e-6)


@given(st.floats(1e-300, 1e300), st.floats(1e-300, 1e300))
def test_two_weights_keep_their_order_and_value_or_are_refused(one, other):
    try:
        graph = Graph.from_edges(3, [0, 1], [1, 2], [one, other])
    except GraphError as error:
        assert "differ too much for single precision" in str(error)
        assert abs(math.log2(one) - math.log2(other)) > 250
        return
    assert graph.edges()[2].astype(float) * graph.unit == pytest.approx([one, other], rel=1e-7)
    stored = graph.edges()[2].tolist()
    assert (stored[0] < stored[1]) <= (one < other)
    if stored[0] == stored[1] and one != other:
        assert any("became equal" in note for note in notes_of(graph))


@pytest.mark.parametrize("weights", [[1.0, 1.0 + 1e-9], [2**24 + 1, 2**24], [2**53 + 1, 2**53 + 3]])
def test_ties_that_rounding_makes_are_said(weights):
    graph = Graph.from_edges(3, [0, 1], [1, 2], weights)
    (note,) = notes_of(graph)
    assert note.startswith("1 different weight became equal to another in single precision")
    result = gpucore.run("suitor_serial", graph)
    assert result.notes == (note,)


def test_usual_weights_have_no_note():
    assert notes_of(Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [0.1, 0.2, 1 / 3])) == ()


def test_conversions_scale_alike():
    other = nx.Graph()
    other.add_weighted_edges_from(zip(U, V, (1e-180 * w for w in WEIGHTS), strict=True))
    matrix = sparse.coo_array((np.array(WEIGHTS) * 1e-180, (U, V)), shape=(5, 5))
    graphs = [scaled(1e-180), from_networkx(other), from_scipy(matrix + matrix.T)]
    assert graphs[1] == graphs[0] == graphs[2]
    assert {graph.unit for graph in graphs} == {graphs[0].unit}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("g.txt", "0 1 1e-180\n1 2 3e-180\n"),
        (
            "g.mtx",
            "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1e-180\n3 2 3e-180\n",
        ),
        ("g.graph", "3 2 1\n2 1e-180\n1 1e-180 3 3e-180\n2 3e-180\n"),
    ],
)
def test_files_scale_alike(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    graph = gpucore.load(str(tmp_path / name))
    assert graph.edges()[2].astype(float) * graph.unit == pytest.approx([1e-180, 3e-180], rel=1e-6)


def test_ratings_that_would_vanish_are_refused():
    with pytest.raises(GraphError, match="too small for single precision"):
        gpucore.Ratings.from_entries([0, 1], [0, 1], [1e-180, 2e-180])


# Negative weights

signed = st.lists(st.integers(-9, 9), min_size=6, max_size=6)


@given(signed, st.sampled_from(["networkx_exact", "suitor_serial", "greedy", "ld_serial"]))
def test_an_edge_of_negative_weight_is_never_matched(weights, name):
    graph = for_matching(Graph.from_edges(5, U, V, [float(w) for w in weights]))
    result = gpucore.run(name, graph)
    other = nx.Graph()
    other.add_weighted_edges_from(zip(U, V, weights, strict=True))
    pairs = nx.max_weight_matching(other, backend="networkx")
    best = sum(other[u][v]["weight"] for u, v in pairs)
    assert result.weight <= best <= 2 * result.weight
    if name == "networkx_exact":
        assert result.weight == best
    assert any("negative" in note for note in result.notes) == (min(weights) < 0)


def test_the_rule_of_the_papers_stays_by_name():
    triangle = Graph.from_edges(3, [0, 1, 2], [1, 2, 0], [-3.0, 4.0, -9.0])
    assert gpucore.run("networkx_exact", for_matching(triangle)).weight == 4
    absolute = gpucore.run("networkx_exact", for_matching(triangle, weights="absolute"))
    assert absolute.weight == 9
    assert absolute.notes == ("Negative weights count by their absolute values.",)


# Objects of other libraries


def test_graphs_of_networkx_and_matrices_of_scipy_are_taken():
    other = nx.Graph()
    other.add_weighted_edges_from([(1, 2, -3), (2, 3, 4), (1, 3, -9)])
    result = gpucore.run("suitor", other, device="host")
    assert (result.weight, len(result.notes)) == (4.0, 1)
    plain = gpucore.run("suitor", nx.path_graph(4), device="host")
    assert (plain.weight, plain.notes) == (2.0, ())
    matrix = sparse.coo_array([[0, 2, 0], [2, 0, 1], [0, 1, 0]])
    assert gpucore.run("greedy", matrix).weight == 2.0
    assert gpucore.run("hopcroft_karp", matrix).cardinality == 2
    assert gpucore.run("louvain_serial", nx.karate_club_graph()).certificate.ok


@pytest.mark.parametrize(
    ("name", "given", "advice"),
    [
        ("hopcroft_karp", nx.path_graph(3), "biadjacency_matrix gives the matrix"),
        ("gale_shapley", nx.path_graph(3), "does not say which"),
        ("sgd_serial", sparse.eye_array(3), "from_entries takes users"),
        ("suitor", [[0, 1]], "needs a graph, not list"),
    ],
)
def test_what_does_not_say_what_it_means_is_refused_with_advice(name, given, advice):
    with pytest.raises(GraphError, match=advice):
        gpucore.run(name, given)


@pytest.mark.parametrize(
    "make", [Graph.from_edges, lambda n, u, v, w: from_scipy(pairs(n, u, v, w))]
)
def test_sums_stay_in_double_precision(make):
    """Four weights of 1e308 fit, their sum is infinite: no result could tell its weight."""
    with pytest.raises(GraphError, match="add up to more than"):
        make(5, [0, 1, 2, 3], [1, 2, 3, 4], np.full(4, 1e308))
    graph = make(5, [0, 1, 2, 3], [1, 2, 3, 4], np.full(4, 1e307))
    found = gpucore.run("louvain_serial", graph)
    assert math.isfinite(found.certificate.figures["total_weight"])


def pairs(n, u, v, w):
    return sparse.coo_array((np.tile(w, 2), (u + v, v + u)), (n, n))
