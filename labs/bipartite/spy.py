"""Picture of a small matrix: its entries, and which of them are matched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpucore.errors import ParameterError

from ..kit.pictures import COLOURS, Picture, wrap

if TYPE_CHECKING:
    from gpucore.families.bipartite.decomposition import DulmageMendelsohn
    from gpucore.problems.bipartite.graph import BipartiteGraph

#: Rows and columns of the largest matrix that is drawn with numbers.
MOST_LINES = 60

_CELL = 22
_MARGIN = 26


def spy(
    graph: BipartiteGraph,
    parts: DulmageMendelsohn | None = None,
    row_match: np.ndarray | None = None,
) -> Picture:
    """Draw the entries of a matrix, and number its rows and columns.

    Parameters
    ----------
    graph : BipartiteGraph
    parts : DulmageMendelsohn, optional
        Its rows and columns are drawn in this order, with its blocks outlined.
    row_match : ndarray of int, shape (rows,), optional
        Matched entries are filled.

    Raises
    ------
    ParameterError
        The matrix is too large to draw.

    Examples
    --------
    >>> from gpucore.problems.bipartite.graph import BipartiteGraph
    >>> corner = BipartiteGraph.from_matrix([[1, 1], [1, 0]])
    >>> spy(corner)._repr_html_().count("<circle")
    3
    """
    if max(graph.shape) > MOST_LINES:
        raise ParameterError(
            f"{graph.num_rows} rows and {graph.num_columns} columns are too many for this picture; "
            f"it has room for {MOST_LINES}"
        )
    row_order = np.arange(graph.num_rows) if parts is None else parts.row_order
    column_order = np.arange(graph.num_columns) if parts is None else parts.column_order
    marks = [_label(f"r{row}", 0, place + 1) for place, row in enumerate(row_order)]
    marks += [_label(f"c{column}", place + 1, 0) for place, column in enumerate(column_order)]
    marks += [] if parts is None else _outlines(parts)
    row_place, column_place = np.argsort(row_order), np.argsort(column_order)
    for row, column in zip(*graph.entries(), strict=True):
        matched = row_match is not None and row_match[row] == column
        marks.append(_entry(int(row_place[row]), int(column_place[column]), bool(matched)))
    width, height = (_MARGIN + count * _CELL + 2 for count in graph.shape[::-1])
    label = f"matrix of {graph.num_rows} rows and {graph.num_columns} columns"
    return Picture(
        wrap(
            f'<svg role="img" aria-label="{label}" width="{width}" height="{height}" '
            f'font-size="11" fill="currentColor">{"".join(marks)}</svg>'
        )
    )


def _label(text: str, column: int, row: int) -> str:
    x = _MARGIN / 2 if not column else _MARGIN + (column - 0.5) * _CELL
    y = _MARGIN / 2 if not row else _MARGIN + (row - 0.5) * _CELL
    return f'<text x="{x}" y="{y + 4}" text-anchor="middle" opacity=".7">{text}</text>'


def _entry(row: int, column: int, matched: bool) -> str:
    x, y = (_MARGIN + (place + 0.5) * _CELL for place in (column, row))
    paint = (
        f'fill="{COLOURS[0]}"' if matched else f'fill="none" stroke="{COLOURS[0]}" stroke-width="2"'
    )
    return f'<circle cx="{x}" cy="{y}" r="{_CELL / 2 - 5}" {paint}/>'


def _outlines(parts: DulmageMendelsohn) -> list[str]:
    """Return a box around every block on the diagonal."""
    boxes = []
    for top, bottom, left, right in zip(
        parts.row_starts[:-1],
        parts.row_starts[1:],
        parts.column_starts[:-1],
        parts.column_starts[1:],
        strict=True,
    ):
        boxes.append(
            f'<rect x="{_MARGIN + left * _CELL}" y="{_MARGIN + top * _CELL}" '
            f'width="{(right - left) * _CELL}" height="{(bottom - top) * _CELL}" '
            f'fill="{COLOURS[1]}" fill-opacity=".13" stroke="{COLOURS[1]}"/>'
        )
    return boxes
