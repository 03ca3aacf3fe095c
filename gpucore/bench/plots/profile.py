"""Two plots of a benchmark: performance profiles, and times graph by graph."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

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
    graphs = list(dict.fromkeys(graph for row in times.values() for graph in row))
    values = [seconds for row in times.values() for seconds in row.values() if seconds > 0]
    low = math.floor(math.log10(min(values)))
    high = max(low + 1, math.ceil(math.log10(max(values))))
    height = max(34.0 * len(graphs), 20.0 * len(times), 120.0)
    left = margin(graphs)
    canvas = Canvas(title, (left, 50, 410, height), (left + 410 + LEGEND_WIDTH, height + 110))
    marks = range(low, high + 1)
    canvas.x_ticks([((d - low) / (high - low), human_time(10.0**d)) for d in marks], "time")
    rows = {graph: 1 - (i + 0.5) / len(graphs) for i, graph in enumerate(graphs)}
    canvas.y_ticks([(share, graph) for graph, share in rows.items()])
    for style, (method, row) in enumerate(times.items()):
        for graph, seconds in row.items():
            x = (math.log10(max(seconds, 10.0**low)) - low) / (high - low)
            canvas.dot(x, rows[graph], style, f"{graph}, {method}: {human_time(seconds)}")
    canvas.legend(list(enumerate(times)), dots=True)
    return canvas.render()


def power_of_two(exponent: float) -> str:
    """Return two to some power, with three digits unless it is large."""
    value = 2.0**exponent
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"
