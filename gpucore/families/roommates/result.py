"""Results of methods for stable roommates."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gpucore.result import PairsResult, hashes_of_sets


@dataclass(frozen=True)
class RoommatesResult(PairsResult):
    """Result of a method for stable roommates.

    Attributes
    ----------
    mate : ndarray of int32, shape (n,)
        ``mate[p]`` is the mate of person ``p``, -1 for none. All -1 if no matching is stable.
    successor : ndarray of int32, shape (n,)
        The proof, a stable partition (:mod:`gpucore.families.roommates.certificate`): its cycles
        are the pairs, the singles and, only if there is no stable matching, odd parties of at least
        three.

    Notes
    -----
    Figures of every run: ``solvable``, ``cardinality`` (pairs), ``proposals``, ``rotations``.
    """

    mate: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))
    successor: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))

    @property
    def solvable(self) -> bool:
        """Whether there is a stable matching."""
        return bool(self.figures["solvable"])

    def by_vertex(self) -> dict[str, np.ndarray]:
        """Return a hash of each person's mate: uint64, 0 for none; as of sets of mates."""
        paired = self.mate >= 0
        starts = np.concatenate([[0], np.cumsum(paired)])
        return {"mates": hashes_of_sets(starts, self.mate[paired])}
