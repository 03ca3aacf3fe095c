"""Rows of graphs with planted communities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from gpucore.errors import GraphError
from gpucore.params import is_number
from gpucore.problems.graph.generate.common import check_whole
from gpucore.problems.graph.generate.rows.drawn import DrawnRows
from gpucore.problems.graph.generate.rows.plan import key_of
from gpucore.seeds import generator


@dataclass(frozen=True)
class PlantedRows(DrawnRows):
    """A graph with planted communities of equal size, whose edges are hashes of their numbers.

    As :func:`gpucore.problems.graph.generate.planted_partition` draws it:
    ``n * degree_in / 2`` edges inside random communities and ``n * degree_out / 2`` between any two
    vertices; loops are dropped and equal edges merged. For memory and time see
    :class:`.drawn.DrawnRows`.

    Parameters
    ----------
    n, communities : int
        Number of vertices, a multiple of the number of communities.
    degree_in, degree_out : float
        Mean degrees, at most 2**20.
    shuffle : bool
        Number the vertices at random; otherwise vertex ``v`` is in community
        ``v // (n // communities)``.
    seed : int
        Seed of the edges.
    weights, weight_seed
        See :class:`.plan.Plan`.
    """

    name: ClassVar[str] = "planted_rows"
    kernels: ClassVar[str] = "planted"
    noun: ClassVar[str] = "a graph with planted communities"

    n: int
    communities: int
    degree_in: float = 16.0
    degree_out: float = 4.0
    shuffle: bool = True
    seed: int = 1

    def check(self) -> None:
        """Raise GraphError if a parameter is out of its range."""
        check_whole("n", self.n, 0, 1 << 30)
        check_whole("communities", self.communities, 1)
        if self.n % self.communities:
            raise GraphError(
                f"n = {self.n} must be a multiple of the {self.communities} communities"
            )
        for name in ("degree_in", "degree_out"):
            value = getattr(self, name)
            if not is_number(value) or not 0 <= value <= 1 << 20:
                raise GraphError(f"{name} must be between 0 and {1 << 20}, not {value}")
        generator(self.seed)

    @property
    def num_vertices(self) -> int:
        """Number of vertices."""
        return self.n

    @property
    def inside(self) -> int:
        """Number of edges that are drawn inside communities."""
        return int(self.n * self.degree_in / 2)

    @property
    def most_edges(self) -> int:
        """Number of edges that are drawn."""
        return self.inside + int(self.n * self.degree_out / 2)

    def drawing(self) -> list[Any]:
        """Return the kernels' arguments that describe the drawing."""
        bits = max(1, (self.n - 1).bit_length())
        size = max(1, self.n // self.communities)
        key = key_of("planted", self.seed)
        return [self.inside, self.n, size, int(self.shuffle), bits, key]
