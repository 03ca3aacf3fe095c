"""Force-directed layout of graphs without coordinates.

Connected parts are laid out one by one and packed side by side. NetworkX lays out small graphs. It
computes all pairs and takes over a minute for 5,000 vertices, so larger graphs are laid out here by
the same forces [1]_ with the idea of the grid variant: repulsion ends at a distance, and a k-d tree
finds the vertices within it. They start from eigenvectors of the walk matrix [2]_, which unfold
meshes that local forces alone would leave crumpled.

.. [1] T. M. J. Fruchterman and E. M. Reingold, "Graph drawing by force-directed placement",
   Software: Practice and Experience 21(11), 1991.
.. [2] Y. Koren, "Drawing graphs by eigenvectors: theory and practice", Computers & Mathematics
   with Applications 49, 2005.
"""

from __future__ import annotations

from collections.abc import Callable

import networkx as nx
import numpy as np
from scipy import sparse
from scipy.sparse import csgraph
from scipy.sparse.linalg import ArpackNoConvergence, eigsh
from scipy.spatial import KDTree

from gpucore.progress import Cancel, Progress, check

#: Largest number of vertices for NetworkX, which then takes less than a second.
NETWORKX_VERTICES = 250

#: Largest number of vertices for the slower start by path lengths, which untangles graphs best.
PATH_VERTICES = 120

#: Rounds of the forces: for parts of up to 30 vertices, and for larger ones.
ROUNDS = (30, 80)

#: Repulsion ends at this many natural edge lengths, sooner where vertices crowd.
REACH = 3.0

#: Pairs that repel each other, per vertex; more would take too long.
PAIRS = 40

#: Above this degree a vertex pulls less at each of its edges, so that hubs keep their distance.
HUB = 8

#: Width of a drawing over its height; most screens are wider than high.
ASPECT = 1.6


