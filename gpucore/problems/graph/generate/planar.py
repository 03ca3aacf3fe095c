"""Graphs drawn in the plane: random geometric, Delaunay, grid."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import GraphError
from gpucore.limits import Limits
from gpucore.problems.graph.generate.common import (
    Weights,
    check_probability,
    check_size,
    check_whole,
    finish,
)
from gpucore.problems.graph.graph import Graph
from gpucore.seeds import generator


def random_geometric(
    n: int,
    radius: float | None = None,
    *,
    seed: int = 1,
    weights: Weights = "unit",
    weight_seed: int = 99,
    limits: Limits | None = None,
) -> Graph:
    """Return a random geometric graph: points of the unit square, joined if they are close.

    Parameters
    ----------
    n : int
        Number of vertices.
    radius : float, optional
        Vertices at most this far apart are joined; by default ``0.55 * sqrt(log(n) / n)``,
        at which the graph is nearly connected.
    seed, weights, weight_seed, limits
        See :mod:`gpucore.problems.graph.generate`.

    Examples
    --------
    >>> random_geometric(100, seed=1)
    Graph('rgg', vertices=100, edges=197)
    """
    check_whole("n", n, 0)
    if radius is None:
        radius = float(0.55 * np.sqrt(np.log(n) / n)) if n > 1 else 0.0
    if not 0 <= radius <= 2:
        raise GraphError(f"radius must be between 0 and 2, not {radius}")
    check_size("rgg", n, int(n * min(n, n * np.pi * radius**2) / 2), limits)
    from scipy.spatial import cKDTree  # slow to import

    points = generator(seed).random((n, 2))
    pairs = cKDTree(points).query_pairs(radius, output_type="ndarray")
    spec = {"n": n, "radius": radius, "seed": seed}
    return finish("rgg", spec, n, pairs[:, 0], pairs[:, 1], weights, weight_seed, points)


def delaunay(
    n: int,
    *,
    seed: int = 1,
    weights: Weights = "unit",
    weight_seed: int = 99,
    limits: Limits | None = None,
) -> Graph:
    """Return the Delaunay triangulation of `n` random points in the unit square.

    Examples
    --------
    >>> delaunay(100, seed=1)
    Graph('delaunay', vertices=100, edges=282)
    """
    check_whole("n", n, 0)
    check_size("delaunay", n, 3 * n, limits)
    from scipy.spatial import Delaunay

    points = generator(seed).random((n, 2))
    if n >= 3:
        corners: NDArray[np.integer] = Delaunay(points).simplices
    else:  # no triangle: one edge or none
        corners = np.arange(n if n == 2 else 0).reshape(-1, 2)
    u, v = corners.ravel(), np.roll(corners, -1, axis=1).ravel()
    return finish("delaunay", {"n": n, "seed": seed}, n, u, v, weights, weight_seed, points)


def grid(
    rows: int,
    columns: int,
    removed: float = 0.0,
    *,
    seed: int = 1,
    weights: Weights = "unit",
    weight_seed: int = 99,
    limits: Limits | None = None,
) -> Graph:
    """Return a grid of `rows` by `columns` vertices, numbered row by row.

    Parameters
    ----------
    rows, columns : int
        Size of the grid.
    removed : float
        Probability of leaving out each edge.
    seed, weights, weight_seed, limits
        See :mod:`gpucore.problems.graph.generate`.

    Examples
    --------
    >>> grid(8, 8)
    Graph('grid', vertices=64, edges=112)
    """
    check_whole("rows", rows, 0)
    check_whole("columns", columns, 0)
    check_probability("removed", removed)
    n = rows * columns
    check_size("grid", n, 2 * n, limits)
    number = np.arange(n).reshape(rows, columns)
    u = np.concatenate((number[:, :-1].ravel(), number[:-1].ravel()))
    v = np.concatenate((number[:, 1:].ravel(), number[1:].ravel()))
    if removed:
        keep = generator(seed).random(u.size) >= removed
        u, v = u[keep], v[keep]
    places = np.stack((np.tile(np.arange(columns), rows), np.repeat(np.arange(rows), columns)), 1)
    spec = {"rows": rows, "columns": columns, "removed": removed, "seed": seed}
    return finish("grid", spec, n, u, v, weights, weight_seed, places)
