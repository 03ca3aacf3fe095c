"""Where to draw the vertices of a graph.

Pivot MDS (Brandes and Pich, "Eigensolver methods for progressive multidimensional scaling of
large data", GD 2006, section 4) lays out distances to a few pivots; it gets the large shape right
in linear time.  A spring model (Fruchterman and Reingold, "Graph drawing by force-directed
placement", 1991) then spreads what lies too close.  NetworkX's layouts take tens of seconds for
a thousand vertices, which is too long to wait for a page.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, triu
from scipy.sparse.csgraph import connected_components, dijkstra
from scipy.spatial import cKDTree

from gpucore.graph import Graph

PIVOTS = 60
ROUNDS = 120
#: Up to here every pair of vertices repels; beyond, only pairs nearer than REACH spring lengths.
EXACT_REPULSION = 600
REACH = 4.0
#: Larger graphs are not drawn as nodes and edges.
MAX_VERTICES = 20_000


def layout(graph: Graph, *, seed: int = 0) -> np.ndarray | None:
    """Return positions for the vertices of a graph.

    Parameters
    ----------
    graph : Graph
        With n vertices; its own coordinates are used if it has some.
    seed : int
        For what is random; the same seed gives the same picture.

    Returns
    -------
    ndarray of float32, shape (n, 2), or None
        The larger side spans -1 to 1, the y-axis points up; None if the graph is too large.
    """
    if graph.coordinates is not None:
        return fit(graph.coordinates)
    if graph.num_vertices > MAX_VERTICES:
        return None
    rng = np.random.default_rng(seed)
    matrix = graph.to_scipy()
    _, label = connected_components(matrix, directed=False)
    positions = np.zeros((graph.num_vertices, 2))
    members = np.split(np.argsort(label, kind="stable"), np.cumsum(np.bincount(label))[:-1])
    for vertices in members:
        if len(vertices) > 1:
            positions[vertices] = level(spring(matrix[vertices][:, vertices], rng))
    pack(positions, members)
    return fit(positions)


def fit(positions: np.ndarray) -> np.ndarray:
    """Centre positions and scale them so that the larger side spans -1 to 1."""
    if not len(positions):
        return np.zeros((0, 2), dtype=np.float32)
    low, high = positions.min(axis=0), positions.max(axis=0)
    half = float((high - low).max()) / 2 or 1.0
    return ((positions - (low + high) / 2) / half).astype(np.float32)


def level(positions: np.ndarray) -> np.ndarray:
    """Turn positions so that they extend most from left to right."""
    centred = positions - positions.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    return centred @ axes[:, ::-1]


def pack(positions: np.ndarray, members: list[np.ndarray], margin: float = 1.0) -> None:
    """Put components side by side in rows, the largest first; changes `positions`."""
    members = sorted(members, key=lambda vertices: -len(vertices))
    sizes = [np.ptp(positions[vertices], axis=0) + margin for vertices in members]
    width = max(sizes[0][0] if sizes else 0.0, np.sqrt(1.8 * sum(w * h for w, h in sizes)))
    x = y = height = 0.0
    for vertices, (w, h) in zip(members, sizes, strict=True):
        if x + w > width + 1e-9 and x > 0:
            x, y, height = 0.0, y - height, 0.0
        corner = np.array([positions[vertices, 0].min(), positions[vertices, 1].max()])
        positions[vertices] += np.array([x, y]) - corner
        x, height = x + w, max(height, h)


def pivot_mds(matrix: csr_array, rng: np.random.Generator) -> np.ndarray:
    """Place a component's vertices so that distances to some pivots are kept, more or less."""
    n = matrix.shape[0]
    pivots = rng.choice(n, size=min(n, PIVOTS), replace=False)
    squared = dijkstra(matrix, indices=pivots, unweighted=True).T ** 2
    centred = squared - squared.mean(axis=0) - squared.mean(axis=1)[:, None] + squared.mean()
    _, vectors = np.linalg.eigh(centred.T @ centred)
    positions = centred @ vectors[:, [-1, -2]]
    scale = np.sqrt(n) / (np.abs(positions).max(initial=0) or 1.0)
    # Vertices with equal distances (leaves of a star) coincide: part them.
    return positions * scale + rng.normal(scale=0.05, size=(n, 2))


def spring(matrix: csr_array, rng: np.random.Generator) -> np.ndarray:
    """Let edges pull and vertices push; the step shrinks round by round.

    Lengths are in units of the springs', so n vertices fill about n square units.
    """
    positions = pivot_mds(matrix, rng)
    n = len(positions)
    u, v = triu(matrix, 1).nonzero()
    for round_number in range(ROUNDS):
        force = _push(positions)
        delta = positions[u] - positions[v]
        pull = delta * np.linalg.norm(delta, axis=1, keepdims=True)
        for axis in (0, 1):
            force[:, axis] -= np.bincount(u, weights=pull[:, axis], minlength=n)
            force[:, axis] += np.bincount(v, weights=pull[:, axis], minlength=n)
        size = np.linalg.norm(force, axis=1, keepdims=True)
        step = 0.12 * np.sqrt(n) * (1 - round_number / ROUNDS) ** 1.5 + 0.01
        positions += force / np.maximum(size, 1e-9) * np.minimum(size, step)
    return positions


def _push(positions: np.ndarray) -> np.ndarray:
    """Return the sum of 1/distance over the other vertices, away from them."""
    n = len(positions)
    if n <= EXACT_REPULSION:
        delta = positions[:, None] - positions[None]
        square = np.einsum("ijk,ijk->ij", delta, delta) + 1e-4
        return np.einsum("ijk,ij->ik", delta, 1 / square)
    pairs = cKDTree(positions).query_pairs(REACH, output_type="ndarray")
    one, other = pairs[:, 0], pairs[:, 1]
    delta = positions[one] - positions[other]
    away = delta / (np.einsum("ij,ij->i", delta, delta) + 1e-4)[:, None]
    push = np.empty_like(positions)
    for axis in (0, 1):
        push[:, axis] = np.bincount(one, weights=away[:, axis], minlength=n)
        push[:, axis] -= np.bincount(other, weights=away[:, axis], minlength=n)
    return push
