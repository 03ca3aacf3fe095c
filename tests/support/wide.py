"""Rows whose entries have numbers near or above 2**32, in memory that is mostly never touched."""

from __future__ import annotations

import mmap
import tempfile
from typing import Any

import numpy as np
import pytest

from gpucore.problems.graph.graph import Graph

#: Numbers of the first entry: the rows pass the border of int, of unsigned, or are all above it.
STARTS = {"int": 2**31, "unsigned": 2**32, "above": 2**32}


def untouched(size: int, dtype: Any) -> np.ndarray:
    """Return zeros that take memory only where they are written; skips where that is refused."""
    nbytes = size * np.dtype(dtype).itemsize
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
    try:
        memory = mmap.mmap(-1, nbytes, flags=flags)
    except OSError:
        memory = of_a_sparse_file(nbytes)
    return np.frombuffer(memory, dtype)


def of_a_sparse_file(nbytes: int) -> mmap.mmap:
    """Return the memory of a file of zeros, which may be larger than the machine's memory."""
    try:
        with tempfile.TemporaryFile() as file:
            file.truncate(nbytes)
            return mmap.mmap(file.fileno(), nbytes)
    except OSError as error:
        pytest.skip(f"the system gives no {nbytes:,} untouched bytes: {error}")


def shifted(graph: Graph, where: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a graph's rows with larger numbers of entries: `indptr`, `indices`, `weights`.

    `where` is a key of :data:`STARTS`; at "int" and "unsigned" the border is amid the entries. All
    lower entries are zeros: an edge to vertex 0 of weight 0.
    """
    entries = len(graph.indices)
    start = STARTS[where] - (0 if where == "above" else entries // 2)
    indices = untouched(start + entries, np.int32)
    weights = untouched(start + entries, np.float32)
    indices[start:], weights[start:] = graph.indices, graph.weights
    return graph.indptr + start, indices, weights
