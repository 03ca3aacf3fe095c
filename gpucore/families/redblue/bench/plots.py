"""Plots of greedy red/blue matching: rounds, the probability of blue, threads, permutations."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gpucore.bench.plots.profile import LEGEND_WIDTH
from gpucore.bench.plots.svg import Canvas, margin, stack
from gpucore.bench.suite import Data
from gpucore.families.redblue.bench.ratios import Ratio, ratios
from gpucore.families.redblue.colours import best_p, first_round_fraction

#: Most rounds that are drawn; later rounds match only a few vertices.
MOST_ROUNDS = 30
#: Selections in the order in which they are drawn, in words.
SELECTIONS = {"weighted": "heaviest", "random": "any", "first": "first, permuted"}
PERCENT = [(i / 4, f"{25 * i} %") for i in range(5)]


def redblue_plots(data: Data) -> dict[str, str]:
    """Return plots of figures 2 to 5 of the paper, by experiment, where there are results.

    Parameters
    ----------
    data : dict
        Content of a results file.
    """
    draw: dict[str, Callable[[Data, dict[str, Any]], str | None]] = {
        "rounds": rounds_plot,
        "probability": probability_plot,
        "threads": threads_plot,
        "permutations": permutations_plot,
    }
    drawn = {}
    for name, function in draw.items():
        experiment = data["experiments"].get(name)
        if experiment and (plot := function(data, experiment)) is not None:
            drawn[name] = plot
    return drawn


def _measured(
    data: Data, case: dict[str, Any]
) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Yield the graphs on which a case was measured: name, facts, measurement."""
    for graph, cases in data["measurements"].items():
        if "seconds" in (found := cases.get(case["key"], {})):
            yield graph, data["graphs"][graph], found


def fractions(found: dict[str, Any], vertices: int) -> list[float]:
    """Return which share of the vertices is matched after every round."""
    total, shares = 0, []
    for matched in found["kept"]["matched"]:
        total += matched
        shares.append(total / max(1, vertices))
    return shares


def rounds_plot(data: Data, experiment: dict[str, Any]) -> str | None:
    """Draw the share of matched vertices after every round, one line per graph: figure 2."""
    plots = []
    for case in experiment["cases"]:
        rows = {
            graph: fractions(found, facts["vertices"])
            for graph, facts, found in _measured(data, case)
        }
        if any(rows.values()):
            plots.append(_rounds_of(f"{experiment['title']}: {case['label']}", rows))
    return stack(experiment["title"], plots) if plots else None


