"""What a run returns, whichever algorithm, device or CPU method produced it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

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


@dataclass(frozen=True)
class MatchingResult(Result):
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

    @property
    def cardinality(self) -> int:
        """Number of matched edges."""
        return int(self.figures["cardinality"])
