"""Results of methods for weighted b-matching."""

from __future__ import annotations

from dataclasses import dataclass

from gpucore.result import MatesResult


@dataclass(frozen=True)
class BMatchingResult(MatesResult):
    """Result of a b-matching algorithm: the mates of every vertex.

    A capacity may be above the degree.

    Examples
    --------
    >>> import numpy as np
    >>> from gpucore.result import from_pairs
    >>> starts, mates = from_pairs(3, [0, 2], [1, 1])
    >>> result = BMatchingResult(
    ...     "by hand", {}, 0.0, {"weight": 5.0, "cardinality": 2},
    ...     capacity=np.array([1, 2, 1], np.int32), starts=starts, mates=mates,
    ... )
    >>> result.mates_of(1).tolist(), result.cardinality
    ([0, 2], 2)
    """

    @property
    def weight(self) -> float:
        """Sum of the weights of the matched edges (float64)."""
        return float(self.figures["weight"])
