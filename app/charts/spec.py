"""What a family wants to see in charts beyond its objective, as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gpucore.record import Record, Timeline

#: Cursors of the charts: Bokeh data sources by name, and what each column follows. The player
#: changes them in the browser, so no frame needs a message to the kernel.
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
        ``by_event(timeline)`` returns it after 0, 1, ... events; shape (events + 1,).
    missing : str
        Why there is nothing to show where a record has no events.
    """

    label: str
    note: str
    by_event: Callable[[Timeline], np.ndarray]
    missing: str


@dataclass(frozen=True)
class Distribution:
    """How often 0, 1, 2, ... of something came up.

    Attributes
    ----------
    title, note : str
        Display text.
    axis, label : str
        What is numbered, and what is counted.
    counts : callable
        ``counts(record)`` returns how often; shape (largest + 1,), empty if there is nothing.
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
    """A figure of a whole record that a family draws itself.

    Attributes
    ----------
    title, note : str
        Display text.
    draw : callable
        ``draw(record, names, colours, tools)`` returns a Bokeh figure, or a sentence that says why
        there is none; `names` are the vertices' or None, `tools` whether a toolbar is shown.  It
        is called only after Bokeh has been imported.
    wide : bool
        Whether it has a row of its own.
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
class ChartSet:
    """The charts of a family.

    Attributes
    ----------
    series : tuple of Series
        Offered beside the objective.
    distributions : tuple of Distribution
        One chart each.
    drawings : tuple of Drawing
        Further figures.
    look_for : mapping of str to str
        What the warp map of a variant shows; display text.
    """

    series: tuple[Series, ...] = ()
    distributions: tuple[Distribution, ...] = ()
    drawings: tuple[Drawing, ...] = ()
    look_for: Mapping[str, str] = field(default_factory=dict)


def by_iteration(by_event: np.ndarray, iteration: np.ndarray, steps: int) -> np.ndarray:
    """Return a quantity after each iteration: what the events of it and of earlier ones added.

    Warps need not be in the same iteration at the same time, so this is no state of the run, but
    a sum over iterations, as the record's own ``steps`` are.

    Parameters
    ----------
    by_event : ndarray, shape (events + 1,)
        The quantity after 0, 1, ... events.
    iteration : ndarray of int32, shape (events,)
        Of each event.
    steps : int
        Number of iterations; events of later ones count to the last.
    """
    if not steps:
        return np.zeros(0)
    growth = np.diff(np.asarray(by_event, dtype=np.float64))
    at = np.minimum(iteration, steps - 1)
    return float(by_event[0]) + np.cumsum(np.bincount(at, weights=growth, minlength=steps))
