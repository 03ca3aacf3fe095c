"""The Bokeh chart of one quantity over events, iterations or time."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import BasicTicker, ColumnDataSource, HoverTool, NumeralTickFormatter

from .theme import Colours, blank_figure

#: A curve of more points is thinned out.
CURVE_POINTS = 2_000


def curve(
    x: np.ndarray,
    y: np.ndarray,
    *,
    over: str,
    axis: str,
    label: str,
    colours: Colours,
    cursor: str,
    tools: bool = False,
) -> Any:
    """Return the plot of a quantity, such as the objective, over events, iterations or time.

    Parameters
    ----------
    x, y : ndarray, shape (points,)
        Ascending places on the axis, and the quantity at each.
    over : {"event", "iteration", "time"}
        Unit of the axis: the column of the cursor that is shown.
    axis, label : str
        Labels of the axis and of the quantity.
    cursor : str
        Name of the source of the cursor, columns ``event``, ``iteration`` and ``time``.
    tools : bool
        Whether the toolbar is shown.
    """
    x, y = thin(np.asarray(x, dtype=float), np.asarray(y, dtype=float))
    plot = blank_figure(colours, axis, "", tools)
    source = ColumnDataSource(data={"x": x, "y": y})
    area = {"source": source, "fill_color": colours.accent, "fill_alpha": 0.10}
    stroke = {"source": source, "line_color": colours.accent, "line_width": 2}
    if over == "time":  # between two events nothing changes, however far apart they are
        plot.varea_step("x", 0, "y", step_mode="after", **area)
        line = plot.step("x", "y", mode="after", **stroke)
    else:
        plot.varea("x", 0, "y", **area)
        line = plot.line("x", "y", **stroke)
    if over == "iteration" and len(x) <= 60:
        plot.scatter("x", "y", source=source, size=6, color=colours.accent)
    hover = HoverTool(
        renderers=[line],
        mode="vline",
        tooltips=[(axis, "@x{0,0.[00]}"), (label, "@y{0,0.[0000]}")],
    )
    plot.add_tools(hover)
    plot.x_range.start, plot.x_range.end = 0, float(x[-1]) if len(x) and x[-1] > 0 else 1.0
    plot.y_range.start = min(0.0, 1.08 * float(y.min(initial=0.0)))
    plot.y_range.end = max(1.08 * float(y.max(initial=0.0)), 1e-9)
    plot.yaxis.formatter = NumeralTickFormatter(format="0.[00]a")
    plot.xaxis.formatter = NumeralTickFormatter(format="0.[0]a")
    plot.xaxis.ticker = BasicTicker(min_interval=0 if over == "time" else 1, desired_num_ticks=6)
    plot.xgrid.grid_line_color = None
    at = ColumnDataSource(data={"event": [0.0], "iteration": [0.0], "time": [0.0]}, name=cursor)
    plot.vspan(over, source=at, line_color=colours.cursor, line_width=1.5)
    return plot


def thin(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Keep at most :data:`CURVE_POINTS` points, the ends among them."""
    if len(x) <= CURVE_POINTS:
        return x, y
    keep = np.unique(np.linspace(0, len(x) - 1, CURVE_POINTS).round().astype(int))
    return x[keep], y[keep]
