"""Arrays of mates with planted mistakes."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

KINDS = ("dropped", "any", "itself", "one end", "other pair", "exchanged", "type", "shape", "far")


@st.composite
def wrong_mates(draw, graph, right):
    """Draw mates that differ from the right ones in one place or in many."""
    n = graph.num_vertices
    mate, kind = right.copy(), draw(st.sampled_from(KINDS))
    if kind == "type":
        return draw(st.sampled_from([mate.astype(np.float64), mate.astype(np.int64), mate + 0.5]))
    if kind == "shape":
        return draw(st.sampled_from([mate[:-1], mate[None], np.append(mate, -1)]))
    if n == 0:
        return mate
    u, v = draw(st.integers(0, n - 1)), draw(st.integers(0, n - 1))
    if kind == "far":
        mate = mate.astype(np.int64)
        mate[u] = draw(st.sampled_from([1 << 40, -(1 << 40), n, -2, (1 << 32) + v]))
        return mate
    if kind == "any":
        return np.array(draw(st.lists(st.integers(-2, n), min_size=n, max_size=n)), np.int32)
    if kind == "dropped" and mate[u] >= 0:
        mate[[u, mate[u]]] = -1
    if kind == "itself":
        mate[u] = u
    if kind == "one end":
        mate[u] = v
    if kind == "other pair" and u != v and mate[u] < 0 and mate[v] < 0:
        mate[u], mate[v] = v, u
    if kind == "exchanged" and mate[u] >= 0 and mate[v] >= 0 and mate[u] != v and u != v:
        x, y = mate[u], mate[v]
        mate[[u, y, v, x]] = y, u, x, v
    return mate
