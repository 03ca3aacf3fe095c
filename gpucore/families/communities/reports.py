"""What a run logs: a report of every launch that a record has, and one of every stage."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gpucore.device import Device

#: Seconds; until a run has ended, two moments of its device.
Seconds = float | tuple[Any, Any]
#: Communities that refinement divided: the number of steps before, and every vertex's community, by
#: a member's number, before and after.
Division = tuple[int, np.ndarray, np.ndarray]


@dataclass(kw_only=True)
class StepReport:
    """One launch that moves vertices or merges communities; of the processor, one of its steps.

    Attributes
    ----------
    stage, sweep : int
        Numbers, from 0 and from 1; a launch that belongs to no sweep has the sweep 0.
    bucket : int
        Group of vertices, or of communities, by degree, from 1; 0 where there are no groups.
    vertices, edges, moves : int
        Vertices that are processed, the entries of their lists, and vertices that moved.
    modularity : float
        After the sweep, at its last step; nan at the others.
    taken_back : bool
        Whether the moves were undone.
    merging : bool
        Whether the launch merges communities.
    """

    stage: int
    vertices: int
    edges: int
    sweep: int = 0
    bucket: int = 0
    moves: int = 0
    modularity: float = math.nan
    taken_back: bool = False
    merging: bool = False


@dataclass(kw_only=True)
class StageReport:
    """One stage; what it cannot have is None.

    Attributes
    ----------
    vertices, entries, communities : int
        Of the stage's graph; and its communities at the end.
    sweeps : int
        Of its vertices; where it was swept again in more parts, those of the last attempt.
    threshold, modularity : float
        A sweep that gained less was the last one; modularity at the end.
    given_up : bool
        Of Leiden: whether the moves lost modularity.
    optimise_seconds, first_sweep_seconds, contract_seconds : float
        Of both phases, and of the first sweep if it was timed.
    batches : int
        Parts in which the graph was contracted.
    one_launch : bool
        Whether the stage shares one launch with others.
    refining, taken_back : bool
        Whether it moved the given graph's vertices again, and whether in vain.
    colours : int
        Of the colouring of a method on the processor.
    """

    vertices: int
    entries: int | None = None
    sweeps: int
    threshold: float | None = None
    modularity: float
    communities: int
    given_up: bool | None = None
    optimise_seconds: Seconds | None = None
    first_sweep_seconds: float | None = None
    contract_seconds: Seconds | None = None
    batches: int | None = None
    one_launch: bool | None = None
    refining: bool | None = None
    taken_back: bool | None = None
    colours: int | None = None

    def read_times(self, device: Device) -> None:
        """Turn moments into seconds, when the run has ended.

        To read one earlier would let the device wait for the host.
        """
        for name in ("optimise_seconds", "contract_seconds"):
            found = getattr(self, name)
            if isinstance(found, tuple):
                setattr(self, name, device.seconds_between(*found))

    def as_dict(self) -> dict[str, Any]:
        """Return what the stage has by name, JSON-able.

        A stage that was timed has ``first_sweep_seconds`` in any case.
        """
        kept = {"first_sweep_seconds"} if self.optimise_seconds is not None else set()
        return {k: value for k, value in vars(self).items() if value is not None or k in kept}
