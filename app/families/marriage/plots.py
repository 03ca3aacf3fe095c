"""Bokeh plots of a whole run of stable marriage: happiness, and number of proposals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from bokeh.models import BasicTicker, ColumnDataSource, HoverTool, NumeralTickFormatter

from gpucore.families.marriage.curves import curves_of, harmonic_bound, n_log_n
from gpucore.record import Record

from ...charts.curve import CURVE_POINTS
from ...charts.spec import CURSORS
from ...charts.theme import HUES, Colours, blank_figure, quiet_legend

_NOTHING = (
    "This chart is computed from events, and this run has none: it was recorded as counters, "
    "or all lists are empty."
)
#: Colours that colour-blind readers can distinguish.
MEN, WOMEN = HUES[0], HUES[5]
MADE, READ, THEORY = HUES[1], HUES[11], HUES[2]


def happiness(record: Record, names: Sequence[str] | None, colours: Colours, tools: bool) -> Any:
    """Return the mean ranks of both sides' partners after each event, the best at the top."""
    if not record.num_events:
        return _NOTHING
    curves = curves_of(record.events, several=bool(record.header.get("several")))
    ranks = [curves.proposers_rank, curves.receivers_rank]
    asking = record.header["proposers"]
    men, women = ranks if asking == "men" else ranks[::-1]
    at = _shown(record.num_events)
    plot = _over_events(record, colours, tools)
    source = ColumnDataSource({"x": at, "men": men[at], "women": women[at]})
    for column, colour in (("men", MEN), ("women", WOMEN)):
        label = f"{column} propose" if column == asking else f"{column} choose"
        drawn = plot.line(
            "x", column, source=source, color=colour, line_width=2.4, legend_label=label
        )
    tips = [("event", "@x{0,0}"), ("men", "@men{0.00}"), ("women", "@women{0.00}")]
    plot.add_tools(HoverTool(renderers=[drawn], mode="vline", tooltips=tips))
    worst = float(np.nanmax(np.concatenate([men, women]), initial=1.0))
    # The legend is above the lines, where no rank is drawn.
    plot.y_range.start, plot.y_range.end = worst + 0.05 * worst, 1.0 - 0.22 * max(worst - 1, 1)
    plot.yaxis.axis_label = "mean rank"
    step = max(1, round(worst / 5))
    plot.yaxis.ticker = [1, *range(max(2, step), int(worst) + 1, step)]
    quiet_legend(plot, colours)
    return plot


def proposals(record: Record, names: Sequence[str] | None, colours: Colours, tools: bool) -> Any:
    """Return proposals and places considered after each event, beside n ln n."""
    if not record.num_events:
        return _NOTHING
    curves = curves_of(record.events, several=bool(record.header.get("several")))
    first, second = (int(part["size"]) for part in record.header["parts"])
    n = first if record.header["proposers"] == "men" else second
    at = _shown(record.num_events)
    plot = _over_events(record, colours, tools)
    made, read = curves.proposals[at], curves.considered[at]
    source = ColumnDataSource({"x": at, "made": made, "read": read})
    plot.varea("x", 0, "made", source=source, fill_color=MADE, fill_alpha=0.12)
    lines = (("read", "considered", READ, "solid"), ("made", "proposals", MADE, "solid"))
    for column, label, colour, dash in lines:
        style = {"line_width": 2.2, "line_dash": dash, "legend_label": label}
        drawn = plot.line("x", column, source=source, color=colour, **style)
    expected, most = n_log_n(n), harmonic_bound(n)
    for value, label, dash in ((expected, "n ln n", "dashed"), (most, "n Hₙ", "dotted")):
        line = {"x": [0, record.num_events], "y": [value, value]}
        style = {"line_width": 1.8, "line_dash": dash, "legend_label": f"{label} = {value:,.0f}"}
        plot.line("x", "y", source=ColumnDataSource(line), color=THEORY, **style)
    tips = [("event", "@x{0,0}"), ("proposals", "@made{0,0}"), ("considered", "@read{0,0}")]
    plot.add_tools(HoverTool(renderers=[drawn], mode="vline", tooltips=tips))
    plot.y_range.end = 1.3 * max(float(read.max()), most, 1.0)
    plot.yaxis.formatter = NumeralTickFormatter(format="0.[0]a")
    quiet_legend(plot, colours)
    return plot


def _shown(events: int) -> np.ndarray:
    """Return the numbers of events at which a line has points, first and last included."""
    return np.unique(np.linspace(0, events, CURVE_POINTS).round().astype(np.int64))


def _over_events(record: Record, colours: Colours, tools: bool) -> Any:
    """Return an empty plot over the events, with the cursor that follows the player."""
    plot = blank_figure(colours, "event", "", tools)
    plot.x_range.start, plot.x_range.end = 0, max(1, record.num_events)
    plot.xaxis.ticker = BasicTicker(min_interval=1, desired_num_ticks=6)
    plot.xaxis.formatter = NumeralTickFormatter(format="0.[0]a")
    plot.xgrid.grid_line_color = None
    at = ColumnDataSource({"event": [0.0]}, name=CURSORS[1]["name"])
    plot.vspan("event", source=at, line_color=colours.cursor, line_width=1.5)
    return plot
