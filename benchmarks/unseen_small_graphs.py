"""Kinds of small graphs for `unseen_small.py`: a seed makes them, most have 2,000 to 60,000 edges.

Vertices are numbered at random.  Kinds that `unseen_graphs.py` has are made by it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import networkx as nx
import numpy as np
from scipy import sparse
from scipy.spatial import Delaunay, cKDTree
from unseen_graphs import MADE as LARGE
from unseen_graphs import Draw, power_law_communities, simple

from gpucore.problems.graph.convert import from_networkx
from gpucore.problems.graph.graph import Graph


def of_networkx(maker: Callable[..., nx.Graph], *sizes: float, **options: float) -> Maker:
    """Return the maker of one of NetworkX's graphs, with its `seed` if it has one."""

    def make(draw: Draw) -> Graph:
        return renumbered(from_networkx(nx.Graph(maker(*sizes, **options))), draw)

    return make


def seeded(maker: Callable[..., nx.Graph], *sizes: float, **options: float) -> Maker:
    """Return the maker of one of NetworkX's random graphs."""

    def make(draw: Draw) -> Graph:
        seed = int(draw.integers(1 << 31))
        return renumbered(from_networkx(nx.Graph(maker(*sizes, seed=seed, **options))), draw)

    return make


def renumbered(graph: Graph, draw: Draw) -> Graph:
    """Return the graph with other numbers of its vertices."""
    number = draw.permutation(graph.num_vertices)
    u, v, w = graph.edges_and_loops()
    weights = w if graph.weighted else None
    return Graph.from_edges(graph.num_vertices, number[u], number[v], weights)


def blocks(draw: Draw, sizes: np.ndarray, inside: float, outside: float) -> Graph:
    """Return a stochastic block model with so many neighbours inside and outside, on average."""
    n, label = int(sizes.sum()), np.repeat(np.arange(len(sizes)), sizes)
    start, size = np.cumsum(sizes) - sizes, sizes[label]
    u = np.repeat(np.arange(n), draw.poisson(inside / 2, n))
    v = start[label[u]] + (draw.random(len(u)) * size[u]).astype(np.int64)
    far = draw.integers(0, n, (2, int(outside * n / 2)))
    return simple(n, np.concatenate([u, far[0]]), np.concatenate([v, far[1]]), draw)


def nested(draw: Draw) -> Graph:
    """Return communities of communities of communities: eight, of eight, of 32 vertices."""
    n = 2048
    u = np.repeat(np.arange(n), 12)
    level = draw.choice([32, 256, n], len(u), p=[0.6, 0.25, 0.15])
    v = u // level * level + (draw.random(len(u)) * level).astype(np.int64)
    return simple(n, u, v, draw)


