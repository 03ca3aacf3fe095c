"""The decomposition's card shows every entry where the decomposition says, and saves its tables."""

import csv
import io
import json
from types import SimpleNamespace

import numpy as np
import pytest

from gpucore.families.bipartite.certificate import certify_bipartite
from gpucore.families.bipartite.decomposition import dulmage_mendelsohn
from gpucore.families.bipartite.result import BipartiteResult
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.bipartite.load import load_bipartite
from warplens.app.cards import run_card
from warplens.app.families.bipartite.block_picture import BETWEEN, MATCHED, picture_of
from warplens.app.families.bipartite.block_words import good_for, part_lines
from warplens.app.families.bipartite.decomposition import (
    matching_table,
    order_table,
    shown,
)
from warplens.app.families.bipartite.decomposition_card import DecompositionPanel
from warplens.app.limits import PageLimits
from warplens.app.view import Services


def matched(graph):
    """Return a maximum matching by augmenting paths, one column after the other."""
    rows_of = np.split(graph.by_column()[1], graph.by_column()[0][1:-1])
    row_match = np.full(graph.num_rows, -1, np.int32)

    def augment(column, seen):
        for row in rows_of[column].tolist():
            if row not in seen:
                seen.add(row)
                if row_match[row] < 0 or augment(int(row_match[row]), seen):
                    row_match[row] = column
                    return True
        return False

    for column in range(graph.num_columns):
        augment(column, set())
    return row_match


def matrix(text, **attributes):
    """Return the graph of a matrix that is drawn with dots and crosses."""
    return BipartiteGraph.from_matrix(
        np.array([[c == "x" for c in line] for line in text.split()]), **attributes
    )


MIXED = """
x.x..x...
.xx....x.
...xx..x.
....xx...
...x.x..x
......x..
.......x.
.......xx
........x
"""
CASES = {
    "mixed": matrix(MIXED),
    "triangle": matrix("xx.x .xx. ..xx ...x"),
    "whole": matrix("xx. .xx x.x"),
    "wide": matrix("x.x .xx"),
    "empty": BipartiteGraph.from_matrix(np.zeros((3, 2))),
    "nothing": BipartiteGraph.from_entries([], [], (0, 0)),
    "women": load_bipartite("southern_women"),
}


def points(header, cells, graph):
    """Unpack the bytes of a picture, as the browser does."""
    (rows, columns), nnz = header["shape"], graph.num_edges
    numbers = np.frombuffer(cells[:-nnz] if nnz else cells, np.int32)
    row, column, row_place, column_place = np.split(numbers, np.cumsum([nnz, nnz, rows]))
    assert len(column_place) == columns
    return row, column, row_place, column_place, np.frombuffer(cells[len(cells) - nnz :], np.uint8)


@pytest.mark.parametrize("name", CASES)
def test_every_entry_is_drawn_in_its_part(name):
    graph = CASES[name]
    row_match = matched(graph)
    header, cells = shown(graph, row_match)
    json.dumps(header, allow_nan=False)
    assert header["mode"] == "points"
    row, column, row_place, column_place, kind = points(header, cells, graph)
    assert sorted(zip(row, column, strict=True)) == sorted(zip(*graph.entries(), strict=True))
    assert sum(kind >= MATCHED) == (row_match >= 0).sum()
    y, x = row_place[row], column_place[column]
    row_part = np.searchsorted(header["rows"][1:3], y, side="right")
    column_part = np.searchsorted(header["columns"][1:3], x, side="right")
    assert (row_part <= column_part).all()  # zeros below the parts
    inside = kind % MATCHED < BETWEEN
    assert (inside == (row_part == column_part)).all()
    assert (kind[inside] % MATCHED == row_part[inside]).all()
    for top, left, size in header["blocks"]:
        below = (y >= top + size) & (x >= left) & (x < left + size)
        assert not (below & (row_part == 1)).any()
    assert sum(size for *_, size in header["blocks"]) == header["rows"][2] - header["rows"][1]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("triangle", "solved by substitution"),
        ("whole", "irreducible"),
        ("wide", "reach the full 2"),
        ("mixed", "stays at least 1 below 9"),
        ("empty", "no entries"),
        ("women", "overdetermined"),
    ],
)
def test_sentences_say_what_the_form_is_good_for(name, words):
    graph = CASES[name]
    assert words in good_for(dulmage_mendelsohn(graph, matched(graph)))


def test_parts_tell_their_sizes():
    graph = CASES["women"]
    lines = dict(part_lines(dulmage_mendelsohn(graph, matched(graph))))
    assert lines["Vertical part"] == "18 × 14: every column is matched, 4 rows stay free"
    assert lines["Square part"] == lines["Horizontal part"] == "none"


