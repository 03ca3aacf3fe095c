"""Where to draw the vertices of a graph that brings no coordinates.

Connected parts are laid out by themselves and packed side by side. Small parts are left to
NetworkX. It computes all pairs and takes over a minute for 5,000 vertices, so larger parts are
laid out here by the same forces [1]_ with the idea of the grid variant: repulsion ends at a
distance, and a k-d tree finds the vertices within it. They start from eigenvectors of the walk
matrix [2]_, which unfold meshes that local forces alone would leave crumpled.

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

from gpucore.errors import GraphError
from gpucore.progress import Cancel, Progress, check

#: Up to here NetworkX takes less than a second.
NETWORKX_VERTICES = 250

#: Up to here the slower start by path lengths is taken, which untangles small graphs best.
PATH_VERTICES = 120

#: Rounds of the forces for larger parts.
ROUNDS = 80

#: Repulsion ends at this many natural edge lengths.
REACH = 3.0

#: Width of a drawing over its height; most screens are wider than high.
ASPECT = 1.6


def lay_out(
    n: int,
    u: np.ndarray,
    v: np.ndarray,
    *,
    limit: int,
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
    limit : int
        Largest `n` that is laid out.
    seed : int
        Same seed, same layout.

    Returns
    -------
    ndarray of float32, shape (n, 2)
        Within the unit square, centred, both axes at the same scale.

    Raises
    ------
    GraphError
        If the graph has more than `limit` vertices.
    Cancelled
    """
    if n > limit:
        raise GraphError(f"a layout of {n:,} vertices is more than the {limit:,} drawn here")
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
        laid.append(_one_part(len(inside), place[u[own]], place[v[own]], seed, progress, cancel))
    xy = np.empty((n, 2))
    for inside, corner, positions in zip(members, _pack(laid), laid, strict=True):
        xy[inside] = positions + corner
    return fit(xy)


def fit(xy: np.ndarray) -> np.ndarray:
    """Move and scale positions into the unit square without distorting them."""
    xy = np.asarray(xy, dtype=np.float64)
    if not len(xy):
        return np.zeros((0, 2), np.float32)
    low, high = xy.min(axis=0), xy.max(axis=0)
    extent = float((high - low).max()) or 1.0
    return ((xy - (low + high) / 2) / extent + 0.5).astype(np.float32)


def _groups(labels: np.ndarray, count: int | None = None) -> list[np.ndarray]:
    """Return for each label where it stands, without a pass over the array for each of them."""
    order = np.argsort(labels, kind="stable")
    sizes = np.bincount(labels, minlength=count or 0)
    return np.split(order, np.cumsum(sizes)[:-1])


def _one_part(
    n: int,
    u: np.ndarray,
    v: np.ndarray,
    seed: int,
    progress: Progress | None,
    cancel: Cancel | None,
) -> np.ndarray:
    """Lay a connected part out at about one vertex a unit square, lower left corner at 0."""
    if n <= 2:
        return np.array([[0.0, 0.0], [1.0, 0.0]][:n]).reshape(n, 2)
    if n <= NETWORKX_VERTICES:
        xy = _networkx(n, u, v, seed)
    else:
        xy = _forces(_eigenvectors(n, u, v, seed), u, v, progress, cancel)
    xy = _level(xy)
    area = float(np.prod(np.maximum(np.ptp(xy, axis=0), 0.2 * np.ptp(xy))))
    xy *= np.sqrt(1.5 * n / area)
    return xy - xy.min(axis=0)


def _level(xy: np.ndarray) -> np.ndarray:
    """Turn the positions so that their longest extent is horizontal."""
    xy = xy - xy.mean(axis=0)
    axes = np.linalg.svd(xy, full_matrices=False)[2]
    return xy @ axes.T


def _networkx(n: int, u: np.ndarray, v: np.ndarray, seed: int) -> np.ndarray:
    graph: nx.Graph = nx.empty_graph(n)
    graph.add_edges_from(zip(u.tolist(), v.tolist(), strict=True))
    start = nx.kamada_kawai_layout(graph) if n <= PATH_VERTICES else None
    placed = nx.spring_layout(graph, pos=start, seed=seed, iterations=60, method="force")
    return np.array([placed[vertex] for vertex in range(n)])


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
    for done in range(ROUNDS):
        check(cancel)
        if progress is not None:
            progress("laying the graph out", done, ROUNDS)
        move = np.zeros_like(xy)
        pairs = KDTree(xy).query_pairs(REACH, output_type="ndarray")
        _add(move, pairs[:, 0], pairs[:, 1], xy, lambda d: 1.0 / d - 1.0 / REACH)
        _add(move, u, v, xy, lambda d: -d * d)
        # A weak pull to the middle keeps loose ends from flying off.
        move -= (xy - xy.mean(axis=0)) * 0.004
        length = np.linalg.norm(move, axis=1, keepdims=True)
        heat = 0.06 * np.sqrt(len(xy)) * (1 - done / ROUNDS) ** 2 + 0.02
        xy = xy + move * np.minimum(1.0, heat / np.maximum(length, 1e-9))
    return xy


def _add(
    move: np.ndarray,
    one: np.ndarray,
    other: np.ndarray,
    xy: np.ndarray,
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
