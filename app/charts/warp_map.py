"""The warp map of a record: one row for each warp, one column for each iteration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from bokeh.models import (
    BasicTicker,
    ColumnDataSource,
    CustomJS,
    HoverTool,
    LinearColorMapper,
    NumeralTickFormatter,
)
from bokeh.models.annotations import ColorBar

from ..view import Measure
from .theme import Colours, blank_figure, palette

#: A map of more cells is shown by groups of warps.
MAP_CELLS = 400_000

#: A map of more warps, too: its plot has no more pixels from top to bottom.
MAP_ROWS = 190

#: Sends the clicked warp and iteration to the page, without a message to the page process.
_SEND_WARP = """
window.dispatchEvent(new CustomEvent("warplens:warp", {
  detail: { warp: Math.max(0, cb_obj.y), iteration: Math.max(0, cb_obj.x) } }));
"""


@dataclass(frozen=True)
class Scale:
    """What maps that are compared have in common; each map is at least as large as itself.

    Attributes
    ----------
    iterations, warps : int
        Columns and rows.
    largest : float
        Value of the last colour.
    """

    iterations: int = 0
    warps: int = 0
    largest: float = 1e-9

    @classmethod
    def of(cls, runs: Iterable[Mapping[str, np.ndarray]], measure: Measure) -> Scale:
        """Return the scale on which the maps of all these runs fit."""
        whole = cls()
        for warps in runs:
            values = np.asarray(measure.values(warps), np.float64)
            whole = cls(
                max(whole.iterations, int(warps["iteration"].max(initial=0)) + 1),
                max(whole.warps, int(warps["warp"].max(initial=0)) + 1),
                max(whole.largest, float(np.nanmax(values, initial=0))),
            )
        return whole


#: Of a map that is compared with no other.
ALONE = Scale()


@dataclass(frozen=True)
class Grid:
    """Numbers of warps (rows) in iterations (columns); NaN where a warp had no work."""

    cells: np.ndarray
    group: int

    @classmethod
    def of(cls, warps: Mapping[str, np.ndarray], values: np.ndarray, scale: Scale = ALONE) -> Grid:
        """Place a record's rows in the map; grouped warps show their largest value."""
        iterations = max(int(warps["iteration"].max(initial=0)) + 1, scale.iterations)
        count = max(int(warps["warp"].max(initial=0)) + 1, scale.warps)
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
        The quantity that the colours show.
    colours : Colours
    cursor : str
        Name of the source of the cursor, columns ``x`` (iteration) and ``y`` (warp); without a name
        the map neither follows the replay nor takes clicks.
    tools : bool
        Whether the toolbar is shown.
    hatched : ndarray of int
        Iterations shown with a hatch.
    scale : Scale
        What it shares with other maps.
    turn : str
        The family's name of an iteration.

    Attributes
    ----------
    figure : bokeh figure
        A click on it sends the event ``warplens:warp`` to the page's ``window``.
    group : int
        Warps that share a row.
    """

    def __init__(
        self,
        warps: Mapping[str, np.ndarray],
        measure: Measure,
        colours: Colours,
        cursor: str = "",
        *,
        tools: bool = False,
        hatched: np.ndarray | None = None,
        scale: Scale = ALONE,
        turn: str = "iteration",
    ) -> None:
        self._turn = turn
        self._warps, self._scale = warps, scale
        self._mapper = LinearColorMapper(palette=palette(colours.ramp), nan_color="rgba(0,0,0,0)")
        self._source = ColumnDataSource(data={"image": [], "dw": [], "dh": []})
        self._hover = HoverTool()
        grid = self.show(measure)
        rows, columns = grid.cells.shape
        self.group = grid.group
        plot = blank_figure(colours, turn, "warp", tools)
        plot.x_range.start, plot.x_range.end = -0.5, columns - 0.5
        plot.y_range.start, plot.y_range.end = rows * grid.group - 0.5, -0.5
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
        if hatched is not None and len(hatched):
            plot.vstrip(
                x0=hatched - 0.5,
                x1=hatched + 0.5,
                fill_color=None,
                line_color=None,
                hatch_pattern="/",
                hatch_color=colours.cursor,
                hatch_alpha=0.45,
                hatch_scale=8,
            )
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
        if cursor:
            plot.js_on_event("tap", CustomJS(code=_SEND_WARP))
            plot.rect(
                "x",
                "y",
                width=1,
                height=grid.group,
                source=ColumnDataSource(data={"x": [0.0], "y": [0.0]}, name=cursor),
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
        scale = self._scale
        grid = Grid.of(self._warps, np.asarray(measure.values(self._warps)), scale)
        # Bokeh draws the first row at the bottom of an axis that points up; ours points down.
        rows, columns = grid.cells.shape
        self._mapper.low = 0
        self._mapper.high = float(max(np.nanmax(grid.cells, initial=0), scale.largest))
        self._source.data = {
            "image": [grid.cells],
            "dw": [columns],
            "dh": [rows * grid.group],
        }
        warp = "warp" if grid.group == 1 else f"about warp (largest of {grid.group})"
        self._hover.tooltips = [
            (warp, "$y{0}"),
            (self._turn, "$x{0}"),
            (measure.label, f"@image{{0,0.[0]}}{measure.unit}"),
        ]
        return grid
