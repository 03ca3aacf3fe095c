"""Results of methods for stable fixtures: each person may have several mates."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from gpucore.result import MatesResult


@dataclass(frozen=True)
class FixturesResult(MatesResult):
    """Result of a method for stable fixtures.

    If no solution is stable, the mates are the whole pairs of the proof
    (:mod:`gpucore.families.roommates.fixtures_certificate`).

    Attributes
    ----------
    successor : ndarray of int32, shape (n,)
        The rest of the proof: the next person of an odd party, the person itself in none. There
        are odd parties only if no solution is stable.

    Notes
    -----
    Figures of every run: ``solvable``, ``cardinality`` (pairs, 0 without a stable solution),
    ``proposals``, ``rotations``.
    """

    successor: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))

    @property
    def solvable(self) -> bool:
        """Whether there is a stable solution."""
        return bool(self.figures["solvable"])

    def lists(self) -> list[list[int]]:
        """Return the mates of each person."""
        return [self.mates[a:b].tolist() for a, b in pairwise(self.starts.tolist())]

    def by_vertex(self) -> dict[str, np.ndarray]:
        """Return a hash of each person's set of mates: uint64, 0 for none."""
        hashes = super().by_vertex()["mates"]
        return {"mates": hashes if self.solvable else np.zeros_like(hashes)}
