"""The benchmark graphs: eight fixed problems of 3 to 64 million edges, and small siblings.

========== ============================================== =========== ============
name       what                                             vertices        edges
========== ============================================== =========== ============
grid       2048 x 2048 grid, 10 % of the edges removed      4,194,304    7,544,908
delaunay20 Delaunay triangulation of random points          1,048,576    3,145,686
delaunay21 the same, twice as many points                   2,097,152    6,291,416
rgg21      random geometric, r = 0.55 sqrt(ln n / n)        2,097,152   14,488,439
rgg22      the same, twice as many points                   4,194,304   30,367,013
sbm        2,000 planted communities, 4/5 of draws inside   1,000,000    9,857,951
rmat20     R-MAT (.57, .19, .19, .05), 16 draws a vertex    1,048,576   15,702,097
rmat22     the same, four times as large                    4,194,304   64,155,312
========== ============================================== =========== ============

Weights are uniform in (0, 1], drawn edge by edge in row order. Published times of other libraries
were measured on exactly these graphs, so the numbers are part of the definition: the seeds, the
NumPy generator (PCG64) and the *order and type of every draw* below must not change. The generators
of :mod:`gpucore.problems.graph.generate` may change, so they are not used here.

Any size is available: ``rmat14``, ``rgg14``, ``delaunay14``, ``grid128``, ``sbm20k``.

R-MAT: Chakrabarti, Zhan, Faloutsos, SDM 2004, with Graph500's parameters and relabelling.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpucore.errors import GraphError
from gpucore.problem import Benchmarks
from gpucore.problems.graph.graph import Graph

#: The eight graphs of the published tables, smallest first.
STANDARD = ("delaunay20", "delaunay21", "grid", "sbm", "rgg21", "rmat20", "rgg22", "rmat22")
#: Siblings small enough for the host device.
SMALL = ("delaunay14", "grid128", "rgg14", "rmat14", "sbm20k")
#: (vertices, edges) of the published tables; generated graphs are checked against them.
PUBLISHED = {
    "grid": (4_194_304, 7_544_908),
    "delaunay20": (1_048_576, 3_145_686),
    "delaunay21": (2_097_152, 6_291_416),
    "rgg21": (2_097_152, 14_488_439),
    "rgg22": (4_194_304, 30_367_013),
    "sbm": (1_000_000, 9_857_951),
    "rmat20": (1_048_576, 15_702_097),
    "rmat22": (4_194_304, 64_155_312),
}
WEIGHT_SEED = 99


@dataclass(frozen=True)
class Edges:
    """A benchmark graph as its edge list.

    Attributes
    ----------
    n : int
        Number of vertices.
    u, v : ndarray of int32, shape (m,)
        End points, ``u < v``, ordered by (u, v), no edge twice.
    w : ndarray of float32, shape (m,)
        Weights in (0, 1].
    """

    n: int
    u: np.ndarray
    v: np.ndarray
    w: np.ndarray


def generate(name: str) -> Edges:
    """Generate the benchmark graph called `name`.

    Raises
    ------
    GraphError
        If there is no such graph, or if this NumPy or SciPy draws another graph than the
        published one.
    """
    n, u, v = _builder(name)()
    if name in PUBLISHED and (n, len(u)) != PUBLISHED[name]:
        vertices, edges = PUBLISHED[name]
        raise GraphError(
            f"{name} came out with {n} vertices and {len(u)} edges instead of {vertices} and "
            f"{edges}: this NumPy or SciPy draws other numbers, so its times cannot be compared"
        )
    weights = np.random.default_rng(WEIGHT_SEED).random(len(u), dtype=np.float32)
    return Edges(n, u, v, np.float32(1) - weights)


def is_benchmark_graph(name: str) -> bool:
    """Return True if `name` is a benchmark graph of any size."""
    return re.fullmatch(r"grid\d*|sbm(\d+k)?|(rmat|rgg|delaunay)\d+", name) is not None


def _builder(name: str) -> Callable[[], tuple[int, np.ndarray, np.ndarray]]:
    match = re.fullmatch(r"(grid|sbm|rmat|rgg|delaunay)(\d*)(k?)", name)
    if match is None or not is_benchmark_graph(name):
        raise GraphError(
            f"there is no benchmark graph {name!r}; the eight are {', '.join(STANDARD)}, small "
            f"ones are {', '.join(SMALL)}"
        )
    kind, size = match[1], int(match[2] or 0)
    if kind == "grid":
        return lambda: _grid(_within(name, size or 2048, 2, 8192))
    if kind == "sbm":
        vertices = _within(name, size or 1000, 1, 10_000) * 1000
        return lambda: _planted(vertices, max(1, vertices // 500))
    _within(name, size, 4, 24)
    return lambda: {"rmat": _rmat, "rgg": _geometric, "delaunay": _delaunay}[kind](size)


def _within(name: str, value: int, low: int, high: int) -> int:
    if not low <= value <= high:
        raise GraphError(f"the size of benchmark graph {name!r} must lie between {low} and {high}")
    return value


def _unique_edges(n: int, a: np.ndarray, b: np.ndarray) -> tuple[int, np.ndarray, np.ndarray]:
    """Drop loops and repeated edges; order by (smaller end, larger end)."""
    low = np.minimum(a, b).astype(np.int64)
    key = low * n + np.maximum(a, b)
    key = key[a != b]
    key.sort()
    first = np.ones(len(key), bool)
    np.not_equal(key[1:], key[:-1], out=first[1:])
    key = key[first]
    return n, (key // n).astype(np.int32), (key % n).astype(np.int32)


def _rmat(scale: int) -> tuple[int, np.ndarray, np.ndarray]:
    """Draw 16 n edges by recursive quadrants, then relabel the vertices at random."""
    rng = np.random.default_rng(1)
    n, draws = 1 << scale, 16 << scale
    upper = 0.57 + 0.19  # both upper quadrants together
    right_if_upper, right_if_lower = np.float32(0.57 / upper), np.float32(0.19 / (1 - upper))
    source, target = np.zeros(draws, np.int32), np.zeros(draws, np.int32)
    for bit in range(scale):
        lower = rng.random(draws, dtype=np.float32) > np.float32(upper)
        right = rng.random(draws, dtype=np.float32) > np.where(
            lower, right_if_lower, right_if_upper
        )
        source |= lower.astype(np.int32) << np.int32(bit)
        target |= right.astype(np.int32) << np.int32(bit)
    relabel = rng.permutation(n).astype(np.int32)
    return _unique_edges(n, relabel[source], relabel[target])


def _geometric(scale: int) -> tuple[int, np.ndarray, np.ndarray]:
    """Join points of the unit square nearer than 0.55 sqrt(ln n / n): barely connected."""
    from scipy.spatial import cKDTree

    n = 1 << scale
    points = np.random.default_rng(2).random((n, 2))
    pairs = cKDTree(points).query_pairs(0.55 * np.sqrt(np.log(n) / n), output_type="ndarray")
    return _unique_edges(n, pairs[:, 0], pairs[:, 1])


def _delaunay(scale: int) -> tuple[int, np.ndarray, np.ndarray]:
    """Triangulate random points of the unit square."""
    from scipy.spatial import Delaunay

    n = 1 << scale
    corners = Delaunay(np.random.default_rng(3).random((n, 2))).simplices
    start = np.concatenate([corners[:, 0], corners[:, 1], corners[:, 2]])
    end = np.concatenate([corners[:, 1], corners[:, 2], corners[:, 0]])
    return _unique_edges(n, start, end)


def _grid(side: int) -> tuple[int, np.ndarray, np.ndarray]:
    """Keep each edge of a square grid with probability 0.9; the order stays row by row."""
    cell = np.arange(side * side, dtype=np.int64).reshape(side, side)
    start = np.concatenate([cell[:, :-1].ravel(), cell[:-1].ravel()])
    end = np.concatenate([cell[:, 1:].ravel(), cell[1:].ravel()])
    kept = np.random.default_rng(4).random(len(start)) >= 0.1
    return _unique_edges(side * side, start[kept], end[kept])


def _planted(n: int, communities: int) -> tuple[int, np.ndarray, np.ndarray]:
    """Draw 8 n edges inside equal communities and 2 n anywhere; relabel at random."""
    rng = np.random.default_rng(5)
    size = n // communities
    inside, anywhere = 8 * n, 2 * n
    community = rng.integers(0, communities, inside)
    start = community * size + rng.integers(0, size, inside)
    end = community * size + rng.integers(0, size, inside)
    start = np.concatenate([start, rng.integers(0, n, anywhere)])
    end = np.concatenate([end, rng.integers(0, n, anywhere)])
    relabel = rng.permutation(n)
    return _unique_edges(n, relabel[start], relabel[end])


def _arrays(name: str) -> dict[str, np.ndarray]:
    edges = generate(name)
    graph = Graph.from_edges(edges.n, edges.u, edges.v, edges.w)
    return {"indptr": graph.indptr, "indices": graph.indices, "weights": graph.weights}


def _problem(arrays: Mapping[str, np.ndarray], name: str, source: dict[str, Any]) -> Graph:
    rows = (arrays["indptr"], arrays["indices"], arrays["weights"])
    return Graph._of_rows(rows, name=name, source=source)


BENCHMARKS = Benchmarks(is_benchmark_graph, _arrays, _problem)
