"""Several starts side by side: one search of a graph that is several copies of the given one.

A graph of up to some hundred thousand edges leaves most of a GPU idle: its time is that of launches
and of barriers, which copies share.  The copies are not joined, so each is searched as if it were
alone; only when sweeps and stages end is decided for all, by the mean of their modularity.  In each
copy but the first the vertices have other numbers, at random, so that they are visited in another
order.  The copy with the highest modularity, from exact sums, is the result.  A level that all
copies together gain may lose modularity in one: there it is left out.  What the figures say of
stages, and the sweeps, is of all copies together.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gpucore.device.constants import constant
from gpucore.device.resident import Resident
from gpucore.families.communities.fast.sizes import MEETING_THREADS, meeting_blocks
from gpucore.families.communities.stage import FLOATS
from gpucore.families.communities.starts import ROUNDING
from gpucore.problems.graph.part import GraphPart

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from gpucore.device import Device
    from gpucore.families.communities.stage import Run, Stage
    from gpucore.problems.graph.graph import Graph

#: Edges of a thread.
ENTRIES = constant("louvain_fast_walk.cuh", "WALK_ENTRIES")
#: Bytes of an entry and of a vertex of a copy: neighbour and weight; number, length, start of the
#: list, and what finds the best.
COPY_ENTRY_BYTES, COPY_VERTEX_BYTES = 8, 40


class Copies:
    """Copies of a graph.

    Parameters
    ----------
    given : Stage
        The graph.
    count : int
        How many.
    device : Device
        Where they are.

    Attributes
    ----------
    stage : Stage
        All copies, one after the other, the first one with the same numbers.
    number : array of int32, shape (count, n)
        Number of every vertex of the graph in each copy.
    """

    def __init__(self, given: Stage, count: int, device: Device) -> None:
        self.given, self.count = given, count
        xp, weighted = device.xp, given.kind == FLOATS
        size, entries = count * given.n, count * given.entries
        self.number = xp.empty((count, given.n), dtype=np.int32)
        half = max(1, (max(0, given.n - 1).bit_length() + 1) // 2)
        length, indptr = xp.empty(size, dtype=np.int32), xp.empty(size + 1, dtype=np.int64)
        indices = xp.empty(max(1, entries), dtype=np.int32)
        weights = xp.empty(max(1, entries), dtype=np.float32) if weighted else given.weights
        blocks = _blocks(device, given, count)
        graph = [given.indptr, given.indices, given.weights, int(weighted)]
        copies = [self.number, length, indptr, indices, weights, xp.empty(blocks, dtype=np.int64)]
        device.kernel("louvain_copies", "copies_make")(
            blocks,
            MEETING_THREADS,
            [given.n, count, half, *graph, *copies, xp.zeros(2, dtype=np.uint32)],
            cooperative=True,
        )
        self.stage = replace(
            given,
            n=size,
            entries=entries,
            indptr=indptr,
            indices=indices[:entries],
            weights=weights,
            loops=count * given.loops,
            classes=tuple(count * vertices for vertices in given.classes),
        )


_RESIDENT: Resident[Graph, Copies] = Resident()


def copies_of(graph: Graph | GraphPart, given: Stage, count: int, device: Device) -> Copies | None:
    """Return copies of a graph, which is `given` on the device; None if there is to be one only.

    They stay there for runs that follow, as the graph does.
    """
    if isinstance(graph, GraphPart):
        return Copies(given, count, device) if count > 1 else None
    kept = _RESIDENT.find(device, graph)
    if kept is None or kept.count != count or kept.given is not given:
        _RESIDENT.release(device)
        kept = None
    if kept is None and count > 1:
        kept = _RESIDENT.keep(device, graph, Copies(given, count, device))
    return kept


class Kept(NamedTuple):
    """The best copy.

    Attributes
    ----------
    copy : int
        Its number; of equal ones the first.
    reached : list of float
        Modularity of each copy.
    numbers : array of int32, shape (count, n)
        Number of every vertex in each copy.
    levels : list of int
        Levels of the hierarchy, from 0, at which this copy has not less than before.
    """

    copy: int
    reached: list[float]
    numbers: Any
    levels: list[int]

    @property
    def number(self) -> Any:
        """Number of every vertex in this copy: int32, shape (n,)."""
        return self.numbers[self.copy]


def copy_bytes(n: int, entries: int) -> int:
    """Return the bytes of one copy, and of what makes it and compares it with others."""
    return COPY_ENTRY_BYTES * entries + COPY_VERTEX_BYTES * n


def _blocks(device: Device, given: Stage, count: int) -> int:
    """Return the blocks of a launch that goes over all copies."""
    return meeting_blocks(device, count * max(given.n, given.entries // ENTRIES))


def best_copy(run: Run, given: Stage, copies: Copies, levels: list[Any]) -> Kept:
    """Return the copy that reaches the highest modularity at any of its levels.

    All copies together never lose, so the best one has more than without a level.

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
    if run.two_m == 0.0:
        return Kept(0, [0.0] * run.copies, copies.number, list(range(len(levels))))
    # Sums before the first level matter only where there are more: a single one is the best.
    depths = range(len(levels) + 1) if len(levels) != 1 else [1]
    found = run.device.to_host(_sums_of(run, given, copies, levels, depths))
    path = np.array(
        [[run.modularity_of(*each) for each in zip(*at.tolist(), strict=True)] for at in found]
    )
    reached = path.max(axis=0)
    kept = int(np.argmax(reached >= reached.max() - ROUNDING))
    own = path[:, kept]
    gains = np.flatnonzero(own >= np.maximum.accumulate(own) - ROUNDING)
    numbers = [depths[each] - 1 for each in gains.tolist() if depths[each]]
    return Kept(kept, reached.tolist(), copies.number, numbers)


