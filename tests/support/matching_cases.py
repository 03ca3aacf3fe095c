"""Graphs to match, and slow, simple reference methods."""

from __future__ import annotations

from functools import cache

import numpy as np
from hypothesis import strategies as st

from gpucore.problems.graph.graph import Graph


def graph_of(n, pairs, weights):
    """Make a graph of pairs ``(u, v)``."""
    ends = np.array(sorted(pairs), np.int64).reshape(-1, 2)
    return Graph.from_edges(n, ends[:, 0], ends[:, 1], np.asarray(weights, np.float32))


def random_graph(n, m, seed, levels=None):
    """Make a random graph of at most `m` edges, of `levels` distinct weights if given."""
    rng = np.random.default_rng(seed)
    u, v = rng.integers(0, n, (2, m))
    u, v = u[u != v], v[u != v]
    if levels is None:
        w = 1 - rng.random(u.size, dtype=np.float32)
    else:
        w = rng.integers(1, levels + 1, u.size).astype(np.float32)
    return Graph.from_edges(n, u, v, w, duplicates="first")


def skewed_graph(scale, m, seed, levels=None):
    """Make an R-MAT graph (Chakrabarti, Zhan and Faloutsos 2004): few hubs, many leaves."""
    rng = np.random.default_rng(seed)
    quadrant = rng.choice(4, (scale, m), p=[0.57, 0.19, 0.19, 0.05])
    digits = 1 << np.arange(scale)[:, None]
    u, v = ((quadrant >> 1) * digits).sum(0), ((quadrant & 1) * digits).sum(0)
    u, v = u[u != v], v[u != v]
    w = 1 - rng.random(u.size) if levels is None else rng.integers(1, levels + 1, u.size)
    return Graph.from_edges(1 << scale, u, v, w, duplicates="first")


def _star(n):
    return [(0, v) for v in range(1, n)]


def _path(n):
    return [(v, v + 1) for v in range(n - 1)]


def _clique(n):
    return [(u, v) for v in range(n) for u in range(v)]


def _cycle(n):
    return [*_path(n), (0, n - 1)] if n > 2 else _path(n)


def _two_parts(n):
    return [(u, v) for u in range(n // 2) for v in range(n // 2, n)]


def _two_components(n):
    half = n // 2
    return _clique(half) + [(half + u, half + v) for u, v in _path(n - half)]


def _nothing(n):
    return []


SHAPES = {
    "star": _star,
    "path": _path,
    "clique": _clique,
    "cycle": _cycle,
    "complete bipartite": _two_parts,
    "two components": _two_components,
    "isolated": _nothing,
}


@st.composite
def shaped(draw, max_vertices):
    """Regular shapes; vertices renumbered, since ties and schedules depend on the numbers."""
    n = draw(st.integers(0, max_vertices))
    pairs = SHAPES[draw(st.sampled_from(sorted(SHAPES)))](n)
    label = draw(st.permutations(range(n)))
    return n, sorted({tuple(sorted((label[u], label[v]))) for u, v in pairs})


@st.composite
def gnp(draw, max_vertices):
    """Every edge with the same probability."""
    n = draw(st.integers(1, max_vertices))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    present = rng.random(n * (n - 1) // 2) < draw(st.sampled_from([0.05, 0.2, 0.5, 0.9]))
    return n, [pair for pair, there in zip(_clique(n), present, strict=True) if there]


@st.composite
def rmat(draw, max_scale=5):
    """Few hubs, many leaves, isolated vertices."""
    scale = draw(st.integers(1, max_scale))
    seed = draw(st.integers(0, 2**32 - 1))
    u, v, _ = skewed_graph(scale, draw(st.integers(1, 4)) << scale, seed).edges()
    return 1 << scale, list(zip(u.tolist(), v.tolist(), strict=True))


@st.composite
def graphs(draw, max_vertices=24, weights=("equal", "few", "distinct", "random")):
    """All shapes with all kinds of weights."""
    families = [shaped(max_vertices), gnp(max_vertices)]
    if max_vertices >= 32:
        families.append(rmat())
    n, pairs = draw(st.one_of(families))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    m = len(pairs)
    kind = draw(st.sampled_from(weights))
    w = {
        "equal": np.ones(m),
        "few": rng.integers(1, 4, m),
        "distinct": rng.permutation(m) + 1,
        "random": 1 - rng.random(m, dtype=np.float32),
    }[kind]
    return graph_of(n, pairs, w)


def greedy_mates(graph):
    """Match the heaviest edges first, in the order (weight, larger end, smaller end)."""
    edges = zip(*(a.tolist() for a in graph.edges()), strict=True)
    mate = np.full(graph.num_vertices, -1, np.int32)
    for _, v, u in sorted(((w, v, u) for u, v, w in edges if w > 0), reverse=True):
        if mate[u] < 0 and mate[v] < 0:
            mate[u], mate[v] = v, u
    return mate


def heaviest_weight(graph):
    """Weight of a heaviest matching of a tiny graph, by trying every set of vertices."""
    rows = [
        list(zip(*(a.tolist() for a in graph.neighbours(v)), strict=True))
        for v in range(graph.num_vertices)
    ]

    @cache
    def best(left):
        if left == 0:
            return 0.0
        v = left.bit_length() - 1
        rest = left & ~(1 << v)
        with_v = [w + best(rest & ~(1 << u)) for u, w in rows[v] if rest >> u & 1]
        return max([best(rest), *with_v])

    return best((1 << graph.num_vertices) - 1)
