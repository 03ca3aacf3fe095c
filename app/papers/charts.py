"""Charts of papers, drawn by Bokeh."""

from __future__ import annotations

from math import ceil, floor, log10
from typing import Any

from bokeh.models import (
    BasicTickFormatter,
    ColumnDataSource,
    FixedTicker,
    HoverTool,
    NumeralTickFormatter,
)
from bokeh.models.annotations import Legend, LegendItem

from gpucore.bench.papers.charts import Chart, Series

from ..charts.theme import HUES, Colours, blank_figure

#: Rows of a legend beside the chart; longer ones are cut off by the height of the chart.
HEIGHT, ROW = 300, 19
#: Most names below an axis; otherwise they stand in the hover text.
NAMES = 14
#: From here on an axis separates thousands: 10,000,000.
LARGE = 10_000


def draw(chart: Chart, colours: Colours, *, tools: bool = False, narrow: bool = False) -> Any:
    """Return a chart as a Bokeh figure; its title is text above it, which can be broken.

    Parameters
    ----------
    tools : bool
        Whether the toolbar is shown.
    narrow : bool
        Whether the legend stands below the plot, where there is no room beside it.
    """
    axes: dict[str, Any] = {
        "x_axis": "log" if chart.x_log else "linear",
        "y_axis": "log" if chart.y_log else "linear",
    }
    plot = blank_figure(colours, chart.x_label, chart.y_label, tools, **axes)
    rows = ROW * len(chart.series)
    plot.height = HEIGHT + rows if narrow else max(HEIGHT, rows + 60)
    _ranges(plot, chart)
    for axis, reach, log in (
        (plot.xaxis, plot.x_range, chart.x_log),
        (plot.yaxis, plot.y_range, chart.y_log),
    ):
        if log and reach.end < 100 * reach.start:
            _few_decades(axis, reach)
        # A logarithmic axis from below 1 has fractions, which that format cuts off.
        if reach.end >= LARGE and (not log or reach.start > 1):
            axis.formatter = NumeralTickFormatter(format="0,0")
    items = []
    for number, series in enumerate(chart.series):
        drawn = _row(plot, chart, series, number)
        items.append(LegendItem(label=series.name, renderers=drawn))
    legend = Legend(items=items, background_fill_alpha=0.0, border_line_color=None)
    legend.label_text_color = colours.text
    legend.label_text_font = "system-ui"
    legend.label_text_font_size = "12px"
    legend.update(spacing=0, padding=4, click_policy="mute")
    plot.add_layout(legend, "below" if narrow else "right")
    if chart.categories:
        _categories(plot, chart)
    return plot


def _ranges(plot: Any, chart: Chart) -> None:
    xs = [v for s in chart.series for v in s.x]
    ys = [v for s in chart.series for v in (*s.y, *s.low, *s.high) if v > 0 or not chart.y_log]
    across = _padded(min(xs), max(xs), chart.x_log)
    if chart.categories:
        across = (-0.6, len(chart.categories) - 0.4)
    plot.x_range.start, plot.x_range.end = across
    low, high = _padded(min(ys, default=0.0), max(ys, default=1.0), chart.y_log)
    from_zero = chart.mark == "bar" and not chart.y_log
    plot.y_range.start, plot.y_range.end = min(low, 0.0) if from_zero else low, high


def _few_decades(axis: Any, reach: Any) -> None:
    """Put 1, 2 and 5 of each decade on an axis, where Bokeh would leave the lower ones without."""
    powers = range(floor(log10(reach.start)), ceil(log10(reach.end)))
    axis.ticker = FixedTicker(ticks=[k * 10.0**power for power in powers for k in (1, 2, 5)])
    axis.formatter = BasicTickFormatter()


def _padded(low: float, high: float, log: bool) -> tuple[float, float]:
    """Return limits a little outside of two numbers."""
    if log:
        low = max(low, 1e-12)
        share = max(high / low, 2.0) ** 0.05
        return low / share, high * share
    room = 0.05 * (high - low) or 0.5
    return low - room, high + room


def _row(plot: Any, chart: Chart, series: Series, number: int) -> list[Any]:
    """Draw one series; return what the legend switches."""
    colour = HUES[number % len(HUES)]
    dash = ("solid", "dashed", "dotted")[number // len(HUES) % 3]
    names = [chart.categories[int(x)] if chart.categories else f"{x:.5g}" for x in series.x]
    across = list(series.x)
    if chart.mark == "bar":
        width = 0.8 / len(chart.series)
        across = [x + (number - (len(chart.series) - 1) / 2) * width for x in series.x]
    source = ColumnDataSource({"x": across, "y": series.y, "name": names})
    stroke: dict[str, Any] = {"source": source, "line_color": colour, "line_width": 1.8}
    stroke |= {"line_dash": dash, "muted_alpha": 0.1}
    drawn: list[Any] = []
    if chart.mark == "step":
        drawn.append(plot.step("x", "y", mode="after", **stroke))
    elif chart.mark == "bar":
        bottom = plot.y_range.start if chart.y_log else 0
        options = {"source": source, "fill_color": colour, "line_color": None, "muted_alpha": 0.1}
        drawn.append(plot.vbar("x", top="y", bottom=bottom, width=width * 0.92, **options))
    else:
        # Categories are problems: nothing lies between two of them.
        if chart.mark == "line" and len(series.x) > 1 and not chart.categories:
            drawn.append(plot.line("x", "y", **stroke))
        options = {"source": source, "color": colour, "muted_alpha": 0.1}
        size = 6 if chart.mark == "dot" or len(series.x) <= 40 else 3
        drawn.append(plot.scatter("x", "y", size=size, **options))
    if series.low:
        ends = ColumnDataSource({"x": across, "low": series.low, "high": series.high})
        drawn.append(
            plot.segment("x", "low", "x", "high", source=ends, color=colour, line_width=1.5)
        )
    hover = HoverTool(renderers=drawn[:1], tooltips=[(series.name, "@name: @y{0,0.[00000]}")])
    plot.add_tools(hover)
    return drawn


def _categories(plot: Any, chart: Chart) -> None:
    places = list(range(len(chart.categories)))
    plot.xaxis.ticker = FixedTicker(ticks=places if len(places) <= NAMES else places[::4])
    plot.xaxis.major_label_overrides = dict(zip(places, chart.categories, strict=True))
    if len(places) > 5:
        plot.xaxis.major_label_orientation = 0.6
    plot.xgrid.grid_line_color = None
