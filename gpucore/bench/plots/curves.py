"""Plots of one method against several: speed-up profiles, mean speed-ups, levels of phases."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from gpucore.bench.plots.profile import LEGEND_WIDTH, power_of_two
from gpucore.bench.plots.studies import ratio_plot
from gpucore.bench.plots.svg import Canvas, stack
from gpucore.bench.profiles import geometric_mean

Times = Mapping[str, Mapping[str, float]]


def speed_up_profile_plot(title: str, times: Times, references: Sequence[str]) -> str | None:
    """Draw for each method the share of graphs that it solves at least 2**x times faster.

    The speed-up is over the fastest reference on each graph. A graph that no reference finished is
    left out; one that a method did not finish counts as no speed-up.

    Parameters
    ----------
    times : mapping
        ``times[method][graph]`` in seconds.
    references : sequence of str
        Methods to compare with; they are drawn too.

    Returns
    -------
    str or None
        An SVG file; None if nothing can be compared.
    """
    base: dict[str, float] = {}
    for row in (times.get(reference, {}) for reference in references):
        for graph, seconds in row.items():
            base[graph] = min(seconds, base.get(graph, math.inf))
    ratios = {
        method: sorted(math.log2(_ratio(base[g], row[g])) for g in base if g in row)
        for method, row in times.items()
    }
    values = [value for row in ratios.values() for value in row]
    if not values or not set(times) - set(references):
        return None
    low, high = math.floor(min(values)) - 0.25, math.ceil(max(values)) + 0.25
    canvas = Canvas(title, (60, 64, 460, 320.0), (520 + LEGEND_WIDTH, 444))
    step = max(1, math.ceil((high - low) / 8))
    ticks = range(math.ceil(low), math.floor(high) + 1, step)
    words = "times faster than the fastest of " + ", ".join(references)
    canvas.x_ticks([((t - low) / (high - low), power_of_two(t)) for t in ticks], words)
    canvas.y_ticks([(i / 4, f"{25 * i} %") for i in range(5)], "share of the graphs, at least")
    for style, (method, found) in enumerate(ratios.items()):
        points = [(0.0, len(found) / len(base))]
        points += [
            ((value - low) / (high - low), (len(found) - i - 1) / len(base))
            for i, value in enumerate(found)
        ]
        share = sum(value >= 0 for value in found) / len(base)
        canvas.steps(points, style, f"{method}: at least as fast on {share:.0%}")
    canvas.legend(list(enumerate(ratios)), dots=False)
    return canvas.render()


def overall_plot(title: str, times: Mapping[str, Times], references: Sequence[str]) -> str | None:
    """Draw the geometric mean of the speed-ups over every reference, set by set.

    Parameters
    ----------
    times : mapping
        ``times[set][method][graph]`` in seconds; the set "" has no name.

    Returns
    -------
    str or None
        An SVG file; None if nothing can be compared.
    """
    means: dict[str, dict[str, float]] = {}
    for name, table in times.items():
        for reference in references:
            base = table.get(reference, {})
            for method, row in table.items():
                ratios = [_ratio(base[graph], row[graph]) for graph in base if graph in row]
                if ratios and method not in references:
                    place = f"{name}, {reference}" if name else reference
                    means.setdefault(method, {})[place] = geometric_mean(ratios)
    return ratio_plot(title, means, "times faster, geometric mean") if means else None


def levels_plot(title: str, levels: Mapping[str, Mapping[str, Sequence[int]]]) -> str | None:
    """Draw the levels of every phase on the two graphs on which the methods differ the most.

    On these two the last method needs the most and the fewest levels in total, relative to the
    first method.

    Parameters
    ----------
    levels : mapping
        ``levels[graph][method]``: a number for every phase.

    Returns
    -------
    str or None
        An SVG file; None if no graph has them.
    """
    if not levels:
        return None

    def contrast(graph: str) -> float:
        rows = list(levels[graph].values())
        return sum(rows[-1]) / max(1, sum(rows[0]))

    ordered = sorted(levels, key=contrast)
    chosen = dict.fromkeys([ordered[-1], ordered[0]])
    return stack(title, [_levels_of(f"{title}: {graph}", levels[graph]) for graph in chosen])


def _levels_of(title: str, rows: Mapping[str, Sequence[int]]) -> str:
    longest = max(map(len, rows.values()))
    most = max(1, *(max(row) for row in rows.values()))
    canvas = Canvas(title, (70, 64, 410, 260.0), (520 + LEGEND_WIDTH, 384))
    for ticks, size, label in (
        (canvas.x_ticks, longest, "phase"),
        (canvas.y_ticks, most, "levels of the search"),
    ):
        step = _round_step(size)
        ticks([(k / size, str(k)) for k in range(0, size + 1, step)], label)
    for style, (method, row) in enumerate(rows.items()):
        points = [((i + 1) / longest, value / most) for i, value in enumerate(row)]
        canvas.polyline(points, style)
        if longest <= 60:
            for i, (x, y) in enumerate(points):
                canvas.dot(x, y, style, f"{method}, phase {i + 1}: {row[i]} levels")
    canvas.legend(
        [
            (s, f"{m}: {len(row)} phases, {sum(row)} levels")
            for s, (m, row) in enumerate(rows.items())
        ],
        dots=longest <= 60,
    )
    return canvas.render()


def _round_step(size: int) -> int:
    """Return a step of 1, 2 or 5 times a power of ten that makes at most ten ticks."""
    power = 10 ** max(0, len(str(size)) - 2)
    return next(step for step in (power, 2 * power, 5 * power, 10 * power) if size / step <= 10)


def _ratio(base: float, seconds: float) -> float:
    """Return a speed-up; a time of 0, below the clock's resolution, counts as one nanosecond."""
    return max(base, 1e-9) / max(seconds, 1e-9)
