"""Solutions as values of vertices, so that two of them can be compared vertex by vertex."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpucore.compare import solution
from gpucore.result import BipartiteResult, MarriageResult

if TYPE_CHECKING:
    from gpucore.result import Result

#: An odd number whose multiples look like chance (Knuth, The Art of Computer Programming 3, 6.4).
_SPREAD = np.uint64(0x9E3779B97F4A7C15)


def by_vertex(result: Result) -> dict[str, np.ndarray]:
    """Return the arrays of a solution with a value for each vertex, rows or men first."""
    if isinstance(result, BipartiteResult):
        return {"mate": result.mate}
    if isinstance(result, MarriageResult):
        return {"partners": _partners(result)}
    return solution(result)


def _partners(result: MarriageResult) -> np.ndarray:
    """Return a number for everybody that tells who the partners are, however many: uint64."""
    men, women = result.men.astype(np.int64), result.women + np.int64(result.num_men)
    told = np.zeros(result.num_men + result.num_women, np.uint64)
    for ones, others in ((men, women), (women, men)):
        mixed = (others.astype(np.uint64) + np.uint64(1)) * _SPREAD
        np.add.at(told, ones, mixed ^ (mixed >> np.uint64(29)))
    return told
