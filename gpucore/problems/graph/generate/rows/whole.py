"""Whole graphs that ranks can also generate in parts.

Their weights are hashes, too: uniform ones unless another kind is named.
"""

from __future__ import annotations

from gpucore.limits import Limits
from gpucore.problems.graph.generate.common import Weights
from gpucore.problems.graph.generate.rows.grid import GridRows
from gpucore.problems.graph.generate.rows.planted import PlantedRows
from gpucore.problems.graph.generate.rows.rgg import RggRows
from gpucore.problems.graph.generate.rows.rmat import RmatRows
from gpucore.problems.graph.graph import Graph


def rmat_rows(
    scale: int,
    edge_factor: int = 16,
    *,
    a: float = 0.57,
    b: float = 0.19,
    c: float = 0.19,
    seed: int = 1,
    weights: Weights = "uniform",
    weight_seed: int = 99,
    limits: Limits | None = None,
) -> Graph:
    """Return an R-MAT graph that ranks can generate in parts.

    Parameters are those of :func:`.random.rmat`, the graph is another one.

    Examples
    --------
    >>> rmat_rows(8, seed=1)
    Graph('rmat_rows', vertices=256, edges=2135, weighted)
    """
    plan = RmatRows(scale, edge_factor, a, b, c, seed, weights=weights, weight_seed=weight_seed)
    return plan.graph(limits)


def rgg_rows(
    n: int,
    degree: float | None = None,
    *,
    seed: int = 1,
    weights: Weights = "uniform",
    weight_seed: int = 99,
    limits: Limits | None = None,
) -> Graph:
    """Return a random geometric graph that ranks can generate in parts.

    The points are more regular than those of :func:`.planar.random_geometric`: each cell of a
    square grid has equally many.

    Parameters
    ----------
    n : int
        Number of vertices.
    degree : float, optional
        Mean degree far from the border; by default that of :func:`.planar.random_geometric`.
    seed, weights, weight_seed, limits
        See :mod:`gpucore.problems.graph.generate`.

    Examples
    --------
    >>> rgg_rows(100, seed=1)
    Graph('rgg_rows', vertices=100, edges=148, weighted)
    """
    return RggRows(n, degree, seed, weights=weights, weight_seed=weight_seed).graph(limits)


def grid_rows(
    rows: int,
    columns: int,
    *,
    weights: Weights = "uniform",
    weight_seed: int = 99,
    limits: Limits | None = None,
) -> Graph:
    """Return a grid that ranks can generate in parts, see :func:`.planar.grid`.

    Examples
    --------
    >>> grid_rows(8, 8)
    Graph('grid_rows', vertices=64, edges=112, weighted)
    """
    return GridRows(rows, columns, weights=weights, weight_seed=weight_seed).graph(limits)


def planted_rows(
    n: int,
    communities: int,
    degree_in: float = 16.0,
    degree_out: float = 4.0,
    *,
    shuffle: bool = True,
    seed: int = 1,
    weights: Weights = "uniform",
    weight_seed: int = 99,
    limits: Limits | None = None,
) -> Graph:
    """Return a graph with planted communities that ranks can generate in parts.

    Parameters are those of :func:`.random.planted_partition`, the graph is another one.

    Examples
    --------
    >>> planted_rows(100, 4, seed=1)
    Graph('planted_rows', vertices=100, edges=752, weighted)
    """
    plan = PlantedRows(
        n, communities, degree_in, degree_out, shuffle, seed,
        weights=weights, weight_seed=weight_seed,
    )  # fmt: skip
    return plan.graph(limits)
