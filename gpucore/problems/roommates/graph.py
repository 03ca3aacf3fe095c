"""Graph of the pairs of stable roommates, used by the app."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from gpucore.errors import GraphError
from gpucore.problems.graph.graph import Graph
from gpucore.rows import row_numbers

if TYPE_CHECKING:
    from gpucore.problems.roommates.roommates import Roommates


@dataclass(frozen=True, eq=False, repr=False)
class RoommatesGraph(Graph):
    """Graph of mutual pairs: an edge joins two people who list each other.

    The lists are in :attr:`roommates`, and the fingerprint is theirs, so a record of either is one
    of both. :meth:`Roommates.graph` makes it.

    Parameters
    ----------
    roommates : Roommates
        The instance that the edges come from.

    Examples
    --------
    >>> from gpucore.problems.roommates.roommates import Roommates
    >>> Roommates.from_lists([[1, 2], [2, 0], [0, 1]]).graph()
    RoommatesGraph(people=3, pairs=3)
    """

    #: Kind of problem, a folder of :mod:`gpucore.problems`.
    kind: ClassVar[str] = "roommates"

    roommates: Roommates = field(kw_only=True)

    def __post_init__(self) -> None:
        raise GraphError("a graph of roommates is made by Roommates.graph()")

    @classmethod
    def of(cls, roommates: Roommates) -> RoommatesGraph:
        """Return the graph of an instance."""
        indptr, others = roommates.indptr, roommates.others
        order = np.lexsort((others, row_numbers(indptr)))
        return cls._of_rows(
            (indptr, others[order], np.ones(others.size, np.float32)),
            weighted=False,
            roommates=roommates,
            name=roommates.name,
            names=roommates.names,
            source=dict(roommates.source),
        )

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the lists."""
        return self.roommates.fingerprint

    def rearranged(self, *args: Any) -> Self:
        """Raise GraphError: renumbered vertices would lose their lists."""
        raise GraphError("roommates are not permuted like a graph, since their lists would be lost")

    def __repr__(self) -> str:
        return f"RoommatesGraph{repr(self.roommates).removeprefix('Roommates')}"
