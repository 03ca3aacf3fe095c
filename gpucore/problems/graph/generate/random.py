"""Random graphs without coordinates: R-MAT, planted partition, Erdős–Rényi."""

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


def rmat(
    scale: int,
    edge_factor: int = 16,
    *,
    a: float = 0.57,
    b: float = 0.19,
    c: float = 0.19,
    seed: int = 1,
    weights: Weights = "unit",
    weight_seed: int = 99,
    limits: Limits | None = None,
) -> Graph:
    """Return a recursive-matrix graph (R-MAT) with the parameters of Graph500.

    Each edge selects its cell by descending `scale` levels of quadrants with probabilities `a`,
    `b`, `c` and 1 - a - b - c, equal on every level (no noise). The vertices are renumbered
    at random; loops are dropped and equal edges merged, so there are fewer than
    ``edge_factor * 2**scale`` edges.

    Parameters
    ----------
    scale : int
        There are ``2**scale`` vertices.
    edge_factor : int
        Edges drawn per vertex.
    a, b, c : float
        Probabilities of the upper left, upper right and lower left quadrant.
    seed, weights, weight_seed, limits
        See :mod:`gpucore.problems.graph.generate`.

    Notes
    -----
    D. Chakrabarti, Y. Zhan, C. Faloutsos, "R-MAT: a recursive model for graph mining", SIAM
    Data Mining 2004, section 3; Graph500 benchmark specification, section 3.

    Examples
    --------
    >>> rmat(8, seed=1)
    Graph('rmat', vertices=256, edges=2137)
    """
    spec = {"scale": scale, "edge_factor": edge_factor, "a": a, "b": b, "c": c, "seed": seed}
    check_rmat(scale, edge_factor, a, b, c)
    n = 1 << scale
    check_size("rmat", n, n * edge_factor, limits)
    rng = generator(seed)
    u, v = rmat_cells(rng, scale, n * edge_factor, a, b, c)
    number = rng.permutation(n).astype(np.int32)
    return finish("rmat", spec, n, number[u], number[v], weights, weight_seed)


def check_rmat(scale: int, edge_factor: int, a: float, b: float, c: float) -> None:
    """Raise GraphError unless these are valid parameters of an R-MAT graph."""
    check_whole("scale", scale, 0, 30)
    check_whole("edge_factor", edge_factor, 0)
    if min(a, b, c) < 0 or a + b + c > 1 or a + b == 0:
        raise GraphError(f"a, b, c = {a}, {b}, {c} must be probabilities that sum up to at most 1")


