"""Checks of a b-matching on some rows of a graph, and sums over them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gpucore.certify.pairs import CHUNK, NAMED, Entries, Rows, entries
from gpucore.certify.stability.form import Finding


class _Placed(Rows, Protocol):
    """Rows of a graph whose first vertex is known."""

    @property
    def n(self) -> int: ...

    @property
    def first(self) -> int: ...


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


def weights_of_pairs(rows: _Placed, pairs: Pairs) -> Pairs:
    """Return the pairs with their weights, looked up in the rows."""
    for chunk in _placed(rows):
        keys = chunk.rows * rows.n + chunk.columns
        begin, end = np.searchsorted(pairs.keys, [keys[0], keys[-1] + 1])
        wanted = pairs.keys[begin:end]
        at = np.searchsorted(keys, wanted)
        there = keys[at] == wanted
        pairs.weights[begin:end][there] = chunk.weights[at[there]]
    return pairs


def _placed(rows: _Placed) -> Iterator[Entries]:
    """Walk over the entries, rows numbered as in the whole graph."""
    for chunk in entries(rows):
        yield Entries(chunk.rows + rows.first, chunk.columns, chunk.weights)


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
    rows: _Placed,
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
    for u, v, w in _placed(rows):
        # The weight alone excludes nearly every edge; only the others are compared in full.
        alive = (u < v) & (w > 0) & (w >= worst[0][u]) & (w >= worst[0][v])
        u, v, w = u[alive], v[alive].astype(np.int64), w[alive]
        taken = _takes(u, v, w, worst, strict) & _takes(v, u, w, worst, strict)
        u, v, w = u[taken], v[taken], w[taken]
        outside = ~_contains(matched, u * rows.n + v)
        named = tuple(
            f"({a}, {b}) of weight {x:g} while {_holds(a, worst)} and {_holds(b, worst)}"
            for a, b, x in zip(*(array[outside][:NAMED] for array in (u, v, w)), strict=True)
        )
        found = found.joined(Finding(found.name, int(np.count_nonzero(outside)), named))
    return found


def _takes(
    end: np.ndarray,
    other: np.ndarray,
    w: np.ndarray,
    worst: tuple[np.ndarray, np.ndarray],
    strict: bool,
) -> np.ndarray:
    """Whether the vertices `end` prefer edges to `other` to their worst ones, or have room."""
    weight, mate = worst[0][end], worst[1][end]
    # Edges of one vertex and of one weight are ordered by the other end: with (larger end, smaller
    # end) as the order, that is so whether `end` is larger than both, than one, or than none.
    return (w > weight) | ((w == weight) & (other > mate)) if strict else w > weight


def _contains(keys: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether ascending keys contain each of the wanted ones."""
    if not keys.size:
        return np.zeros(wanted.size, bool)
    found: NDArray[np.bool_] = keys[np.searchsorted(keys[:-1], wanted)] == wanted
    return found


def _holds(u: int, worst: tuple[np.ndarray, np.ndarray]) -> str:
    if worst[1][u] < 0:
        return f"{u} has room"
    return f"the worst of {u} is {worst[1][u]} by {worst[0][u]:g}"


def heaviest_edges(rows: _Placed, capacity: np.ndarray) -> float:
    """Return the sum of the ``capacity[v]`` heaviest edges of every row, loops left out."""
    total = 0.0
    n = capacity.size
    begin = 0
    while begin < n:
        # Whole rows, of one chunk together; a longer row is alone.
        end = int(np.searchsorted(rows.indptr, rows.indptr[begin] + CHUNK, side="right")) - 1
        end = min(max(end, begin + 1), n)
        total += _heaviest_of(rows, capacity, begin, end)
        begin = end
    return total


def _heaviest_of(rows: _Placed, capacity: np.ndarray, begin: int, end: int) -> float:
    first, last = int(rows.indptr[begin]), int(rows.indptr[end])
    degrees = np.diff(rows.indptr[begin : end + 1])
    own = np.repeat(np.arange(end - begin), degrees)
    useful = (rows.indices[first:last] != own + (rows.first + begin)) & (
        rows.weights[first:last] > 0
    )
    own, weights = own[useful], rows.weights[first:last][useful]
    # One number an edge: the row, then the weight, the heaviest first. Floats above zero compare
    # like their bits.
    sortable = (own.astype(np.uint64) << np.uint64(32)) | ~weights.view(np.uint32)
    sortable.sort()
    heads = np.zeros(end - begin + 1, np.int64)
    np.cumsum(np.bincount(own, minlength=end - begin), out=heads[1:])
    kept = np.arange(own.size) - heads[own] < capacity[begin:end][own]
    sorted_weights = (~sortable.astype(np.uint32)).view(np.float32)
    return float(sorted_weights[kept].sum(dtype=np.float64))
