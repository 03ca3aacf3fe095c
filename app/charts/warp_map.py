"""Bokeh charts of a record: the warp map, and what all charts share.

Their cursors are small data sources that the player changes in the browser. A data source is the
one thing that can be changed there without a message to the kernel for every frame.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from bokeh.models import (
    BasicTicker,
    ColumnDataSource,
    CustomJS,
    HoverTool,
    LinearColorMapper,
    NumeralTickFormatter,
    Range1d,
)
from bokeh.models.annotations import ColorBar
from bokeh.plotting import figure

from ..view import Measure

#: A map of more cells is shown by groups of warps.
MAP_CELLS = 400_000

#: So is one of more warps: its figure has no more pixels from top to bottom.
MAP_ROWS = 190

#: Tells the page which warp and iteration were clicked, without a word to the kernel.
_TELL_WARP = """
window.dispatchEvent(new CustomEvent("warpscope:warp", {
  detail: { warp: Math.max(0, cb_obj.y), iteration: Math.max(0, cb_obj.x) } }));
"""


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


@dataclass(frozen=True)
class Grid:
    """Numbers of warps (rows) in iterations (columns); NaN where a warp had no work."""

    cells: np.ndarray
    group: int

    @classmethod
    def of(cls, warps: Mapping[str, np.ndarray], values: np.ndarray) -> Grid:
        """Spread a record's rows over the map; of grouped warps the largest value is shown."""
        iterations = int(warps["iteration"].max(initial=0)) + 1
        count = int(warps["warp"].max(initial=0)) + 1
        group = max(1, -(-count * iterations // MAP_CELLS), -(-count // MAP_ROWS))
        cells = np.full((-(-count // group), iterations), -np.inf, np.float32)
        place = warps["warp"] // group, warps["iteration"]
        np.maximum.at(cells, place, values.astype(np.float32))
        cells[np.isinf(cells)] = np.nan
        return cls(cells, group)


class WarpMap:
    """Heat map of warps and iterations.

    Parameters
    ----------
    warps : mapping of str to ndarray
        ``Record.warps``.
    measure : Measure
        What is coloured.
    colours : Colours
    cursor : str
        Name of the source of the cursor, columns ``x`` (iteration) and ``y`` (warp).
    tools : bool
        Whether the toolbar is shown.

    Attributes
    ----------
    figure : bokeh figure
        A click on it is told on the page's ``window``, as event ``warpscope:warp``.
    group : int
        Warps that share a row.
    """

    def __init__(
        self,
        warps: Mapping[str, np.ndarray],
        measure: Measure,
        colours: Colours,
        cursor: str,
        *,
        tools: bool = False,
    ) -> None:
        self._warps = warps
        self._mapper = LinearColorMapper(palette=palette(colours.ramp), nan_color="rgba(0,0,0,0)")
        self._source = ColumnDataSource(data={"image": [], "dw": [], "dh": []})
        self._hover = HoverTool()
        grid = self.show(measure)
        rows, columns = grid.cells.shape
        self.group = grid.group
        plot = blank_figure(colours, "iteration", "warp", tools)
        plot.x_range.start, plot.x_range.end = -0.5, columns - 0.5
        plot.y_range.start, plot.y_range.end = rows * grid.group - 0.5, -0.5
        plot.js_on_event("tap", CustomJS(code=_TELL_WARP))
        image = plot.image(
            "image",
            x=-0.5,
            y=-0.5,
            dw="dw",
            dh="dh",
            source=self._source,
            color_mapper=self._mapper,
        )
        self._hover.renderers = [image]
        plot.add_tools(self._hover)
        for axis in (plot.xaxis, plot.yaxis):
            axis.ticker = BasicTicker(min_interval=1, desired_num_ticks=6)
        plot.grid.grid_line_color = None
        bar = ColorBar(
            color_mapper=self._mapper,
            width=8,
            border_line_color=None,
            background_fill_color=None,
            bar_line_color=None,
            major_tick_line_color=None,
            major_label_text_color=colours.text,
            major_label_text_font_size="12px",
            formatter=NumeralTickFormatter(format="0a"),
            ticker=BasicTicker(desired_num_ticks=4),
            padding=4,
        )
        plot.add_layout(bar, "right")
        at = ColumnDataSource(data={"x": [0.0], "y": [0.0]}, name=cursor)
        plot.rect(
            "x",
            "y",
            width=1,
            height=grid.group,
            source=at,
            fill_color=None,
            line_color=colours.cursor,
            line_width=2.5,
        )
        self._chosen = ColumnDataSource(data={"y": []})
        plot.hspan(
            "y",
            source=self._chosen,
            line_color=colours.accent,
            line_width=1.5,
            line_dash="dashed",
        )
        self.figure = plot

    def choose(self, warp: int) -> None:
        """Mark a warp."""
        self._chosen.data = {"y": [float(warp)]}

    def show(self, measure: Measure) -> Grid:
        """Colour the map by a measure."""
        grid = Grid.of(self._warps, np.asarray(measure.values(self._warps)))
        # Bokeh draws the first row at the bottom of an axis that points up; ours points down.
        rows, columns = grid.cells.shape
        self._mapper.low = 0
        self._mapper.high = float(max(np.nanmax(grid.cells, initial=0), 1e-9))
        self._source.data = {
            "image": [grid.cells],
            "dw": [columns],
            "dh": [rows * grid.group],
        }
        warp = "warp" if grid.group == 1 else f"about warp (largest of {grid.group})"
        self._hover.tooltips = [
            (warp, "$y{0}"),
            ("iteration", "$x{0}"),
            (measure.label, f"@image{{0,0.[0]}}{measure.unit}"),
        ]
        return grid


def blank_figure(
    colours: Colours,
    x_label: str,
    y_label: str,
    tools: bool = False,
    y_axis: Literal["linear", "log"] = "linear",
) -> Any:
    """Return an empty figure in the page's style; without its toolbar unless asked for."""
    plot = figure(
        height=250,
        sizing_mode="stretch_width",
        toolbar_location="above" if tools else None,
        tools="pan,box_zoom,wheel_zoom,reset,save" if tools else "",
        active_drag=None,
        active_scroll=None,
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


def quiet_legend(plot: Any, colours: Colours) -> None:
    """Put the legend of a figure in one line at the top right, without a frame."""
    legend = plot.legend[0]
    legend.orientation = "horizontal"
    legend.location = "top_right"
    legend.background_fill_alpha = 0.0
    legend.border_line_color = None
    legend.label_text_color = colours.text
    legend.label_text_font_size = "12px"
    legend.padding = legend.margin = 2
