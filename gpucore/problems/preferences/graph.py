"""Graph of a small instance's pairs, used by the app, records and commands."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

from gpucore.errors import GraphError
from gpucore.problems.bipartite.csr import both_sides
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.rows import row_numbers

if TYPE_CHECKING:
    from gpucore.problems.preferences.preferences import Preferences


@dataclass(frozen=True, eq=False, repr=False)
class PreferenceGraph(BipartiteGraph):
    """Graph of mutual pairs: edges between men, the rows, and women, the columns.

    The vertices are the men 0 to M - 1, followed by the women, M to M + W - 1. Ranks are in
    :attr:`preferences`, always in the explicit form. :meth:`Preferences.graph` makes it.

    Parameters
    ----------
    preferences : Preferences
        The instance that the edges come from.

    Examples
    --------
    >>> from gpucore.problems.preferences.preferences import Preferences
    >>> graph = Preferences.shared([1, 0], [2, 1]).graph()
    >>> graph
    PreferenceGraph(men=2, women=2, pairs=4)
    >>> graph.preferences.is_shared
    False
    """

    #: Kind of problem, a folder of :mod:`gpucore.problems`.
    kind: ClassVar[str] = "preferences"

    preferences: Preferences = field(kw_only=True)

    def __post_init__(self) -> None:
        raise GraphError("a graph of preferences is made by Preferences.graph()")

    @classmethod
    def of(cls, preferences: Preferences) -> PreferenceGraph:
        """Return the graph of an instance; :meth:`Preferences.graph` also bounds its size."""
        explicit = preferences.expanded()
        shape = (explicit.num_men, explicit.num_women)
        return cls._of_rows(
            both_sides(row_numbers(explicit.indptr), explicit.women, shape),
            num_rows=shape[0],
            preferences=explicit,
            name=explicit.name,
            names=explicit.names,
            source=dict(explicit.source),
        )

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the instance's fingerprint, which includes ranks and capacities."""
        return hashlib.sha256(f"preferences: {self.preferences.fingerprint}".encode()).hexdigest()

    def transpose(self) -> PreferenceGraph:
        """Return the graph of the instance in which men and women are exchanged."""
        return PreferenceGraph.of(self.preferences.swapped())

    def rearranged(self, *args: Any) -> Self:
        """Raise GraphError: moving entries of the matrix would lose their ranks."""
        raise GraphError(
            "preferences are not permuted like a matrix, since their ranks would be lost; permute "
            "the matrix first and rank its entries afterwards"
        )

    def __repr__(self) -> str:
        return f"PreferenceGraph{repr(self.preferences).removeprefix('Preferences')}"
