"""The data of the Dulmage-Mendelsohn card, and the tables that can be saved."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np

from gpucore.families.bipartite.decomposition import PARTS, dulmage_mendelsohn
from gpucore.problems.bipartite.graph import BipartiteGraph

from .block_picture import picture_of
from .block_words import good_for, part_lines


def shown(graph: BipartiteGraph, row_match: np.ndarray) -> tuple[dict[str, Any], bytes]:
    """Return the arguments of :meth:`app.families.bipartite.block_form.BlockForm.draw`.

    Parameters
    ----------
    graph : BipartiteGraph
    row_match : ndarray of int32, shape (R,)
        The column of each row in a maximum matching, or -1.

    Raises
    ------
    GraphError
        The matching is not maximum.
    """
    parts = dulmage_mendelsohn(graph, row_match)
    header, cells = picture_of(graph, row_match, parts)
    return {**header, "parts": part_lines(parts), "words": good_for(parts)}, cells


def matching_table(graph: BipartiteGraph, row_match: np.ndarray) -> bytes:
    """Return the pairs of a matching as CSV, rows and columns counted from 0."""
    rows = np.flatnonzero(row_match >= 0)
    columns = row_match[rows]
    head = ["row", "column"]
    table = [rows.tolist(), columns.tolist()]
    if graph.names is not None:
        head += ["row_name", "column_name"]
        table += [_names(graph, rows), _names(graph, graph.num_rows + columns)]
    return _csv(head, table)


def order_table(graph: BipartiteGraph, row_match: np.ndarray) -> bytes:
    """Return the order of block triangular form as CSV: a line for each row, then each column.

    The columns of the table are the side ("row" or "column"), the place in that order, the number
    in the matrix's own order, the coarse part, and the block of the square part; all from 0.
    """
    parts = dulmage_mendelsohn(graph, row_match)
    lines: list[list[Any]] = [[], [], [], [], []]
    sizes = np.diff(parts.row_starts[1:-1])
    blocks = np.repeat(np.arange(len(sizes)), sizes).tolist()
    for side, order, part in (
        ("row", parts.row_order, parts.row_part),
        ("column", parts.column_order, parts.column_part),
    ):
        lines[0] += [side] * len(order)
        lines[1] += range(len(order))
        lines[2] += order.tolist()
        lines[3] += [PARTS[p] for p in part[order].tolist()]
        before, square, after = np.bincount(part, minlength=3).tolist()
        assert square == len(blocks)
        lines[4] += [""] * before + blocks + [""] * after
    return _csv(["side", "place", "number", "part", "block"], lines)


def _names(graph: BipartiteGraph, vertices: np.ndarray) -> list[str]:
    assert graph.names is not None
    return [graph.names[v] for v in vertices.tolist()]


def _csv(head: list[str], columns: list[list[Any]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(zip(*columns, strict=True))
    return text.getvalue().encode()
