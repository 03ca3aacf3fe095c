"""Performance profiles: the share of problems on which a method is within a ratio of the best.

Dolan and Moré, Benchmarking optimization software with performance profiles, Mathematical
Programming 91, 2002. With t(p, s) the time of method s on problem p and the ratio
``r(p, s) = t(p, s) / min_s t(p, s)``, the profile of s is ``rho_s(tau)``, the fraction of the
problems with ``r(p, s) <= tau``. ``rho_s(1)`` is the fraction on which s is the best; the ratio at
which the curve reaches 1 is the worst one of s. A failure counts as an infinite time, so the curve
stays below 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gpucore.errors import ParameterError


@dataclass(frozen=True)
class Profile:
    """One method's step function ``rho(tau)``.

    Attributes
    ----------
    method : str
        The method's name.
    ratios : ndarray of float64, shape (k,)
        Its finite ratios to the best, ascending: where the curve steps up.
    problems : int
        Number of problems, failures of this method included.
    """

    method: str
    ratios: np.ndarray
    problems: int

    def fraction(self, tau: float) -> float:
        """Return the fraction of the problems solved within `tau` times the best time."""
        return int(np.searchsorted(self.ratios, tau, side="right")) / self.problems

    @property
    def wins(self) -> float:
        """The fraction of the problems on which the method is the best."""
        return self.fraction(1.0)

    @property
    def worst(self) -> float:
        """The method's largest ratio to the best; infinite if it failed somewhere."""
        return float(self.ratios[-1]) if len(self.ratios) == self.problems else math.inf


def performance_profiles(times: Mapping[str, Sequence[float]]) -> list[Profile]:
    """Compute the profiles of several methods on the same problems.

    Parameters
    ----------
    times : mapping of str to sequence of float
        For every method its times in the order of the problems; NaN, infinity or a negative
        number is a failure. A problem that no method solved is left out.

    Returns
    -------
    list of Profile
        Sorted by wins, most first; of equals, the one with the smaller worst ratio first.

    Raises
    ------
    ParameterError
        If the methods have unequal numbers of times, or if no problem was solved.
    """
    if len({len(row) for row in times.values()}) != 1:
        raise ParameterError("a performance profile needs one time per method and problem")
    table = np.array(list(times.values()), dtype=np.float64)
    table[~np.isfinite(table) | (table < 0)] = np.inf
    table = table[:, np.isfinite(table).any(axis=0)] if table.size else table
    if table.size == 0:
        raise ParameterError("a performance profile needs at least one problem that was solved")
    # A time below the clock's resolution reads 0; the least positive float keeps ratios defined.
    table = np.maximum(table, np.finfo(np.float64).tiny)
    ratios = table / table.min(axis=0)
    profiles = [
        Profile(method, np.sort(row[np.isfinite(row)]), ratios.shape[1])
        for method, row in zip(times, ratios, strict=True)
    ]
    return sorted(profiles, key=lambda p: (-p.wins, p.worst))


def geometric_mean(values: Sequence[float]) -> float:
    """Return the geometric mean of positive numbers, the right mean for ratios of times."""
    return float(np.exp(np.mean(np.log(np.asarray(values, dtype=np.float64)))))