def rmat_cells(
    rng: np.random.Generator, scale: int, m: int, a: float, b: float, c: float
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Draw `m` cells of a matrix of ``2**scale`` rows: their rows and columns."""
    u, v = np.zeros(m, np.int32), np.zeros(m, np.int32)
    upper = np.float32(a + b)
    left_above, left_below = a / (a + b), c / (1 - a - b) if a + b < 1 else 0.0
    for bit in range(scale):
        below = rng.random(m, dtype=np.float32) > upper
        left = np.where(below, np.float32(left_below), np.float32(left_above))
        right = rng.random(m, dtype=np.float32) > left
        u |= below.astype(np.int32) << np.int32(bit)
        v |= right.astype(np.int32) << np.int32(bit)
    return u, v


def planted_partition(
    n: int,
    communities: int,
    degree_in: float = 16.0,
    degree_out: float = 4.0,
    *,
    shuffle: bool = True,
    seed: int = 1,
    weights: Weights = "unit",
    weight_seed: int = 99,
    limits: Limits | None = None,
) -> Graph:
    """Return a graph with planted communities of equal size.

    ``n * degree_in / 2`` edges are drawn inside random communities and ``n * degree_out / 2``
    between any two vertices; loops are dropped and equal edges merged, so the mean degree is a
    little below ``degree_in + degree_out``.

    Parameters
    ----------
    n, communities : int
        Number of vertices, a multiple of the number of communities.
    degree_in, degree_out : float
        Mean degrees.
    shuffle : bool
        Number the vertices at random; otherwise vertex ``v`` is in community
        ``v // (n // communities)``.
    seed, weights, weight_seed, limits
        See :mod:`gpucore.problems.graph.generate`.

    Notes
    -----
    A. Condon, R. M. Karp, "Algorithms for graph partitioning on the planted partition model",
    Random Structures & Algorithms 18 (2001), with edges drawn instead of a coin toss for every
    pair.

    Examples
    --------
    >>> planted_partition(100, 4, seed=1)
    Graph('planted', vertices=100, edges=747)
    """
    check_whole("n", n, 0)
    check_whole("communities", communities, 1)
    if n % communities:
        raise GraphError(f"n = {n} must be a multiple of the {communities} communities")
    if min(degree_in, degree_out) < 0:
        raise GraphError(f"degrees must not be negative: {degree_in}, {degree_out}")
    inside, anywhere = int(n * degree_in / 2), int(n * degree_out / 2)
    check_size("planted", n, inside + anywhere, limits)
    size = n // communities
    rng = generator(seed)
    first = rng.integers(0, communities, inside) * size if n else np.empty(0, np.int64)
    u, v = (first + rng.integers(0, max(size, 1), first.size) for _ in range(2))
    u, v = (np.concatenate((end, rng.integers(0, max(n, 1), anywhere))) for end in (u, v))
    if shuffle:
        number = rng.permutation(n)
        u, v = number[u], number[v]
    spec = {
        "n": n, "communities": communities, "degree_in": degree_in, "degree_out": degree_out,
        "shuffle": shuffle, "seed": seed,
    }  # fmt: skip
    return finish("planted", spec, n, u, v, weights, weight_seed)


def erdos_renyi(
    n: int,
    p: float,
    *,
    seed: int = 1,
    weights: Weights = "unit",
    weight_seed: int = 99,
    limits: Limits | None = None,
) -> Graph:
    """Return a random graph G(n, p): every pair is an edge with probability `p`.

    Time and memory are proportional to the edges, not to the pairs: the gaps between edges in the
    list of all pairs are geometrically distributed.

    Notes
    -----
    V. Batagelj, U. Brandes, "Efficient generation of large random networks", Physical Review E
    71 (2005), section II.

    Examples
    --------
    >>> erdos_renyi(100, 0.05, seed=3)
    Graph('gnp', vertices=100, edges=217)
    """
    check_whole("n", n, 0)
    check_probability("p", p)
    pairs = n * (n - 1) // 2
    check_size("gnp", n, int(p * pairs + 5 * np.sqrt(p * pairs)), limits)
    chosen = _skip_through(pairs, p, generator(seed))
    # Pair k lies in row v of the lower triangle, where v (v - 1) / 2 <= k.
    v = ((1 + np.sqrt(1 + 8 * chosen.astype(np.float64))) / 2).astype(np.int64)
    v -= v * (v - 1) // 2 > chosen  # the square root is rounded
    v += v * (v + 1) // 2 <= chosen
    u = chosen - v * (v - 1) // 2
    return finish("gnp", {"n": n, "p": p, "seed": seed}, n, u, v, weights, weight_seed)


def _skip_through(count: int, p: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a random subset of the numbers below `count`; each is chosen with probability `p`."""
    parts: list[NDArray[np.int64]] = []
    last = -1
    while p > 0 and last < count:
        expected = p * (count - last)
        size = int(expected + 3 * np.sqrt(expected)) + 8
        gaps = np.minimum(rng.geometric(p, size), count + 1)
        fits = np.cumsum(gaps, dtype=np.float64) <= 2.0 * count + 2  # beyond it sums may overflow
        parts.append(last + np.cumsum(gaps[fits]))
        last = int(parts[-1][-1]) if fits.all() else count
    numbers = np.concatenate(parts) if parts else np.empty(0, np.int64)
    return numbers[numbers < count]
