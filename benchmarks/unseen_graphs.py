"""Twelve kinds of graphs for `unseen.py`: four real ones, and eight that a seed makes.

Vertices are numbered at random, so that no method profits from the order in which they are made.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.spatial import cKDTree

import gpucore
from gpucore.problems.graph.graph import Graph

Draw = np.random.Generator
#: Real graphs by their public names: they have no seed, and no smaller form.
REAL = {
    "trust between keys": "suitesparse:Arenas/PGPgiantcompo",
    "social network": "snap:loc-brightkite_edges",
    "road network": "suitesparse:Gleich/usroads-48",
    "web pages": "snap:web-NotreDame",
}


def simple(n: int, u: np.ndarray, v: np.ndarray, draw: Draw) -> Graph:
    """Return the graph of these pairs, each once and no loops, its vertices renumbered."""
    number, apart = draw.permutation(n), u != v
    return Graph.from_edges(n, number[u[apart]], number[v[apart]], duplicates="first")


def subdivided_grid(size: int, draw: Draw) -> Graph:
    """Return a square grid of about `size` vertices, each edge divided by two more."""
    side = max(2, int((size / 5) ** 0.5))
    at = np.arange(side * side).reshape(side, side)
    u = np.concatenate([at[:, :-1].ravel(), at[:-1].ravel()])
    v = np.concatenate([at[:, 1:].ravel(), at[1:].ravel()])
    first = side * side + np.arange(len(u))
    second = first + len(u)
    ends = np.concatenate([u, first, second]), np.concatenate([first, second, v])
    return simple(side * side + 2 * len(u), *ends, draw)


def neighbours_in_space(size: int, draw: Draw) -> Graph:
    """Return random points in a cube, each joined to the six nearest ones."""
    points = draw.random((size, 3))
    near = cKDTree(points).query(points, k=7)[1]
    return simple(size, np.repeat(near[:, 0], 6), near[:, 1:].ravel(), draw)


def ring_of_cliques(size: int, draw: Draw) -> Graph:
    """Return cliques of 24 in a ring, a twentieth of whose edges end elsewhere."""
    a, b = np.triu_indices(24, 1)
    cliques = max(3, size // 24)
    first = 24 * np.arange(cliques)
    u = np.concatenate([(first[:, None] + a).ravel(), first])
    v = np.concatenate([(first[:, None] + b).ravel(), np.roll(first, 1)])
    return simple(24 * cliques, u, _rewired(v, 24 * cliques, draw), draw)


def small_world(size: int, draw: Draw) -> Graph:
    """Return a ring whose vertices have ten neighbours on each side, a tenth of them elsewhere."""
    u = np.tile(np.arange(size), 10)
    v = (u + np.repeat(np.arange(1, 11), size)) % size
    return simple(size, u, _rewired(v, size, draw, 0.1), draw)


def power_law_communities(
    size: int, draw: Draw, outside: float = 0.3, largest: int = 2000
) -> Graph:
    """Return communities of 20 to `largest`, degrees of 10 to 1,000, a share of the edges outside.

    Both are drawn by power laws; ends are joined at random inside a community, or in the graph.
    """
    sizes = _power_law(1.5, 20, min(largest, size // 4), size // 20 + 1, draw).astype(np.int64)
    community = np.repeat(np.arange(len(sizes)), sizes)[:size]
    degree = _power_law(2.5, 10, min(1000, size // 4), size, draw)
    ends = np.repeat(np.arange(size), degree.astype(np.int64))
    inside = draw.random(len(ends)) >= outside
    near, far = draw.permutation(ends[inside]), draw.permutation(ends[~inside])
    near = near[np.argsort(community[near], kind="stable")]
    return simple(size, *_pairs(np.concatenate([near, far[len(near) % 2 :]])), draw)


def rmat(size: int, draw: Draw) -> Graph:
    """Return an R-MAT graph with .45, .22 and .22, sixteen edges a vertex."""
    scale, seed = max(1, size.bit_length() - 1), int(draw.integers(1 << 31))
    graph = gpucore.load(f"rmat:scale={scale},edge_factor=16,a=0.45,b=0.22,c=0.22,seed={seed}")
    u, v, _ = graph.edges()
    return simple(graph.num_vertices, u, v, draw)


def preferential_attachment(size: int, draw: Draw, edges: int = 17) -> Graph:
    """Return a graph whose vertices come with 17 edges, each to an end of an earlier edge.

    The ends of all edges are one list; the other end of an edge copies a place before it (Batagelj
    and Brandes 2005), which leads, copy by copy, to the place of a vertex that came.
    """
    count = size * edges
    place = (draw.random(count) * (2 * np.arange(count) + 1)).astype(np.int64)
    while (copied := place % 2 == 1).any():
        place[copied] = place[place[copied] // 2]
    return simple(size, np.arange(count) // edges, place // 2 // edges, draw)


def chung_lu(size: int, draw: Draw) -> Graph:
    """Return fifteen edges a vertex, its expected degrees by a power law of 2.1.

    The largest is about .3 % of the sum: a hub with a twelfth of a million vertices.
    """
    expected = (np.arange(size) + 18.0) ** (-1 / 1.1)
    ends = draw.choice(size, (2, 15 * size), p=expected / expected.sum())
    return simple(size, ends[0], ends[1], draw)


#: Makers of the kinds, and their sizes, with which they have 4 to 34 million edges.
MADE: dict[str, tuple[Callable[[int, Draw], Graph], int]] = {
    "subdivided grid": (subdivided_grid, 3_800_000),
    "3-D nearest neighbours": (neighbours_in_space, 1_250_000),
    "ring of cliques": (ring_of_cliques, 1_040_000),
    "small world": (small_world, 1_000_000),
    "power-law communities": (power_law_communities, 1_000_000),
    "R-MAT": (rmat, 1 << 21),
    "preferential attachment": (preferential_attachment, 1_000_000),
    "Chung-Lu": (chung_lu, 1_000_000),
}


def make(kind: str, seed: int, smaller: int = 1) -> Graph:
    """Return the graph of a kind; one that is made has `smaller` times fewer vertices."""
    if kind in REAL:
        return gpucore.load(REAL[kind])
    maker, size = MADE[kind]
    return maker(max(48, size // smaller), np.random.default_rng((seed, list(MADE).index(kind))))


def _rewired(v: np.ndarray, n: int, draw: Draw, share: float = 0.05) -> np.ndarray:
    return np.where(draw.random(len(v)) < share, draw.integers(0, n, len(v)), v)


def _power_law(exponent: float, least: int, most: int, count: int, draw: Draw) -> np.ndarray:
    """Return numbers from `least` to `most`, drawn by a power law."""
    power, most = 1 - exponent, max(least, most)
    return (least**power + draw.random(count) * (most**power - least**power)) ** (1 / power)


def _pairs(ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    even = ends[: len(ends) // 2 * 2]
    return even[::2], even[1::2]
