"""Rows of R-MAT graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from gpucore.problems.graph.generate.common import check_whole
from gpucore.problems.graph.generate.random import check_rmat
from gpucore.problems.graph.generate.rows.drawn import DrawnRows
from gpucore.problems.graph.generate.rows.plan import key_of
from gpucore.seeds import generator


@dataclass(frozen=True)
class RmatRows(DrawnRows):
    """A recursive-matrix graph (R-MAT) whose edges are hashes of their numbers.

    As :func:`gpucore.problems.graph.generate.rmat` draws it: no noise, vertices renumbered at
    random (by a one-to-one hash), loops dropped and equal edges merged. For memory and time see
    :class:`.drawn.DrawnRows`.

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
    kernels: ClassVar[str] = "rmat"
    noun: ClassVar[str] = "an R-MAT graph"

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

    def drawing(self) -> list[Any]:
        """Return the kernels' arguments that describe the drawing."""
        sums = (self.a, self.a + self.b, self.a + self.b + self.c)
        thresholds = [min(round(limit * 2**32), 2**32) for limit in sums]
        return [self.scale, *thresholds, key_of("edges", self.seed)]
