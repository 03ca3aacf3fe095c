"""Plots of stable marriage: figures 1 to 8 of the paper, lines over sizes or over threads."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from gpucore.bench.details import rate_words
from gpucore.bench.plots.profile import LEGEND_WIDTH
from gpucore.bench.plots.svg import Canvas
from gpucore.bench.suite import Data
from gpucore.families.marriage.bench.runs import fastest_sequential, rate, runs_of
from gpucore.format import human_time

#: Labels of ticks nearer than 1 / GAP of an axis would overlap.
GAP = 17
#: Lines of a plot: ascending points by the text of the legend.
Lines = Mapping[str, Sequence[tuple[float, float]]]
Experiment = dict[str, Any]


class Axis(NamedTuple):
    """An axis: what it shows, how numbers are written, and whether ticks are powers of ten."""

    title: str
    words: Callable[[float], str]
    logarithmic: bool = True


def _count(value: float) -> str:
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"


def _people(value: float) -> str:
    """Return a number of people in the form used in names of instances."""
    for unit, size in (("M", 1_000_000), ("K", 1000)):
        if value >= size:
            return f"{value / size:g}{unit}"
    return f"{value:g}"


MEN = Axis("men", _people, logarithmic=False)
THREADS = Axis("threads", _count, logarithmic=False)
TIME = Axis("time (log scale)", human_time)
SPEED_UP = Axis("times as fast as the faster sequential method (log scale)", rate_words)
TEPS = Axis("million considered places a second (log scale)", lambda value: rate_words(value / 1e6))


def marriage_plots(data: Data) -> dict[str, str]:
    """Return plots of figures 1 to 8 of the paper, by experiment, where there are results.

    Parameters
    ----------
    data : dict
        Content of a results file.
    """
    draw: dict[str, tuple[Callable[[Data, Experiment], Lines], Axis, Axis]] = {
        "easy": (times_by_size, MEN, TIME),
        "easy_speed_up": (speed_ups_by_size, MEN, SPEED_UP),
        "hard": (times_by_size, MEN, TIME),
        "multicore": (times_by_size, MEN, TIME),
        "threads_easy": (speed_ups_by_threads, THREADS, SPEED_UP),
        "threads_hard": (speed_ups_by_threads, THREADS, SPEED_UP),
        "teps_easy": (rates_by_threads, THREADS, TEPS),
        "teps_hard": (rates_by_threads, THREADS, TEPS),
    }
    drawn = {}
    for name, (lines_of, across, upright) in draw.items():
        experiment = data["experiments"].get(name)
        lines = lines_of(data, experiment) if experiment else {}
        if lines:
            drawn[name] = line_plot(experiment["title"], lines, across, upright)
    return drawn


def times_by_size(data: Data, experiment: Experiment) -> Lines:
    """Return every method's time by the number of men."""
    return {
        label: [(data["graphs"][graph]["men"], found["seconds"]) for graph, found in row.items()]
        for label, row in runs_of(data, experiment).items()
    }


def speed_ups_by_size(data: Data, experiment: Experiment) -> Lines:
    """Return speed-ups over the faster sequential method, by size."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for label, row in runs_of(data, experiment).items():
        for graph, found in row.items():
            base = fastest_sequential(data, graph)
            if base is not None:
                point = (data["graphs"][graph]["men"], base / max(found["seconds"], 1e-9))
                lines.setdefault(label, []).append(point)
    return lines


def speed_ups_by_threads(data: Data, experiment: Experiment) -> Lines:
    """Return speed-ups by threads, a line for each method on each instance."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in runs_of(data, experiment).values():
        for graph, found in row.items():
            base = fastest_sequential(data, graph)
            if base is not None:
                point = (found["params"]["threads"], base / max(found["seconds"], 1e-9))
                lines.setdefault(f"{graph}, {_method(found)}", []).append(point)
    return {name: sorted(points) for name, points in lines.items() if len(points) > 1}


def rates_by_threads(data: Data, experiment: Experiment) -> Lines:
    """Return considered places a second by threads; for a method on the device a single number."""
    lines: dict[str, list[tuple[float, float]]] = {}
    device: dict[str, tuple[str, float]] = {}
    for row in runs_of(data, experiment).values():
        for graph, found in row.items():
            name = f"{graph}, {_method(found)}"
            if "threads" in found["params"]:
                point = (found["params"]["threads"], rate(found))
                lines.setdefault(name, []).append(point)
            else:
                device[name] = graph, rate(found)
    lines = {name: points for name, points in lines.items() if len(points) > 1}
    # A method on the device is shown only beside threads of the same instance.
    beside = {name.partition(", ")[0] for name in lines}
    most = max((x for points in lines.values() for x, _ in points), default=0.0)
    across = {n: [(1.0, y), (most, y)] for n, (graph, y) in device.items() if graph in beside}
    return across | lines


def _method(found: dict[str, Any]) -> str:
    """Return a method's name without its number of threads."""
    label = str(found["label"])
    return label.partition(", ")[0] if "threads" in found["params"] else label


def line_plot(title: str, lines: Lines, across: Axis, upright: Axis) -> str:
    """Draw a line for each name; hovering shows the points.

    Parameters
    ----------
    lines : mapping
        ``lines[name]``, at least one point in all; values along an axis are positive.
    across, upright : Axis
        The axes.

    Returns
    -------
    str
        An SVG file.
    """
    points = [point for line in lines.values() for point in line]
    place_x, ticks_x = _scale([x for x, _ in points], across)
    place_y, ticks_y = _scale([y for _, y in points], upright)
    height = max(300.0, 20.0 * len(lines))
    canvas = Canvas(title, (90, 64, 430, height), (550 + LEGEND_WIDTH, height + 124))
    canvas.x_ticks(ticks_x, across.title)
    canvas.y_ticks(ticks_y, upright.title)
    for style, (name, line) in enumerate(lines.items()):
        line = sorted(line)
        canvas.polyline([(place_x(x), place_y(y)) for x, y in line], style)
        for x, y in line:
            words = f"{name}, {across.words(x)} {across.title}: {upright.words(y)}"
            canvas.dot(place_x(x), place_y(y), style, words)
    canvas.legend(list(enumerate(lines)), dots=True)
    return canvas.render()


def _scale(
    values: Sequence[float], axis: Axis
) -> tuple[Callable[[float], float], list[tuple[float, str]]]:
    """Return the positions of values along an axis, and ticks; a linear axis begins at 0."""
    if not axis.logarithmic:
        ticks = sorted(set(values))
        most = ticks[-1]
        free = [t for t in ticks if all(u - t > most / GAP for u in ticks if u > t)]
        return lambda value: value / most, [(t / most, axis.words(t)) for t in free]
    low = math.floor(math.log10(min(values)))
    high = max(low + 1, math.ceil(math.log10(max(values))))
    span = high - low
    marks = [((k - low) / span, axis.words(10.0**k)) for k in range(low, high + 1)]
    return lambda value: (math.log10(value) - low) / span, marks
