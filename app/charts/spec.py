"""Declarations of the charts that a family shows besides its objective."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gpucore.record import Record, Timeline

#: Cursors of the charts: Bokeh data sources by name, and the quantity of each column. The player
#: changes them in the browser, so no frame needs a message to the page process.
CURSORS: tuple[dict[str, Any], ...] = (
    {"name": "warp-map-cursor", "columns": {"x": "iteration", "y": "warp"}},
    {
        "name": "curve-cursor",
        "columns": {"event": "event", "iteration": "iteration", "time": "time"},
    },
    {"name": "active-cursor", "columns": {"iteration": "iteration"}},
)


@dataclass(frozen=True)
class Series:
    """A quantity that changes during a run.

    Attributes
    ----------
    label, note : str
        Display text.
    by_event : callable
        ``by_event(timeline)`` returns its values after 0, 1, ... events; shape (events + 1,).
    missing : str
        Why there is nothing to show where a record has no events.
    """

    label: str
    note: str
    by_event: Callable[[Timeline], np.ndarray]
    missing: str = (
        "This curve is computed from events, and this run was recorded as counters. Run a graph "
        "with fewer edges to see it."
    )


@dataclass(frozen=True)
class Distribution:
    """A histogram: how often a quantity had the value 0, 1, 2, ....

    Attributes
    ----------
    title, note : str
        Display text.
    axis, label : str
        Labels of the values and of the counts.
    counts : callable
        ``counts(record)`` returns the counts; shape (largest + 1,), empty if there is nothing.
    missing : str
        Why there is nothing to show where `counts` is empty.
    """

    title: str
    note: str
    axis: str
    label: str
    counts: Callable[[Record], np.ndarray]
    missing: str


@dataclass(frozen=True)
class Drawing:
    """A plot of a whole record that a family draws itself.

    Attributes
    ----------
    title, note : str
        Display text.
    draw : callable
        ``draw(record, names, colours, tools)`` returns a Bokeh plot, or a sentence that says why
        there is none; `names` are the vertices' or None, `tools` whether a toolbar is shown.  It is
        called only after Bokeh has been imported.
    wide : bool
        Whether it fills a row of its own.
    """

    title: str
    note: str
    draw: Callable[[Record, Sequence[str] | None, Any, bool], Any]
    wide: bool = False


def drawn_by(module: str, name: str) -> Callable[..., Any]:
    """Return a function of a module that needs Bokeh; the module is imported when it is called."""

    def draw(*args: Any) -> Any:
        return getattr(import_module(module), name)(*args)

    return draw


@dataclass(frozen=True)
class Hatched:
    """Iterations that the warp map shows with a hatch.

    Attributes
    ----------
    text : str
        What they are, a sentence under the map.
    which : callable
        Takes a record and returns a bool for each of its steps.
    """

    text: str
    which: Callable[[Record], np.ndarray]


@dataclass(frozen=True)
class ChartSet:
    """The charts of a family.

    Attributes
    ----------
    series : tuple of Series
        Curves offered besides the objective.
    distributions : tuple of Distribution
        One chart each.
    drawings : tuple of Drawing
        Further plots.
    hatched : Hatched or None
        Columns of the warp map that are of another kind than the others.
    """

    series: tuple[Series, ...] = ()
    distributions: tuple[Distribution, ...] = ()
    drawings: tuple[Drawing, ...] = ()
    hatched: Hatched | None = None


def curve_of(name: str) -> Callable[[Timeline], np.ndarray]:
    """Return a function that takes a curve from a family's timeline; 0 where it has none."""

    def by_event(timeline: Timeline) -> np.ndarray:
        return np.asarray(getattr(timeline, name, np.zeros(len(timeline) + 1)), np.float64)

    return by_event


def sums_after(timeline: Timeline, growth: np.ndarray) -> np.ndarray:
    """Return the sum of what changes add, after 0, 1, ... events; shape (events + 1,)."""
    return np.concatenate([[0], np.cumsum(growth)])[timeline.offsets]


def changes_of(timeline: Timeline, field: str) -> np.ndarray:
    """Return which changes are those of a field; bool, shape (changes,)."""
    return timeline.field == list(timeline.fields).index(field)


def count_above(field: str, least: int = 0) -> Callable[[Timeline], np.ndarray]:
    """Return a function: in how many places a field is above `least`, after 0, 1, ... events."""

    def by_event(timeline: Timeline) -> np.ndarray:
        more = (timeline.new > least).astype(np.int64) - (timeline.old > least)
        begun = np.count_nonzero(timeline.fields[field] > least)
        return begun + sums_after(timeline, np.where(changes_of(timeline, field), more, 0))

    return by_event


def by_iteration(by_event: np.ndarray, iteration: np.ndarray, steps: int) -> np.ndarray:
    """Return a quantity after each iteration: the sum of all changes up to its events.

    Warps may be in different iterations at the same time, so this is not a state of the run but a
    sum over iterations, like the record's own ``steps``.

    Parameters
    ----------
    by_event : ndarray, shape (events + 1,)
        The quantity after 0, 1, ... events.
    iteration : ndarray of int32, shape (events,)
        Iteration of each event.
    steps : int
        Number of iterations; events of later ones count towards the last.
    """
    if not steps:
        return np.zeros(0)
    growth = np.diff(np.asarray(by_event, dtype=np.float64))
    at = np.minimum(iteration, steps - 1)
    return float(by_event[0]) + np.cumsum(np.bincount(at, weights=growth, minlength=steps))
