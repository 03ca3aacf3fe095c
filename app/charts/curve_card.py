"""The card of curves: the objective and other quantities over events, iterations or time."""

from __future__ import annotations

import ipywidgets as w
import numpy as np

from gpucore.format import plural
from gpucore.record import Record, Timeline

from .. import cards
from ..clock import shown_time
from ..errors import Guard
from ..fields import show
from ..view import View
from .box import card, put, tabs
from .curve import curve
from .spec import by_iteration
from .theme import Colours

_TIMES = {
    "ns": "Time is measured by the GPU's own clock, from the first event on.",
    "steps": "Time is counted in steps of the host executor, which runs one lane after another: "
    "steps give the order of the work, not how long a GPU would take.",
    None: "This run was recorded without times, so there is no axis of time.",
}


class CurvePanel:
    """One curve at a time.

    Parameters
    ----------
    view : View
        Provides the objective and the series.
    cursor : str
        Name of the curve's cursor.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.
    """

    def __init__(self, view: View, cursor: str, guard: Guard) -> None:
        self._view, self._cursor = view, cursor
        self._record: Record | None = None
        self._timeline: Timeline | None = None
        self._look: tuple[Colours, bool] | None = None
        self._curves: dict[int, np.ndarray] = {}
        self._time, self._unit = np.empty(0), ""
        names = [view.objective_label, *(series.label for series in view.charts.series)]
        self._which = tabs([(name, i) for i, name in enumerate(names)], "curve")
        turns = plural(view.turn).capitalize()
        self._axes = [("Events", "event"), (turns, "iteration"), ("Time", "time")]
        self._over = tabs(self._axes[:2], "axis")
        for control in (self._which, self._over):
            control.observe(guard(lambda _: self._redraw()), "value")
        show(self._which, len(names) > 1)
        self._box, self._text = w.VBox(), w.HTML()
        self.widget = card("Progress", [self._which, self._over], self._box, self._text)

    def show(self, record: Record, timeline: Timeline | None) -> None:
        """Show a record; without a timeline, only quantities by iteration."""
        self._record, self._timeline = record, timeline
        self._curves.clear()
        self._time, self._unit = shown_time(record)
        before, axes = self._over.value, self._axes if self._unit else self._axes[:2]
        if tuple(self._over.options) != tuple(axes):
            self._over.options = axes
            self._over.tooltips = ["axis"] * len(axes)
            if before in dict(axes).values():
                self._over.value = before
        show(self._over, timeline is not None)

    def draw(self, colours: Colours, tools: bool) -> None:
        """Draw the curve in these colours."""
        self._look = colours, tools
        self._redraw()

    def curves(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the chosen quantity by event and by iteration; empty where it is unknown."""
        assert self._record is not None
        place = self._which.value
        steps = np.asarray(self._record.steps["objective"])
        if self._timeline is None:
            return np.empty(0), np.empty(0) if place else steps
        if place not in self._curves:  # following the events takes a while
            make = self._view.charts.series[place - 1].by_event if place else self._view.objective
            self._curves[place] = np.asarray(make(self._timeline), dtype=np.float64)
        by_event = self._curves[place]
        if not place:
            return by_event, steps
        return by_event, by_iteration(
            by_event, self._record.events["iteration"], self._record.num_steps
        )

    def _redraw(self) -> None:
        if self._record is None or self._look is None:
            return
        place = self._which.value
        series = self._view.charts.series[place - 1] if place else None
        note = series.note if series else self._view.objective_note
        by_event, by_steps = self.curves()
        if not len(by_steps):
            put(self._box, series.missing if series else "This run did not record it.")
            self._text.value = ""
            return
        over = "iteration" if self._timeline is None else self._over.value
        about = "" if self._timeline is None else cards.note(_TIMES[self._record.clock])
        self._text.value = cards.note(note) + about
        y = by_steps if over == "iteration" else by_event
        colours, tools = self._look
        axis = {"time": f"time in {self._unit}", "iteration": self._view.turn}.get(over, over)
        plot = curve(
            np.append(0.0, self._time) if over == "time" else np.arange(len(y)),
            y,
            over=over,
            axis=axis,
            label=series.label if series else self._view.objective_label,
            colours=colours,
            cursor=self._cursor,
            tools=tools,
        )
        put(self._box, plot)
