"""The result of a factorisation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from gpucore.families.sgd.factors import Factors
from gpucore.families.sgd.record import sgd_record
from gpucore.result import Result

if TYPE_CHECKING:
    from gpucore.families.sgd.log import Log
    from gpucore.families.sgd.work import Pass
    from gpucore.problems.ratings.ratings import Ratings
    from gpucore.problems.ratings.split import Split
    from gpucore.record.recorder import RawRecord


def _nothing() -> Any:
    return np.zeros((0, 0), np.float32)


@dataclass(frozen=True)
class SgdResult(Result):
    """Vectors of users and items whose products predict ratings.

    Attributes
    ----------
    users : ndarray of float32, shape (U, padded k)
        See :class:`gpucore.families.sgd.factors.Factors`.
    items : ndarray of float32, shape (I, padded k)
    biases : ndarray of float32, shape (U + I,) or (0,)
        Biases of the users, then of the items.
    """

    users: NDArray[np.float32] = field(default_factory=_nothing)
    items: NDArray[np.float32] = field(default_factory=_nothing)
    biases: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))

    @classmethod
    def of_run(
        cls,
        ratings: Ratings,
        parts: Split,
        factors: Factors,
        log: Log,
        *,
        algorithm: str,
        device: dict[str, Any],
        params: dict[str, Any],
        figures: Mapping[str, Any],
        raw: RawRecord | None,
        passes: Sequence[Pass],
        lanes: int,
    ) -> Self:
        """Return the result of a run, with its record; see :func:`.record.sgd_record`.

        `figures` are added to those of every run; None for `raw` stands for no record.
        """
        about: dict[str, Any] = {"algorithm": algorithm, "device": device, "params": params}
        record = raw and sgd_record(
            raw,
            ratings,
            parts.train,
            **about,
            passes=passes,
            lanes=lanes,
            log=log,
            factors=factors,
        )
        return cls(
            **about,
            seconds=float(sum(log.seconds)),
            figures=log.figures(parts, factors.mean) | dict(figures),
            users=factors.users,
            items=factors.items,
            biases=factors.biases,
            record=record,
        )

    @property
    def factors(self) -> Factors:
        """The factorisation."""
        mean = float(self.figures["mean"])
        if not self.biases.size:
            return Factors(self.users, self.items, mean)
        count = len(self.users)
        return Factors(self.users, self.items, mean, self.biases[:count], self.biases[count:])

    @property
    def rmse(self) -> float:
        """Error of the training ratings after the last sweep."""
        return float(self.figures["rmse"])

    @property
    def test_rmse(self) -> float | None:
        """Error of the ratings that were held back; None without any."""
        found: float | None = self.figures["test_rmse"]
        return found

    def by_vertex(self) -> dict[str, np.ndarray]:
        """Return the length of each vertex's vector, which a comparison can draw."""
        both = np.concatenate((self.users, self.items))
        return {"length": np.linalg.norm(both, axis=1).astype(np.float32)}
