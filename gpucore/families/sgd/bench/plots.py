"""Plots of SGD: figures 7 to 9 of the paper, errors by time, predicted and measured seconds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from gpucore.bench.plots.profile import LEGEND_WIDTH
from gpucore.bench.plots.svg import Canvas, margin, stack
from gpucore.bench.suite import Data
from gpucore.families.sgd.bench.runs import (
    SWEEPS,
    choices,
    first_of,
    means,
    normalised,
    races,
    sweeps,
)

#: Size of a plotting area in pixels.
WIDTH, HEIGHT = 430.0, 300.0
Points = Sequence[tuple[float, float]]


def sgd_plots(data: Data) -> dict[str, str]:
    """Return the family's own plots by experiment, where there are results."""
    draw: dict[str, Callable[[Data, str], str | None]] = {
        "race": race_plot,
        "schedules": schedules_plot,
        "hybrids": hybrids_plot,
        "atomics": atomics_plot,
        "predictor": predictor_plot,
    }
    drawn = {}
    for name, function in draw.items():
        experiment = data["experiments"].get(name)
        if experiment and (plot := function(data, experiment["title"])) is not None:
            drawn[name] = plot
    return drawn


def schedules_plot(data: Data, title: str) -> str | None:
    """Draw figure 7: bars of the schedules for each class, without and with preprocessing."""
    plots = []
    for whole, words in ((False, "a sweep"), (True, f"preprocessing and {SWEEPS} sweeps")):
        rows = means(normalised(data, whole=whole))
        if rows:
            plots.append(_bars(f"{title}: {words}", rows, "time by that of EL (log scale)"))
    return stack(title, plots) if plots else None


def hybrids_plot(data: Data, title: str) -> str | None:
    """Draw figure 8: bars of the speed-ups over EL for each class."""
    found = means(normalised(data, sweeps(data, first_of(data, "hybrids", "schedules"))))
    wanted = ("nl", "nl_el", "el_sgm")
    rows = {kind: {v: 1 / row[v] for v in wanted if v in row} for kind, row in found.items()}
    rows = {kind: row for kind, row in rows.items() if row}
    return _bars(title, rows, "speed-up over EL (log scale)") if rows else None


def atomics_plot(data: Data, title: str) -> str | None:
    """Draw figure 9, atomics a second over threads, and seconds of a barrier over blocks."""
    figures = data.get("device_figures")
    if figures is None:
        return None
    lines = {
        f"{kind}, {place}": [(threads, rate) for threads, rate in rates]
        for kind, places in figures["atomics"].items()
        for place, rates in places.items()
    }
    atomics = _lines(title, lines, ("threads", "atomics a second"), _three)
    barriers = {"a barrier": [(blocks, seconds) for blocks, seconds in figures["barriers"]]}
    words = "Seconds of a barrier by blocks"
    return stack(title, [atomics, _lines(words, barriers, ("blocks", "seconds"), _three)])


def _three(value: float) -> str:
    return f"{value:.3g}"


def race_plot(data: Data, title: str) -> str | None:
    """Draw training errors over time, a plot for each matrix, one line for each method."""
    plots = []
    for matrix, (targets, found) in races(data).items():
        lines = {race.label: [p for p in race.curve if p[0] > 0] for race in found}
        plots.append(
            _lines(
                f"{title}: {matrix}",
                lines,
                ("seconds", "error"),
                lambda v: f"{v:.4g}",
                across=targets.train,
            )
        )
    return stack(title, plots) if plots else None


def predictor_plot(data: Data, title: str) -> str | None:
    """Draw predicted over measured seconds, a dot for each schedule on each matrix."""
    found = choices(data)
    if not found:
        return None
    values = [s for one in found for row in (one.measured, one.predicted) for s in row.values()]
    axis = _Axis(values)
    canvas = Canvas(title, (60, 64, WIDTH, HEIGHT), (520 + LEGEND_WIDTH, 424))
    canvas.x_ticks(axis.ticks(), "measured seconds of a sweep (log scale)")
    canvas.y_ticks(axis.ticks(), "predicted")
    canvas.polyline([(0.0, 0.0), (1.0, 1.0)], 0)
    variants = list(dict.fromkeys(v for one in found for v in one.measured))
    for one in found:
        for variant, seconds in one.measured.items():
            guess = one.predicted[variant]
            words = f"{one.matrix}, {variant}: {guess:.3g} s predicted, {seconds:.3g} s measured"
            canvas.dot(axis.at(seconds), axis.at(guess), variants.index(variant), words)
    canvas.legend(list(enumerate(variants)), dots=True)
    return canvas.render()


