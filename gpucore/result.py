"""What a run returns, whichever algorithm, device or CPU method produced it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from gpucore.errors import ParameterError

if TYPE_CHECKING:
    from gpucore.certify import Certificate
    from gpucore.record import Record


@dataclass(frozen=True)
class Result:
    """Outcome of one run.

    Attributes
    ----------
    algorithm, variant : str
        What ran, by the names the command line uses.
    device : dict
        Description of the device or CPU, as :meth:`gpucore.device.Device.describe` gives it.
    seconds : float
        Time of the algorithm itself: the graph is on the device, the kernels are compiled,
        nothing is copied back.
    figures : dict
        The family's figures (``weight``, ``cardinality``, ``modularity``, ...), JSON-able.
    params : dict
        The parameters of the run, JSON-able.
    record : Record or None
        What happened inside, if it was recorded.
    certificate : Certificate or None
        The independent proof of the result, if it was asked for.
    """

    algorithm: str
    variant: str
    device: dict[str, Any]
    seconds: float
    figures: dict[str, Any]
    params: dict[str, Any] = field(default_factory=dict)
    record: Record | None = None
    certificate: Certificate | None = None

    def summary(self) -> dict[str, Any]:
        """Return one flat JSON-able object with stable keys."""
        certified = None if self.certificate is None else self.certificate.ok
        return {
            "algorithm": self.algorithm,
            "variant": self.variant,
            "device": self.device.get("name"),
            "seconds": self.seconds,
            "certified": certified,
            **self.figures,
        }

    def like(self, other: Result) -> Self:
        """Return this result with its arbitrary names, if it has any, chosen as in `other`.

        What two results still differ in afterwards they really differ in.
        """
        return self


@dataclass(frozen=True)
class _PairsResult(Result):
    """Result whose solution is a set of pairs."""

    @property
    def cardinality(self) -> int:
        """Number of pairs."""
        return int(self.figures["cardinality"])


@dataclass(frozen=True)
class MatchingResult(_PairsResult):
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


@dataclass(frozen=True)
class BipartiteResult(_PairsResult):
    """Result of a method that matches the rows of a matrix with its columns.

    Attributes
    ----------
    row_match : ndarray of int32, shape (rows,)
        ``row_match[r]`` is the column matched to row ``r``, or -1.
    column_match : ndarray of int32, shape (columns,)
        ``column_match[c]`` is the row matched to column ``c``, or -1.

    Notes
    -----
    Figures of every run are ``cardinality``, ``initial_cardinality``, ``initial_seconds``,
    ``phases`` and ``levels``; `seconds` covers the initial matching and its augmentation.

    Examples
    --------
    >>> result = BipartiteResult(
    ...     "by hand", "", {}, 0.0, {"cardinality": 1},
    ...     row_match=np.array([-1, 0], np.int32), column_match=np.array([1, -1, -1], np.int32),
    ... )
    >>> result.cardinality, result.mate.tolist()
    (1, [-1, 2, 1, -1, -1])
    """

    row_match: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))
    column_match: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))

    @property
    def mate(self) -> np.ndarray:
        """Matched vertex of every vertex, rows before columns: int32, shape (rows + columns,)."""
        rows = np.int32(self.row_match.size)
        of_rows = np.where(self.row_match >= 0, self.row_match + rows, self.row_match)
        return np.concatenate([of_rows, self.column_match])


@dataclass(frozen=True)
class MarriageResult(_PairsResult):
    """Result of a method that finds a stable marriage, or with capacities a stable assignment.

    Attributes
    ----------
    men, women : ndarray of int32, shape (pairs,)
        Man ``men[i]`` has woman ``women[i]``; sorted by man, those of one man by woman.
    num_men, num_women : int
        Size of the instance.

    Notes
    -----
    Figures of every run are ``cardinality`` (pairs), ``considered`` (places read in the men's
    lists: each man's rank of his woman, of a single one the length of his list), the mean ranks
    of partners ``men_mean_rank`` and ``women_mean_rank`` (None if nobody is married), and, None
    where they are not counted, ``proposals`` and ``rounds``. The parameter ``proposers`` is "men"
    or "women".

    Examples
    --------
    >>> result = MarriageResult(
    ...     "by hand", "", {}, 0.0, {"cardinality": 1}, num_men=2, num_women=3,
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
        """Partner of everybody, men before women: int32, shape (num_men + num_women,)."""
        wife = self.wife
        return np.concatenate(
            [np.where(wife >= 0, wife + np.int32(self.num_men), wife), self.husband]
        )


def _only_partner(who: str, ones: np.ndarray, others: np.ndarray, size: int) -> np.ndarray:
    """Return as int32, shape (size,), whom each of `ones` is paired with."""
    twice = np.flatnonzero(np.bincount(ones, minlength=size) > 1)
    if twice.size:
        raise ParameterError(f"{who} {twice[0]} has several partners; read the pairs men, women")
    partner = np.full(size, -1, np.int32)
    partner[ones] = others
    return partner


@dataclass(frozen=True)
class RoommatesResult(_PairsResult):
    """Result of a method for stable roommates.

    Attributes
    ----------
    mate : ndarray of int32, shape (n,)
        ``mate[p]`` shares with person ``p``, -1: nobody. All -1 if there is no stable matching.
    successor : ndarray of int32, shape (n,)
        The proof, a stable partition (:mod:`gpucore.families.roommates.certificate`): its cycles are the pairs,
        the singles and, only if there is no stable matching, odd parties of at least three.

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


@dataclass(frozen=True)
class CommunityResult(Result):
    """Result of a method that finds communities, with the hierarchy in which it found them.

    Attributes
    ----------
    community : ndarray of int32, shape (n,)
        Community of every vertex, numbered 0 to k - 1, none empty. The numbers mean nothing else.
    levels : tuple of ndarray of int32
        ``levels[0]`` maps the vertices to the communities of level 1, ``levels[i]`` those of
        level ``i`` to those of level ``i + 1``; `community` is the last level. Without levels
        every vertex is a community of its own.

    Notes
    -----
    Modularity and self-loops are those of :mod:`gpucore.families.communities.certificate`.

    Examples
    --------
    >>> pairs, all_four = np.array([0, 0, 1, 1], np.int32), np.array([0, 0], np.int32)
    >>> result = CommunityResult(
    ...     "by hand", "", {}, 0.0, {"modularity": 0.0, "communities": 1},
    ...     community=all_four[pairs], levels=(pairs, all_four),
    ... )
    >>> [result.at_level(i).tolist() for i in range(3)]
    [[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]]
    """

    community: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))
    levels: tuple[np.ndarray, ...] = ()

    @property
    def modularity(self) -> float:
        """Modularity of `community` at the run's resolution."""
        return float(self.figures["modularity"])

    @property
    def num_communities(self) -> int:
        """Number of communities."""
        return int(self.figures["communities"])

    @property
    def sweeps(self) -> int | None:
        """Passes over the vertices in all stages together; None where a library does not tell."""
        found = self.figures.get("sweeps")
        return None if found is None else int(found)

    def at_level(self, level: int) -> np.ndarray:
        """Return the community of every vertex at a level: int32, shape (n,).

        Level 0 has every vertex alone, level ``len(levels)`` is the result.

        Raises
        ------
        ParameterError
            There is no such level.
        """
        if not 0 <= level <= len(self.levels):
            raise ParameterError(f"there is no level {level}; levels are 0 to {len(self.levels)}")
        found = np.arange(self.community.size, dtype=np.int32)
        for mapping in self.levels[:level]:
            found = mapping[found]
        return found

    def like(self, other: Result) -> Self:
        """Return this result with its communities numbered as the most alike ones of `other`."""
        from gpucore.families.communities.partitions import match_labels

        if not isinstance(other, CommunityResult) or other.community.size != self.community.size:
            return self
        names = match_labels(self.community, other.community)
        levels = self.levels
        if levels:
            levels = (*levels[:-1], names[levels[-1]])
        return replace(self, community=names[self.community], levels=levels)
