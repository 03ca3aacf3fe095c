"""Tiny graphs for teaching and tests, with coordinates on a line or a circle."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpucore.limits import Limits
from gpucore.problems.graph.generate.common import (
    Weights,
    check_size,
    check_whole,
    finish,
)
from gpucore.problems.graph.graph import Graph


def path(
    n: int,
    *,
    weights: Weights = "unit",
    weight_seed: int = 99,
    limits: Limits | None = None,
) -> Graph:
    """Return a path: vertices 0 to n - 1 in a line.

    Examples
    --------
    >>> path(5)
    Graph('path', vertices=5, edges=4)
    """
    check_whole("n", n, 0)
    check_size("path", n, n, limits)
    u = np.arange(max(n - 1, 0))
    v = u + 1
    places = np.stack((np.arange(n), np.zeros(n)), axis=1)
    return finish("path", {"n": n}, n, u, v, weights, weight_seed, places)


def cycle(
    n: int,
    *,
    weights: Weights = "unit",
    weight_seed: int = 99,
    limits: Limits | None = None,
) -> Graph:
    """Return a cycle of at least 3 vertices.

    Examples
    --------
    >>> cycle(5)
    Graph('cycle', vertices=5, edges=5)
    """
    check_whole("n", n, 3)
    check_size("cycle", n, n, limits)
    u = np.arange(n)
    v = (u + 1) % n
    return finish("cycle", {"n": n}, n, u, v, weights, weight_seed, _circle(n))


def star(
    n: int,
    *,
    weights: Weights = "unit",
    weight_seed: int = 99,
    limits: Limits | None = None,
) -> Graph:
    """Return a star: vertex 0 joined to all others.

    Examples
    --------
    >>> star(5)
    Graph('star', vertices=5, edges=4)
    """
    check_whole("n", n, 1)
    check_size("star", n, n, limits)
    v = np.arange(1, n)
    u = np.zeros_like(v)
    places = np.concatenate((np.zeros((1, 2)), _circle(n - 1)))
    return finish("star", {"n": n}, n, u, v, weights, weight_seed, places)


def complete(
    n: int,
    *,
    weights: Weights = "unit",
    weight_seed: int = 99,
    limits: Limits | None = None,
) -> Graph:
    """Return the complete graph: all pairs of vertices joined.

    Examples
    --------
    >>> complete(5)
    Graph('complete', vertices=5, edges=10)
    """
    check_whole("n", n, 0)
    check_size("complete", n, n * (n - 1) // 2, limits)
    u, v = np.triu_indices(n, 1)
    return finish("complete", {"n": n}, n, u, v, weights, weight_seed, _circle(n))


def _circle(n: int) -> NDArray[np.float64]:
    angles = 2 * np.pi * np.arange(n) / max(n, 1)
    return np.stack((np.cos(angles), np.sin(angles)), axis=1)
