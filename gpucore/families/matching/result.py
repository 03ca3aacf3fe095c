"""Results of methods for weighted matching."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gpucore.result import PairsResult


@dataclass(frozen=True)
class MatchingResult(PairsResult):
    """Result of a matching algorithm.

    Attributes
    ----------
    mate : ndarray of int32, shape (n,)
        ``mate[u]`` is the vertex matched to ``u``, or -1.
    """

    mate: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))

    @property
    def weight(self) -> float:
        """Sum of the weights of the matched edges (float64)."""
        return float(self.figures["weight"])