def power_law(draw: Draw, exponent: float, size: int = 4000, mean: int = 8) -> Graph:
    """Return expected degrees by a power law, ends drawn by them (Chung and Lu)."""
    expected = (np.arange(size) + 10.0) ** (-1 / (exponent - 1))
    ends = draw.choice(size, (2, mean * size // 2), p=expected / expected.sum())
    return simple(size, ends[0], ends[1], draw)


def rmat(draw: Draw, a: float, b: float, scale: int = 11, factor: int = 8) -> Graph:
    """Return an R-MAT graph whose corners are a, b, b, and the rest."""
    corner = draw.choice(4, (factor << scale, scale), p=[a, b, b, 1 - a - 2 * b])
    place = 1 << np.arange(scale)
    return simple(1 << scale, (corner // 2) @ place, (corner % 2) @ place, draw)


def attached(draw: Draw, size: int, edges: int) -> Graph:
    """Return the graph of preferential attachment."""
    return LARGE["preferential attachment"][0](size, draw, edges)  # type: ignore[call-arg]


def near(draw: Draw, dimensions: int, size: int = 3000, neighbours: float = 10.0) -> Graph:
    """Return points in a cube, joined where they are near; so many neighbours on average."""
    points = draw.random((size, dimensions))
    volume = {1: 2.0, 2: np.pi, 3: 4.19}[dimensions]
    pairs = cKDTree(points).query_pairs((neighbours / size / volume) ** (1 / dimensions))
    return simple(size, *np.array(sorted(pairs)).T, draw)


def delaunay(draw: Draw, size: int = 4000) -> Graph:
    """Return a Delaunay triangulation of random points."""
    corners = Delaunay(draw.random((size, 2))).simplices
    u, v = corners.ravel(), np.roll(corners, 1, axis=1).ravel()
    return simple(size, u, v, draw)


def recursive_tree(draw: Draw, size: int = 5000) -> Graph:
    """Return a tree whose vertices come one by one, each joined to any before it."""
    later = np.arange(1, size)
    return simple(size, later, (draw.random(size - 1) * later).astype(np.int64), draw)


def two_sides(draw: Draw, groups: int, mixed: float, size: int = 1500, mean: int = 12) -> Graph:
    """Return a bipartite graph of several groups, a share of whose edges ends anywhere."""
    u = np.repeat(np.arange(size), mean)
    v = draw.integers(0, size // groups, len(u)) * groups + u % groups
    v = np.where(draw.random(len(u)) < mixed, draw.integers(0, size, len(u)), v)
    return simple(2 * size, u, size + v, draw)


def weighted(draw: Draw, maker: Maker, tail: float) -> Graph:
    """Return a graph with weights whose tail is that of a power law."""
    u, v, _ = (graph := maker(draw)).edges()
    return Graph.from_edges(graph.num_vertices, u, v, 1 + draw.pareto(tail, len(u)))


def similarities(draw: Draw, size: int = 300, groups: int = 6) -> Graph:
    """Return a complete graph of similarities between noisy copies of a few patterns."""
    patterns = draw.normal(size=(groups, 20))
    rows = patterns[draw.integers(0, groups, size)] + 1.5 * draw.normal(size=(size, 20))
    u, v = np.triu_indices(size, 1)
    return Graph.from_edges(size, u, v, np.exp(-0.05 * ((rows[u] - rows[v]) ** 2).sum(axis=1)))


def components(draw: Draw, count: int = 300) -> Graph:
    """Return random graphs of 2 to 40 vertices, a few of them with a vertex in the largest."""
    sizes = draw.integers(2, 41, count)
    first = np.cumsum(sizes) - sizes
    part = np.repeat(np.arange(count), 2 * sizes)
    u, v = (first[part] + draw.integers(0, sizes[part]) for _ in "uv")
    return simple(int(sizes.sum()), u, v, draw)


def stars(draw: Draw, hubs: int = 40, leaves: int = 60, bridges: int = 200) -> Graph:
    """Return stars, some of whose leaves are joined to other hubs."""
    n = hubs * (leaves + 1)
    u = hubs + np.arange(hubs * leaves)
    v = np.repeat(np.arange(hubs), leaves)
    more, other = draw.choice(u, bridges), draw.integers(0, hubs, bridges)
    return simple(n, np.concatenate([u, more]), np.concatenate([v, other]), draw)


def summed(draw: Draw, size: int = 1500) -> Graph:
    """Return calls between people of groups: many between the same two, which are added up."""
    group = draw.integers(0, 25, size)
    active = draw.pareto(1.5, size) + 1
    u = draw.choice(size, 60_000, p=active / active.sum())
    v = draw.choice(size, 60_000, p=active / active.sum())
    kept = (u != v) & ((group[u] == group[v]) | (draw.random(len(u)) < 0.1))
    matrix = sparse.coo_array((np.ones(kept.sum()), (u[kept], v[kept])), (size, size)).tocsr()
    u, v = sparse.triu(both := matrix + matrix.T, 1).nonzero()
    return Graph.from_edges(size, u, v, np.asarray(both[u, v]).ravel())


def looped(draw: Draw, size: int = 2000) -> Graph:
    """Return blocks whose vertices have self-loops, heavy ones too."""
    u, v, _ = blocks(draw, np.full(40, size // 40), 8, 4).edges()
    loop = draw.permutation(size)[: size // 2]
    weights = np.concatenate([np.ones(len(u)), draw.pareto(1.2, len(loop))])
    return Graph.from_edges(size, np.concatenate([u, loop]), np.concatenate([v, loop]), weights)


def without_weight(draw: Draw, size: int = 2000) -> Graph:
    """Return blocks with weights, a third of which are zero."""
    u, v, _ = blocks(draw, np.full(20, size // 20), 12, 6).edges()
    weights = draw.integers(1, 6, len(u)) * (draw.random(len(u)) < 2 / 3)
    return Graph.from_edges(size, u, v, weights)


def duplicated(draw: Draw, size: int = 3000) -> Graph:
    """Return a network of proteins: a copy of a vertex keeps .4 of its edges."""
    return renumbered(
        from_networkx(nx.duplication_divergence_graph(size, 0.4, seed=int(draw.integers(1 << 31)))),
        draw,
    )


def citations(draw: Draw, size: int = 3000) -> Graph:
    """Return papers, each of which cites a paper and half of what is around it."""
    around: list[list[int]] = [[]]
    for paper in range(1, size):
        cited = int(draw.integers(paper))
        more = [other for other in around[cited][:40] if draw.random() < 0.5]
        around.append([cited, *more])
        for other in around[-1]:
            around[other].append(paper)
    u = np.repeat(np.arange(size), [len(row) for row in around])
    return simple(size, u, np.concatenate([np.array(row, np.int64) for row in around]), draw)


def large(kind: str, size: int) -> Maker:
    """Return the maker of a kind of large graphs, for a small one."""
    return partial(LARGE[kind][0], size)


Maker = Callable[[Draw], Graph]

#: Makers of the kinds by name.
KINDS: dict[str, Maker] = {
    **{
        f"LFR, mixing {m}": partial(power_law_communities, 2000, outside=m)
        for m in (0.1, 0.3, 0.5, 0.65)
    },
    "20 blocks": lambda draw: blocks(draw, np.full(20, 100), 10, 3),
    "8 weak blocks": lambda draw: blocks(draw, np.full(8, 250), 8, 8),
    "unequal blocks": lambda draw: blocks(draw, 2 ** np.arange(4, 11), 12, 4),
    "nested blocks": nested,
    **{f"Chung-Lu, {e}": partial(power_law, exponent=e) for e in (2.1, 2.5, 3.0)},
    "R-MAT, .45": lambda draw: rmat(draw, 0.45, 0.22),
    "R-MAT, .57": lambda draw: rmat(draw, 0.57, 0.19),
    "R-MAT, .7": lambda draw: rmat(draw, 0.7, 0.12),
    "random": lambda draw: rmat(draw, 0.25, 0.25, factor=4),
    "random, dense": lambda draw: rmat(draw, 0.25, 0.25, scale=9, factor=60),
    "attachment, 2 edges": lambda draw: attached(draw, 4000, 2),
    "attachment, 12 edges": lambda draw: attached(draw, 3000, 12),
    "small world, .01": seeded(nx.watts_strogatz_graph, 3000, 8, 0.01),
    "small world, .1": seeded(nx.watts_strogatz_graph, 3000, 8, 0.1),
    "small world, .4": seeded(nx.watts_strogatz_graph, 3000, 8, 0.4),
    "points on a line": partial(near, dimensions=1),
    "points in a square": partial(near, dimensions=2),
    "points in a cube": partial(near, dimensions=3),
    "Delaunay": delaunay,
    "grid": of_networkx(nx.grid_2d_graph, 60, 60),
    "torus": of_networkx(nx.grid_2d_graph, 50, 50, periodic=True),
    "grid of cubes": of_networkx(lambda: nx.grid_graph([15, 15, 15])),
    "triangles": of_networkx(nx.triangular_lattice_graph, 50, 90),
    "hexagons": of_networkx(nx.hexagonal_lattice_graph, 40, 40),
    "subdivided grid": large("subdivided grid", 5000),
    "hypercube": of_networkx(nx.hypercube_graph, 11),
    "3-regular": seeded(nx.random_regular_graph, 3, 3000),
    "recursive tree": recursive_tree,
    "binary tree": of_networkx(nx.balanced_tree, 2, 11),
    "path": of_networkx(nx.path_graph, 3000),
    "ring of cliques": large("ring of cliques", 2400),
    "caves": seeded(nx.relaxed_caveman_graph, 150, 12, 0.25),
    "windmill": of_networkx(nx.windmill_graph, 120, 8),
    "two sides, 12 groups": lambda draw: two_sides(draw, 12, 0.3),
    "two sides": lambda draw: two_sides(draw, 1, 0.0, mean=3),
    "heavy weights, blocks": lambda draw: weighted(draw, KINDS["8 weak blocks"], 1.2),
    "heavy weights, power law": lambda draw: weighted(draw, KINDS["Chung-Lu, 2.5"], 1.5),
    "heavy weights, points": lambda draw: weighted(draw, KINDS["points in a square"], 0.8),
    "similarities": similarities,
    "components": components,
    "stars": stars,
    "calls, summed": summed,
    "self-loops": looped,
    "weights of zero": without_weight,
    "proteins": duplicated,
    "citations": citations,
}


def make(kind: str, seed: int) -> Graph:
    """Return the graph of a kind."""
    return KINDS[kind](np.random.default_rng((seed, list(KINDS).index(kind))))
