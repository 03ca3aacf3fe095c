"""A matrix in block triangular form, as the browser draws it: every entry, or a density raster.

The picture has two orders of rows and columns: the matrix's own, and that of the Dulmage-Mendelsohn
decomposition. Entries of a small matrix are sent one by one; those of a large one are counted in
the cells of two rasters that are about as fine as a screen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gpucore.families.bipartite.decomposition import DulmageMendelsohn
    from gpucore.problems.bipartite.graph import BipartiteGraph

#: A matrix with more entries is drawn as a raster.
MOST_LINES, MOST_ENTRIES = 700, 40_000

#: Largest number of cells along the longer side of a raster.
CELLS = 512

#: A block is outlined if it is among the largest and at least this share of the longer side.
CLEAR, MOST_OUTLINES = 1 / 250, 1000

#: Class of an entry whose ends are in two coarse parts; else the class is the part's number.
BETWEEN = 3

#: Added to the class of an entry of the matching.
MATCHED = 4


def picture_of(
    graph: BipartiteGraph, row_match: np.ndarray, parts: DulmageMendelsohn
) -> tuple[dict[str, Any], bytes]:
    """Return the data of the drawing.

    Parameters
    ----------
    graph : BipartiteGraph
        R rows, C columns, nnz entries.
    row_match : ndarray of int, shape (R,)
        A column or -1 for every row.
    parts : DulmageMendelsohn
        The decomposition of the graph.

    Returns
    -------
    header : dict
        JSON-able: "mode" ("points" or "raster"), "shape", "rows" and "columns" (bounds of the
        coarse parts), "blocks" (first row, first column and size of the diagonal blocks that are
        large enough to see), "grid" (rows and columns of a raster), "names" or None.
    cells : bytes
        Of points: int32 row and column of every entry, int32 place of every row and column in
        the decomposition's order, uint8 class of every entry. Of rasters: density and class, uint8
        each, in the matrix's own order, then both in the decomposition's.
    """
    rows, columns = graph.num_rows, graph.num_columns
    small = max(rows, columns) <= MOST_LINES and graph.num_edges <= MOST_ENTRIES
    header = {
        "mode": "points" if small else "raster",
        "shape": [rows, columns],
        "rows": _bounds(parts.row_part),
        "columns": _bounds(parts.column_part),
        "blocks": _outlines(parts, max(rows, columns)),
        "grid": [min(rows, CELLS), min(columns, CELLS)],
        "names": graph.names if small else None,
    }
    i, j = graph.entries()
    kind = _classes(parts, i, j) + MATCHED * (row_match[i] == j).astype(np.uint8)
    places = _inverse(parts.row_order), _inverse(parts.column_order)
    if small:
        return header, b"".join(a.tobytes() for a in (i, j, *places, kind))
    own = _raster(i, j, kind, graph.shape)
    permuted = _raster(places[0][i], places[1][j], kind, graph.shape)
    return header, b"".join(a.tobytes() for a in (*own, *permuted))


def _bounds(part: np.ndarray) -> list[int]:
    """Return the bounds of the three coarse parts in the decomposition's order."""
    return np.concatenate(([0], np.cumsum(np.bincount(part, minlength=3)))).tolist()


def _inverse(order: np.ndarray) -> np.ndarray:
    place = np.empty(order.size, np.int32)
    place[order] = np.arange(order.size, dtype=np.int32)
    return place


def _classes(parts: DulmageMendelsohn, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """Return the coarse part of every entry, as uint8; `BETWEEN` if its ends are in two parts."""
    part = parts.row_part[i]
    return np.where(part == parts.column_part[j], part, BETWEEN).astype(np.uint8)


def _outlines(parts: DulmageMendelsohn, longest: int) -> list[list[int]]:
    """Return first row, first column and size of the blocks that are large enough to see."""
    # The first and the last are the coarse parts that are not square.
    top, left = parts.row_starts[1:-2], parts.column_starts[1:-2]
    sizes = np.diff(parts.row_starts[1:-1])
    clear = np.flatnonzero(sizes >= CLEAR * longest)
    clear = clear[np.argsort(-sizes[clear], kind="stable")[:MOST_OUTLINES]]
    return np.stack([top[clear], left[clear], sizes[clear]], axis=1).tolist()


def _raster(
    i: np.ndarray, j: np.ndarray, kind: np.ndarray, shape: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Return density (0 is empty, 255 the fullest cell) and class of every cell of a raster.

    The class is that of most entries in the cell; a cell is marked as matched if one of its entries
    is.
    """
    high, wide = min(shape[0], CELLS), min(shape[1], CELLS)
    row = i.astype(np.int64) * high // shape[0]
    cell = row * wide + j.astype(np.int64) * wide // shape[1]
    of_class = np.bincount(cell * 4 + kind % MATCHED, minlength=4 * high * wide).reshape(-1, 4)
    count = of_class.sum(axis=1)
    # Cells differ by orders of magnitude, so the scale is logarithmic.
    density = np.ceil(255 * np.log1p(count) / np.log1p(max(1, count.max(initial=0))))
    matched = np.zeros(high * wide, np.uint8)
    matched[cell[kind >= MATCHED]] = MATCHED
    return density.astype(np.uint8), of_class.argmax(axis=1).astype(np.uint8) + matched
