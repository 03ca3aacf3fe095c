"""First checks of every certificate of a matching: pairs of vertices that are edges."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any, NamedTuple, Protocol

import numpy as np

from gpucore.certify import Check
from gpucore.format import counted

#: Adjacency entries per chunk: temporaries stay near 40 MB for any graph.
CHUNK = 1 << 20

#: The same on a GPU, where every call has a cost: temporaries stay below 2 GiB.
DEVICE_CHUNK = 1 << 25

#: Number of violations that a failed check lists.
NAMED = 5


class Rows(Protocol):
    """A graph, or some of its rows: what :func:`entries` walks over; NumPy's or CuPy's arrays."""

    @property
    def indptr(self) -> Any:
        """Row ``v`` is ``indices[indptr[v]:indptr[v + 1]]``."""

    @property
    def indices(self) -> Any:
        """Neighbours."""

    @property
    def weights(self) -> Any:
        """Weights of the edges to them."""


class Entries(NamedTuple):
    """Consecutive adjacency entries: row, column and weight of each."""

    rows: Any
    columns: Any
    weights: Any


def chunk_of(xp: ModuleType) -> int:
    """Return the entries per chunk with an array library, ``numpy`` or ``cupy``."""
    return CHUNK if xp is np else DEVICE_CHUNK


def entries(graph: Rows, xp: ModuleType = np) -> Iterator[Entries]:
    """Walk over the adjacency in chunks; a chunk may begin or end inside a long row.

    `xp` is the library of the graph's arrays.
    """
    total, chunk = int(graph.indptr[-1]), chunk_of(xp)
    for begin in range(0, total, chunk):
        end = min(begin + chunk, total)
        rows = rows_of(graph.indptr, begin, end, xp)
        yield Entries(rows, graph.indices[begin:end], graph.weights[begin:end])


def rows_of(indptr: Any, begin: int, end: int, xp: ModuleType = np) -> Any:
    """Return the row of each entry from `begin` to ``end - 1``, at least one, as int64."""
    first = int(xp.searchsorted(indptr, begin, side="right")) - 1
    last = int(xp.searchsorted(indptr, end, side="left"))
    rows = numbered(indptr[first + 1 : last] - begin, end - begin, xp)
    if first:
        rows += first
    return rows


def numbered(starts: Any, size: int, xp: ModuleType = np) -> Any:
    """Return the list that each place is in: 0 before the first of `starts`, then 1, 2, ...

    Examples
    --------
    >>> numbered(np.array([2, 2, 3]), 5).tolist()
    [0, 0, 2, 3, 3]
    """
    if not starts.size:  # CuPy's bincount needs an element
        return xp.zeros(size, np.int64)
    marks = xp.bincount(starts, minlength=size)[:size]
    return xp.cumsum(marks, out=marks)  # cupy.repeat takes no array of counts


def mutual(mate: np.ndarray, n: int) -> list[Check]:
    """Check that `mate` pairs vertices of `n`; the last check is the result.

    Parameters
    ----------
    mate : ndarray of any dtype and shape
        The claimed matching.
    n : int
        Number of vertices.
    """
    checks = [_well_formed(mate, n)]
    if checks[0].ok:
        checks.append(_symmetric(mate.astype(np.int64)))
    return checks


def _well_formed(mate: np.ndarray, n: int) -> Check:
    name = "well formed"
    if mate.shape != (n,):
        return Check(name, False, f"shape is {mate.shape}, {n} vertices need ({n},)")
    if mate.dtype.kind not in "iu":
        return Check(name, False, f"dtype is {mate.dtype}, not an integer type")
    outside = np.flatnonzero((mate < -1) | (mate >= n))
    if outside.size:
        return Check(name, False, f"outside -1..{n - 1}: {name_mates(mate, outside)}")
    itself = np.flatnonzero(mate == np.arange(n))
    if itself.size:
        return Check(name, False, f"matched to itself: {name_mates(mate, itself)}")
    return Check(name, True, f"{counted(n, 'mate')}, each -1 or another vertex")


def _symmetric(mate: np.ndarray) -> Check:
    name = "symmetric"
    matched = np.flatnonzero(mate >= 0)
    odd = matched[mate[mate[matched]] != matched]
    if odd.size:
        pairs = ", ".join(
            f"mate[{u}] = {mate[u]} but mate[{mate[u]}] = {mate[mate[u]]}" for u in odd[:NAMED]
        )
        return Check(name, False, pairs + _more(odd))
    return Check(name, True, counted(matched.size // 2, "pair"))


def name_mates(mate: np.ndarray, vertices: np.ndarray) -> str:
    """Return text that names a few of the vertices with their mates."""
    named = ", ".join(f"mate[{u}] = {mate[u]}" for u in vertices[:NAMED])
    return named + _more(vertices)


def _more(offenders: np.ndarray) -> str:
    return f" and {offenders.size - NAMED} more" if offenders.size > NAMED else ""
