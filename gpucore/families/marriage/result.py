"""Results of methods for stable marriage."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gpucore.errors import ParameterError
from gpucore.result import PairsResult, from_pairs, hashes_of_sets


@dataclass(frozen=True)
class MarriageResult(PairsResult):
    """Result of a method that finds a stable marriage, or with capacities a stable assignment.

    Attributes
    ----------
    men, women : ndarray of int32, shape (pairs,)
        Man ``men[i]`` has woman ``women[i]``; sorted by man, then by woman.
    num_men, num_women : int
        Size of the instance.

    Notes
    -----
    Figures of every run are ``cardinality`` (pairs), ``considered`` (places read in the men's
    lists: each man's rank of his woman, of a single one the length of his list), the mean ranks
    of partners ``men_mean_rank`` and ``women_mean_rank`` (None without pairs), and, None
    where they are not counted, ``proposals`` and ``rounds``. The parameter ``proposers`` is "men"
    or "women".

    Examples
    --------
    >>> result = MarriageResult(
    ...     "by hand", {}, 0.0, {"cardinality": 1}, num_men=2, num_women=3,
    ...     men=np.array([1], np.int32), women=np.array([0], np.int32),
    ... )
    >>> result.wife.tolist(), result.husband.tolist(), result.mate.tolist()
    ([-1, 0], [1, -1, -1], [-1, 2, 1, -1, -1])
    """

    men: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))
    women: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))
    num_men: int = 0
    num_women: int = 0

    @property
    def wife(self) -> np.ndarray:
        """Woman of every man, or -1: int32, shape (num_men,); ParameterError if one has several."""
        return _only_partner("man", self.men, self.women, self.num_men)

    @property
    def husband(self) -> np.ndarray:
        """Man of every woman, or -1: int32, shape (num_women,); as :attr:`wife`."""
        return _only_partner("woman", self.women, self.men, self.num_women)

    @property
    def mate(self) -> np.ndarray:
        """Partner of each person, men before women: int32, shape (num_men + num_women,)."""
        wife = self.wife
        return np.concatenate(
            [np.where(wife >= 0, wife + np.int32(self.num_men), wife), self.husband]
        )

    def by_vertex(self) -> dict[str, np.ndarray]:
        """Return a number for each person, men first, a hash of all partners: uint64."""
        people = self.num_men + self.num_women
        return {
            "partners": hashes_of_sets(*from_pairs(people, self.men, self.women + self.num_men))
        }


def _only_partner(who: str, ones: np.ndarray, others: np.ndarray, size: int) -> np.ndarray:
    """Return the partner of each of `ones`: int32, shape (size,)."""
    twice = np.flatnonzero(np.bincount(ones, minlength=size) > 1)
    if twice.size:
        raise ParameterError(f"{who} {twice[0]} has several partners; read the pairs men, women")
    partner = np.full(size, -1, np.int32)
    partner[ones] = others
    return partner
