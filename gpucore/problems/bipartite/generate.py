"""Synthetic matrices, as bipartite graphs: two random families, two hard ones, one for teaching."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gpucore.limits import Limits
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.graph.generate.common import check_size, check_whole
from gpucore.problems.graph.generate.random import check_rmat, rmat_cells
from gpucore.seeds import generator
from gpucore.specification import generated


def uniform(
    rows: int, columns: int, degree: int = 3, *, seed: int = 1, limits: Limits | None = None
) -> BipartiteGraph:
    """Return a matrix in which every row draws its columns, all equally likely.

    A column that a row draws twice is one entry. Some columns stay empty; a smaller degree leaves
    more vertices unmatched in a maximum matching.

    Parameters
    ----------
    rows, columns : int
        Size of the matrix.
    degree : int
        Columns that every row draws.
    seed, limits
        See :mod:`gpucore.problems.graph.generate`.

    Examples
    --------
    >>> uniform(100, 80, 3)
    BipartiteGraph('uniform', rows=100, columns=80, edges=299)
    """
    check_whole("rows", rows, 0)
    check_whole("columns", columns, 0 if rows * degree == 0 else 1)
    check_whole("degree", degree, 0)
    check_size("uniform", rows + columns, rows * degree, limits)
    j = generator(seed).integers(0, max(columns, 1), rows * degree, dtype=np.int32)
    i = np.repeat(np.arange(rows, dtype=np.int32), degree)
    spec = {"rows": rows, "columns": columns, "degree": degree, "seed": seed}
    return _finish("uniform", spec, i, j, (rows, columns))


def bip_rmat(
    scale: int,
    edge_factor: int = 8,
    *,
    a: float = 0.57,
    b: float = 0.19,
    c: float = 0.19,
    seed: int = 1,
    limits: Limits | None = None,
) -> BipartiteGraph:
    """Return a square recursive-matrix pattern: a few full rows and columns, many empty ones.

    As :func:`gpucore.problems.graph.generate.rmat`, but an entry (i, j) has no mirror image, the
    diagonal stays, and rows and columns are renumbered at random independently.

    Parameters
    ----------
    scale : int
        There are ``2**scale`` rows and as many columns.
    edge_factor : int
        Entries drawn per row; equal ones are merged.
    a, b, c : float
        Probabilities of the upper left, upper right and lower left quadrant.
    seed, limits
        See :mod:`gpucore.problems.graph.generate`.

    Examples
    --------
    >>> bip_rmat(8)
    BipartiteGraph('bip_rmat', rows=256, columns=256, edges=1508)
    """
    check_rmat(scale, edge_factor, a, b, c)
    n = 1 << scale
    check_size("bip_rmat", 2 * n, n * edge_factor, limits)
    rng = generator(seed)
    i, j = rmat_cells(rng, scale, n * edge_factor, a, b, c)
    row, column = (rng.permutation(n).astype(np.int32) for _ in range(2))
    spec = {"scale": scale, "edge_factor": edge_factor, "a": a, "b": b, "c": c, "seed": seed}
    return _finish("bip_rmat", spec, row[i], column[j], (n, n))


def chain(length: int, chains: int = 1, *, limits: Limits | None = None) -> BipartiteGraph:
    """Return chains on which cheap matching in natural order leaves one augmenting path each.

    In a chain of L rows and columns, column j < L - 1 has the rows j and j + 1, and the last
    column only row 0. Cheap matching that goes through the columns in order (or through the
    rows) and takes the first free partner matches j with j; then no row is free for the last
    column, and the only augmenting path has all 2 L vertices. Breadth-first search needs
    L levels for it, each with a single vertex. A perfect matching exists, and Karp-Sipser
    finds it at once, since the last column has one row only.

    Parameters
    ----------
    length : int
        L, the rows and the columns of a chain.
    chains : int
        Number of chains, one after the other.
    limits
        See :mod:`gpucore.problems.graph.generate`.

    Examples
    --------
    >>> chain(4).to_matrix().toarray().tolist()
    [[1, 0, 0, 1], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 0]]
    """
    check_whole("length", length, 1)
    check_whole("chains", chains, 1)
    n = length * chains
    check_size("chain", 2 * n, 2 * n, limits)
    at = np.arange(n)
    inside = at[at % length < length - 1]
    i = np.concatenate((inside, inside + 1, at[::length]))
    j = np.concatenate((inside, inside, at[length - 1 :: length]))
    return _finish("chain", {"length": length, "chains": chains}, i, j, (n, n))


def layered(levels: int, width: int = 2, *, limits: Limits | None = None) -> BipartiteGraph:
    """Return a matrix on which Hopcroft-Karp needs many phases, and SciPy exponential time.

    For every depth d from 1 to `levels` it has a block and the block's transpose. Cheap matching
    in natural order matches all of a block but its last row, the root, and its last column. From
    the root two ways lead on: a path of d rows to the free column, and a maze of d layers of
    `width` rows without an exit, in which each row leads to every row of the next layer.

    - The shortest augmenting path of a block has 2 d + 1 edges, and Hopcroft-Karp, which augments
      along the shortest ones only, needs a phase for each depth: about
      ``sqrt(rows / (width + 1))`` phases in all.
    - A depth-first search that does not mark rows as dead ends walks ``width**d`` ways through a
    maze. SciPy 1.17 does this from either side (its issue 26147): 22 levels of width 2,
      1,562 rows, took it 1.2 s, and every further level doubles that.

    A perfect matching exists, and Karp-Sipser finds it at once.

    Parameters
    ----------
    levels : int
        Depth of the deepest block.
    width : int
        Rows in each layer of a maze.
    limits
        See :mod:`gpucore.problems.graph.generate`.

    Examples
    --------
    >>> layered(3)
    BipartiteGraph('layered', rows=42, columns=42, edges=90)
    """
    check_whole("levels", levels, 1)
    check_whole("width", width, 1)
    n = levels * (levels + 1) * (width + 1) + 2 * levels
    check_size("layered", 2 * n, n + levels * (levels + 1) * (width * width + 2), limits)
    blocks: list[np.ndarray] = []
    start = 0
    for depth in range(1, levels + 1):
        block = _block(depth, width)
        size = depth * (width + 1) + 1
        blocks += [start + block, start + size + block[::-1]]
        start += 2 * size
    i, j = np.concatenate(blocks, axis=1)
    return _finish("layered", {"levels": levels, "width": width}, i, j, (n, n))


def _block(depth: int, width: int) -> np.ndarray:
    """Return rows and columns of one block's entries, shape (2, entries)."""
    root = depth * (width + 1)
    path = np.arange(depth)
    maze = np.arange(depth, root).reshape(depth, width)
    after_path = np.append(path[1:], root)  # the last row of the path has the free column
    here, there = np.broadcast_arrays(maze[:-1, :, None], maze[1:, None, :])
    first = np.append(0, maze[0])
    i = np.concatenate((np.arange(root), path, here.ravel(), np.full(first.size, root)))
    j = np.concatenate((np.arange(root), after_path, there.ravel(), first))
    return np.stack((i, j))


