"""Rows of random geometric graphs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gpucore.device import Device
from gpucore.device.constants import constant
from gpucore.errors import GraphError
from gpucore.params import is_number
from gpucore.problems.graph.generate.common import check_whole
from gpucore.problems.graph.generate.rows.plan import Plan, Structure, key_of, launch
from gpucore.seeds import generator

#: Units of length in the width of a cell.
_CELL = 1 << constant("rgg_rows.cu", "CELL_BITS")
#: A cell has at least this many points on average, so that they are hardly more regular than
#: points that are independent of each other.
_POINTS = 4


@dataclass(frozen=True)
class RggRows(Plan):
    """A random geometric graph: points of the unit square, joined if they are close.

    The square has equal cells, each with the same number of random points (which differs by at most
    one); cells are numbered row by row, and points cell by cell. So every rank knows the points of
    any cell, and neighbours have near numbers. Points that are independent of each other have a
    random number in each cell, whose variance equals its mean, so their degrees vary more.

    Memory: 16 bytes a row and 8 bytes an entry; the part itself takes 8 and 8 of them.

    Parameters
    ----------
    n : int
        Number of vertices.
    degree : float, optional
        Mean degree of vertices far from the border; by default ``0.3025 * pi * log(n)``, at which
        the graph is nearly connected.
    seed : int
        Seed of the points.
    weights, weight_seed
        See :class:`.plan.Plan`.
    """

    name: ClassVar[str] = "rgg_rows"

    n: int
    degree: float | None = None
    seed: int = 1

    def check(self) -> None:
        """Raise GraphError if a parameter is out of its range, and set the default degree."""
        check_whole("n", self.n, 0)
        generator(self.seed)
        if self.degree is None:
            object.__setattr__(self, "degree", 0.3025 * math.pi * math.log(max(self.n, 1)))
        if not is_number(self.degree) or not 0 <= self.degree <= max(self.n, 1):
            raise GraphError(f"degree must be between 0 and n = {self.n}, not {self.degree}")

    @property
    def num_vertices(self) -> int:
        """Number of vertices."""
        return self.n

    @property
    def most_edges(self) -> int:
        """Number of edges, about."""
        return int(self.n * self._degree / 2)

    @property
    def _degree(self) -> float:
        assert self.degree is not None
        return self.degree

    @property
    def side(self) -> int:
        """Number of cells along a side of the square; a cell is at least as wide as the radius."""
        most = self.n / max(_POINTS, self._degree / math.pi)
        return max(1, int(math.sqrt(most)))

    @property
    def radius2(self) -> int:
        """Square of the radius, in units of the kernels' coordinates."""
        if self.n == 0:
            return 0
        return int(self._degree / (math.pi * self.n) * (self.side * _CELL) ** 2)

    def structure(self, device: Device, rank: int, ranks: int) -> Structure:
        """Return bounds, balanced by vertices, and the rank's rows."""
        xp, n = device.xp, self.n
        bounds = np.array([n * share // ranks for share in range(ranks + 1)], np.int64)
        first, last = int(bounds[rank]), int(bounds[rank + 1])
        device.require_memory(16 * (last - first + 1), "the degrees of a geometric graph")
        shape = [n, self.side, self.radius2, key_of("points", self.seed), first, last]
        degrees = xp.zeros(last - first + 1, dtype=np.int64)
        launch(device.kernel("rgg_rows", "rgg_count"), last - first, [*shape, degrees[1:]])
        indptr = xp.cumsum(degrees)
        entries = int(indptr[-1])
        del degrees
        device.require_memory(8 * entries, "the rows of a geometric graph")
        indices = xp.empty(entries, dtype=np.int32)
        launch(device.kernel("rgg_rows", "rgg_fill"), last - first, [*shape, indptr, indices])
        return bounds, indptr, indices

    def coordinates(self, device: Device) -> NDArray[np.float64]:
        """Return the points."""
        places = device.xp.empty(2 * self.n, dtype=np.float64)
        args = [self.n, self.side, key_of("points", self.seed), 0, self.n, places]
        launch(device.kernel("rgg_rows", "rgg_points"), self.n, args)
        return device.to_host(places).reshape(-1, 2)
