"""Draw a chart as an SVG file."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from gpucore.bench.papers.charts import Chart, Series
from gpucore.bench.plots.profile import LEGEND_WIDTH
from gpucore.bench.plots.svg import Canvas, stack

#: Most names of instances below an axis.
NAMES = 12
Ticks = list[tuple[float, str]]


class _Axis:
    """Places of numbers on an axis from 0 to 1, and its ticks."""

    def __init__(self, numbers: Iterable[float], *, log: bool, from_zero: bool = False) -> None:
        known = [v for v in numbers if math.isfinite(v) and (v > 0 or not log)] or [1.0]
        self.log = log
        change: Callable[[float], float] = math.log10 if log else float
        self.low, self.high = change(min(known)), change(max(known))
        if log:
            self.low, self.high = float(math.floor(self.low)), float(math.ceil(self.high))
        elif from_zero:
            self.low = min(0.0, self.low)
        if self.high <= self.low:
            self.high = self.low + 1
        self._change = change

    def place(self, value: float) -> float:
        """Return the share of the axis for a number."""
        if self.log:
            value = max(value, 10.0**self.low)
        return (self._change(value) - self.low) / (self.high - self.low)

    def ticks(self) -> Ticks:
        """Return at most ten ticks."""
        span = self.high - self.low
        if self.log:
            step = max(1, math.ceil(span / 8))
            powers = range(int(self.low), int(self.high) + 1, step)
            found = [(10.0**p, _words(10.0**p)) for p in powers]
            if span <= 2:
                more = [k * 10.0**p for p in range(int(self.low), int(self.high)) for k in (2, 5)]
                found += [(v, _words(v)) for v in more]
        else:
            power = 10.0 ** math.floor(math.log10(span))
            width = next(s for s in (power / 5, power / 2, power, 2 * power) if span / s <= 8)
            first = math.ceil(self.low / width - 1e-9)
            count = int((self.high - first * width) / width + 1e-9)
            values = [(first + i) * width for i in range(count + 1)]
            found = [(v, _words(v)) for v in values]
        return [(self.place(v), words) for v, words in found]


def _words(value: float) -> str:
    if value and abs(value) >= 1e5:
        return f"{value:.0e}".replace("e+0", "e")
    return f"{value:.4g}"


def charts_svg(title: str, charts: Sequence[Chart]) -> str:
    """Return charts below one another as text of an SVG file."""
    return stack(title, [chart_svg(chart) for chart in charts])


def chart_svg(chart: Chart) -> str:
    """Return a chart as text of an SVG file."""
    x_axis = _Axis((v for s in chart.series for v in s.x), log=chart.x_log)
    y_numbers = [v for s in chart.series for v in (*s.y, *s.low, *s.high)]
    y_axis = _Axis(y_numbers, log=chart.y_log, from_zero=chart.mark == "bar")
    canvas = Canvas(chart.title, (80, 64, 460, 300.0), (540 + LEGEND_WIDTH, 424))
    wide = len(chart.categories)

    def across(value: float) -> float:
        return (value + 0.5) / wide if wide else x_axis.place(value)

    if wide:
        step = max(1, math.ceil(wide / NAMES))
        names = [(across(i), _short(chart.categories[i])) for i in range(0, wide, step)]
        if wide > 6:
            names = [(at, str(1 + i * step)) for i, (at, _) in enumerate(names)]
        canvas.x_ticks(names, chart.x_label)
    else:
        canvas.x_ticks(x_axis.ticks(), chart.x_label)
    canvas.y_ticks(y_axis.ticks(), chart.y_label)
    for style, series in enumerate(chart.series):
        _row(canvas, chart, series, style, across, y_axis)
    canvas.legend([(i, s.name) for i, s in enumerate(chart.series)], dots=chart.mark != "step")
    return canvas.render()


def _row(
    canvas: Canvas,
    chart: Chart,
    series: Series,
    style: int,
    across: Callable[[float], float],
    y_axis: _Axis,
) -> None:
    points = [(across(x), y_axis.place(y)) for x, y in zip(series.x, series.y, strict=True)]
    for x, low, high in zip(series.x, series.low, series.high, strict=False):
        canvas.polyline([(across(x), y_axis.place(v)) for v in (low, high)], style)
    if chart.mark == "step":
        canvas.steps(points, style, series.name)
        return
    if chart.mark == "bar":
        width = 0.8 / max(1, len(chart.categories)) / len(chart.series)
        for (x, y), value in zip(points, series.y, strict=True):
            left = x + (style - len(chart.series) / 2) * width
            words = f"{series.name}: {value:.4g}"
            canvas.bar(
                (left, left + width), (y_axis.place(0) if not chart.y_log else 0, y), style, words
            )
        return
    if chart.mark == "line" and len(points) > 1:
        canvas.polyline(points, style)
    for (x, y), place, value in zip(points, series.x, series.y, strict=True):
        where = chart.categories[int(place)] if chart.categories else f"{place:.4g}"
        canvas.dot(x, y, style, f"{series.name}, {where}: {value:.4g}")


def _short(name: str) -> str:
    return name if len(name) <= 14 else f"{name[:12]}…"
