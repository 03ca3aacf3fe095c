"""Fingerprint of a graph that its parts compute on their own, the same for any number of parts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpucore import former
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.part import GraphPart

#: Entries that are hashed at a time, each with about 60 bytes of temporary arrays.
_CHUNK = 1 << 22

#: Multipliers and shifts of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
#: generators", OOPSLA 2014, figure 16: the mixing function).
_MIX = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
_STEP = 0x9E3779B97F4A7C15


def digest(part: GraphPart, xp: ModuleType = np) -> NDArray[np.uint64]:
    """Return the share of a part in the fingerprint of its graph.

    Parameters
    ----------
    part : GraphPart
        The part.
    xp : module
        Library of its arrays: ``numpy`` or ``cupy``.

    Returns
    -------
    ndarray of uint64, shape (3,)
        The number of entries, and two sums of hashes of all entries (row, column, weight), modulo
        2**64. Digests of parts are added up.
    """
    total = np.array([part.entries, 0, 0], np.uint64)
    for start in range(0, part.entries, _CHUNK):
        stop = min(start + _CHUNK, part.entries)
        places = xp.arange(start, stop, dtype=np.int64)
        rows = xp.searchsorted(part.indptr, places, side="right") - 1 + part.lo
        ends = (rows.astype(np.uint64) << np.uint64(32)) | part.indices[start:stop].astype(
            np.uint64
        )
        del places, rows
        weights = xp.ascontiguousarray(part.weights[start:stop]).view(np.uint32)
        hashed = _mixed(ends) ^ weights.astype(np.uint64)
        for place in (1, 2):
            hashed = _mixed(hashed)
            total[place : place + 1] += np.uint64(int(hashed.sum(dtype=np.uint64)))
    return total


def fingerprint(n: int, digests: Iterable[Any]) -> str:
    """Return the fingerprint of a graph of `n` vertices from the digests of all its parts.

    Returns
    -------
    str
        64 hexadecimal digits. It is not that of :attr:`gpucore.Graph.fingerprint`, which needs all
        rows in their order.

    Examples
    --------
    >>> from gpucore.problems.graph.graph import Graph
    >>> from gpucore.problems.graph.part import cut
    >>> graph = Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [0.5, 1, 2])
    >>> one, many = ([digest(part) for part in cut(graph, ranks)] for ranks in (1, 3))
    >>> fingerprint(4, one) == fingerprint(4, many)
    True
    """
    total = np.zeros(3, np.uint64)
    for one in digests:
        total += np.asarray(one, np.uint64)
    # The former name stays in the hash: graphs in parts carry fingerprints that were made with it.
    text = f"{former.NAME}-graph-parts {n} " + " ".join(str(int(number)) for number in total)
    return hashlib.sha256(text.encode()).hexdigest()


def fingerprint_of(graph: Graph | GraphPart) -> str:
    """Return the fingerprint of a graph; of one in a device's memory only, that of its parts."""
    if isinstance(graph, GraphPart):
        return fingerprint(graph.n, [digest(graph, graph.xp)])
    return graph.fingerprint


def _mixed(numbers: Any) -> Any:
    """Return 64-bit hashes, one-to-one."""
    numbers = numbers + np.uint64(_STEP)
    for shift, factor in _MIX:
        numbers = (numbers ^ (numbers >> np.uint64(shift))) * np.uint64(factor)
    return numbers ^ (numbers >> np.uint64(31))
