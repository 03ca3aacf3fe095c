"""Results of methods for communities."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from gpucore.errors import ParameterError
from gpucore.families.communities.partitions import match_labels
from gpucore.result import Result


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
    ...     "by hand", {}, 0.0, {"modularity": 0.0, "communities": 1},
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
        """Passes over the vertices, summed over stages; None if a library does not report them."""
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
        """Return this result with each community numbered like the most similar one of `other`."""
        if not isinstance(other, CommunityResult) or other.community.size != self.community.size:
            return self
        names = match_labels(self.community, other.community)
        levels = self.levels
        if levels:
            levels = (*levels[:-1], names[levels[-1]])
        return replace(self, community=names[self.community], levels=levels)
