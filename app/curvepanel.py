"""How a run went on: its objective and other quantities, over events or iterations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import ipywidgets as w
import numpy as np

from app import cards
from app.chartbox import card, put, tabs
from app.charts import Colours, curve
from app.chartset import by_iteration
from app.controls import show
from app.views import View

if TYPE_CHECKING:
    from gpucore.record import Record, Timeline

_ORDER = (
    "Records keep the order of events and no clock readings, so there is no axis of seconds: what "
    "a run took is in its result."
)


class CurvePanel:
    """One curve at a time.

    Parameters
    ----------
    view : View
        Its objective and its series are offered.
    cursor : str
        Name of the curve's cursor.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.
    """

    def __init__(self, view: View, cursor: str, guard: Callable[..., Any]) -> None:
        self._view, self._cursor = view, cursor
        self._record: Record | None = None
        self._timeline: Timeline | None = None
        self._look: tuple[Colours, bool] | None = None
        self._curves: dict[int, np.ndarray] = {}
        names = [view.objective_label, *(series.label for series in view.charts.series)]
        self._which = tabs([(name, i) for i, name in enumerate(names)], "curve")
        self._over = tabs([("Events", "event"), ("Iterations", "iteration")], "axis")
        for control in (self._which, self._over):
            control.observe(guard(lambda _: self._redraw()), "value")
        show(self._which, len(names) > 1)
        self._box, self._text = w.VBox(), w.HTML()
        self.widget = card("Progress", [self._which, self._over], self._box, self._text)

    def show(self, record: Record, timeline: Timeline | None) -> None:
        """Show a record; without a timeline, only what its iterations know."""
        self._record, self._timeline = record, timeline
        self._curves.clear()
        show(self._over, timeline is not None)

    def draw(self, colours: Colours, tools: bool) -> None:
        """Draw the curve anew."""
        self._look = colours, tools
        self._redraw()

    def curves(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the chosen quantity by events and by iterations; empty where it is unknown."""
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
        self._text.value = cards.note(note) + cards.note(_ORDER)
        by_event, by_steps = self.curves()
        if not len(by_steps):
            put(self._box, series.missing if series else "Nothing was recorded of this.")
            self._text.value = ""
            return
        colours, tools = self._look
        plot = curve(
            by_event,
            by_steps,
            over="iteration" if self._timeline is None else self._over.value,
            label=series.label if series else self._view.objective_label,
            colours=colours,
            cursor=self._cursor,
            tools=tools,
        )
        put(self._box, plot)
