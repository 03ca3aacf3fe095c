"""What all claims of :mod:`gpucore.families.marriage.equivalence` share: form and comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from gpucore.run import run

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.preferences.preferences import Preferences

Side = TypeVar("Side")

#: The partner of every vertex, or of its man, or -1: int32, shape (n,).
Mates = NDArray[np.int32]


def run_method(name: str, graph: Graph | Preferences, **params: Any) -> Any:
    """Return the result of a method of another family."""
    return run(name, graph, certify=False, **params)


@dataclass(frozen=True)
class Claim:
    """A claim of the paper and whether it holds on a graph.

    Attributes
    ----------
    title : str
        The claim in one sentence.
    source : str
        Section or lemma of the paper.
    holds : bool
        Whether the two sides agree.
    detail : str
        The comparison; if the claim fails, the place where the sides first differ.
    """

    title: str
    source: str
    holds: bool
    detail: str


@dataclass(frozen=True)
class Compared(Generic[Side]):
    """Both sides of a claim.

    Attributes
    ----------
    claim : Claim
    on_graph, on_preferences
        The steps or the result of the method on the graph, and of that on its instance.
    """

    claim: Claim
    on_graph: Side
    on_preferences: Side


def first_difference(one: list, other: list) -> tuple[int, object, object] | None:
    """Return the first difference of two lists and their items there, None for a list's end."""
    if one == other:
        return None
    for i in range(max(len(one), len(other))):
        a, b = (rows[i] if i < len(rows) else None for rows in (one, other))
        if a != b:
            return i, a, b
    return None
