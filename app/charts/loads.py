"""The warps of runs that are compared: a map for each run, all on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import ipywidgets as w

from gpucore.record import Record
from gpucore.record.ranks import with_own_warps

from .. import cards
from ..errors import Guard
from ..view import Measure, View
from .box import card, put, tabs
from .theme import DARK, LIGHT, Colours
from .warp_card import balance_html
from .warp_map import Scale, WarpMap

#: Below the maps.
NOTE = (
    "One row per warp, one column per {turn}. All maps have the same axes and colours, so that "
    "equal colours are equal work. A cell that stands out in its column is a warp that the others "
    "wait for where warps meet."
)


def load_maps(
    view: View, records: Sequence[Record], measure: Measure, colours: Colours
) -> list[Any]:
    """Return a map of each record, as Bokeh plots with the same axes and colours."""
    warps = [with_own_warps(record).warps for record in records]
    scale = Scale.of(warps, measure)
    return [WarpMap(one, measure, colours, scale=scale, turn=view.turn).figure for one in warps]


class LoadPanel:
    """The maps of several runs, and the measures of their balance.

    Parameters
    ----------
    view : View
        Defines the measures.
    runs : sequence of (str, Record)
        Display labels, and records with rows of warps.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.
    dark : bool
        The page's colours.

    Attributes
    ----------
    widget : widget
    """

    def __init__(
        self,
        view: View,
        runs: Sequence[tuple[str, Record]],
        guard: Guard,
        *,
        dark: bool,
    ) -> None:
        self._view = view
        self._records = [record for _, record in runs]
        self._dark = dark
        self._measure = tabs([(one.label, one) for one in view.warp_measures], "colour")
        self._measure.observe(guard(lambda _: self._draw()), "value")
        self._boxes = [w.VBox() for _ in runs]
        self._measures = [w.HTML() for _ in runs]
        maps = [
            card(escape(label), [], box, measures)
            for (label, _), box, measures in zip(runs, self._boxes, self._measures, strict=True)
        ]
        head = card(
            "Load of the warps",
            [self._measure],
            w.HTML(cards.note(NOTE.format(turn=view.turn))),
            w.HTML(),
        )
        row = w.HBox(maps).add_class("ws-row")
        self.widget = w.VBox([head, row]).add_class("ws-stack").add_class("ws-loads")
        self._draw()

    def recolour(self, dark: bool) -> None:
        """Redraw the maps in light or dark colours."""
        self._dark = dark
        self._draw()

    def _draw(self) -> None:
        measure = self._measure.value
        maps = load_maps(self._view, self._records, measure, DARK if self._dark else LIGHT)
        for box, plot in zip(self._boxes, maps, strict=True):
            put(box, plot)
        for text, record in zip(self._measures, self._records, strict=True):
            text.value = balance_html(record, measure)
