"""The Dulmage-Mendelsohn decomposition of a sparse matrix, from a maximum matching of its pattern.

Rows and columns of every matrix can be permuted so that it becomes ::

    horizontal   *         *
    0            square    *
    0            0         vertical

where the horizontal part has more columns than rows (or is empty) and all its rows can be matched,
the vertical part has more rows than columns (or is empty) and all its columns can be matched, and
the square part has a perfect matching: a linear system is underdetermined, well determined and
overdetermined there. The square part itself is permuted to block upper triangular form with as many
blocks as possible, so a system is solved block by block, the last block first. The parts and blocks
depend on the matrix alone, not on the maximum matching from which they are computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gpucore.errors import ParameterError
from gpucore.families.bipartite.alternating import alternating_graph, reach
from gpucore.families.bipartite.certificate import certify_bipartite
from gpucore.families.bipartite.result import other_side

if TYPE_CHECKING:
    from gpucore.problems.bipartite.graph import BipartiteGraph

#: Values of ``row_part`` and ``column_part``.
HORIZONTAL, SQUARE, VERTICAL = 0, 1, 2

#: The parts' names, by these values.
PARTS = ("horizontal", "square", "vertical")


@dataclass(frozen=True, eq=False)
class DulmageMendelsohn:
    """A decomposition, as :func:`dulmage_mendelsohn` finds it.

    Attributes
    ----------
    row_part : ndarray of int8, shape (rows,)
        Part of every row: :data:`HORIZONTAL`, :data:`SQUARE` or :data:`VERTICAL`.
    column_part : ndarray of int8, shape (columns,)
        Part of every column.
    row_order : ndarray of int32, shape (rows,)
        Permutation: the row that comes first, the row that comes second, ...
    column_order : ndarray of int32, shape (columns,)
        Permutation of the columns.
    row_starts, column_starts : ndarray of int64, shape (k + 3,)
        The blocks on the permuted matrix's diagonal: block ``i`` has the rows at the places
        ``row_starts[i]`` to ``row_starts[i + 1] - 1`` of `row_order`, and columns likewise. Block
        0 is the horizontal part, the last one the vertical part (each may be empty), and the k
        between them are the blocks of the square part.
    structural_rank : int
        Pairs of a maximum matching: the largest rank that a matrix of this pattern can have.
    """

    row_part: NDArray[np.int8]
    column_part: NDArray[np.int8]
    row_order: NDArray[np.int32]
    column_order: NDArray[np.int32]
    row_starts: NDArray[np.int64]
    column_starts: NDArray[np.int64]
    structural_rank: int

    @property
    def num_blocks(self) -> int:
        """Blocks of the square part."""
        return int(self.row_starts.size - 3)

    @property
    def largest_block(self) -> int:
        """Rows of the square part's largest block, 0 if it has none."""
        return int(np.diff(self.row_starts[1:-1]).max()) if self.num_blocks else 0

    @property
    def sizes(self) -> dict[str, tuple[int, int]]:
        """Rows and columns of each part, by its name."""
        rows, columns = (np.bincount(p, minlength=3) for p in (self.row_part, self.column_part))
        return {name: (int(rows[i]), int(columns[i])) for i, name in enumerate(PARTS)}


