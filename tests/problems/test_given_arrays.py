"""Arrays, matrices and graphs that callers give: the right problem, or one error of ours."""

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

import gpucore
from gpucore import BipartiteGraph, Graph, GraphError, Ratings, check_solution
from gpucore.compare import compare
from gpucore.problems.graph.convert import from_networkx, from_scipy
from gpucore.problems.graph.prepare import symmetrise

MATRIX = np.array([[0, 2, 0], [2, 0, 3], [0, 3, 0]], float)
TAKERS = [
    from_scipy, symmetrise, BipartiteGraph.from_matrix, Ratings.from_matrix,
    gpucore.maximum_bipartite_matching, gpucore.structural_rank,
]  # fmt: skip
#: Places in the arrays of a format, and a number that is wrong there.
DAMAGE = [
    *(("csr", "indices", at) for at in (77, -1)), ("csr", "indptr", 9),
    *(("csc", "indices", at) for at in (77, -1)), ("csc", "indptr", 9),
    *(("bsr", "indices", at) for at in (77, -1)), ("bsr", "indptr", 9),
    *(("coo", "col", at) for at in (77, -1)), ("coo", "row", 77),
]  # fmt: skip


@pytest.mark.parametrize("taker", TAKERS)
@pytest.mark.parametrize(("form", "name", "wrong"), DAMAGE)
def test_a_damaged_matrix_is_refused(taker, form, name, wrong):
    """SciPy would write past the ends of its arrays."""
    matrix = sparse.coo_array(MATRIX).asformat(form)
    getattr(matrix, name)[1] = wrong
    with pytest.raises(GraphError, match="the matrix is damaged"):
        taker(matrix)


@pytest.mark.parametrize("taker", TAKERS)
def test_a_damaged_list_of_lists_is_refused(taker):
    matrix = sparse.lil_array(MATRIX)
    matrix.rows[0][0] = 77
    with pytest.raises(GraphError, match="the matrix is damaged"):
        taker(matrix)


@pytest.mark.parametrize("form", ["csr", "csc", "bsr", "coo", "dia", "lil", "dok"])
def test_sound_matrices_of_all_formats_are_taken(form):
    matrix = sparse.coo_array(MATRIX).asformat(form)
    assert from_scipy(matrix) == symmetrise(matrix) == from_scipy(sparse.csr_array(MATRIX))
    assert gpucore.structural_rank(matrix) == 2
    assert Ratings.from_matrix(matrix).num_ratings == 4


MASKED = np.ma.masked_equal([1, 2, 3], 2)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Graph.from_edges(5, [0, 1, 2], [1, 2, 3], MASKED),
        lambda: Graph.from_edges(5, MASKED, [0, 0, 0]),
        lambda: Graph.from_csr([0, 1, 2], [1, 0], np.ma.masked_equal([1.0, 1.0], 1)),
        lambda: Ratings.from_entries([0, 1, 2], [0, 1, 2], MASKED),
        lambda: BipartiteGraph.from_entries(MASKED, [0, 1, 2], (4, 4)),
        lambda: gpucore.stable_matching(np.ma.masked_equal([[1, 2], [2, 1]], 2), [[1, 2], [2, 1]]),
    ],
)
def test_masked_entries_are_not_taken_for_values(make):
    with pytest.raises(GraphError, match="masked"):
        make()


def test_a_mask_that_hides_nothing_is_no_matter():
    weights = np.ma.masked_equal([1.0, 2.0], 7)
    assert Graph.from_edges(3, [0, 1], [1, 2], weights).weights.max() == 2


@pytest.mark.parametrize("kind", [np.uint8, np.uint64, np.int8, ">i4", ">u8"])
def test_numbers_of_users_of_any_integer_type(kind):
    users, items = np.array([0, 2], kind), np.array([1, 0], kind)
    assert Ratings.from_entries(users, items, [1, 2]).shape == (3, 2)


@pytest.mark.parametrize(
    ("weight", "words"),
    [
        (10**400, "is too large for double precision"),
        pytest.param(-(10**5000), "is too large for double precision", id="long"),
        (np.complex128(1 + 2j), "is not a number"),
        (1j, "is not a number"),
        (np.timedelta64(3, "s"), "is not a number"),
        ([], "is not a number"),
        (None, "None, which is not a number"),
    ],
)
@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiGraph, nx.DiGraph])
def test_weights_of_networkx_that_are_no_numbers(kind, weight, words):
    """The edge before has a text that is a number: the error names the edge after it."""
    graph = kind([(0, 1, {"weight": "3"}), (1, 2, {"weight": weight})])
    with pytest.raises(GraphError, match=rf"edge \(1, 2\): .*{words}"):
        from_networkx(graph)


def test_entries_of_a_narrow_type_are_added_without_an_overflow():
    twice = sparse.coo_array((np.full(4, 100, np.int8), ([0, 0, 1, 1], [1, 1, 0, 0])), (2, 2))
    assert from_scipy(twice) == symmetrise(twice)
    assert from_scipy(twice).weights.tolist() == [200, 200]


def test_graphs_of_libraries_are_compared_and_checked_as_they_are_run():
    graph = nx.karate_club_graph()
    found = gpucore.run("greedy", graph)
    assert [row["weight"] for row in compare(graph, ["greedy", "ld_serial"]).as_rows()] == [
        found.weight
    ] * 2
    assert check_solution(graph, found, "matching").ok
    with pytest.raises(GraphError, match=r"needs a graph, not fractions.Fraction"):
        compare(Fraction(1), ["greedy"])
    with pytest.raises(GraphError, match="needs a graph, not list"):
        check_solution([], found, "matching")
