"""Two plots of a benchmark: performance profiles, and times graph by graph."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from gpucore.bench.plots.svg import Canvas, margin
from gpucore.bench.profiles import Profile
from gpucore.format import human_time

LEGEND_WIDTH = 290.0


def profile_plot(title: str, profiles: Sequence[Profile], order: Sequence[str]) -> str:
    """Draw performance profiles over log2 of the ratio to the best, as the paper does.

    Parameters
    ----------
    profiles : sequence of Profile
        At least one; the legend keeps their order.
    order : sequence of str
        All methods in the order that fixes their colours.

    Returns
    -------
    str
        An SVG file.
    """
    largest = max((float(p.ratios[-1]) for p in profiles if len(p.ratios)), default=1.0)
    span = max(1.0, math.ceil(math.log2(largest) * 1.02 * 4) / 4)
    height = max(320.0, 20.0 * len(profiles))
    canvas = Canvas(title, (60, 64, 460, height), (520 + LEGEND_WIDTH, height + 124))
    step = next(s for s in (0.25, 0.5, 1, 2, 4, 8) if span / s <= 8 or s == 8)
    ticks = [i * step for i in range(int(span / step) + 1)]
    canvas.x_ticks(
        [(t / span, power_of_two(t)) for t in ticks], "time relative to the best method (log scale)"
    )
    canvas.y_ticks([(i / 4, f"{25 * i} %") for i in range(5)], "share of the graphs")
    for profile in reversed(profiles):  # the best last, so that it lies on top
        points = [(0.0, profile.wins)]
        points += [
            (math.log2(ratio) / span, profile.fraction(ratio))
            for ratio in profile.ratios
            if ratio > 1
        ]
        points.append((1.0, points[-1][1]))
        words = f"{profile.method}: best on {profile.wins:.0%}, at worst {profile.worst:.2f} times"
        canvas.steps(points, order.index(profile.method), words)
    canvas.legend([(order.index(p.method), p.method) for p in profiles], dots=False)
    return canvas.render()


def time_plot(title: str, times: Mapping[str, Mapping[str, float]]) -> str:
    """Draw a row of dots for every graph, one a method, over the time on a log scale.

    Parameters
    ----------
    times : mapping
        ``times[method][graph]`` in seconds; methods keep their order and colours.

    Returns
    -------
    str
        An SVG file.
    """
    low, high = decades(value for row in times.values() for value in row.values() if value > 0)
    marks = [(float(d), human_time(10.0**d)) for d in range(low, high + 1)]
    return dot_rows(title, times, (low, high), marks, "time", human_time, list(times))


def decades(values: Iterable[float]) -> tuple[int, int]:
    """Return the powers of ten around positive numbers, as exponents."""
    known = list(values)
    low = math.floor(math.log10(min(known)))
    return low, max(low + 1, math.ceil(math.log10(max(known))))


def dot_rows(
    title: str,
    rows: Mapping[str, Mapping[str, float]],
    span: tuple[int, int],
    marks: Sequence[tuple[float, str]],
    axis: str,
    words: Callable[[float], str],
    legend: Sequence[str],
) -> str:
    """Draw dots on a log scale: a row for each graph (or whatever the rows are), one a method.

    Parameters
    ----------
    rows : mapping
        ``rows[method][graph]``; methods keep their order and colours.
    span : tuple of int
        The ends of the axis as exponents of ten; values before it stand at its beginning.
    marks : sequence of (float, str)
        Exponents with ticks, and their words.
    axis : str
        Name of the axis.
    words : callable
        Returns a value as text.
    legend : sequence of str
        A text for each method; an empty one is left out.
    """
    graphs = list(dict.fromkeys(graph for row in rows.values() for graph in row))
    low, high = span
    height = max(34.0 * len(graphs), 20.0 * len(rows), 120.0)
    left = margin(graphs)
    canvas = Canvas(title, (left, 50, 410, height), (left + 410 + LEGEND_WIDTH, height + 110))
    canvas.x_ticks([((at - low) / (high - low), text) for at, text in marks], axis)
    places = {graph: 1 - (i + 0.5) / len(graphs) for i, graph in enumerate(graphs)}
    canvas.y_ticks([(share, graph) for graph, share in places.items()])
    for style, (method, row) in enumerate(rows.items()):
        for graph, value in row.items():
            x = (math.log10(max(value, 10.0**low)) - low) / (high - low)
            canvas.dot(x, places[graph], style, f"{graph}, {method}: {words(value)}")
    canvas.legend([(style, text) for style, text in enumerate(legend) if text], dots=True)
    return canvas.render()


def power_of_two(exponent: float) -> str:
    """Return two to some power, with three digits unless it is large."""
    value = 2.0**exponent
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"
