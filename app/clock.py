"""One clock for several replays: the event that each replay shows at every position of the clock.

Runs of one problem have different numbers of events, so the visitor chooses what "at the same time"
means. Each choice becomes one table per run, from positions to events. The browser needs nothing
else to keep the replays together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from gpucore.record import Record

#: The meanings of "at the same time", with their labels; the first is the default for runs
#: without phases.
ALIGNMENTS = {
    "fraction": "share of the run",
    "step": "event by event",
    "iteration": "{turn} by {turn}",
    "phase": "phase by phase",
    "time": "measured time",
}

#: Aligned by time, a run of few events still moves smoothly.
LEAST_MOMENTS = 200

#: How clocks are shown: factor and unit.
SHOWN = {"ns": (1e-3, "µs"), "steps": (1.0, "steps")}

_COUNTED = {"ns": "nanoseconds", "steps": "steps on the host executor"}


@dataclass(frozen=True)
class Track:
    """What the common clock needs from a run.

    Attributes
    ----------
    iteration : ndarray of int, shape (events,)
        The iteration of each event.
    time : ndarray of int64, shape (events,), or None
        When each event was written, not falling, from 0; None if that was not recorded.
    unit : {"ns", "steps"} or None
        What `time` counts.
    phase : ndarray of int, shape (events,), or None
        The phase of each event; None if the family has no phases.
    """

    iteration: np.ndarray
    time: np.ndarray | None = None
    unit: str | None = None
    phase: np.ndarray | None = None

    @classmethod
    def of(cls, record: Record) -> Track:
        """Return the track of a record."""
        iteration = np.asarray(record.events["iteration"])
        phase = None
        if "phase" in record.steps and record.num_steps:
            phase = np.asarray(record.steps["phase"])[np.minimum(iteration, record.num_steps - 1)]
        return cls(iteration, record.events.get("time"), record.clock, phase)


def offered(tracks: Sequence[Track], turn: str = "iteration") -> dict[str, str]:
    """Return the alignments that these runs can have, the default first.

    Time and phase need runs that all have recorded them; phases are the default then. `turn` is the
    family's name of an iteration.
    """
    known = {
        "time": all(track.time is not None for track in tracks),
        "phase": all(track.phase is not None for track in tracks),
    }
    ways = {how: text.format(turn=turn) for how, text in ALIGNMENTS.items() if known.get(how, True)}
    return {"phase": ways["phase"], **ways} if known["phase"] else ways


def common_unit(tracks: Sequence[Track]) -> str | None:
    """Return the common unit of all clocks, None if they differ."""
    units = {track.unit for track in tracks}
    return units.pop() if len(units) == 1 else None


def about_time(tracks: Sequence[Track], titles: Sequence[str]) -> str:
    """Explain what alignment by time means for these runs; empty for a single run."""
    if len(tracks) < 2:
        return ""
    untimed = [title for track, title in zip(tracks, titles, strict=True) if track.time is None]
    if untimed:
        who = f"“{untimed[0]}”" if len(untimed) == 1 else f"{len(untimed)} of these runs"
        return f"{who} was recorded without times, so these runs cannot be aligned by time."
    unit = common_unit(tracks)
    if unit is None:
        return (
            "In step by measured time, every run is stretched to the same length, for their "
            f"clocks count different things: {_COUNTED['ns']}, {_COUNTED['steps']}."
        )
    return (
        f"In step by measured time, the runs keep their own pace, in {_COUNTED[unit]} since the "
        "first event of each; a shorter one waits at its end."
        + (" Steps give the order of the work, not how long a GPU would take." * (unit != "ns"))
    )


def align(tracks: Sequence[Track], how: str) -> list[np.ndarray]:
    """Return how many events of each run have happened at every position of the common clock.

    Parameters
    ----------
    tracks : sequence of Track
        Tracks of the runs.
    how : str
        One of :func:`offered`. With "step" a run that is shorter waits at its end; with "fraction"
        all end together; with "iteration" an iteration begins in all runs together, and within it
        each run goes on by its share of the iteration, and so with "phase"; with "time" positions
        are moments: the same for all runs whose clocks have one unit, else the same share of each
        run's whole time.

    Returns
    -------
    list of ndarray of int32, shape (positions + 1,)
        Not falling; from 0 to the run's number of events.

    Examples
    --------
    >>> short, long = Track(np.array([0, 0, 1])), Track(np.array([0, 0, 0, 0, 1, 1]))
    >>> [table.tolist() for table in align([short, long], "step")]
    [[0, 1, 2, 3, 3, 3, 3], [0, 1, 2, 3, 4, 5, 6]]
    >>> [table.tolist() for table in align([short, long], "iteration")]
    [[0, 1, 1, 2, 2, 3, 3], [0, 1, 2, 3, 4, 5, 6]]
    """
    if how == "iteration":
        return _by_iteration([track.iteration for track in tracks])
    if how == "phase":
        return _by_iteration([t.iteration if t.phase is None else t.phase for t in tracks])
    if how == "time":
        return _by_time(tracks)
    lengths = [len(track.iteration) for track in tracks]
    longest = max(lengths, default=0)
    positions = np.arange(longest + 1, dtype=np.int64)
    if how == "step":
        tables = [np.minimum(positions, length) for length in lengths]
    else:
        tables = [_share(positions, length, longest) for length in lengths]
    return [table.astype(np.int32) for table in tables]


def _by_time(tracks: Sequence[Track]) -> list[np.ndarray]:
    times = [np.zeros(0, np.int64) if track.time is None else track.time for track in tracks]
    spans = [int(time[-1]) if len(time) else 0 for time in times]
    if common_unit(tracks) is not None:
        spans = [max(spans, default=0)] * len(spans)
    positions = moments(tracks)
    tables = []
    for time, span in zip(times, spans, strict=True):
        now = span * np.arange(positions + 1, dtype=np.int64) // positions
        table = np.searchsorted(time, now, side="right")
        table[0] = 0  # before the first event, which is at time 0
        tables.append(table.astype(np.int32))
    return tables


def moments(tracks: Sequence[Track]) -> int:
    """Return the number of moments into which the time of these runs is divided."""
    return max([LEAST_MOMENTS, *(len(track.iteration) for track in tracks)])


def shown_time(record: Record) -> tuple[np.ndarray, str]:
    """Return the events' times as charts and players show them.

    Returns
    -------
    time : ndarray of float64, shape (events,)
        Empty if the record has none.
    unit : str
        "µs", "steps", or "" if there are no times.
    """
    if record.clock is None:
        return np.empty(0), ""
    factor, unit = SHOWN[record.clock]
    return np.asarray(record.events["time"], dtype=np.float64) * factor, unit


def _by_iteration(iterations: Sequence[np.ndarray]) -> list[np.ndarray]:
    # Warps may be in different iterations; the highest reached so far counts.
    reached = [np.maximum.accumulate(run) if len(run) else run for run in iterations]
    number = max((int(run[-1]) + 1 for run in reached if len(run)), default=0)
    starts = [np.searchsorted(run, np.arange(number + 1)) for run in reached]
    counts = [np.diff(start) for start in starts]
    widths = np.max(counts, axis=0) if counts and number else np.zeros(0, np.int64)
    iteration = np.repeat(np.arange(number), widths)
    within = np.arange(len(iteration)) - np.repeat(np.cumsum(widths) - widths, widths)
    tables = []
    for start, count, run in zip(starts, counts, reached, strict=True):
        inside = start[iteration] + _share(within, count[iteration], widths[iteration])
        tables.append(np.append(inside, len(run)).astype(np.int32))
    return tables


def _share(
    position: np.ndarray, events: np.ndarray | int, positions: np.ndarray | int
) -> np.ndarray:
    """Return the events that belong to `position` of `positions`, rounded to the nearest."""
    whole = np.maximum(positions, 1)
    return (2 * position * events + whole) // (2 * whole)
