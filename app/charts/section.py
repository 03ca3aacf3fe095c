"""The charts of a run."""

from __future__ import annotations

from collections.abc import Sequence

import ipywidgets as w

from gpucore.record import Record, Timeline
from gpucore.record.ranks import ranks_of, with_own_warps

from .. import cards
from ..errors import Guard
from ..fields import show
from ..view import View
from .bars import active_bars, counted_bars
from .box import card, put
from .curve_card import CurvePanel
from .places import ChartPlaces
from .spec import CURSORS, Drawing, drawn_by
from .theme import DARK, LIGHT
from .warp_card import WarpPanel

#: What the chart of active warps shows.
ACTIVE = (
    "Warps that had work in each {turn}. Low bars to the right are the tail: a few "
    "busy warps on a device that has room for all of them."
)

#: The plots of a run on several ranks.
_OF_RANKS = (
    Drawing(
        "Ranks over time",
        "A lane a rank. In each round a rank works until nothing is left to do in its part, waits "
        "for the slowest one, and sends its messages. On this page ranks are threads of one "
        "computer, so the times say how the work is shared, not how fast several GPUs are.",
        drawn_by(f"{__package__}.rank_lanes", "lanes"),
        wide=True,
    ),
    Drawing(
        "Bytes between ranks",
        "What each rank sends to others in each round. Most travels in the first rounds; later "
        "ones are about the few vertices that are not settled.",
        drawn_by(f"{__package__}.rank_lanes", "traffic"),
        wide=True,
    ),
)


class Charts:
    """Warps, curves and counts of a record.

    Parameters
    ----------
    view : View
        Defines the measures.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.
    places : ChartPlaces, optional
        Where they stand; by default in boxes of their own.
    """

    def __init__(self, view: View, guard: Guard, places: ChartPlaces | None = None) -> None:
        self._view = view
        self.places = places or ChartPlaces(view)
        self._dark = False
        self._record: Record | None = None
        self._names: Sequence[str] | None = None
        self._warps = WarpPanel(view, CURSORS[0]["name"], guard)
        self._curves = CurvePanel(view, CURSORS[1]["name"], guard)
        self._tools = w.ToggleButton(
            value=False, description="Chart tools", tooltip="zoom, move and save the charts"
        ).add_class("ws-tools")
        self._tools.observe(guard(lambda _: self._redraw()), "value")
        self._beside = w.ToggleButton(
            value=False, description="Beside the picture", tooltip="show the map beside the picture"
        ).add_class("ws-tools")
        self._beside.observe(guard(lambda _: self._place_map()), "value")
        self._active = w.VBox()
        self._counts = [w.VBox() for _ in view.charts.distributions]
        counts = [
            card(one.title, [], box, w.HTML(cards.note(one.note)))
            for one, box in zip(view.charts.distributions, self._counts, strict=True)
        ]
        self._drawings = [w.VBox() for _ in view.charts.drawings]
        self._rank_boxes = [w.VBox() for _ in _OF_RANKS]
        active = card(
            "Active warps", [], self._active, w.HTML(cards.note(ACTIVE.format(turn=view.turn)))
        )
        content = {
            "Progress": [w.HBox([self._curves.widget, active]).add_class("ws-row")],
            "Counts": [w.HBox(counts).add_class("ws-row")],
            "More plots": _rows(view.charts.drawings, self._drawings),
            "Ranks": _rows(_OF_RANKS, self._rank_boxes),
        }
        for text, box in self.places.tabs.items():
            box.children = content.get(text, ())
        toolbar = w.HBox([self._beside, self._tools]).add_class("ws-toolbar")
        self.places.tools.children = [toolbar]
        self._place_map()

    def _place_map(self) -> None:
        """Put the warp map beside the picture, or behind its tab."""
        beside, lanes = self._beside.value, self._warps.lanes
        places = self.places
        places.side.children = [self._warps.map] if beside else []
        places.tabs["Warps"].children = [lanes] if beside else [self._warps.map, lanes]
        show(places.side, beside and self._record is not None)
        # A plot is drawn for the place where it was first shown.
        self._redraw()

    def clear(self) -> None:
        """Remove the charts."""
        self._record = None
        self.places.show(False)

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
        record = with_own_warps(record)
        self._record, self._names = record, names
        self._warps.show(record, names)
        self._curves.show(record, timeline)
        self._redraw()
        self.places.show(True, ranks=ranks_of(record) > 1)

    def recolour(self, dark: bool) -> None:
        """Redraw the charts in light or dark colours."""
        self._dark = dark
        self._redraw()

    def _redraw(self) -> None:
        record = self._record
        if record is None:
            return
        colours, tools = DARK if self._dark else LIGHT, self._tools.value
        self._warps.draw(colours, tools)
        self._curves.draw(colours, tools)
        put(self._active, active_bars(record, self._view.turn, colours, tools))
        for drawing, box in zip(rank_drawings(record), self._rank_boxes, strict=False):
            put(box, drawing.draw(record, self._names, colours, tools))
        for drawing, box in zip(self._view.charts.drawings, self._drawings, strict=True):
            put(box, drawing.draw(record, self._names, colours, tools))
        for one, box in zip(self._view.charts.distributions, self._counts, strict=True):
            put(box, counted_bars(one, one.counts(record), colours, tools))


def rank_drawings(record: Record) -> tuple[Drawing, ...]:
    """Return the plots of a run on several ranks, none for a run on one."""
    return _OF_RANKS if ranks_of(record) > 1 else ()


def _rows(drawings: Sequence[Drawing], boxes: Sequence[w.Box]) -> list[w.Box]:
    """Return the cards of a family's own plots: wide ones alone, others side by side."""
    rows: list[w.Box] = []
    beside: list[w.Box] = []
    for drawing, box in zip(drawings, boxes, strict=True):
        shown = card(drawing.title, [], box, w.HTML(cards.note(drawing.note)))
        if drawing.wide:
            rows.append(w.HBox([shown]).add_class("ws-row"))
        else:
            beside.append(shown)
    return [*rows, w.HBox(beside).add_class("ws-row")] if beside else rows
