"""The numbers of a run's warps over time: who works last, and how the time of all is spent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gpucore.record.activity import Activity, Doing


@dataclass(frozen=True)
class Tail:
    """The end of a run, in which one warp alone has work.

    Attributes
    ----------
    warp : int
    time : float
        Its share of the run's time.
    events : int
        How many events it has.
    works : bool
        Whether the warp is known to work from its beginning to its end.
    """

    warp: int
    time: float
    events: int
    works: bool


@dataclass(frozen=True)
class Pace:
    """How the time of a run's warps is spent.

    Attributes
    ----------
    tail : Tail or None
        None for a run of one warp.
    half : float
        The share of the time after which half of the warps that had work have none left.
    shares : dict of Doing to float
        The shares of the time of all warps together; they add up to 1.
    """

    tail: Tail | None
    half: float
    shares: dict[Doing, float]


def pace_of(activity: Activity) -> Pace | None:
    """Return the numbers of a run; None for a run that lasts no time."""
    span = activity.span
    if not span or not np.any(activity.doing != Doing.IDLE):
        return None
    lengths = activity.lengths
    total = span * activity.warps
    shares = {doing: float(lengths[activity.doing == doing].sum()) / total for doing in Doing}
    del shares[Doing.ATOMIC]
    ends = _ends(activity)
    working = np.unique(activity.warp[activity.doing != Doing.IDLE])
    half = np.sort(activity.clock[ends[working]])[(len(working) - 1) // 2] - activity.clock[0]
    return Pace(_tail(activity, ends), float(half) / span, shares)


def _ends(activity: Activity) -> np.ndarray:
    """Return the event after which each warp has no work left."""
    ends = np.zeros(activity.warps, np.int64)
    busy = activity.doing != Doing.IDLE
    np.maximum.at(ends, activity.warp[busy], activity.end[busy])
    return ends


def _tail(activity: Activity, ends: np.ndarray) -> Tail | None:
    if activity.warps < 2:
        return None
    other, last = np.argsort(ends, kind="stable")[-2:]
    begin, clock = ends[other], activity.clock
    alone = (activity.warp == last) & (activity.end > begin)
    doing = set(activity.doing[alone].tolist())
    return Tail(
        warp=int(last),
        time=float(clock[-1] - clock[begin]) / activity.span,
        events=int(len(clock) - 1 - begin),
        works=doing == {Doing.WORK},
    )