def _rounds_of(title: str, rows: dict[str, list[float]]) -> str:
    longest = min(MOST_ROUNDS, max(map(len, rows.values())))
    canvas = Canvas(title, (60, 64, 430, 300.0), (520 + LEGEND_WIDTH, 424))
    step = max(1, longest // 10)
    canvas.x_ticks([(k / longest, str(k)) for k in range(0, longest + 1, step)], "round")
    canvas.y_ticks(PERCENT, "matched vertices")
    for style, (graph, shares) in enumerate(rows.items()):
        points = [((i + 1) / longest, share) for i, share in enumerate(shares[:longest])]
        canvas.polyline([(0.0, 0.0), *points], style)
        for i, (x, y) in enumerate(points):
            canvas.dot(x, y, style, f"{graph}, round {i + 1}: {y:.2%}")
    theory = first_round_fraction(best_p())
    style = len(rows)
    canvas.polyline([(0.0, theory), (min(1.0, 1.5 / longest), theory)], style)
    canvas.dot(1 / longest, theory, style, f"equation (2), round 1: {theory:.2%}")
    entries = [(s, f"{graph}: {len(r)} rounds") for s, (graph, r) in enumerate(rows.items())]
    canvas.legend([*entries, (style, "equation (2), round 1")], dots=True)
    return canvas.render()


def probability_plot(data: Data, experiment: dict[str, Any]) -> str | None:
    """Draw size, weight and time over p, and the first round beside equation (2): figure 3."""
    sweeps = {s: m for s in SELECTIONS if (m := sweep_means(data, experiment, s))}
    if not sweeps:
        return None
    title, drawn = experiment["title"], []
    for select, sweep in sweeps.items():
        canvas = Canvas(
            f"{title}: {SELECTIONS[select]}", (60, 64, 430, 300.0), (520 + LEGEND_WIDTH, 424)
        )
        _probability_axes(canvas, "mean over the graphs, relative to the most of each")
        names = ("size", "weight", "time") if select == "weighted" else ("size", "time")
        for style, name in enumerate(names):
            _line(canvas, style, name, [(p, row[name]) for p, row in sweep.items()])
        canvas.legend(list(enumerate(names)), dots=True)
        drawn.append(canvas.render())
    first = Canvas(f"{title}: first round", (60, 64, 430, 300.0), (520 + LEGEND_WIDTH, 424))
    _probability_axes(first, "matched vertices in the first round")
    theory = [(k / 100, first_round_fraction(k / 100)) for k in range(1, 100)]
    first.polyline(theory, len(sweeps))
    for style, (select, sweep) in enumerate(sweeps.items()):
        points = [(p, row["first"]) for p, row in sweep.items()]
        _line(first, style, SELECTIONS[select], points)
    best = best_p()
    last = len(sweeps)
    first.dot(best, first_round_fraction(best), last, f"equation (2), best p: {best:.5f}")
    entries = [(style, f"measured, {SELECTIONS[select]}") for style, select in enumerate(sweeps)]
    first.legend([*entries, (last, f"equation (2), best at {best:.5f}")], dots=True)
    return stack(title, [*drawn, first.render()])


def sweep_means(
    data: Data, experiment: dict[str, Any], select: str
) -> dict[float, dict[str, float]]:
    """Return the mean over the graphs of size, weight, time and first round for every p.

    They are of the runs with one selection. Size, weight and time are relative to the largest value
    of each graph; graphs that lack some p are left out.
    """
    rows: dict[str, dict[float, dict[str, float]]] = {}
    chosen: set[str] = set()
    for case in experiment["cases"]:
        for graph, facts, found in _measured(data, case):
            if found["params"]["select"] != select:
                continue
            chosen.add(case["key"])
            first = fractions(found, facts["vertices"])[:1] or [0.0]
            rows.setdefault(graph, {})[found["params"]["p"]] = {
                "size": found["figures"]["cardinality"],
                "weight": found["figures"]["weight"],
                "time": found["seconds"],
                "first": first[0],
            }
    whole = [row for row in rows.values() if len(row) == len(chosen)]
    means: dict[float, dict[str, float]] = {}
    for p in sorted(whole[0]) if whole else ():
        means[p] = {"first": sum(row[p]["first"] for row in whole) / len(whole)}
        for name in ("size", "weight", "time"):
            shares = [row[p][name] / (_most(row, name) or 1.0) for row in whole]
            means[p][name] = sum(shares) / len(whole)
    return means


def _most(row: dict[float, dict[str, float]], name: str) -> float:
    return max(found[name] for found in row.values())


def _probability_axes(canvas: Canvas, label: str) -> None:
    canvas.x_ticks([(k / 10, f"{k / 10:g}") for k in range(0, 11, 2)], "probability p of blue")
    canvas.y_ticks(PERCENT, label)


def _line(canvas: Canvas, style: int, name: str, points: Sequence[tuple[float, float]]) -> None:
    canvas.polyline(points, style)
    for x, y in points:
        canvas.dot(x, y, style, f"{name}, p = {x:g}: {y:.2%}")


def threads_plot(data: Data, experiment: dict[str, Any]) -> str | None:
    """Draw time over threads, relative to one thread, one line per graph: figure 4."""
    rows: dict[str, dict[int, float]] = {}
    for case in experiment["cases"]:
        for graph, _, found in _measured(data, case):
            rows.setdefault(graph, {})[found["params"]["threads"]] = found["seconds"]
    rows = {graph: row for graph, row in rows.items() if row.get(1) and len(row) > 1}
    if not rows:
        return None
    counts = sorted({count for row in rows.values() for count in row})
    shares = {g: {c: row[c] / row[1] for c in counts if c in row} for g, row in rows.items()}
    low = math.floor(math.log2(min(1 / counts[-1], *(min(r.values()) for r in shares.values()))))
    high = math.ceil(math.log2(max(max(row.values()) for row in shares.values())))
    canvas = Canvas(experiment["title"], (60, 64, 430, 300.0), (520 + LEGEND_WIDTH, 424))
    width, height = math.log2(counts[-1]), high - low
    canvas.x_ticks([(math.log2(c) / width, str(c)) for c in counts], "threads (log scale)")
    ticks = [((k - low) / height, f"{2.0**k:g}") for k in range(low, high + 1)]
    canvas.y_ticks(ticks, "time relative to one thread (log scale)")
    for style, (graph, row) in enumerate(shares.items()):
        points = [(math.log2(c) / width, (math.log2(s) - low) / height) for c, s in row.items()]
        canvas.polyline(points, style)
        for (x, y), (count, share) in zip(points, row.items(), strict=True):
            words = f"{graph}, {count} threads: {share:.3f} of one thread's time"
            canvas.dot(x, y, style, words)
    canvas.legend(list(enumerate(shares)), dots=True)
    return canvas.render()


def permutations_plot(data: Data, experiment: dict[str, Any]) -> str | None:
    """Draw ratios of size, weight and speed, with one standard deviation: figure 5."""
    found = ratios(data, experiment)
    if not found:
        return None
    plots = []
    for figure in ("size", "weight", "speed"):
        rows = {
            name: {graph: row[figure] for graph, row in table.items() if figure in row}
            for name, table in found.items()
        }
        rows = {name: row for name, row in rows.items() if row}
        if rows:
            plots.append(
                _ratios_of(f"{experiment['title']}: {figure}", rows, log=figure == "speed")
            )
    return stack(experiment["title"], plots) if plots else None


def _ratios_of(title: str, rows: dict[str, dict[str, Ratio]], *, log: bool) -> str:
    graphs = list(dict.fromkeys(graph for row in rows.values() for graph in row))
    ends = [end for row in rows.values() for r in row.values() for end in r if end > 0]
    place, ticks = (_log_scale if log else _scale)(min(1.0, *ends), max(1.0, *ends))
    height, left = max(40.0 * len(graphs), 120.0), margin(graphs)
    canvas = Canvas(title, (left, 50, 410, height), (left + 410 + LEGEND_WIDTH, height + 110))
    canvas.x_ticks(ticks, "algorithm 3 by the other, mean and one standard deviation")
    canvas.y_ticks([(1 - (i + 0.5) / len(graphs), graph) for i, graph in enumerate(graphs)])
    for style, (name, row) in enumerate(rows.items()):
        for i, graph in enumerate(graphs):
            if graph in row:
                # Each comparison has its own line in the graph's band.
                y = 1 - (i + (style + 1) / (len(rows) + 1)) / len(graphs)
                mean, low, high = map(place, row[graph])
                canvas.polyline([(low, y), (high, y)], style)
                canvas.dot(mean, y, style, f"{graph}, {name}: {row[graph].mean:.4f}")
    canvas.legend(list(enumerate(rows)), dots=True)
    return canvas.render()


#: Maps a value to its position along an axis; and the ticks of the axis.
Scale = tuple[Callable[[float], float], list[tuple[float, str]]]


def _scale(least: float, most: float) -> Scale:
    """Return an axis whose ends are round numbers, with at most ten ticks between."""
    power = 10.0 ** math.floor(math.log10(max(most - least, 1e-3) / 5))
    step = next(k * power for k in (1, 2, 5, 10) if (most - least) / (k * power) <= 8)
    first, last = (
        math.floor(least / step),
        max(math.ceil(most / step), math.floor(least / step) + 1),
    )
    digits = max(0, -math.floor(math.log10(step)))
    span = last - first
    ticks = [((k - first) / span, f"{k * step:.{digits}f}") for k in range(first, last + 1)]
    return lambda value: (value / step - first) / span, ticks


def _log_scale(least: float, most: float) -> Scale:
    """Return an axis of powers of ten."""
    first = math.floor(math.log10(least))
    last = max(first + 1, math.ceil(math.log10(most)))
    span = last - first
    ticks = [((k - first) / span, f"{10.0**k:g}") for k in range(first, last + 1)]
    return lambda value: (math.log10(max(value, 10.0**first)) - first) / span, ticks