def test_a_large_matrix_is_counted_in_cells():
    n = 1500
    rng = np.random.default_rng(1)
    i, j = np.r_[:n, rng.integers(0, n, n)], np.r_[:n, rng.integers(0, n, n)]
    graph = BipartiteGraph.from_entries(np.maximum(i, j), np.minimum(i, j), (n, n))
    own = np.arange(n, dtype=np.int32)
    header, cells = picture_of(graph, own, dulmage_mendelsohn(graph, own))
    high, wide = header["grid"]
    assert (header["mode"], high, wide) == ("raster", 512, 512)
    planes = np.frombuffer(cells, np.uint8).reshape(2, 2, high, wide)
    for density, kind in planes:
        assert density.max() == 255
        assert not kind[density == 0].any()
    assert np.diagonal(planes[1, 1] >= MATCHED).all()
    assert not np.tril(planes[1, 0], -1).any()  # block triangular: upper
    assert not np.triu(planes[0, 0], 1).any()  # as it came: lower
    assert len(header["blocks"]) == 0  # single entries are too small to be outlined


def table(content):
    return list(csv.DictReader(io.StringIO(content.decode())))


def test_the_matching_is_saved_with_names():
    graph = CASES["women"]
    row_match = matched(graph)
    lines = table(matching_table(graph, row_match))
    assert [(int(e["row"]), int(e["column"])) for e in lines] == [
        (r, c) for r, c in enumerate(row_match.tolist()) if c >= 0
    ]
    assert lines[0]["row_name"] == graph.names[int(lines[0]["row"])]
    assert lines[0]["column_name"] == graph.names[18 + int(lines[0]["column"])]


def test_the_order_is_saved_and_makes_the_matrix_block_triangular():
    graph = CASES["mixed"]
    lines = table(order_table(graph, matched(graph)))
    order = {
        side: [int(e["number"]) for e in lines if e["side"] == side] for side in ("row", "column")
    }
    permuted = graph.to_matrix().toarray()[order["row"]][:, order["column"]]
    part = {side: [e["part"] for e in lines if e["side"] == side] for side in order}
    names = ["horizontal", "square", "vertical"]
    for y, x in np.argwhere(permuted):
        assert names.index(part["row"][y]) <= names.index(part["column"][x])
    blocks = [e["block"] for e in lines if e["side"] == "row" and e["part"] == "square"]
    assert blocks == sorted(blocks)
    assert {e["block"] for e in lines if e["part"] != "square"} <= {""}


@pytest.fixture
def panel(monkeypatch):
    """Return the card on a page that computes at once, and the list of its errors."""

    at_once = SimpleNamespace(start=lambda call: call())
    monkeypatch.setattr(run_card, "Latest", lambda: at_once)
    services = Services(PageLimits(), None, None, None, lambda f: f)
    return DecompositionPanel(services)


def result_of(graph, row_match):
    column_match = np.full(graph.num_columns, -1, np.int32)
    rows = np.flatnonzero(row_match >= 0)
    column_match[row_match[rows]] = rows
    return BipartiteResult(
        "bipartite", {}, 0.0, {"cardinality": len(rows)},
        certificate=certify_bipartite(graph, row_match, column_match),
        row_match=row_match, column_match=column_match,
    )  # fmt: skip


def test_the_card_comes_and_goes_with_the_run(panel):
    graph = CASES["women"]
    assert panel.widget.layout.display == "none"
    panel.show(graph, result_of(graph, matched(graph)))
    assert panel.widget.layout.display is None
    assert panel.form.header["shape"] == [18, 14]
    assert panel.form.cells
    panel.clear()
    assert panel.widget.layout.display == "none"
    assert not panel.form.header


def test_a_matching_that_is_not_largest_has_no_decomposition(panel):
    graph = CASES["women"]
    panel.show(graph, result_of(graph, np.full(18, -1, np.int32)))
    assert "not certified" in panel.form.placeholder
    assert not panel.form.header


def test_tables_are_delivered_by_name(panel, monkeypatch):
    graph = CASES["women"]
    sent = []
    monkeypatch.setattr(panel.form, "deliver", lambda name, content: sent.append((name, content)))
    panel.form._receive(None, {"kind": "matching"}, [])
    panel.show(graph, result_of(graph, matched(graph)))
    for kind in ("matching", "order", "passwords"):
        panel.form._receive(None, {"kind": kind}, [])
    assert [name for name, _ in sent] == [
        "southern_women-matching.csv",
        "southern_women-order.csv",
    ]
    assert sent[0][1].startswith(b"row,column,row_name,column_name\n")
