"""Walks over the rows of a graph in chunks, by the library of their arrays: NumPy or CuPy.

A part of a graph may fill the memory of a GPU; its rows are checked where they are.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np

from gpucore.certify.pairs import CHUNK, Entries

#: Entries of a chunk on a GPU, where short arrays are not worth a launch: its temporary arrays take
#: about 3 GiB.
CARD_CHUNK = 1 << 25


class PlacedRows(Protocol):
    """Rows of a graph whose first vertex is known; the arrays are NumPy's or CuPy's."""

    @property
    def n(self) -> int:
        """Number of vertices of the whole graph."""

    @property
    def first(self) -> int:
        """The vertex of the first row."""

    @property
    def indptr(self) -> Any:
        """Row ``i`` is ``indices[indptr[i]:indptr[i + 1]]``."""

    @property
    def indices(self) -> Any:
        """Neighbours, numbered as in the whole graph."""

    @property
    def weights(self) -> Any:
        """Weights of the edges to them."""


def library(array: Any) -> Any:
    """Return the library of an array: the module ``numpy`` or ``cupy``."""
    if isinstance(array, np.ndarray):
        return np
    return importlib.import_module(type(array).__module__.partition(".")[0])


def to_host(array: Any) -> np.ndarray:
    """Return an array of either library as NumPy's."""
    return array if isinstance(array, np.ndarray) else np.asarray(library(array).asnumpy(array))


def placed(rows: PlacedRows) -> Iterator[Entries]:
    """Walk over the entries, rows numbered as in the whole graph.

    A chunk may begin or end inside a long row.
    """
    xp, indptr = library(rows.indices), rows.indptr
    step, total = chunk_size(xp), int(indptr[-1])
    for begin in range(0, total, step):
        end = min(begin + step, total)
        row = int(xp.searchsorted(indptr, begin, side="right")) - 1
        last = int(xp.searchsorted(indptr, end, side="left"))
        own = rows.first + row + rows_of(indptr[row + 1 : last] - begin, end - begin, xp)
        yield Entries(own, rows.indices[begin:end], rows.weights[begin:end])


def whole_rows(rows: PlacedRows) -> Iterator[tuple[int, int]]:
    """Walk over ranges of whole rows with one chunk of entries; a longer row is alone."""
    xp, indptr = library(rows.indices), rows.indptr
    step, n = chunk_size(xp), indptr.size - 1
    begin = 0
    while begin < n:
        most = int(indptr[begin]) + step
        end = int(xp.searchsorted(indptr, most, side="right")) - 1
        end = min(max(end, begin + 1), n)
        yield begin, end
        begin = end


def rows_of(starts: Any, size: int, xp: Any) -> Any:
    """Return the row of each of `size` entries, the first row being 0.

    `starts` are the places where the next rows begin; an empty row begins where the next one does.
    """
    if not starts.size:  # CuPy's bincount needs an element
        return xp.zeros(size, np.int64)
    return xp.cumsum(xp.bincount(starts, minlength=size)[:size])


def chunk_size(xp: Any) -> int:
    """Return how many entries are worth one step of a walk."""
    return CHUNK if xp is np else CARD_CHUNK