class _Axis:
    """A logarithmic axis whose ends are powers of ten, or of two for values that lie close."""

    def __init__(self, values: Iterable[float]) -> None:
        known = [v for v in values if v > 0]
        self.base = 10 if max(known) > 32 * min(known) else 2
        self.low = math.floor(math.log(min(known), self.base) + 1e-9)
        self.high = max(self.low + 1, math.ceil(math.log(max(known), self.base) - 1e-9))

    def at(self, value: float) -> float:
        """Return the share of the axis at which a value lies."""
        place = math.log(max(value, float(self.base) ** self.low), self.base)
        return (place - self.low) / (self.high - self.low)

    def ticks(self) -> list[tuple[float, str]]:
        """Return ticks at powers of the base, at most ten of them."""
        step = max(1, math.ceil((self.high - self.low) / 8))
        powers = range(self.low, self.high + 1, step)
        ends = self.high - self.low
        return [((p - self.low) / ends, _three(float(self.base) ** p)) for p in powers]


def _bars(title: str, rows: Mapping[str, Mapping[str, float]], label: str) -> str:
    """Draw bars from 1 to the left and right: a band for each name, a bar for each class."""
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    axis = _Axis([1.0, *(v for row in rows.values() for v in row.values())])
    height, left = max(120.0, 34.0 * len(names)), margin(names)
    canvas = Canvas(title, (left, 50, WIDTH, height), (left + WIDTH + LEGEND_WIDTH, height + 110))
    canvas.x_ticks(axis.ticks(), label)
    canvas.y_ticks([(1 - (i + 0.5) / len(names), name) for i, name in enumerate(names)])
    each = 0.8 / len(names) / len(rows)
    for style, (kind, row) in enumerate(rows.items()):
        for i, name in enumerate(names):
            if name in row:
                ends = sorted((axis.at(1.0), axis.at(row[name])))
                top = 1 - (i + 0.1) / len(names) - style * each
                words = f"{name}, {kind}: {row[name]:.3g}"
                canvas.bar((ends[0], ends[1]), (top - 0.9 * each, top), style, words)
    canvas.polyline([(axis.at(1.0), 0.0), (axis.at(1.0), 1.0)], len(rows))
    canvas.legend(list(enumerate(rows)), dots=True)
    return canvas.render()


def _lines(
    title: str,
    lines: Mapping[str, Points],
    labels: tuple[str, str],
    words: Callable[[float], str],
    across: float | None = None,
) -> str:
    """Draw lines over logarithmic axes; a value is marked by a line across."""
    x_axis = _Axis(x for points in lines.values() for x, _ in points)
    heights = [y for points in lines.values() for _, y in points]
    y_axis = _Axis(heights) if across is None else _Between(heights)
    canvas = Canvas(title, (60, 64, WIDTH, HEIGHT), (520 + LEGEND_WIDTH, 424))
    canvas.x_ticks(x_axis.ticks(), f"{labels[0]} (log scale)")
    canvas.y_ticks(y_axis.ticks(), labels[1])
    for style, (name, points) in enumerate(lines.items()):
        places = [(x_axis.at(x), y_axis.at(y)) for x, y in points]
        canvas.polyline(places, style)
        for (x, y), (left, high) in zip(points, places, strict=True):
            canvas.dot(left, high, style, f"{name}, {words(x)} {labels[0]}: {words(y)} {labels[1]}")
    if across is not None:
        canvas.polyline([(0.0, y_axis.at(across)), (1.0, y_axis.at(across))], len(lines))
    canvas.legend(list(enumerate(lines)), dots=True)
    return canvas.render()


class _Between(_Axis):
    """A linear axis between the least and the largest value."""

    def __init__(self, values: Iterable[float]) -> None:
        known = list(values)
        self.least, self.most = min(known), max(known)
        if self.most <= self.least:
            self.most = self.least + 1e-6

    def at(self, value: float) -> float:
        return (value - self.least) / (self.most - self.least)

    def ticks(self) -> list[tuple[float, str]]:
        steps = [self.least + (self.most - self.least) * i / 5 for i in range(6)]
        return [(i / 5, f"{value:.4g}") for i, value in enumerate(steps)]
