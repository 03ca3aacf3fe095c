"""The charts below the player, and what else of the right column needs more than text."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import ipywidgets as w
import numpy as np
from jupyter_bokeh import BokehModel

from app import cards
from app.charts import DARK, LIGHT, WarpMap, curve
from app.controls import show
from app.views import View

if TYPE_CHECKING:
    from gpucore.record import Record, Timeline

Guard = Callable[[Callable[..., Any]], Callable[..., Any]]

#: Cursors of the charts, as the player wants to know them: data sources and what they follow.
CURSORS: tuple[dict[str, Any], ...] = (
    {"name": "warp-map-cursor", "columns": {"x": "iteration", "y": "warp"}},
    {"name": "curve-cursor", "columns": {"event": "event", "iteration": "iteration"}},
)


def gpu_present() -> bool:
    """Return whether a GPU can be offered, without waking it up.

    A page's kernel waits in the pool; it must hold no CUDA context and no CuPy.
    """
    if find_spec("cupy") is None:
        return False
    for library in ("libcuda.so.1", "nvcuda.dll"):
        try:
            ctypes.CDLL(library)
        except OSError:
            continue
        return True
    return False


class Charts:
    """Warp map and curve of a record.

    Parameters
    ----------
    view : View
        Says what is measured.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.
    """

    def __init__(self, view: View, guard: Guard) -> None:
        self._view = view
        self._dark = False
        self._record: Record | None = None
        self._timeline: Timeline | None = None
        self._map: WarpMap | None = None
        self._measure = w.ToggleButtons(
            options=[(m.label, i) for i, m in enumerate(view.measures)]
        ).add_class("ws-tabs")
        self._over = w.ToggleButtons(options=[("Events", "event"), ("Iterations", "iteration")])
        self._over.add_class("ws-tabs")
        self._map_box, self._curve_box = w.VBox(), w.VBox()
        self._map_note = w.HTML()
        self._measure.observe(guard(lambda _: self._remeasure()), "value")
        self._over.observe(guard(lambda _: self._redraw_curve()), "value")
        self.widget = w.HBox(
            [
                self._card("Warps", self._measure, self._map_box, self._map_note),
                self._card(
                    view.objective_label,
                    self._over,
                    self._curve_box,
                    w.HTML(cards.note(view.objective_note)),
                ),
            ]
        ).add_class("ws-row")
        show(self.widget, False)

    @staticmethod
    def _card(title: str, tabs: Any, box: Any, below: Any) -> Any:
        head = w.HBox([w.HTML(f"<h3>{title}</h3>"), tabs]).add_class("ws-head")
        return w.VBox([head, box, below]).add_class("ws-card")

    def clear(self) -> None:
        """Take the charts away."""
        self._record = None
        show(self.widget, False)

    def show(self, record: Record | None, timeline: Timeline | None) -> None:
        """Show the charts of a record."""
        self._record, self._timeline = record, timeline
        if record is None or not len(record.warps["iteration"]):
            self.clear()
            return
        show(self._over, timeline is not None)
        self._redraw()
        show(self.widget, True)

    def recolour(self, dark: bool) -> None:
        """Follow the page's colours."""
        self._dark = dark
        if self._record is not None:
            self._redraw()

    def _redraw(self) -> None:
        assert self._record is not None
        measure = self._view.measures[self._measure.value]
        self._map = WarpMap(self._record.warps, measure, self._colours, CURSORS[0]["name"])
        _put(self._map_box, self._map.figure)
        lost = self._record.header["lost"]["rows"]
        words = "One row a warp, one column an iteration of it; empty where it had nothing to do."
        if lost:
            words += f" {lost:,} further iterations are added up in the last column."
        self._map_note.value = cards.note(words)
        self._redraw_curve()

    def _redraw_curve(self) -> None:
        if self._record is None:
            return
        by_event = np.empty(0)
        over = "iteration"
        if self._timeline is not None:
            by_event = self._view.objective(self._timeline)
            over = self._over.value
        plot = curve(
            by_event,
            np.asarray(self._record.steps["objective"]),
            over=over,
            label=self._view.objective_label,
            colours=self._colours,
            cursor=CURSORS[1]["name"],
        )
        _put(self._curve_box, plot)

    def _remeasure(self) -> None:
        if self._map is not None:
            self._map.show(self._view.measures[self._measure.value])

    @property
    def _colours(self) -> Any:
        return DARK if self._dark else LIGHT


class _Chart(BokehModel):
    """A Bokeh figure that can be closed twice: by us, and when Python collects it."""

    _is_closed = False

    def close(self) -> None:
        """Take the figure out of browser and kernel."""
        if not self._is_closed:
            self._is_closed = True
            super().close()


def _put(box: Any, plot: Any) -> None:
    """Show a figure in place of what the box held."""
    old = box.children
    box.children = [_Chart(plot)]
    for child in old:
        child.close()
