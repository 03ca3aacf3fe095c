"""Checks of a b-matching on some rows of a graph, and sums over them.

Rows may be in the memory of a GPU; what is said about vertices and pairs is in that of the host.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpucore.certify.pairs import NAMED
from gpucore.certify.stability.form import Finding
from gpucore.certify.stability.walk import (
    PlacedRows,
    library,
    placed,
    rows_of,
    to_host,
    whole_rows,
)


@dataclass(frozen=True)
class Pairs:
    """Pairs of a vertex and one of its mates, in the order of the lists.

    Attributes
    ----------
    u, v : ndarray of int64
        Vertex and mate.
    keys : ndarray of int64
        ``u * n + v``, ascending.
    weights : ndarray of float32
        Weights of the edges; NaN where there is no edge.
    """

    u: NDArray[np.int64]
    v: NDArray[np.int64]
    keys: NDArray[np.int64]
    weights: NDArray[np.float32]


def keys_of(n: int, first: int, starts: np.ndarray, mates: np.ndarray) -> Pairs:
    """Return the pairs of well-formed lists, their weights not known yet."""
    bounds = starts.astype(np.int64)
    u = first + np.repeat(np.arange(starts.size - 1), bounds[1:] - bounds[:-1])
    v = mates.astype(np.int64)
    return Pairs(u, v, u * n + v, np.full(v.size, np.nan, np.float32))


def weights_of_pairs(rows: PlacedRows, pairs: Pairs) -> Pairs:
    """Return the pairs with their weights, looked up in the rows."""
    xp = library(rows.indices)
    pair_keys, weights = xp.asarray(pairs.keys), xp.asarray(pairs.weights)
    for chunk in placed(rows):
        keys = chunk.rows * rows.n + chunk.columns
        first, last = int(keys[0]), int(keys[-1])
        begin = int(xp.searchsorted(pair_keys, first))
        end = int(xp.searchsorted(pair_keys, last, side="right"))
        wanted = pair_keys[begin:end]
        at = xp.searchsorted(keys, wanted)
        there = keys[at] == wanted
        weights[begin:end] = xp.where(there, chunk.weights[at], weights[begin:end])
    return replace(pairs, weights=to_host(weights))


def pairs_missing(pairs: Pairs) -> Finding:
    """Find pairs that are no edges."""
    wrong = np.flatnonzero(np.isnan(pairs.weights))
    return Finding("pairs are edges", wrong.size, _name_pairs(pairs, wrong))


def pairs_gain(pairs: Pairs) -> Finding:
    """Find matched edges of weight zero or less."""
    wrong = np.flatnonzero(pairs.weights <= 0)
    return Finding("pairs gain", wrong.size, _name_pairs(pairs, wrong))


def _name_pairs(pairs: Pairs, wrong: np.ndarray) -> tuple[str, ...]:
    return tuple(f"mate {pairs.v[i]} of {pairs.u[i]}" for i in wrong[:NAMED])


def without_partner(
    n: int, first: int, rows: int, pairs: Pairs, away: NDArray[np.int64]
) -> Finding:
    """Find pairs that stand at one end only.

    Parameters
    ----------
    pairs : Pairs
        Of the vertices `first` to ``first + rows - 1``.
    away : ndarray of int64, shape (any, 2)
        Pairs of other parts; those whose mate is here count.
    """
    here = (pairs.v >= first) & (pairs.v < first + rows)
    towards = (away[:, 1] >= first) & (away[:, 1] < first + rows)
    own, others = pairs.v[here] * n + pairs.u[here], away[towards, 1] * n + away[towards, 0]
    seen = np.sort(np.concatenate((own, others)))
    if np.array_equal(seen, pairs.keys):
        return Finding("symmetric")
    wrong = np.flatnonzero(~np.isin(pairs.keys, seen))
    return Finding("symmetric", wrong.size, _name_pairs(pairs, wrong))


def worst_pairs(
    capacity: np.ndarray, starts: np.ndarray, pairs: Pairs
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Return weight and mate of every vertex's worst pair, as in a summary of the part."""
    bounds = starts.astype(np.int64)
    count = bounds[1:] - bounds[:-1]
    weight = np.where(capacity == 0, np.float32(np.inf), np.float32(0))
    mate = np.full(count.size, -1, np.int32)
    full = np.flatnonzero((count > 0) & (count >= capacity))
    if full.size:
        listed = np.flatnonzero(count > 0)
        lowest = np.zeros(count.size, np.float32)
        lowest[listed] = np.minimum.reduceat(pairs.weights, bounds[:-1][listed])
        weight[full] = lowest[full]
        # Of equal weights the smallest mate is the worst, which is the first of the list: written
        # last when the list is walked backwards.
        rows = np.repeat(np.arange(count.size), count)
        hit = np.flatnonzero(pairs.weights == weight[rows])[::-1]
        mate[rows[hit]] = pairs.v[hit]
    return weight, mate


