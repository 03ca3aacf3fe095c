"""Plots of studies: speed-ups, times of stages, and two parameters at all their values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpucore.bench.plots.profile import LEGEND_WIDTH, decades, dot_rows
from gpucore.bench.plots.svg import Canvas
from gpucore.bench.profiles import geometric_mean
from gpucore.format import human_time

#: Pixels of a graph's row of bars.
BAND = 74.0


def speed_up_plot(title: str, times: Mapping[str, Mapping[str, float]], baseline: str) -> str:
    """Draw the speed-ups of the other methods over the baseline, graph by graph.

    Parameters
    ----------
    times : mapping
        ``times[method][graph]`` in seconds.
    baseline : str
        The method to compare with; at least one other shares a graph with it.

    Returns
    -------
    str
        An SVG file.
    """
    ratios = {
        method: {g: times[baseline][g] / s for g, s in row.items() if g in times[baseline]}
        for method, row in times.items()
        if method != baseline
    }
    return ratio_plot(title, ratios, f"times faster than {baseline}", mean=True)


def ratio_plot(
    title: str, ratios: Mapping[str, Mapping[str, float]], axis: str, *, mean: bool = False
) -> str:
    """Draw ratios as dots on a log scale, a row for each graph (or whatever the rows are).

    Parameters
    ----------
    ratios : mapping
        ``ratios[method][row]``, at least one.
    mean : bool
        Whether the legend has every method's geometric mean.

    Returns
    -------
    str
        An SVG file.
    """
    low, high = decades([1.0, *(ratio for row in ratios.values() for ratio in row.values())])
    marks = [
        (d + math.log10(k), f"{k * 10.0**d:g}")
        for d in range(low, high + 1)
        for k in ((1, 2, 5) if high - low < 3 else (1,))
        if d + math.log10(k) <= high
    ]
    legend = [method if row else "" for method, row in ratios.items()]
    if mean:
        means = [geometric_mean(list(row.values())) if row else 0 for row in ratios.values()]
        legend = [f"{m}, mean {x:.3g}" if m else m for m, x in zip(legend, means, strict=True)]
    return dot_rows(title, ratios, (low, high), marks, axis, "{:.3g}".format, legend)


def stage_plot(title: str, stages: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """Draw the time of every stage as a bar, graph below graph: optimisation and contraction.

    Parameters
    ----------
    stages : mapping
        ``stages[graph]``: the figure "stages" of a result.

    Returns
    -------
    str
        An SVG file.
    """
    longest = max(max((len(row) for row in stages.values()), default=1), 2)
    height = BAND * len(stages)
    canvas = Canvas(title, (110, 50, 410, height), (520 + LEGEND_WIDTH, height + 110))
    step = max(1, longest // 12)
    numbers = range(0, longest, step)
    canvas.x_ticks([((i + 0.5) / longest, str(i + 1)) for i in numbers], "stage")
    floors = {graph: 1 - (i + 1) / len(stages) for i, graph in enumerate(stages)}
    canvas.y_ticks([(floor, graph) for graph, floor in floors.items()])
    room = 0.86 / len(stages)
    for graph, row in stages.items():
        parts = [(stage["optimise_seconds"], stage["contract_seconds"]) for stage in row]
        most = max((sum(pair) for pair in parts), default=0.0) or 1.0
        total = sum(map(sum, parts)) or 1.0
        for i, pair in enumerate(parts):
            low = floors[graph]
            for style, (seconds, name) in enumerate(
                zip(pair, ("optimisation", "contraction"), strict=True)
            ):
                high = low + room * seconds / most
                span = ((i + 0.15) / longest, (i + 0.85) / longest)
                words = f"{graph}, stage {i + 1}, {name}: {human_time(seconds)}"
                canvas.bar(span, (low, high), style, f"{words}, {seconds / total:.0%} of all")
                low = high
    optimising = sum(stage["optimise_seconds"] for row in stages.values() for stage in row)
    contracting = sum(stage["contract_seconds"] for row in stages.values() for stage in row)
    share = optimising / ((optimising + contracting) or 1.0)
    entries = [(0, f"optimisation, {share:.0%}"), (1, f"contraction, {1 - share:.0%}")]
    canvas.legend(entries, dots=True)
    return canvas.render()


@dataclass(frozen=True)
class Grid:
    """A value at every pair of two parameters.

    Attributes
    ----------
    axes : tuple of str
        The parameter along the axis, and the parameter with one line per value.
    values : mapping
        ``values[line][place]``.
    """

    axes: tuple[str, str]
    values: Mapping[float, Mapping[float, float]]


def grid_plot(title: str, grid: Grid, what: str) -> str:
    """Draw a line for every value of the second parameter over the values of the first.

    Parameters
    ----------
    what : str
        Label of the values.

    Returns
    -------
    str
        An SVG file.
    """
    places = sorted({place for row in grid.values.values() for place in row}, reverse=True)
    values = [value for row in grid.values.values() for value in row.values()]
    low, high = _frame(min(values), max(values))
    canvas = Canvas(title, (90, 70, 430, 300), (520 + LEGEND_WIDTH, 440))
    across = {place: (i + 0.5) / len(places) for i, place in enumerate(places)}
    canvas.x_ticks([(x, f"{place:g}") for place, x in across.items()], grid.axes[0])
    ticks = [low + (high - low) * i / 4 for i in range(5)]
    canvas.y_ticks([((t - low) / (high - low), f"{t:.2%}") for t in ticks], what)
    for style, (line, row) in enumerate(sorted(grid.values.items(), reverse=True)):
        points = [(across[p], (row[p] - low) / (high - low)) for p in places if p in row]
        canvas.polyline(points, style)
        for place in row:
            words = f"{grid.axes[1]} {line:g}, {grid.axes[0]} {place:g}: {row[place]:.3%}"
            canvas.dot(across[place], (row[place] - low) / (high - low), style, words)
    lines = sorted(grid.values, reverse=True)
    canvas.legend([(i, f"{grid.axes[1]} {line:g}") for i, line in enumerate(lines)], dots=True)
    return canvas.render()


def _frame(low: float, high: float) -> tuple[float, float]:
    """Return limits slightly outside of all values, also if there is only one."""
    room = max(0.05 * (high - low), 1e-4)
    return low - room, high + room
