"""The Dulmage-Mendelsohn decomposition against its definitions, on matrices small and large."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse.csgraph import connected_components, maximum_bipartite_matching, structural_rank

from gpucore.errors import ParameterError
from gpucore.families.bipartite.decomposition import (
    HORIZONTAL,
    SQUARE,
    VERTICAL,
    dulmage_mendelsohn,
)
from gpucore.problems.bipartite.graph import BipartiteGraph
from support.bipartite_strategies import bipartite_graphs


def maximum_matching(graph, seed=0):
    """Return one of the maximum matchings: SciPy's after a random permutation."""
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(graph.num_rows), rng.permutation(graph.num_columns)
    found = maximum_bipartite_matching(graph.to_matrix()[rows][:, columns], perm_type="column")
    row_match = np.full(graph.num_rows, -1, np.int32)
    matched = found >= 0
    row_match[rows[matched]] = columns[found[matched]]
    return row_match


def decompose(graph, seed=0):
    return dulmage_mendelsohn(graph, maximum_matching(graph, seed))


def rank(pattern):
    return structural_rank(sparse.csr_array(pattern)) if pattern.size else 0


def blocks(found):
    """Return the rows and the columns of every block of the square part."""
    edges = zip(
        np.split(found.row_order, found.row_starts[1:-1])[1:-1],
        np.split(found.column_order, found.column_starts[1:-1])[1:-1],
        strict=True,
    )
    return [(frozenset(rows.tolist()), frozenset(columns.tolist())) for rows, columns in edges]


@given(bipartite_graphs())
def test_the_permuted_matrix_has_its_block_triangular_form(graph):
    found = decompose(graph)
    rows, columns = found.row_order, found.column_order
    assert sorted(rows) == list(range(graph.num_rows))
    assert sorted(columns) == list(range(graph.num_columns))
    pattern = graph.to_matrix().toarray()[rows][:, columns]
    for row_end, column_end in zip(found.row_starts[1:], found.column_starts[1:], strict=True):
        assert not pattern[row_end:, :column_end].any()
    unmatched = graph.num_columns - found.structural_rank
    assert pattern.diagonal(unmatched).all()
    square = [found.row_part[rows] == SQUARE, found.column_part[columns] == SQUARE]
    assert pattern[square[0]][:, square[1]].diagonal().all()


@given(bipartite_graphs())
def test_parts_are_shaped_and_matched_as_their_names_say(graph):
    found = decompose(graph)
    pattern = graph.to_matrix().toarray()
    assert found.structural_rank == rank(pattern)
    parts = [
        pattern[found.row_part == part][:, found.column_part == part]
        for part in (HORIZONTAL, SQUARE, VERTICAL)
    ]
    horizontal, square, vertical = parts
    assert list(found.sizes.values()) == [part.shape for part in parts]
    assert horizontal.shape[0] < horizontal.shape[1] or horizontal.shape == (0, 0)
    assert vertical.shape[0] > vertical.shape[1] or vertical.shape == (0, 0)
    assert square.shape[0] == square.shape[1]
    assert rank(horizontal) == horizontal.shape[0]
    assert rank(square) == square.shape[0]
    assert rank(vertical) == vertical.shape[1]
    for order, part, starts in (
        (found.row_order, found.row_part, found.row_starts),
        (found.column_order, found.column_part, found.column_starts),
    ):
        assert (np.diff(part[order]) >= 0).all()
        assert starts[0] == 0
        assert starts[-1] == order.size
        assert (np.diff(starts[1:-1]) > 0).all()
        assert starts[1] == np.count_nonzero(part == HORIZONTAL)
        assert order.size - starts[-2] == np.count_nonzero(part == VERTICAL)
    assert np.array_equal(np.diff(found.row_starts[1:-1]), np.diff(found.column_starts[1:-1]))


@given(bipartite_graphs(most=7))
def test_the_horizontal_part_has_what_some_maximum_matching_leaves_out(graph):
    """A column that can be unmatched can be deleted without loss; rows and columns likewise."""
    found = decompose(graph)
    pattern = graph.to_matrix().toarray()
    whole = rank(pattern)
    for one, own, other in (
        (pattern, found.column_part == HORIZONTAL, found.row_part == HORIZONTAL),
        (pattern.T, found.row_part == VERTICAL, found.column_part == VERTICAL),
    ):
        spare = [rank(np.delete(one, at, axis=1)) == whole for at in range(one.shape[1])]
        assert own.tolist() == spare
        assert other.tolist() == one[:, own].any(axis=1).tolist()


