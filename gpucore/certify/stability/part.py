"""What the certificate of a b-matching reads: rows of a graph, and the mates of their vertices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


@dataclass(frozen=True, eq=False)
class Part:
    """Rows of a graph, and what a b-matching says about their vertices.

    Attributes
    ----------
    n : int
        Number of vertices of the whole graph.
    first : int
        The vertex of the first row.
    indptr, indices, weights : array
        Rows as in a graph, ``indptr[0] == 0``; neighbours have the numbers of the whole graph.
    capacity, starts, mates : array
        As in a result, of these vertices only: ``starts[0] == 0``.
    xp : module
        Library of all arrays: ``numpy`` or ``cupy``.
    """

    n: int
    first: int
    indptr: Any
    indices: Any
    weights: Any
    capacity: Any
    starts: Any
    mates: Any
    xp: ModuleType = np

    @classmethod
    def of(
        cls,
        graph: Graph,
        capacity: np.ndarray,
        starts: np.ndarray,
        mates: np.ndarray,
        rows: tuple[int, int] | None = None,
    ) -> Part:
        """Return a part with the vertices ``rows[0]`` to ``rows[1] - 1``, or with all."""
        capacity, starts, mates = map(np.asarray, (capacity, starts, mates))
        indptr, indices, weights = graph.indptr, graph.indices, graph.weights
        if rows is None:
            return cls(graph.num_vertices, 0, indptr, indices, weights, capacity, starts, mates)
        lo, hi = rows
        begin, end = indptr[lo], indptr[hi]
        lists = starts[lo : hi + 1]
        return cls(
            graph.num_vertices,
            lo,
            indptr[lo : hi + 1] - begin,
            indices[begin:end],
            weights[begin:end],
            capacity[lo:hi],
            lists - lists[0],
            mates[lists[0] : lists[-1]],
        )

    @property
    def rows(self) -> int:
        """Number of rows."""
        return int(self.indptr.size - 1)

    @property
    def bounds(self) -> Any:
        """`starts` as int64."""
        return self.starts.astype(np.int64, copy=False)


@dataclass(frozen=True, eq=False)
class Summary:
    """What others need to know of each vertex of a part, or of all vertices.

    Attributes
    ----------
    worst_weight : array of float32
        Weight of the worst matched edge of a vertex without room; 0 with room, and infinite where
        no mate is allowed.
    worst_mate : array of int32
        The mate by that edge; -1 if there is none.
    """

    worst_weight: Any
    worst_mate: Any

    @classmethod
    def empty(cls, vertices: int, xp: ModuleType = np) -> Summary:
        """Return the summary of vertices before any edge was seen."""
        return cls(xp.zeros(vertices, np.float32), xp.full(vertices, -1, np.int32))

    @classmethod
    def joined(cls, parts: Sequence[Summary], xp: ModuleType = np) -> Summary:
        """Return the summary of all vertices from those of the parts, in the vertices' order."""
        return cls(
            xp.concatenate([part.worst_weight for part in parts]),
            xp.concatenate([part.worst_mate for part in parts]),
        )
