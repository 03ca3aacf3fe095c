"""The charts of a static page: each plot twice, in light and in dark colours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from bokeh.embed import json_item
from bokeh.model import Model

from gpucore.record import Record, Timeline

from ..charts.bars import active_bars, counted_bars
from ..charts.curve import curve
from ..charts.loads import NOTE, load_maps
from ..charts.section import ACTIVE, rank_drawings
from ..charts.spec import CURSORS, Drawing
from ..charts.theme import DARK, LIGHT, Colours
from ..charts.warp_map import WarpMap
from ..view import View

_WARPS = (
    "One row per warp, one column per {turn}; empty where the warp had no work. The frame marks "
    "the warp of the current event."
)

#: Draws a plot in the given colours; a sentence in its place says why there is none.
Draw = Callable[[Colours], Any]


@dataclass(frozen=True)
class Chart:
    """A plot with its heading.

    Attributes
    ----------
    title, note : str
        Display text.
    wide : bool
        Whether it fills a row of its own.
    light, dark : dict
        The plot as Bokeh embeds it.
    """

    title: str
    note: str
    wide: bool
    light: dict[str, Any]
    dark: dict[str, Any]


def charts_of(
    view: View, record: Record, timeline: Timeline, names: Sequence[str] | None
) -> list[Chart]:
    """Return the charts of a record; those that it has no data for are left out."""
    if not len(record.warps["iteration"]):
        return []
    return [
        Chart(title, note, wide, _item(light), _item(draw(DARK)))
        for title, note, wide, draw in _drawings(view, record, timeline, names)
        if isinstance(light := draw(LIGHT), Model)
    ]


def load_charts(view: View, runs: Sequence[tuple[str, Record]]) -> list[Chart]:
    """Return the warp maps of several runs on one scale; none where fewer than two have warps."""
    if len(runs) < 2:
        return []
    labels, records = zip(*runs, strict=True)
    measure = view.warp_measures[0]
    note = NOTE.format(turn=view.turn)
    drawn = zip(
        *(load_maps(view, records, measure, colours) for colours in (LIGHT, DARK)), strict=True
    )
    return [
        Chart(f"{label}: {measure.label}", note, False, _item(light), _item(dark))
        for label, (light, dark) in zip(labels, drawn, strict=True)
    ]


def _item(plot: Model) -> dict[str, Any]:
    # A static page has no lanes for a click on a chart to choose, and runs no script of its data.
    plot.js_event_callbacks = {}
    return dict(json_item(plot))


def _drawings(
    view: View, record: Record, timeline: Timeline, names: Sequence[str] | None
) -> Iterator[tuple[str, str, bool, Draw]]:
    first, turn = view.warp_measures[0].label, view.turn
    yield f"Warps: {first}", _WARPS.format(turn=turn), False, partial(_map, view, record)
    yield view.objective_label, view.objective_note, False, partial(_objective, view, timeline)
    yield "Active warps", ACTIVE.format(turn=turn), False, partial(active_bars, record, turn)
    for one in view.charts.distributions:
        yield one.title, one.note, False, partial(counted_bars, one, one.counts(record))
    for drawing in (*rank_drawings(record), *view.charts.drawings):
        draw = partial(_drawn, drawing, record, names)
        yield drawing.title, drawing.note, drawing.wide, draw


def _map(view: View, record: Record, colours: Colours) -> Any:
    which = view.charts.hatched
    hatched = None if which is None else np.flatnonzero(which.which(record))
    cursor = CURSORS[0]["name"]
    return WarpMap(
        record.warps, view.warp_measures[0], colours, cursor, hatched=hatched, turn=view.turn
    ).figure


def _objective(view: View, timeline: Timeline, colours: Colours) -> Any:
    values = np.asarray(view.objective(timeline), dtype=np.float64)
    return curve(
        np.arange(len(values)),
        values,
        over="event",
        axis="event",
        label=view.objective_label,
        colours=colours,
        cursor=CURSORS[1]["name"],
    )


def _drawn(drawing: Drawing, record: Record, names: Sequence[str] | None, colours: Colours) -> Any:
    return drawing.draw(record, names, colours, False)
