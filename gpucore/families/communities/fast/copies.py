"""Several starts side by side: one search of a graph that is several copies of the given one.

A graph of up to some hundred thousand edges leaves most of a GPU idle: its time is that of launches
and of barriers, which copies share.  The copies are not joined, so each is searched as if it were
alone; only when sweeps and stages end is decided for all, by the mean of their modularity.  In each
copy but the first the vertices have other numbers, at random, so that they are visited in another
order.  The copy with the highest modularity, from exact sums, is the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gpucore.device.constants import constant
from gpucore.families.communities.fast.refinement import composed
from gpucore.families.communities.stage import FLOATS, Stage, strength_of
from gpucore.families.communities.starts import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gpucore.device import Device
    from gpucore.families.communities.stage import Run

#: Edges of a thread that adds up modularity.
ENTRIES = constant("leiden.cuh", "ENTRIES")
#: Bytes that copies need for each of their entries and vertices, beside their graph, while it is
#: made: places of 8 bytes.
ENTRY_PLACES, VERTEX_PLACES = 6, 8


class Copies(NamedTuple):
    """Copies of a graph in a device's memory.

    Attributes
    ----------
    stage : Stage
        All copies, one after the other.
    number : array of int32, shape (count, n)
        Number of every vertex of the graph in each copy.
    """

    stage: Stage
    number: Any


class Kept(NamedTuple):
    """The best copy.

    Attributes
    ----------
    copy : int
        Its number; of equal ones the first.
    reached : list of float
        Modularity of each copy.
    """

    copy: int
    reached: list[float]


def copy_bytes(n: int, entries: int) -> int:
    """Return the bytes of one copy, and of what is needed to make it, at most."""
    return 8 * (ENTRY_PLACES * entries + VERTEX_PLACES * n)


def copies_of(given: Stage, count: int, device: Device) -> Copies:
    """Return `count` copies of a graph, the first one with the same numbers."""
    xp, n = device.xp, given.n
    key = xp.arange(count * n, dtype=np.uint64)
    copy = key // np.uint64(n)
    for factor in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9):
        key *= np.uint64(factor)
        key ^= key >> np.uint64(32)
    key = (copy << np.uint64(32)) | (key & np.uint64(0xFFFFFFFF))
    key[:n] = xp.arange(n, dtype=np.uint64)
    order = xp.argsort(key)
    number = xp.empty(count * n, dtype=np.int32)
    number[order] = xp.arange(count * n, dtype=np.int32)

    vertex = order % n
    indptr = xp.zeros(count * n + 1, dtype=np.int64)
    xp.cumsum((given.indptr[1:] - given.indptr[:-1])[vertex], out=indptr[1:])
    entry = xp.arange(count * given.entries, dtype=np.int64)
    row = xp.searchsorted(indptr, entry, side="right") - 1
    entry += (given.indptr[vertex] - indptr[:-1])[row]
    stage = Stage(
        n=count * n,
        entries=count * given.entries,
        indptr=indptr,
        indices=number[row // n * n + given.indices[entry]],
        weights=given.weights[entry] if given.kind == FLOATS else given.weights,
        sums=given.sums,
        kind=given.kind,
        unit=given.unit,
        loops=count * given.loops,
    )
    return Copies(stage, number.reshape(count, n))


def best_copy(run: Run, given: Stage, copies: Copies, levels: list[Any]) -> Kept:
    """Return the copy whose communities have the highest modularity.

    Parameters
    ----------
    run : Run
        The search of the copies.
    given : Stage
        The graph.
    copies : Copies
        Its copies.
    levels : list of array of int32
        The hierarchy of their communities.
    """
    device, xp, n, count = run.device, run.device.xp, given.n, run.copies
    if run.two_m == 0.0:
        return Kept(0, [0.0] * count)
    community = composed(levels)
    if community is None:
        community = xp.arange(count * n, dtype=np.int32)
    # One member gives its community the number, so that a copy's are its own.
    member = xp.empty(count * n, dtype=np.int32)
    member[community] = xp.arange(count * n, dtype=np.int32)
    community = member[community]
    total = xp.zeros(count * n, dtype=np.uint64)
    strength = strength_of(device, copies.stage)
    device.kernel("leiden", "leiden_totals")(
        -(-count * n // 256), 256, [count * n, strength, community, total]
    )
    inner, squares = xp.zeros(count, dtype=np.uint64), xp.zeros(count, dtype=np.uint64)
    blocks = -(-max(n, given.entries) // (256 * ENTRIES))
    for copy, number in enumerate(copies.number):
        mine = slice(copy * n, (copy + 1) * n)
        sums = [total[mine], run.two_m, inner[copy : copy + 1], squares[copy : copy + 1]]
        device.kernel("leiden", "leiden_modularity")(
            blocks, 256, [n, *given.args, community[number], *sums]
        )
    found = zip(device.to_host(inner).tolist(), device.to_host(squares).tolist(), strict=True)
    reached = [run.modularity_of(one, shares) for one, shares in found]
    highest = max(reached)
    kept = next(copy for copy, one in enumerate(reached) if one >= highest - ROUNDING)
    return Kept(kept, reached)


def levels_of_copy(levels: Sequence[np.ndarray], number: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return a copy's part of a hierarchy: its vertices' `number`, and all levels' names from 0."""
    own, found = number, []
    for mapping in levels:
        own, names = np.unique(mapping[own], return_inverse=True)
        found.append(names.astype(np.int32))
    return tuple(found)
