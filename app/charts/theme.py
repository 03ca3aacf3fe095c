"""The common style of all charts: colours, an empty plot, and its legend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from bokeh.models import BasicTicker, NumeralTickFormatter, Range1d
from bokeh.plotting import figure

#: The player's hues; ``app/widgets/lib/theme.js`` has the same.
HUES = (
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00",
    "#8f5fc8", "#a3a31a", "#c23b6b", "#35b5a5", "#9a6a3a", "#8a8f98",
)  # fmt: skip


@dataclass(frozen=True)
class Colours:
    """Colours of the charts; the page's style sheet has the same."""

    text: str
    line: str
    accent: str
    cursor: str
    ramp: tuple[str, ...]


LIGHT = Colours(
    text="#5b6675",
    line="#e3e7ed",
    accent="#3451c7",
    cursor="#d4386a",
    ramp=("#eef1fb", "#b9c5f3", "#7f93e4", "#4a62cf", "#2a3f9f", "#16225e"),
)
DARK = Colours(
    text="#9aa5b5",
    line="#2a313c",
    accent="#8ba3ff",
    cursor="#ff7aa2",
    ramp=("#1f2634", "#2b3a6b", "#4560b8", "#6f8cf0", "#a9bcff", "#eaf0ff"),
)


def palette(ramp: tuple[str, ...], size: int = 128) -> list[str]:
    """Return `size` colours between the given ones."""
    stops = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in ramp], dtype=float)
    at = np.linspace(0, len(ramp) - 1, size)
    rgb = [np.interp(at, np.arange(len(ramp)), stops[:, i]) for i in range(3)]
    return [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in np.round(rgb).astype(int).T]


def blank_figure(
    colours: Colours,
    x_label: str,
    y_label: str,
    tools: bool = False,
    y_axis: Literal["linear", "log"] = "linear",
    x_axis: Literal["linear", "log"] = "linear",
) -> Any:
    """Return an empty plot in the page's style; `tools` shows its toolbar."""
    plot = figure(
        height=250,
        sizing_mode="stretch_width",
        toolbar_location="above" if tools else None,
        tools="pan,box_zoom,wheel_zoom,reset,save" if tools else "",
        active_drag=None,
        active_scroll=None,
        x_axis_type=x_axis,
        y_axis_type=y_axis,
        background_fill_color=None,
        border_fill_color=None,
        outline_line_color=None,
        min_border=6,
        x_range=Range1d(start=0, end=1),
        y_range=Range1d(start=0, end=1),
    )
    for axis, label in ((plot.xaxis, x_label), (plot.yaxis, y_label)):
        axis.axis_label = label or None
        axis.axis_label_text_font_style = "normal"
        axis.axis_label_text_font = "system-ui"
        axis.axis_label_text_font_size = "12px"
        axis.axis_label_text_color = colours.text
        axis.major_label_text_font = "system-ui"
        axis.major_label_text_font_size = "12px"
        axis.major_label_text_color = colours.text
        axis.major_tick_line_color = None
        axis.minor_tick_line_color = None
        axis.axis_line_color = colours.line
    plot.grid.grid_line_color = colours.line
    plot.toolbar.logo = None
    return plot


def finished(
    plot: Any,
    colours: Colours,
    x: tuple[float, float],
    top: float,
    *,
    bottom: float = 0.0,
    ticks: int = 8,
    form: str = "0.[0]a",
    legend: bool = True,
) -> Any:
    """Return a plot over whole numbers, with both axes set and its legend in place.

    Parameters
    ----------
    x : tuple of float
        Ends of the horizontal axis.
    top, bottom : float
        Ends of the vertical one.
    ticks : int
        About so many numbers stand below the plot.
    form : str
        Bokeh's format of the numbers beside it; its own if empty.
    legend : bool
        Whether there is one.
    """
    plot.x_range.start, plot.x_range.end = x
    plot.y_range.start, plot.y_range.end = bottom, top
    plot.xaxis.ticker = BasicTicker(min_interval=1, desired_num_ticks=ticks)
    if form:
        plot.yaxis.formatter = NumeralTickFormatter(format=form)
    plot.xgrid.grid_line_color = None
    if legend:
        quiet_legend(plot, colours)
    return plot


def quiet_legend(plot: Any, colours: Colours) -> None:
    """Put the legend of a plot in one line at the top right, without a frame."""
    legend = plot.legend[0]
    legend.orientation = "horizontal"
    legend.location = "top_right"
    legend.background_fill_alpha = 0.0
    legend.border_line_color = None
    legend.label_text_color = colours.text
    legend.label_text_font = "system-ui"
    legend.label_text_font_size = "12px"
    legend.padding = legend.margin = 2
