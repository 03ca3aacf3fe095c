"""Rows of graphs whose edges are drawn one by one, each a hash of its number."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gpucore.device import Device
from gpucore.problems.graph.chunks import CHUNK
from gpucore.problems.graph.generate.rows.plan import Plan, Structure, launch
from gpucore.problems.graph.generate.rows.unique import scratch, unique_rows
from gpucore.problems.graph.part import balanced_bounds

#: Edges of a launch; a run can be cancelled between launches.
_EDGES = 1 << 28


@dataclass(frozen=True)
class DrawnRows(Plan):
    """A graph of drawn edges: loops are dropped and equal edges merged.

    Every rank draws all edges, twice (to count, and to keep those at its vertices).

    Memory: 24 bytes for each vertex of the graph while rows are counted; then for the rank's own
    rows 16 bytes a row, 4 bytes a drawn entry, 4 bytes a remaining entry, and 0.3 GiB to
    sort them in chunks.

    Attributes
    ----------
    kernels : str
        ``NAME_count`` and ``NAME_fill`` of ``NAME_rows.cu`` draw the edges.
    noun : str
        What the graph is, for messages.
    """

    kernels: ClassVar[str]
    noun: ClassVar[str]

    @abstractmethod
    def drawing(self) -> list[Any]:
        """Return the kernels' arguments that describe the drawing."""

    def structure(self, device: Device, rank: int, ranks: int) -> Structure:
        """Return bounds, balanced by rows and drawn entries, and the rank's rows."""
        xp, n = device.xp, self.num_vertices
        device.require_memory(24 * (n + 1), f"the degrees of {self.noun}")
        counts = xp.zeros(n + 1, dtype=np.uint64)
        self._draw(device, "count", [counts[1:]])
        starts = xp.cumsum(counts.view(np.int64))
        del counts
        bounds = balanced_bounds(starts, ranks, xp)
        first, last = int(bounds[rank]), int(bounds[rank + 1])
        indptr = starts[first : last + 1] - starts[first]
        del starts
        entries = int(indptr[-1])
        need = 8 * (last - first) + 8 * entries + scratch(indptr, CHUNK)
        device.require_memory(need, f"the rows of {self.noun}")
        indices = xp.empty(entries, dtype=np.int32)
        if entries:
            places = indptr[:-1].astype(np.uint64)
            self._draw(device, "fill", [first, last, places, indices])
            del places
        return bounds, *unique_rows(indptr, indices, CHUNK, xp)

    def _draw(self, device: Device, name: str, args: list[Any]) -> None:
        """Draw all edges by a kernel."""
        kernel = device.kernel(f"{self.kernels}_rows", f"{self.kernels}_{name}")
        shape, total = self.drawing(), self.most_edges
        for begin in range(0, total, _EDGES):
            end = min(begin + _EDGES, total)
            launch(kernel, end - begin, [begin, end, *shape, *args])
