"""Plot of quality over time: what more time buys."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gpucore.bench.plots.profile import LEGEND_WIDTH, decades
from gpucore.bench.plots.svg import Canvas, stack
from gpucore.format import human_time


class Point(NamedTuple):
    """A measurement: seconds, quality, and the label of its case."""

    seconds: float
    quality: float
    label: str


def front(points: Sequence[Point], *, smallest: bool = False) -> list[Point]:
    """Return the points that no other one beats in time and quality, the fastest first.

    Parameters
    ----------
    smallest : bool
        Whether a smaller quality is better.

    Examples
    --------
    >>> [p.label for p in front([Point(1, 5, "a"), Point(2, 4, "b"), Point(3, 6, "c")])]
    ['a', 'c']
    """
    sign = -1.0 if smallest else 1.0
    found: list[Point] = []
    for point in sorted(points, key=lambda p: (p.seconds, -sign * p.quality)):
        if not found or sign * point.quality > sign * found[-1].quality:
            found.append(point)
    return found


def time_quality_plot(
    title: str, graphs: Mapping[str, Mapping[str, Sequence[Point]]], *, smallest: bool = False
) -> str | None:
    """Draw quality over time, a plot for each graph.

    Every measurement is a dot. A line joins the points of a curve that none of its other points
    beats.

    Parameters
    ----------
    graphs : mapping
        ``graphs[graph][curve]``.
    smallest : bool
        Whether a smaller quality is better.

    Returns
    -------
    str or None
        An SVG file; None without points.
    """
    parts = [_plot(f"{title}: {graph}", curves, smallest) for graph, curves in graphs.items()]
    return stack(title, parts) if parts else None


def _plot(title: str, curves: Mapping[str, Sequence[Point]], smallest: bool) -> str:
    points = [point for curve in curves.values() for point in curve]
    low, high = decades(max(point.seconds, 1e-9) for point in points)
    worst, best = min(p.quality for p in points), max(p.quality for p in points)
    room = 0.06 * (best - worst) or 1e-4
    worst, best = worst - room, best + room
    canvas = Canvas(title, (90, 64, 430, 260.0), (520 + LEGEND_WIDTH, 384))
    ticks = [((d - low) / (high - low), human_time(10.0**d)) for d in range(low, high + 1)]
    canvas.x_ticks(ticks, "time")
    steps = [worst + (best - worst) * i / 4 for i in range(5)]
    canvas.y_ticks([(i / 4, f"{value:.4g}") for i, value in enumerate(steps)], "quality")

    def place(point: Point) -> tuple[float, float]:
        across = (math.log10(max(point.seconds, 1e-9)) - low) / (high - low)
        return across, (point.quality - worst) / (best - worst)

    for style, (name, curve) in enumerate(curves.items()):
        line = front(curve, smallest=smallest)
        if len(line) > 1:
            canvas.polyline([place(point) for point in line], style)
        for point in curve:
            words = f"{point.label}: {human_time(point.seconds)}, {point.quality:.6g}"
            canvas.dot(*place(point), style, words if name == point.label else f"{name}, {words}")
    canvas.legend(list(enumerate(curves)), dots=True)
    return canvas.render()
