"""Rows of grids."""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gpucore.device import Device
from gpucore.problems.graph.generate.common import check_whole
from gpucore.problems.graph.generate.rows.plan import Plan, Structure, launch
from gpucore.problems.graph.part import shares


@dataclass(frozen=True)
class GridRows(Plan):
    """A grid of `rows` by `columns` vertices, numbered row by row.

    Memory: 8 bytes a row and 8 bytes an entry, which are the part itself.

    Parameters
    ----------
    rows, columns : int
        Size of the grid.
    weights, weight_seed
        See :class:`.plan.Plan`.
    """

    name: ClassVar[str] = "grid_rows"

    rows: int
    columns: int

    def check(self) -> None:
        """Raise GraphError if a parameter is out of its range."""
        check_whole("rows", self.rows, 0)
        check_whole("columns", self.columns, 0)
        check_whole("rows * columns", self.rows * self.columns, 0)

    @property
    def num_vertices(self) -> int:
        """Number of vertices."""
        return self.rows * self.columns

    @property
    def most_edges(self) -> int:
        """Number of edges."""
        return self.entries_before(self.num_vertices) // 2

    def entries_before(self, v: int) -> int:
        """Return the number of entries of the vertices before `v`."""
        if self.num_vertices == 0:
            return 0
        row, column = divmod(v, self.columns)
        beside = row * 2 * (self.columns - 1) + max(2 * column - 1, 0)
        return beside + max(v - self.columns, 0) + min(v, self.num_vertices - self.columns)

    def structure(self, device: Device, rank: int, ranks: int) -> Structure:
        """Return bounds as :func:`.part.balanced_bounds` does, and the rank's rows."""

        def work_before(v: int) -> int:
            return self.entries_before(v) + v

        vertices = range(self.num_vertices + 1)
        aims = shares(work_before(self.num_vertices), ranks)
        inner = [bisect.bisect_left(vertices, aim, key=work_before) for aim in aims]
        bounds = np.array(inner, np.int64)
        first, last = int(bounds[rank]), int(bounds[rank + 1])
        entries = self.entries_before(last) - self.entries_before(first)
        device.require_memory(8 * (last - first + 1) + 8 * entries, "the rows of a grid")
        indptr = device.xp.full(last - first + 1, entries, dtype=np.int64)
        indices = device.xp.empty(entries, dtype=np.int32)
        args = [self.num_vertices, self.columns, first, last, indptr, indices]
        launch(device.kernel("grid_rows", "grid_rows"), last - first, args)
        return bounds, indptr, indices

    def coordinates(self, device: Device) -> NDArray[np.float64]:
        """Return column and row of each vertex."""
        rows, columns = np.divmod(np.arange(self.num_vertices), max(self.columns, 1))
        return np.stack((columns, rows), axis=1).astype(np.float64)