def blocking_edges(
    rows: PlacedRows,
    matched: NDArray[np.int64],
    worst: tuple[NDArray[np.float32], NDArray[np.int32]],
    *,
    strict: bool,
) -> Finding:
    """Find edges that are not matched, although both ends would take them.

    Parameters
    ----------
    rows : Part
        Edges are looked up at their smaller end.
    matched : ndarray of int64
        Keys of the part's pairs, ascending.
    worst : ndarray of float32 and ndarray of int32, shape (n,)
        Of all vertices, see :class:`gpucore.certify.stability.parts.Summary`.
    strict : bool
        Whether ties count, in our strict order.
    """
    found = Finding("b-stable")
    xp = library(rows.indices)
    keys, held = xp.asarray(matched), (xp.asarray(worst[0]), xp.asarray(worst[1]))
    for u, v, w in placed(rows):
        # The weight alone excludes nearly every edge; only the others are compared in full.
        alive = (u < v) & (w > 0) & (w >= held[0][u]) & (w >= held[0][v])
        u, v, w = u[alive], v[alive].astype(np.int64), w[alive]
        taken = _takes(u, v, w, held, strict) & _takes(v, u, w, held, strict)
        u, v, w = u[taken], v[taken], w[taken]
        outside = ~_contains(keys, u * rows.n + v)
        some = (to_host(array[outside][:NAMED]) for array in (u, v, w))
        named = tuple(
            f"({a}, {b}) of weight {x:g} while {_holds(a, worst)} and {_holds(b, worst)}"
            for a, b, x in zip(*some, strict=True)
        )
        found = found.joined(Finding(found.name, int(xp.count_nonzero(outside)), named))
    return found


def _takes(end: Any, other: Any, w: Any, worst: tuple[Any, Any], strict: bool) -> Any:
    """Whether the vertices `end` prefer edges to `other` to their worst ones, or have room."""
    weight, mate = worst[0][end], worst[1][end]
    # Edges of one vertex and of one weight are ordered by the other end: with (larger end, smaller
    # end) as the order, that is so whether `end` is larger than both, than one, or than none.
    return (w > weight) | ((w == weight) & (other > mate)) if strict else w > weight


def _contains(keys: Any, wanted: Any) -> Any:
    """Whether ascending keys contain each of the wanted ones."""
    xp = library(keys)
    if not keys.size:
        return xp.zeros(wanted.size, bool)
    return keys[xp.searchsorted(keys[:-1], wanted)] == wanted


def _holds(u: int, worst: tuple[np.ndarray, np.ndarray]) -> str:
    if worst[1][u] < 0:
        return f"{u} has room"
    return f"the worst of {u} is {worst[1][u]} by {worst[0][u]:g}"


def heaviest_edges(rows: PlacedRows, capacity: np.ndarray) -> float:
    """Return the sum of the ``capacity[v]`` heaviest edges of every row, loops left out."""
    most = library(rows.indices).asarray(capacity)
    return float(sum(_heaviest_of(rows, most, begin, end) for begin, end in whole_rows(rows)))


def _heaviest_of(rows: PlacedRows, capacity: Any, begin: int, end: int) -> float:
    xp = library(rows.indices)
    first, last = int(rows.indptr[begin]), int(rows.indptr[end])
    own = rows_of(rows.indptr[begin + 1 : end] - first, last - first, xp)
    neighbours, weights = rows.indices[first:last], rows.weights[first:last]
    useful = (neighbours != own + (rows.first + begin)) & (weights > 0)
    own, weights = own[useful], weights[useful]
    if not own.size:
        return 0.0
    # One number an edge: the row, then the weight, the heaviest first. Floats above zero compare
    # like their bits.
    sortable = (own.astype(np.uint64) << np.uint64(32)) | ~weights.view(np.uint32)
    sortable.sort()
    heads = xp.zeros(end - begin + 1, np.int64)
    heads[1:] = xp.cumsum(xp.bincount(own, minlength=end - begin))
    kept = xp.arange(own.size) - heads[own] < capacity[begin:end][own]
    sorted_weights = (~sortable.astype(np.uint32)).view(np.float32)
    return float(sorted_weights[kept].sum(dtype=np.float64))
