"""Rows of R-MAT graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gpucore.device import Device
from gpucore.problems.graph.chunks import CHUNK
from gpucore.problems.graph.generate.common import check_whole
from gpucore.problems.graph.generate.random import check_rmat
from gpucore.problems.graph.generate.rows.plan import Plan, Structure, key_of, launch
from gpucore.problems.graph.generate.rows.unique import scratch, unique_rows
from gpucore.problems.graph.part import balanced_bounds
from gpucore.seeds import generator

#: Edges of a launch; a run can be cancelled between launches.
_EDGES = 1 << 28


@dataclass(frozen=True)
class RmatRows(Plan):
    """A recursive-matrix graph (R-MAT) whose edges are hashes of their numbers.

    As :func:`gpucore.problems.graph.generate.rmat` draws it: no noise, vertices renumbered at
    random (by a one-to-one hash), loops dropped and equal edges merged. Every rank draws all edges,
    twice (to count and to keep those at its vertices).

    Memory: 24 bytes for each vertex of the graph while rows are counted; then for the rank's own
    rows 16 bytes a row, 4 bytes a drawn entry, 4 bytes a remaining entry, and 0.3 GiB to
    sort them in chunks.

    Parameters
    ----------
    scale : int
        There are ``2**scale`` vertices.
    edge_factor : int
        Edges drawn per vertex.
    a, b, c : float
        Probabilities of the upper left, upper right and lower left quadrant.
    seed : int
        Seed of the edges.
    weights, weight_seed
        See :class:`.plan.Plan`.
    """

    name: ClassVar[str] = "rmat_rows"

    scale: int
    edge_factor: int = 16
    a: float = 0.57
    b: float = 0.19
    c: float = 0.19
    seed: int = 1

    def check(self) -> None:
        """Raise GraphError if a parameter is out of its range."""
        check_rmat(self.scale, self.edge_factor, self.a, self.b, self.c)
        check_whole("edge_factor", self.edge_factor, 0, 1 << 16)
        generator(self.seed)

    @property
    def num_vertices(self) -> int:
        """Number of vertices."""
        return 1 << self.scale

    @property
    def most_edges(self) -> int:
        """Number of edges that are drawn."""
        return self.num_vertices * self.edge_factor

    def structure(self, device: Device, rank: int, ranks: int) -> Structure:
        """Return bounds, balanced by rows and drawn entries, and the rank's rows."""
        xp, n = device.xp, self.num_vertices
        device.require_memory(24 * (n + 1), "the degrees of an R-MAT graph")
        counts = xp.zeros(n + 1, dtype=np.uint64)
        self._draw(device, "rmat_count", [counts[1:]])
        starts = xp.cumsum(counts.view(np.int64))
        del counts
        bounds = balanced_bounds(starts, ranks, xp)
        first, last = int(bounds[rank]), int(bounds[rank + 1])
        indptr = starts[first : last + 1] - starts[first]
        del starts
        entries = int(indptr[-1])
        need = 8 * (last - first) + 8 * entries + scratch(indptr, CHUNK)
        device.require_memory(need, "the rows of an R-MAT graph")
        indices = xp.empty(entries, dtype=np.int32)
        if entries:
            places = indptr[:-1].astype(np.uint64)
            self._draw(device, "rmat_fill", [first, last, places, indices])
            del places
        return bounds, *unique_rows(indptr, indices, CHUNK, xp)

    def _draw(self, device: Device, name: str, args: list[Any]) -> None:
        """Draw all edges by a kernel."""
        kernel, total = device.kernel("rmat_rows", name), self.most_edges
        sums = (self.a, self.a + self.b, self.a + self.b + self.c)
        thresholds = [min(round(limit * 2**32), 2**32) for limit in sums]
        shape = [self.scale, *thresholds, key_of("edges", self.seed)]
        for begin in range(0, total, _EDGES):
            end = min(begin + _EDGES, total)
            launch(kernel, end - begin, [begin, end, *shape, *args])