def crossing(ends: int = 2, copies: int = 1, *, limits: Limits | None = None) -> BipartiteGraph:
    """Return fans of augmenting paths that all cross at one column: figure 1 of the paper [1]_.

    A fan has a middle row, `ends` further rows, a column with all of these rows, and a column with
    the middle row only. Cheap matching in natural order matches the first column with the middle
    row; from the second one a path leads over both to every end. Only one of these paths can be
    used, and parallel walks back along several of them meet at the first column.

    Parameters
    ----------
    ends : int
        Paths of a fan.
    copies : int
        Fans, one after the other.
    limits
        See :mod:`gpucore.problems.graph.generate`.

    References
    ----------
    .. [1] M. Deveci, K. Kaya, B. Uçar, Ü. V. Çatalyürek, "GPU accelerated maximum cardinality
       matching algorithms for bipartite graphs", Euro-Par 2013.

    Examples
    --------
    >>> crossing().to_matrix().toarray().tolist()
    [[1, 1], [1, 0], [1, 0]]
    """
    check_whole("ends", ends, 1)
    check_whole("copies", copies, 1)
    rows, columns = copies * (ends + 1), 2 * copies
    check_size("crossing", rows + columns, rows + copies, limits)
    at = np.arange(rows)
    middle = at[:: ends + 1]
    i = np.concatenate((at, middle))
    j = np.concatenate((2 * (at // (ends + 1)), 2 * np.arange(copies) + 1))
    return _finish("crossing", {"ends": ends, "copies": copies}, i, j, (rows, columns))


def _finish(
    kind: str, parameters: dict[str, Any], rows: ArrayLike, columns: ArrayLike,
    shape: tuple[int, int],
) -> BipartiteGraph:  # fmt: skip
    """Make the graph and store how to rebuild it."""
    source = generated(kind, parameters)
    return BipartiteGraph.from_entries(rows, columns, shape, name=kind, source=source)


#: The generators by the names that specifications use ("uniform:rows=100,columns=80").
BIPARTITE_GENERATORS: dict[str, Callable[..., BipartiteGraph]] = {
    "uniform": uniform,
    "bip_rmat": bip_rmat,
    "chain": chain,
    "layered": layered,
    "crossing": crossing,
}