def dulmage_mendelsohn(graph: BipartiteGraph, row_match: np.ndarray) -> DulmageMendelsohn:
    """Decompose a matrix into its horizontal, square and vertical part, the square one into blocks.

    Parameters
    ----------
    graph : BipartiteGraph
        The matrix.
    row_match : ndarray of an integer type, shape (rows,)
        Any maximum matching: the column of every row, or -1.

    Returns
    -------
    DulmageMendelsohn

    Raises
    ------
    ParameterError
        If `row_match` is not a maximum matching of this graph; it is checked by
        :func:`~gpucore.families.bipartite.certificate.certify_bipartite`.

    Notes
    -----
    Alternating paths from the unmatched columns reach exactly the horizontal part, those from the
    unmatched rows exactly the vertical part. The blocks are the strongly connected components
    of the directed graph on the square part's columns that leads from ``c`` to the column matched
    to ``r`` for every entry ``(r, c)``. In the permuted matrix all matched pairs stand on one
    diagonal: unmatched columns come first, unmatched rows last.

    Time is linear in the entries. Extra memory is about 12 bytes an entry.

    References
    ----------
    .. [1] A. L. Dulmage, N. S. Mendelsohn, "Coverings of bipartite graphs", Canadian Journal of
       Mathematics 10 (1958).
    .. [2] A. Pothen, C.-J. Fan, "Computing the block triangular form of a sparse matrix", ACM
       Transactions on Mathematical Software 16 (1990), sections 2 and 3.

    Examples
    --------
    >>> from gpucore.problems.bipartite.graph import BipartiteGraph
    >>> rows, columns = [0, 0, 1, 1, 2, 3], [0, 1, 2, 3, 3, 3]
    >>> graph = BipartiteGraph.from_entries(rows, columns, shape=(4, 4))
    >>> found = dulmage_mendelsohn(graph, np.array([0, 2, 3, -1]))
    >>> found.sizes
    {'horizontal': (1, 2), 'square': (1, 1), 'vertical': (2, 1)}
    >>> found.row_order.tolist(), found.column_order.tolist()
    ([0, 1, 2, 3], [1, 0, 2, 3])
    >>> found.structural_rank
    3
    """
    row_match, column_match = _maximum(graph, np.asarray(row_match))
    by_column = alternating_graph(*graph.by_column(), row_match, column_match)
    by_row = alternating_graph(*graph.by_row(), column_match, row_match)
    row_part, column_part = _parts(by_column, by_row, row_match, column_match)

    square = np.flatnonzero(column_part == SQUARE)
    block, sizes = _blocks(by_column, square)
    in_order = [
        np.flatnonzero((column_part == HORIZONTAL) & (column_match < 0)),
        np.flatnonzero((column_part == HORIZONTAL) & (column_match >= 0)),
        square[np.argsort(block, kind="stable")],
        np.flatnonzero(column_part == VERTICAL),
    ]
    column_order = np.concatenate(in_order).astype(np.int32)
    matched_rows = column_match[column_order[in_order[0].size :]]
    row_order = np.concatenate([matched_rows, np.flatnonzero(row_match < 0)]).astype(np.int32)
    return DulmageMendelsohn(
        row_part,
        column_part,
        row_order,
        column_order,
        _starts(row_part, sizes),
        _starts(column_part, sizes),
        structural_rank=int(matched_rows.size),
    )


def _maximum(
    graph: BipartiteGraph, row_match: np.ndarray
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the matching of the rows and that of the columns, certified."""
    column_match = np.full(graph.num_columns, -1, np.int32)
    if row_match.dtype.kind in "iu" and row_match.shape == (graph.num_rows,):
        within = np.where(row_match < graph.num_columns, row_match, -1)
        column_match = other_side(within, graph.num_columns)
    failure = certify_bipartite(graph, row_match, column_match).failure
    if failure is not None:
        raise ParameterError(
            "a decomposition needs a maximum matching, which row_match is not: "
            f"{failure.name}: {failure.detail}"
        )
    return row_match.astype(np.int32), column_match


def _parts(
    by_column: sparse.csr_array,
    by_row: sparse.csr_array,
    row_match: NDArray[np.int32],
    column_match: NDArray[np.int32],
) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Return the part of every row and of every column."""
    row_part = np.full(row_match.size, SQUARE, np.int8)
    column_part = np.full(column_match.size, SQUARE, np.int8)
    for part, steps, own, own_match, other in (
        (HORIZONTAL, by_column, column_part, column_match, row_part),
        (VERTICAL, by_row, row_part, row_match, column_part),
    ):
        reached = reach(steps).reached
        own[reached] = part
        other[own_match[reached & (own_match >= 0)]] = part
    return row_part, column_part


def _blocks(
    steps: sparse.csr_array, square: NDArray[np.integer]
) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
    """Return the block of each of the square part's columns, and the blocks' sizes."""
    from scipy.sparse.csgraph import connected_components

    # No cycle leaves the square part's columns, so arcs between them are enough. Their rows are
    # matched to distinct columns, so no arc occurs twice, as SciPy's search requires.
    is_square = np.zeros(steps.shape[0], np.bool_)
    is_square[square] = True
    kept = is_square[steps.indices]
    bounds = np.concatenate([[0], np.cumsum(kept)])[steps.indptr]
    arcs = (steps.data[: bounds[-1]], steps.indices[kept], bounds)
    # SciPy (Pearce's algorithm) numbers a component after all components that it leads to: no
    # arc leads to a larger number, so no entry is below the diagonal blocks.
    _, component = connected_components(
        sparse.csr_array(arcs, shape=steps.shape), directed=True, connection="strong"
    )
    _, block, sizes = np.unique(component[square], return_inverse=True, return_counts=True)
    return block, sizes


def _starts(part: NDArray[np.int8], blocks: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return where the horizontal part, the square part's blocks and the vertical part begin."""
    counts = np.bincount(part, minlength=3)
    sizes = np.concatenate([[0, counts[HORIZONTAL]], blocks, [counts[VERTICAL]]])
    return np.cumsum(sizes).astype(np.int64)
