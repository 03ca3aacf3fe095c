"""The certificate of a b-matching whose graph no rank has whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from gpucore.certify.stability.parts import Part, Summary, combine, examine, finish

if TYPE_CHECKING:
    from gpucore.certify import Certificate
    from gpucore.problems.graph.part import GraphPart


class Ranks(Protocol):
    """All ranks of a run, as :class:`gpucore.ranks.Comm` has them."""

    def allgather(self, value: Any) -> list[Any]:
        """Return the values of all ranks."""
        ...


def certify_on_ranks(
    part: GraphPart,
    capacity: np.ndarray,
    starts: np.ndarray,
    mates: np.ndarray,
    comm: Ranks,
    *,
    weight: float,
    cardinality: int,
) -> Certificate:
    """Certify a b-matching on ranks; every rank calls. Rows are checked where they are.

    Parameters
    ----------
    part : GraphPart
        The rank's rows.
    capacity : ndarray of int32, shape (rows,)
        How many mates the own vertices may have.
    starts : ndarray of int64, shape (rows + 1,)
        ``mates[starts[i]:starts[i + 1]]`` are the mates of the i-th own vertex, ascending.
    mates : ndarray of int32
        Numbered as in the whole graph.
    comm : Ranks
    weight, cardinality : float and int
        Figures that the algorithm reported.

    Returns
    -------
    Certificate
        The same on all ranks.
    """
    rows = (part.indptr, part.indices, part.weights)
    own = Part(part.n, part.lo, *rows, capacity, starts, mates)
    examined = examine(own)
    gathered = comm.allgather((examined.summary, examined.away))
    summary = Summary.joined([one for one, _ in gathered])
    away = np.concatenate([pairs for _, pairs in gathered])
    ours = away[(away[:, 1] >= part.lo) & (away[:, 1] < part.hi)]
    outcomes = comm.allgather(finish(own, examined, summary, ours))
    return combine(outcomes, weight=weight, cardinality=cardinality)
