"""The last levels of a hierarchy, as one launch left them in the device's memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.communities.fast.sizes import MEETING_THREADS, meeting_blocks

if TYPE_CHECKING:
    from gpucore.device import Device


@dataclass(frozen=True)
class Tail:
    """Levels from a stage on: of all blocks, then of one; see ``kernels/louvain_fast_last.cu``.

    Attributes
    ----------
    n : int
        Vertices of the first of these stages.
    sizes : list of int
        Vertices of every stage of all blocks.
    maps : array of int32
        For each of them the mapping to the next one's vertices, `n` places.
    joined : array of float64, shape (stages, columns)
        The log of one block's stages.
    last : array of int32
        For each of these the mapping of vertices with edges, as many places as the first one has.
    alone : int
        Vertices without edges of the first one, which have the last numbers in every later one.
    order : array of int32
        The first one's vertices, those without edges first.
    """

    n: int
    sizes: list[int]
    maps: Any
    joined: np.ndarray
    last: Any
    alone: int
    order: Any

    def levels(self, xp: Any) -> list[Any]:
        """Return the vertex of the next stage for every vertex of a stage, arrays of int32.

        They take a dozen operations of a device, and few runs need them: after refinement the
        communities are the result.
        """
        levels = [self.maps[k * self.n :][:size] for k, size in enumerate(self.sizes)]
        for number, row in enumerate(self.joined):
            begin, count, communities = number * int(self.joined[0, 0]), int(row[0]), int(row[3])
            mapping = self.last[begin : begin + count]
            if self.alone:
                own = xp.arange(communities, communities + self.alone, dtype=xp.int32)
                mapping = xp.concatenate([mapping, own] if number else [own, mapping])
            if number == 0:
                of_order, mapping = mapping, xp.empty(self.alone + count, dtype=xp.int32)
                mapping[self.order[: self.alone + count]] = of_order
            levels.append(mapping)
        return levels


@dataclass
class Rest:
    """All stages from one on, in one launch that the host has not waited for.

    Attributes
    ----------
    n : int
        Vertices of the first of these stages.
    maps, last, orders : array of int32
        As :class:`Tail` has them; of `orders` the second half if there are levels of all blocks.
    log : array of float64
        The launch's log in the device's memory.
    rows : int
        Where its rows of one block's stages begin.
    alone : int
        Vertices without edges that the log does not count.
    read : callable
        Waits for the launch; returns the modularity in the end, or None if it has not ended well.
    tail, report : callable
        Afterwards return the levels, and append the stages to the run's log.
    """

    n: int
    maps: Any
    last: Any
    orders: Any
    log: Any
    rows: int
    alone: int
    read: Callable[[], float | None]
    tail: Callable[[], Tail]
    report: Callable[[], object]

    @cached_property
    def modularity(self) -> float | None:
        """Modularity in the end, or None if the launch has not ended well; waits for it."""
        return self.read()

    def composed(self, device: Device, barrier: Any) -> Any:
        """Return the community in the end of every vertex, without waiting; zeros if it fails."""
        inverse, found = (device.xp.empty(self.n, np.int32) for _ in range(2))
        log = [self.log, self.rows, self.alone, self.orders]
        device.kernel("louvain_fast_refine", "fast_compose")(
            meeting_blocks(device, self.n),
            MEETING_THREADS,
            [self.n, self.maps, self.last, *log, inverse, found, barrier],
            cooperative=True,
        )
        return found