def lay_out(
    n: int,
    u: np.ndarray,
    v: np.ndarray,
    *,
    seed: int = 1,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> np.ndarray:
    """Return positions for the vertices of a graph.

    Parameters
    ----------
    n : int
        Number of vertices.
    u, v : ndarray of int, shape (m,)
        Edges.
    seed : int
        Same seed, same layout.

    Returns
    -------
    ndarray of float32, shape (n, 2)
        Centred, the larger side spans -1 to 1.

    Raises
    ------
    Cancelled
    """
    if n == 0:
        return np.zeros((0, 2), np.float32)
    if progress is not None:
        progress("laying the graph out", 0, 0)
    ones = np.ones(len(u), np.int8)
    _, part = csgraph.connected_components(sparse.coo_array((ones, (u, v)), shape=(n, n)))
    members = _groups(part)
    edges = _groups(part[u], len(members))
    place = np.empty(n, np.int64)
    laid = []
    for inside, own in zip(members, edges, strict=True):
        check(cancel)
        place[inside] = np.arange(len(inside))
        ends = place[u[own]], place[v[own]]
        if n <= NETWORKX_VERTICES:
            positions = _networkx(len(inside), *ends, seed)
        else:
            positions = _by_forces(len(inside), *ends, seed, progress, cancel)
        laid.append(_even(positions))
    xy = np.empty((n, 2))
    for inside, corner, positions in zip(members, _pack(laid), laid, strict=True):
        xy[inside] = positions + corner
    return fit(xy)


def fit(xy: np.ndarray) -> np.ndarray:
    """Centre positions and scale them so that the larger side spans -1 to 1."""
    xy = np.asarray(xy, dtype=np.float64)
    if not len(xy):
        return np.zeros((0, 2), np.float32)
    low, high = xy.min(axis=0), xy.max(axis=0)
    half = float((high - low).max()) / 2 or 1.0
    return ((xy - (low + high) / 2) / half).astype(np.float32)


def _groups(labels: np.ndarray, count: int | None = None) -> list[np.ndarray]:
    """Return the positions of each label, in one pass over the array."""
    order = np.argsort(labels, kind="stable")
    sizes = np.bincount(labels, minlength=count or 0)
    return np.split(order, np.cumsum(sizes)[:-1])


def _even(xy: np.ndarray) -> np.ndarray:
    """Turn a connected part level, scale it to about one vertex a unit square, corner at 0."""
    if len(xy) == 1:
        return np.zeros((1, 2))
    xy = _level(xy)
    area = float(np.prod(np.maximum(np.ptp(xy, axis=0), 0.2 * np.ptp(xy))))
    xy *= np.sqrt(1.5 * len(xy) / max(area, 1e-12))
    return xy - xy.min(axis=0)


def _level(xy: np.ndarray) -> np.ndarray:
    """Turn the positions so that their longest extent is horizontal."""
    xy = xy - xy.mean(axis=0)
    axes = np.linalg.svd(xy, full_matrices=False)[2]
    return xy @ axes.T


def _networkx(n: int, u: np.ndarray, v: np.ndarray, seed: int) -> np.ndarray:
    graph: nx.Graph = nx.empty_graph(n)
    graph.add_edges_from(zip(u.tolist(), v.tolist(), strict=True))
    start = nx.kamada_kawai_layout(graph) if 2 < n <= PATH_VERTICES else None
    # Twice the usual distance: vertices are drawn as large as their names can be read.
    placed = nx.spring_layout(
        graph, k=2 / np.sqrt(n), pos=start, seed=seed, iterations=80, method="force"
    )
    return np.array([placed[vertex] for vertex in range(n)])


def _by_forces(
    n: int,
    u: np.ndarray,
    v: np.ndarray,
    seed: int,
    progress: Progress | None,
    cancel: Cancel | None,
) -> np.ndarray:
    """Lay a connected part of a larger graph out."""
    if n <= 30:
        angle = 2 * np.pi * np.arange(n) / n
        start = np.sqrt(n) * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    else:
        start = _eigenvectors(n, u, v, seed)
    return _forces(start, u, v, progress, cancel)


def _eigenvectors(n: int, u: np.ndarray, v: np.ndarray, seed: int) -> np.ndarray:
    """Return the second and third eigenvector of the walk matrix, spread evenly."""
    ends = np.concatenate([u, v]), np.concatenate([v, u])
    adjacency = sparse.coo_array((np.ones(len(ends[0])), ends), shape=(n, n)).tocsr()
    root = 1.0 / np.sqrt(adjacency.sum(axis=1))
    walk = sparse.diags_array(root) @ adjacency @ sparse.diags_array(root)
    guess = np.random.default_rng(seed).standard_normal((n, 3))
    try:
        vectors = eigsh(walk, k=3, which="LA", v0=guess[:, 0], tol=1e-3, maxiter=200)[1]
    except ArpackNoConvergence:
        vectors = guess
    xy = vectors[:, -3:-1] * root[:, None]
    # Eigenvectors crowd most vertices into few places; their ranks do not.
    ranks = np.argsort(np.argsort(xy, axis=0), axis=0)
    return (ranks / n + 0.3 * xy / np.abs(xy).max()) * np.sqrt(n)


def _forces(
    xy: np.ndarray,
    u: np.ndarray,
    v: np.ndarray,
    progress: Progress | None,
    cancel: Cancel | None,
) -> np.ndarray:
    """Pull along edges, push between neighbours in space, and cool down."""
    n = len(xy)
    rounds = ROUNDS[n > 30]
    degrees = np.bincount(np.concatenate([u, v]), minlength=n)
    gentle = 1.0 / np.sqrt(np.maximum(1.0, np.maximum(degrees[u], degrees[v]) / HUB))
    # Every edge pulls; stronger pushes keep dense graphs from shrinking to a lump.
    strength = max(1.0, np.sqrt(len(u) / n))
    reach = REACH
    for done in range(rounds):
        check(cancel)
        if progress is not None and rounds == ROUNDS[1]:
            progress("laying the graph out", done, rounds)
        move = np.zeros_like(xy)
        pairs = KDTree(xy).query_pairs(reach, output_type="ndarray")
        _push(move, xy, pairs[:, 0], pairs[:, 1], lambda d: strength * (1.0 / d - 1.0 / REACH))
        _push(move, xy, u, v, lambda d: -d * d * gentle)
        # A weak pull to the middle keeps loose ends from flying off.
        move -= (xy - xy.mean(axis=0)) * 0.004
        length = np.linalg.norm(move, axis=1, keepdims=True)
        heat = 0.06 * np.sqrt(n) * (1 - done / rounds) ** 2 + 0.02
        xy = xy + move * np.minimum(1.0, heat / np.maximum(length, 1e-9))
        # The number of pairs grows with the square of the reach.
        reach = min(REACH, reach * np.sqrt(PAIRS * n / max(len(pairs), 1)))
    return xy


def _push(
    move: np.ndarray,
    xy: np.ndarray,
    one: np.ndarray,
    other: np.ndarray,
    force: Callable[[np.ndarray], np.ndarray],
) -> None:
    """Add a force that depends on the distance to both ends of pairs, with opposite signs."""
    between = xy[one] - xy[other]
    distance = np.maximum(np.linalg.norm(between, axis=1), 0.05)
    push = between * (force(distance) / distance)[:, None]
    for axis in (0, 1):
        move[:, axis] += np.bincount(one, push[:, axis], len(move))
        move[:, axis] -= np.bincount(other, push[:, axis], len(move))


def _pack(laid: list[np.ndarray]) -> np.ndarray:
    """Return a corner for every part: rows of parts, the largest first."""
    margin = 1.5
    boxes = np.array([np.ptp(xy, axis=0) for xy in laid]).reshape(-1, 2) + margin
    width = max(
        float(np.sqrt(ASPECT * boxes.prod(axis=1).sum())), float(boxes[:, 0].max(initial=0))
    )
    corners = np.zeros_like(boxes)
    x = y = height = 0.0
    for i in np.argsort(-boxes.prod(axis=1), kind="stable"):
        if x > 0 and x + boxes[i, 0] > width:
            x, y, height = 0.0, y + height, 0.0
        corners[i] = x, y
        x += boxes[i, 0]
        height = max(height, boxes[i, 1])
    return corners