@given(bipartite_graphs(most=7))
def test_blocks_hold_together_what_perfect_matchings_can_use(graph):
    found = decompose(graph)
    pattern = graph.to_matrix().toarray()
    rows, columns = (np.flatnonzero(p == SQUARE) for p in (found.row_part, found.column_part))
    square = pattern[rows][:, columns]
    allowed = np.zeros_like(square)
    for r, c in np.argwhere(square):
        rest = np.delete(np.delete(square, r, axis=0), c, axis=1)
        allowed[r, c] = rank(rest) == rows.size - 1
    whole = np.block([[np.zeros_like(allowed), allowed], [allowed.T, np.zeros_like(allowed)]])
    count, label = connected_components(sparse.csr_array(whole), directed=False)
    expected = {
        (
            frozenset(rows[label[: rows.size] == part].tolist()),
            frozenset(columns[label[rows.size :] == part].tolist()),
        )
        for part in range(count)
    }
    assert set(blocks(found)) == expected
    assert found.num_blocks == count
    assert found.largest_block == max((len(members) for members, _ in expected), default=0)


@given(bipartite_graphs(), st.integers(0, 1000))
def test_any_maximum_matching_will_do(graph, seed):
    first, second = decompose(graph, seed), decompose(graph, seed + 1)
    assert np.array_equal(first.row_part, second.row_part)
    assert np.array_equal(first.column_part, second.column_part)
    assert set(blocks(first)) == set(blocks(second))
    assert np.array_equal(first.row_starts[[1, -2]], second.row_starts[[1, -2]])


@given(bipartite_graphs())
def test_transposing_exchanges_the_parts(graph):
    found, turned = decompose(graph), decompose(graph.transpose())
    assert np.array_equal(turned.column_part, 2 - found.row_part)
    assert np.array_equal(turned.row_part, 2 - found.column_part)
    assert set(blocks(turned)) == {(columns, rows) for rows, columns in blocks(found)}


@pytest.mark.parametrize(
    ("row_match", "text"),
    [
        ([1, -1, -1], "no augmenting path: .* to row 1"),
        ([1, 1, -1], "mutual"),
        ([0, 1, -1], "pairs are edges"),
        ([1, 0], "well formed"),
        ([1, 0, 7], "well formed"),
        ([1.0, 0.0, -1.0], "well formed"),
    ],
)
def test_only_a_maximum_matching_will_do(row_match, text):
    graph = BipartiteGraph.from_entries([0, 0, 1], [0, 1, 0], (3, 2))
    with pytest.raises(ParameterError, match=f"needs a maximum matching, .*{text}"):
        dulmage_mendelsohn(graph, np.array(row_match))


def test_long_chains_of_blocks_are_put_in_order():
    """A triangular matrix in random order: as many blocks as rows, in a single possible order."""
    n = 50_000
    rng = np.random.default_rng(1)
    row_name, column_name = rng.permutation(n), rng.permutation(n)
    rows = np.concatenate([np.arange(n), np.arange(n - 1)])
    columns = np.concatenate([np.arange(n), np.arange(1, n)])
    graph = BipartiteGraph.from_entries(row_name[rows], column_name[columns], (n, n))
    row_match = np.empty(n, np.int32)
    row_match[row_name] = column_name
    found = dulmage_mendelsohn(graph, row_match)
    assert found.num_blocks == n
    assert np.array_equal(found.row_order, row_name)
    assert np.array_equal(found.column_order, column_name)


def test_many_parts_at_once():
    """Sparse at random: all three parts, and blocks of every size."""
    rng = np.random.default_rng(2)
    n = 30_000
    graph = BipartiteGraph.from_entries(*rng.integers(0, n, (2, 3 * n)), (n, n))
    found = decompose(graph)
    assert found.structural_rank == structural_rank(graph.to_matrix())
    row_place, column_place = np.empty(n, np.int64), np.empty(n, np.int64)
    row_place[found.row_order] = column_place[found.column_order] = np.arange(n)
    rows, columns = graph.entries()
    block_of_row = np.searchsorted(found.row_starts, row_place[rows], side="right")
    block_of_column = np.searchsorted(found.column_starts, column_place[columns], side="right")
    assert (block_of_row <= block_of_column).all()
    assert found.sizes["horizontal"][0] < found.sizes["horizontal"][1]
    assert found.sizes["vertical"][0] > found.sizes["vertical"][1]
