"""The certificate accepts every maximum matching and names the defect of all others."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gpucore.certify.native import Found
from gpucore.families.bipartite import native_proof
from gpucore.families.bipartite.certificate import certify_bipartite

from .cases import (
    chain,
    greedy_matching,
    matrices,
    matrix_of,
    networkx_matching,
    other_side,
    random_matrix,
    scipy_matching,
)

#: Row 0 has both columns, row 1 the first, row 2 none.
CORNER = matrix_of([(0, 0), (0, 1), (1, 0)], (3, 2))


def failing(graph, row_match, column_match, **options):
    certificate = certify_bipartite(
        graph, np.asarray(row_match), np.asarray(column_match), **options
    )
    assert not certificate.ok
    assert certificate.failure is certificate.checks[-1]  # checking ended there
    return certificate.failure


@given(matrices(), st.sampled_from([scipy_matching, networkx_matching]))
def test_maximum_matchings_are_certified(graph, method):
    row_match, column_match = method(graph)
    certificate = certify_bipartite(graph, row_match, column_match)
    assert certificate.ok, str(certificate)
    figures = certificate.figures
    pairs = np.count_nonzero(row_match >= 0)
    assert figures["cardinality"] == pairs
    assert figures["cover_rows"] + figures["cover_columns"] == pairs
    assert figures["unmatched_rows"] == graph.num_rows - pairs
    assert figures["unmatched_columns"] == graph.num_columns - pairs


@given(matrices(), st.data())
def test_maximal_matchings_are_certified_only_if_maximum(graph, data):
    order = np.array(data.draw(st.permutations(range(graph.num_edges))), np.int64)
    row_match, column_match = greedy_matching(graph, order)
    best = np.count_nonzero(scipy_matching(graph)[0] >= 0)
    certificate = certify_bipartite(graph, row_match, column_match)
    assert certificate.ok == (np.count_nonzero(row_match >= 0) == best)
    if not certificate.ok:
        assert certificate.failure.name == "no augmenting path"
        assert_augments(graph, row_match, column_match, certificate.failure.detail)


def assert_augments(graph, row_match, column_match, detail):
    """Follow the path that a failed check shows, and take it."""
    length, path = detail.split(": ")
    steps = [(word[0], int(re.sub(r"\D", "", word))) for word in path.split(", ")]
    assert length.startswith(f"{len(steps) - 1} edge")
    (_, first), (_, last) = steps[0], steps[-1]
    assert f"from column {first} to row {last}" in length
    assert column_match[first] == -1
    assert row_match[last] == -1
    edges = set(zip(*(side.tolist() for side in graph.entries()), strict=True))
    walk = [vertex for _, vertex in steps]
    assert [side for side, _ in steps] == ["c", "r"] * (len(steps) // 2)
    assert all((r, c) in edges for c, r in zip(walk[::2], walk[1::2], strict=True))
    assert all(row_match[r] == c for r, c in zip(walk[1:-1:2], walk[2::2], strict=True))


@given(matrices(), st.data())
def test_a_lost_pair_is_found(graph, data):
    row_match, column_match = scipy_matching(graph)
    assume((row_match >= 0).any())
    r = data.draw(st.sampled_from(np.flatnonzero(row_match >= 0).tolist()))
    c = row_match[r]
    row_match[r] = column_match[c] = -1
    assert failing(graph, row_match, column_match).name == "no augmenting path"


@given(matrices(), st.data())
def test_one_wrong_entry_is_always_found(graph, data):
    row_match, column_match = scipy_matching(graph)
    side = data.draw(st.sampled_from([s for s in (row_match, column_match) if s.size] or [None]))
    assume(side is not None)
    at = data.draw(st.integers(0, side.size - 1))
    value = data.draw(st.integers(-3, max(graph.shape) + 1))
    assume(value != side[at])
    side[at] = value
    assert failing(graph, row_match, column_match).name in ("well formed", "mutual")


@given(matrices(), st.data())
def test_exchanged_partners_are_pairs_only_where_entries_are(graph, data):
    row_match, _ = scipy_matching(graph)
    matched = np.flatnonzero(row_match >= 0).tolist()
    assume(len(matched) >= 2)
    a, b = data.draw(st.lists(st.sampled_from(matched), min_size=2, max_size=2, unique=True))
    row_match[[a, b]] = row_match[[b, a]]
    pattern = graph.to_matrix().toarray()
    certificate = certify_bipartite(graph, row_match, other_side(row_match, graph.num_columns))
    assert certificate.ok == bool(pattern[a, row_match[a]] and pattern[b, row_match[b]])
    assert certificate.ok or certificate.failure.name == "pairs are edges"


@pytest.mark.parametrize(
    ("row_match", "column_match", "check", "named"),
    [
        ([1, 0], [1, 0], "well formed", "row_match has the shape (2,), 3 rows need (3,)"),
        ([1, 0, -1], [[1, 0]], "well formed", "column_match has the shape (1, 2), 2 columns"),
        ([1.0, 0.0, -1.0], [1, 0], "well formed", "row_match has the dtype float64"),
        ([1, 0, -1], [True, False], "well formed", "column_match has the dtype bool"),
        ([2, 0, -1], [1, 0], "well formed", "outside -1..1: row_match[0] = 2"),
        ([1, 0, -2], [1, 0], "well formed", "outside -1..1: row_match[2] = -2"),
        ([1, 0, -1], [1, 3], "well formed", "outside -1..2: column_match[1] = 3"),
        ([1, 0, 0], [1, 0], "mutual", "row_match[2] = 0 but column_match[0] = 1"),
        ([1, -1, -1], [1, 0], "mutual", "column_match[0] = 1 but row_match[1] = -1"),
        ([-1, 1, -1], [-1, 1], "pairs are edges", "row 1 and column 1"),
        ([1, -1, 0], [2, 0], "pairs are edges", "not in the graph: row 2 and column 0"),
        ([1, -1, -1], [-1, 0], "no augmenting path", "1 edge from column 0 to row 1"),
        ([0, -1, -1], [0, -1], "no augmenting path", "from column 1 to row 1"),
        ([-1, -1, -1], [-1, -1], "no augmenting path", "1 edge from column"),
    ],
)
def test_the_failing_check_names_the_offenders(row_match, column_match, check, named):
    failure = failing(CORNER, row_match, column_match)
    assert failure.name == check
    assert named in failure.detail


def test_a_wrong_search_could_not_certify(monkeypatch):
    """The cover is the proof: a wrong search cannot produce a valid one."""
    right = scipy_matching(CORNER)
    matched = native_proof.Cover(np.array([1, 0, 1], np.uint8), np.zeros(2, np.uint8))
    monkeypatch.setattr(
        native_proof, "search", lambda *_: native_proof.Searched(Found(), False, matched)
    )
    failure = failing(CORNER, *right)
    assert failure.name == "cover complete"
    assert failure.detail == "the edge of row 1 and column 0 is not"
    everything = native_proof.Cover(np.ones(3, np.uint8), np.ones(2, np.uint8))
    monkeypatch.setattr(
        native_proof, "search", lambda *_: native_proof.Searched(Found(), False, everything)
    )
    failure = failing(CORNER, *right)
    assert failure.name == "cover as small"
    assert failure.detail == "3 rows and 2 columns against 2 pairs"


@pytest.mark.parametrize("shape", [(0, 0), (0, 4), (4, 0), (3, 5)])
def test_nothing_to_match(shape):
    rows, columns = shape
    certificate = certify_bipartite(
        matrix_of([], shape), np.full(rows, -1), np.full(columns, -1, np.int8)
    )
    assert certificate.ok
    assert certificate.figures["cardinality"] == 0
    assert "each of the 0 edges" in certificate.checks[-1].detail


def test_a_long_path_is_found_and_shortened():
    """Rows have their right neighbours: one path through everything augments."""
    n = 20_000
    row_match = np.append(np.arange(1, n), -1).astype(np.int32)
    detail = failing(chain(n), row_match, other_side(row_match, n)).detail
    assert detail.startswith(f"{2 * n - 1} edges from column 0 to row {n - 1}: column 0, row 0, ")
    assert detail.count(", ...,") == 1
    assert len(detail) < 250


def test_integer_types_do_not_matter():
    graph = random_matrix(40, 30, 300, 1)
    row_match, column_match = scipy_matching(graph)
    assert (column_match >= 0).all()
    assert certify_bipartite(graph, row_match.astype(np.int64), column_match.astype(np.uint8)).ok


def test_a_certificate_reads_well_and_travels_as_json():
    good = certify_bipartite(CORNER, *scipy_matching(CORNER))
    assert str(good).startswith("certified\n  ok   well formed: 3 rows and 2 columns")
    as_json = json.loads(json.dumps(good.as_dict()))
    assert as_json["figures"] == {
        "cardinality": 2,
        "unmatched_rows": 1,
        "unmatched_columns": 0,
        "cover_rows": 0,
        "cover_columns": 2,
    }


def test_offenders_are_counted_beyond_the_first_few():
    graph = random_matrix(100, 100, 300, 5)
    unmatched = np.full(100, -1)
    assert "and 95 more" in failing(graph, np.full(100, 100), unmatched).detail
    assert "and 95 more" in failing(graph, np.arange(100), unmatched).detail
