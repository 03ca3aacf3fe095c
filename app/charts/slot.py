"""A placeholder for the charts: they are made when there is something to chart.

Bokeh takes longer to import than everything else a page needs together, and a page without a run
shows no chart. So the page is shown first, and Bokeh is imported while the visitor looks at it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING

from ..errors import Guard
from .places import ChartPlaces

if TYPE_CHECKING:
    from gpucore.record import Record, Timeline

    from ..view import View
    from .section import Charts


@cache
def import_ahead() -> None:
    """Import in the background, once, what the first run will need."""
    if f"{__package__}.section" not in sys.modules:
        Thread(target=import_module, args=(".section", __package__), daemon=True).start()


class ChartSlot:
    """Shows :class:`app.charts.section.Charts`, which are made when they are first needed.

    Parameters
    ----------
    view : View
        Defines the measures.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.

    Attributes
    ----------
    places : ChartPlaces
        The boxes of the charts.
    """

    def __init__(self, view: View, guard: Guard) -> None:
        self._view = view
        self._guard = guard
        self._dark = False
        self._panel: Charts | None = None
        self.places = ChartPlaces(view)

    @property
    def panel(self) -> Charts:
        """The charts."""
        if self._panel is None:
            from .section import Charts

            self._panel = Charts(self._view, self._guard, self.places)
            self._panel.recolour(self._dark)
        return self._panel

    def clear(self) -> None:
        """Remove the charts."""
        if self._panel is not None:
            self._panel.clear()

    def show(
        self,
        record: Record | None,
        timeline: Timeline | None,
        names: Sequence[str] | None = None,
    ) -> None:
        """Show the charts of a record; `names` are those of the vertices."""
        if record is None or not len(record.warps["iteration"]):
            self.clear()
            return
        self.panel.show(record, timeline, names)

    def recolour(self, dark: bool) -> None:
        """Redraw the charts in light or dark colours."""
        self._dark = dark
        if self._panel is not None:
            self._panel.recolour(dark)
