"""Parameters of the peers."""

from __future__ import annotations

from dataclasses import dataclass

from gpucore.families.communities.native import check_number, check_whole
from gpucore.params import settle


@dataclass(frozen=True)
class ResolutionParams:
    """Parameters of a peer that finds communities.

    Attributes
    ----------
    resolution : float
        Factor of the expected weight in modularity.
    """

    resolution: float = 1.0

    def __post_init__(self) -> None:
        settle(self, resolution=check_number("resolution", self.resolution, positive=True))


@dataclass(frozen=True)
class SeededParams(ResolutionParams):
    """Parameters of a peer that takes the vertices in random order.

    Attributes
    ----------
    seed : int
        Seed of that order.
    """

    seed: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        settle(self, seed=check_whole("seed", self.seed))
