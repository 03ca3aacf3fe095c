"""One clock for several replays: which event each of them shows at every common position.

Runs of one problem have different numbers of events, so what "at the same time" means has to be
chosen. Whatever is chosen ends as one table a run, positions to events, and the browser needs
nothing else to keep the replays together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

#: What "at the same time" can mean, and how it is called on the page; the first is the default.
ALIGNMENTS = {
    "fraction": "share of the run",
    "step": "event by event",
    "iteration": "iteration by iteration",
}


def align(iterations: Sequence[np.ndarray], how: str) -> list[np.ndarray]:
    """Return how many events of each run have happened at every position of the common clock.

    Parameters
    ----------
    iterations : sequence of ndarray of int, one array a run
        The iteration of each event.
    how : str
        One of :data:`ALIGNMENTS`. With "step" a run that is shorter waits at its end; with
        "fraction" all end together; with "iteration" an iteration begins in all runs together,
        and within it each run goes on by its share of the iteration.

    Returns
    -------
    list of ndarray of int32, shape (positions + 1,)
        Not falling; from 0 to the run's number of events.

    Examples
    --------
    >>> short, long = np.array([0, 0, 1]), np.array([0, 0, 0, 0, 1, 1])
    >>> [table.tolist() for table in align([short, long], "step")]
    [[0, 1, 2, 3, 3, 3, 3], [0, 1, 2, 3, 4, 5, 6]]
    >>> [table.tolist() for table in align([short, long], "iteration")]
    [[0, 1, 1, 2, 2, 3, 3], [0, 1, 2, 3, 4, 5, 6]]
    """
    if how == "iteration":
        return _by_iteration(iterations)
    lengths = [len(run) for run in iterations]
    longest = max(lengths, default=0)
    positions = np.arange(longest + 1, dtype=np.int64)
    if how == "step":
        tables = [np.minimum(positions, length) for length in lengths]
    else:
        tables = [_share(positions, length, longest) for length in lengths]
    return [table.astype(np.int32) for table in tables]


def _by_iteration(iterations: Sequence[np.ndarray]) -> list[np.ndarray]:
    # Warps need not be in the same iteration; what counts is the highest reached so far.
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
    share: np.ndarray = (2 * position * events + whole) // (2 * whole)
    return share
