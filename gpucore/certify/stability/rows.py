"""Walks over some rows of a graph that check a b-matching."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gpucore.certify.pairs import NAMED, Entries, entries
from gpucore.certify.stability.form import Finding
from gpucore.certify.stability.pairs import HALF, place_of
from gpucore.certify.stability.part import Part, Summary


def weights_of_pairs(part: Part, keys: Any) -> Any:
    """Return the weights of pairs, looked up in the rows; NaN where there is no edge."""
    xp = part.xp
    weights = xp.full(keys.size, np.nan, np.float32)
    for chunk in _placed(part):
        there = (chunk.rows << HALF) | chunk.columns
        begin, end = (
            int(xp.searchsorted(keys, key)) for key in (int(there[0]), int(there[-1]) + 1)
        )
        if begin == end:
            continue
        wanted = keys[begin:end]
        at = xp.searchsorted(there, wanted)
        weights[begin:end] = xp.where(there[at] == wanted, chunk.weights[at], np.float32(np.nan))
    return weights


def _placed(part: Part) -> Iterator[Entries]:
    """Walk over the entries, rows numbered as in the whole graph."""
    for chunk in entries(part, part.xp):
        rows = chunk.rows
        rows += part.first
        yield Entries(rows, chunk.columns, chunk.weights)


def blocking_edges(part: Part, matched: Any, worst: Summary, *, strict: bool) -> Finding:
    """Find edges that are not matched, although both ends would take them.

    Parameters
    ----------
    part : Part
        Edges are looked up at their smaller end.
    matched : array of int64
        Keys of the part's pairs, ascending.
    worst : Summary
        Of all vertices.
    strict : bool
        Whether ties count, in our strict order.
    """
    found = Finding("b-stable")
    weight = worst.worst_weight
    for u, v, w in _placed(part):
        # The weight alone excludes nearly every edge; only the others are compared in full.
        alive = ((u < v) & (w > 0) & (w >= weight[u]) & (w >= weight[v])).nonzero()[0]
        u, v, w = u[alive], v[alive].astype(np.int64), w[alive]
        taken = _takes(u, v, w, worst, strict) & _takes(v, u, w, worst, strict)
        u, v, w = u[taken], v[taken], w[taken]
        outside = ~_contains(matched, (u << HALF) | v, part)
        first = (array[outside][:NAMED].tolist() for array in (u, v, w))
        named = tuple(blocking_text(a, b, x, worst) for a, b, x in zip(*first, strict=True))
        found = found.joined(Finding(found.name, int(outside.sum()), named))
    return found


def _takes(end: Any, other: Any, w: Any, worst: Summary, strict: bool) -> Any:
    """Whether the vertices `end` prefer edges to `other` to their worst ones, or have room."""
    weight = worst.worst_weight[end]
    if not strict:
        return w > weight
    # Edges of one vertex and of one weight are ordered by the other end: with (larger end, smaller
    # end) as the order, that is so whether `end` is larger than both, than one, or than none.
    return (w > weight) | ((w == weight) & (other > worst.worst_mate[end]))


def _contains(keys: Any, wanted: Any, part: Part) -> Any:
    """Whether ascending keys contain each of the wanted ones."""
    if not keys.size:
        return part.xp.zeros(wanted.size, bool)
    return keys[place_of(keys, wanted, part)] == wanted


def blocking_text(u: int, v: int, w: float, worst: Summary) -> str:
    """Return a text that names an edge and says why its ends would take it."""
    return f"({u}, {v}) of weight {w:g} while {_holds(u, worst)} and {_holds(v, worst)}"


def _holds(u: int, worst: Summary) -> str:
    weight, mate = float(worst.worst_weight[u]), int(worst.worst_mate[u])
    return f"{u} has room" if mate < 0 else f"the worst of {u} is {mate} by {weight:g}"
