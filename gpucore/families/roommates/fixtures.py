"""Results of methods for stable fixtures: each person may have several mates."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from gpucore.result import PairsResult, hashes_of_sets


@dataclass(frozen=True)
class FixturesResult(PairsResult):
    """Result of a method for stable fixtures.

    Attributes
    ----------
    capacity : ndarray of int32, shape (n,)
        How many mates each person may have, as asked for.
    starts : ndarray of int64, shape (n + 1,)
        ``mates[starts[p]:starts[p + 1]]`` are the mates of person ``p``, ascending.
    mates : ndarray of int32
        All mates; every pair stands at both of its ends. If no solution is stable, they are the
        whole pairs of the proof (:mod:`gpucore.families.roommates.fixtures_certificate`).
    successor : ndarray of int32, shape (n,)
        The rest of the proof: the next person of an odd party, the person itself in none. There
        are odd parties only if no solution is stable.

    Notes
    -----
    Figures of every run: ``solvable``, ``cardinality`` (pairs, 0 without a stable solution),
    ``proposals``, ``rotations``.
    """

    capacity: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))
    starts: np.ndarray = field(default_factory=lambda: np.zeros(1, np.int64))
    mates: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))
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
        hashes = hashes_of_sets(self.starts, self.mates)
        return {"mates": hashes if self.solvable else np.zeros_like(hashes)}
