"""Bokeh charts of counts: a bar for each of 0, 1, 2, ..."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import BasicTicker, ColumnDataSource, HoverTool, NumeralTickFormatter

from gpucore.record import Record
from gpucore.record.balance import active_warps

from .spec import CURSORS, Distribution
from .theme import Colours, blank_figure

#: Counts up to here need no logarithmic scale.
FEW = 8


def bars(
    counts: np.ndarray,
    *,
    axis: str,
    label: str,
    colours: Colours,
    cursor: str = "",
    logarithmic: bool = False,
    tools: bool = False,
) -> Any:
    """Return a figure with a bar for each of 0, 1, 2, ...

    Parameters
    ----------
    counts : ndarray, shape (bars,)
        Heights.
    axis, label : str
        Labels of the two axes: what a bar's number means, and what is counted.
    cursor : str
        Name of the source of the cursor, column ``iteration``; none if empty.
    logarithmic : bool
        Whether the axis of counts is logarithmic; empty bars are left out then.
    tools : bool
        Whether the toolbar is shown.
    """
    counts = np.asarray(counts, dtype=float)
    floor = 0.5 if logarithmic else 0.0
    plot = blank_figure(colours, axis, label, tools, y_axis="log" if logarithmic else "linear")
    shown = np.flatnonzero(counts > 0)
    source = ColumnDataSource(data={"x": shown, "top": counts[shown]})
    drawn = plot.vbar(
        "x",
        top="top",
        bottom=floor,
        width=0.82,
        source=source,
        fill_color=colours.accent,
        line_color=None,
        fill_alpha=0.85,
    )
    plot.add_tools(HoverTool(renderers=[drawn], tooltips=[(axis, "@x"), (label, "@top{0,0}")]))
    plot.x_range.start, plot.x_range.end = -0.6, max(len(counts) - 0.4, 0.6)
    plot.y_range.start = floor
    most = float(counts.max(initial=1.0))
    plot.y_range.end = most * (1.6 if logarithmic else 1.08)
    plot.xaxis.ticker = BasicTicker(min_interval=1, desired_num_ticks=8)
    if logarithmic:
        plot.yaxis.formatter = NumeralTickFormatter(format="0a")
    else:
        plot.yaxis.ticker = BasicTicker(min_interval=1, desired_num_ticks=5)
    plot.xgrid.grid_line_color = None
    if cursor:
        at = ColumnDataSource(data={"iteration": [0.0]}, name=cursor)
        plot.vspan("iteration", source=at, line_color=colours.cursor, line_width=1.5)
    return plot


def active_bars(record: Record, turn: str, colours: Colours, tools: bool = False) -> Any:
    """Return how many warps had work in each iteration, which the family calls `turn`."""
    active, cursor = active_warps(record.warps), CURSORS[2]["name"]
    return bars(active, axis=turn, label="warps", colours=colours, cursor=cursor, tools=tools)


def counted_bars(
    one: Distribution, counts: np.ndarray, colours: Colours, tools: bool = False
) -> Any:
    """Return a family's counts as bars, or the sentence why there are none."""
    if not len(counts):
        return one.missing
    return bars(
        counts,
        axis=one.axis,
        label=one.label,
        colours=colours,
        logarithmic=bool(counts.max() > FEW),
        tools=tools,
    )
