"""Errors and times of the sweeps of a factorisation, for kernels, methods and peers alike."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from gpucore.errors import ParameterError

if TYPE_CHECKING:
    from gpucore.problems.ratings.ratings import Ratings
    from gpucore.problems.ratings.split import Split

#: A run diverges where the error after a sweep is over the first one, and over that of vectors that
#: are zero, by this factor: regularisation may take good first vectors as far as zero.
MOST_GROWTH = 10.0


class HasRmse(Protocol):
    """Computes the error of a factorisation over some ratings, as it is at that time."""

    def rmse(self) -> float:
        """Return the root of the mean squared error; NaN without ratings."""
        ...


@dataclass
class Log:
    """Errors and times of the sweeps.

    Attributes
    ----------
    rmse, test_rmse : list of float
        Errors before the first and after each sweep.
    seconds : list of float
        Time of each sweep, without the errors.
    zero : float
        Error of vectors that are zero, at most: the root of the mean squared rating.
    """

    rmse: list[float] = field(default_factory=list)
    test_rmse: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    zero: float = 0.0

    @classmethod
    def of(cls, train: Ratings) -> Log:
        """Return an empty log of a run on these ratings."""
        return cls(zero=float(np.sqrt(np.mean(np.square(train.values, dtype=np.float64)))))

    def add(self, train: HasRmse, test: HasRmse) -> None:
        """Compute and append both errors; raise ParameterError if the run diverges."""
        self.rmse.append(train.rmse())
        self.test_rmse.append(test.rmse())
        most = MOST_GROWTH * max(self.rmse[0], self.zero) + 1e-6
        if not np.isfinite(self.rmse[-1]) or self.rmse[-1] > most:
            raise ParameterError(
                f"the factorisation diverges: after sweep {len(self.rmse) - 1} the error of the "
                f"training ratings is {self.rmse[-1]:.3g}, before the first it was "
                f"{self.rmse[0]:.3g}; take a smaller rate, or larger reg"
            )

    def figures(self, parts: Split, mean: float) -> dict[str, Any]:
        """Return the figures of a result that all runs have."""
        train, tested = parts.train.num_ratings, len(parts.test.users) > 0
        sweeps, seconds = len(self.seconds), sum(self.seconds)
        return {
            "rmse": self.rmse[-1],
            "test_rmse": self.test_rmse[-1] if tested else None,
            "updates_per_second": train * sweeps / seconds if seconds else 0.0,
            "sweeps": sweeps,
            "ratings": train,
            "test_ratings": len(parts.test.users),
            "mean": mean,
            "rmse_by_sweep": self.rmse,
            "test_rmse_by_sweep": self.test_rmse if tested else [],
            "seconds_by_sweep": self.seconds,
        }