def best_known(copies: Copies, reached: list[float]) -> Kept:
    """Return the best copy where the modularity of each one's only level is known."""
    most = max(reached) - ROUNDING
    kept = next(copy for copy, each in enumerate(reached) if each >= most)
    return Kept(kept, reached, copies.number, [0])


def _sums_of(
    run: Run, given: Stage, copies: Copies, levels: list[Any], depths: Sequence[int]
) -> Any:
    """Return the weight inside of each copy's communities, and the squares of their totals.

    Returns
    -------
    array of uint64, shape (depths, 2, copies)
        Of the communities after so many levels, in ascending order.
    """
    xp, device, size = run.device.xp, run.device, copies.stage.n
    sums = xp.zeros((len(depths), 2, run.copies), dtype=np.uint64)
    barrier = xp.zeros(2, dtype=np.uint32)
    community, member = (xp.empty(size, dtype=np.int32) for _ in range(2))
    total = xp.empty(size, dtype=np.uint64)
    number = copies.number.ravel()
    for depth, (inner, squares) in zip(depths, sums, strict=True):
        mapping = levels[depth - 1] if depth else number  # not read before the first level
        places = [number, community, member, total, run.two_m, inner, squares, barrier]
        device.kernel("louvain_copies", "copies_sums")(
            _blocks(device, given, run.copies),
            MEETING_THREADS,
            [given.n, run.copies, depth, mapping, *given.args, *places],
            cooperative=True,
        )
    return sums


def levels_of_copy(
    levels: Sequence[np.ndarray], number: np.ndarray, kept: Container[int]
) -> tuple[np.ndarray, ...]:
    """Return a copy's part of a hierarchy: its vertices' `number`, and all levels' names from 0.

    Levels that are not `kept` are one with the next one that is.
    """
    own, found = number, []
    for level, mapping in enumerate(levels):
        own = mapping[own]
        if level in kept:
            own, names = _ranks(own)
            found.append(names)
    return tuple(found)


def _ranks(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct numbers, and each one's place among them; without a sort."""
    used = np.zeros(numbers.max(initial=-1) + 1, dtype=bool)
    used[numbers] = True
    return np.flatnonzero(used), (np.cumsum(used, dtype=np.int32) - 1)[numbers]
