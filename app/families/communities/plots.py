"""Bokeh plots of a whole run of Louvain: hierarchy, sweeps, stages, buckets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, FixedTicker, HoverTool

from gpucore.families.communities.record import is_merging
from gpucore.families.communities.timeline import is_refined, partition_at
from gpucore.record import Record

from ...charts.theme import HUES, Colours, blank_figure, finished

#: A level of more communities is not drawn: they would be thinner than a pixel.
MOST_NODES = 400
#: Share of the height that lies between the communities of a level, all gaps together.
GAPS = 0.18
#: Points of a band's edge, and half the width of a community's bar, of the way to the next level.
BEND = 16
WIDTH = 0.03

#: Degrees of the buckets, section IV-A of the paper.
BUCKETS = ("all", "1-4", "5-8", "9-16", "17-32", "33-84", "85-319", "320+")


def hierarchy(record: Record, names: Sequence[str] | None, colours: Colours, tools: bool) -> Any:
    """Return a Sankey diagram: which communities of a level became one of the next level."""
    first, parts = _drawn_levels(record)
    if not len(parts[-1]):
        return "There is no community: the graph has no vertices."
    final = parts[-1]
    order = np.lexsort([np.arange(len(final)), *parts, -_size_of(final)])
    hue = _hues(final)
    boxes = [_boxes(part, _heights(part, order)) for part in parts]
    plot = blank_figure(colours, "", "", tools)
    plot.height = 340
    for x, (fine, coarse) in enumerate(pairwise(parts)):
        _bands(plot, x, boxes[x], boxes[x + 1], fine, coarse, hue)
    for x, (part, (names_of, low, high)) in enumerate(zip(parts, boxes, strict=True)):
        size = _size_of(part)[names_of]
        label = [names[v] if names else str(v) for v in names_of]
        source = ColumnDataSource(
            {
                "left": np.full(len(low), x - WIDTH),
                "right": np.full(len(low), x + WIDTH),
                "low": low,
                "high": high,
                "colour": hue[names_of],
                "label": label,
                "size": size,
                "level": np.full(len(low), first + x),
            }
        )
        bars = plot.quad(
            left="left",
            right="right",
            bottom="low",
            top="high",
            source=source,
            fill_color="colour",
            line_color=None,
        )
        tips = [("level", "@level"), ("smallest vertex", "@label"), ("vertices", "@size{0,0}")]
        plot.add_tools(HoverTool(renderers=[bars], tooltips=tips))
    _axes_of_levels(plot, first, len(parts), (1 + GAPS) * len(final))
    return plot


def _drawn_levels(record: Record) -> tuple[int, list[np.ndarray]]:
    """Return the number of the first level that is drawn, and the partitions from there on."""
    levels = [partition_at(record, i) for i in range(int(record.header["levels"]) + 1)]
    if is_refined(record):
        levels.append(record.final["community"])
    first = 0
    while first < len(levels) - 1 and len(np.unique(levels[first])) > MOST_NODES:
        first += 1
    return first, levels[first:]


def _size_of(part: np.ndarray) -> np.ndarray:
    """Return the size of each vertex's part."""
    return np.bincount(part, minlength=len(part))[part]


def _hues(final: np.ndarray) -> np.ndarray:
    """Return a colour for each vertex: that of its community in the player."""
    names, size = np.unique(final, return_counts=True)
    rank = np.empty(len(names), dtype=np.int64)
    rank[np.lexsort((names, -size))] = np.arange(len(names))
    at = np.searchsorted(names, final)
    return np.array(HUES)[rank[at] % len(HUES)]


def _heights(part: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Return where each vertex lies in a level, with gaps between the parts; all levels fill up."""
    new = np.diff(part[order], prepend=-1) != 0
    parts = int(new.sum())
    gap = GAPS * len(part) / max(1, parts - 1)
    height = np.empty(len(part))
    height[order] = np.arange(len(part)) + gap * (np.cumsum(new) - 1)
    return height + (GAPS * len(part) / 2 if parts == 1 else 0.0)


def _boxes(part: np.ndarray, height: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the parts of a level, and the lower and upper end of each."""
    low = np.full(len(part), np.inf)
    high = np.full(len(part), -np.inf)
    np.minimum.at(low, part, height)
    np.maximum.at(high, part, height + 1)
    names = np.unique(part)
    return names, low[names], high[names]


def _bands(
    plot: Any,
    x: int,
    left: tuple[np.ndarray, np.ndarray, np.ndarray],
    right: tuple[np.ndarray, np.ndarray, np.ndarray],
    fine: np.ndarray,
    coarse: np.ndarray,
    hue: np.ndarray,
) -> None:
    """Draw a band from every part of a level to the part of the next level that it is in."""
    names, low, high = left
    parents, low_there, high_there = right
    parent = np.searchsorted(parents, coarse[names])
    # Parts lie in the order of their parents, so each takes the next piece of its parent's bar.
    order = np.argsort(low, kind="stable")
    width = high - low
    share = (high_there - low_there)[parent] / np.bincount(parent, weights=width)[parent]
    begin = np.empty(len(names))
    filled = np.zeros(len(parents))
    for i in order:
        begin[i] = low_there[parent[i]] + filled[parent[i]]
        filled[parent[i]] += width[i] * share[i]
    t = np.linspace(0, 1, BEND)
    eased = t * t * (3 - 2 * t)
    across = x + WIDTH + t * (1 - 2 * WIDTH)
    xs, ys = [], []
    for i in range(len(names)):
        bottom = low[i] + (begin[i] - low[i]) * eased
        top = high[i] + (begin[i] + width[i] * share[i] - high[i]) * eased
        xs.append(np.concatenate([across, across[::-1]]))
        ys.append(np.concatenate([bottom, top[::-1]]))
    source = ColumnDataSource({"xs": xs, "ys": ys, "colour": hue[names]})
    plot.patches("xs", "ys", source=source, fill_color="colour", fill_alpha=0.35, line_color=None)


def _axes_of_levels(plot: Any, first: int, count: int, height: float) -> None:
    """Label the levels with their numbers; the heights have no labels."""
    plot.x_range.start, plot.x_range.end = -0.08, max(count - 1, 0) + 0.08
    plot.y_range.start, plot.y_range.end = height, 0
    plot.xaxis.ticker = FixedTicker(ticks=list(range(count)))
    labels = {i: f"level {first + i}" for i in range(count)}
    if first == 0:
        labels[0] = "vertices"
    plot.xaxis.major_label_overrides = labels
    plot.yaxis.visible = False
    plot.grid.grid_line_color = None


def _moving(record: Record) -> dict[str, np.ndarray]:
    """Return the steps that search for moves, without those that merge communities."""
    moving = ~is_merging(record)
    return {name: column[moving] for name, column in record.steps.items()}


def sweeps(record: Record, names: Sequence[str] | None, colours: Colours, tools: bool) -> Any:
    """Return the modularity after each sweep, with the contractions between the stages."""
    steps = _moving(record)
    if not record.num_steps:
        return "There was no sweep: the graph has no edges."
    change = (np.diff(steps["stage"]) != 0) | (np.diff(steps["sweep"]) != 0)
    last = np.flatnonzero(np.append(change, True))
    y = steps["objective"][last]
    x = np.arange(1, len(last) + 1)
    back = steps["taken_back"][last].astype(bool)
    moves = np.add.reduceat(steps["moves"], np.concatenate([[0], last[:-1] + 1]))
    plot = blank_figure(colours, "sweep", "", tools)
    source = ColumnDataSource(
        {"x": x, "y": y, "moves": moves, "stage": steps["stage"][last] + 1, "back": back}
    )
    plot.line("x", "y", source=source, line_color=colours.accent, line_width=2)
    fill = np.where(back, "rgba(0,0,0,0)", colours.accent)
    source.data["line"] = np.where(back, colours.cursor, colours.accent)
    source.data["fill"] = fill
    dots = plot.scatter("x", "y", source=source, size=7, line_color="line", fill_color="fill")
    tips = [
        ("sweep", "@x"), ("stage", "@stage"), ("modularity", "@y{0.0000}"),
        ("moves", "@moves{0,0}"), ("taken back", "@back"),
    ]  # fmt: skip
    plot.add_tools(HoverTool(renderers=[dots], mode="vline", tooltips=tips))
    ends = np.flatnonzero(np.diff(steps["stage"][last])) + 1.5
    if len(ends):
        plot.vspan(ends, line_color=colours.text, line_dash="dotted", line_width=1.2)
    low, high = min(0.0, 1.08 * float(y.min())), max(1.08 * float(y.max()), 1e-3)
    across = (0.5, len(x) + 0.5)
    return finished(plot, colours, across, high, bottom=low, form="0.[000]", legend=False)


def stages(record: Record, names: Sequence[str] | None, colours: Colours, tools: bool) -> Any:
    """Return the time of each stage, split into optimisation and contraction."""
    timed = [s for s in record.header["stages"] if "optimise_seconds" in s]
    if not timed:
        return "The times of the stages were not recorded."
    optimise = np.array([float(s["optimise_seconds"]) for s in timed]) * 1e3
    contract = np.array([float(s["contract_seconds"]) for s in timed]) * 1e3
    plot = blank_figure(colours, "stage", "milliseconds", tools)
    source = ColumnDataSource(
        {
            "x": np.arange(1, len(timed) + 1),
            "optimise": optimise,
            "contract": contract,
            "vertices": [int(s["vertices"]) for s in timed],
            "sweeps": [int(s["sweeps"]) for s in timed],
        }
    )
    drawn = plot.vbar_stack(
        ["optimise", "contract"],
        x="x",
        width=0.7,
        source=source,
        color=[colours.accent, HUES[1]],
        legend_label=["moving vertices", "contracting"],
    )
    tips = [
        ("stage", "@x"), ("vertices", "@vertices{0,0}"), ("sweeps", "@sweeps"),
        ("moving", "@optimise{0.[000]} ms"), ("contracting", "@contract{0.[000]} ms"),
    ]  # fmt: skip
    plot.add_tools(HoverTool(renderers=drawn, tooltips=tips))
    top = 1.15 * float(max((optimise + contract).max(), 1e-6))
    return finished(plot, colours, (0.4, len(timed) + 0.6), top, form="")


def buckets(record: Record, names: Sequence[str] | None, colours: Colours, tools: bool) -> Any:
    """Return each bucket's share of vertices and edges, and of its lanes that idle."""
    steps = _moving(record)
    found = np.unique(steps["bucket"]) if record.num_steps else np.empty(0, np.int64)
    if not len(found) or (found == 0).all():
        return "This variant has no buckets: all vertices are launched together."
    first = (steps["stage"] == 0) & (steps["sweep"] == steps["sweep"][0])
    count = len(BUCKETS)

    def share(name: str) -> np.ndarray:
        sums = np.bincount(steps["bucket"][first], weights=steps[name][first], minlength=count)
        return 100.0 * sums / max(sums.sum(), 1.0)

    slots = np.bincount(steps["bucket"], weights=steps["lane_slots"], minlength=count)
    edges = np.bincount(steps["bucket"], weights=steps["edges"], minlength=count)
    idle = np.where(slots > 0, 100.0 * (1.0 - edges / np.maximum(slots, 1)), np.nan)
    plot = blank_figure(colours, "bucket: edges of a vertex", "%", tools)
    kinds = (
        ("vertices, of all", share("vertices"), colours.accent),
        ("edges, of all", share("edges"), HUES[2]),
        ("lanes that idle", idle, HUES[1]),
    )
    for i, (label, values, colour) in enumerate(kinds):
        x = np.arange(1, count)
        source = ColumnDataSource({"x": x + 0.27 * (i - 1), "top": values[1:], "of": BUCKETS[1:]})
        drawn = plot.vbar(
            "x", top="top", width=0.25, source=source, color=colour, legend_label=label
        )
        tips = [("edges of a vertex", "@of"), (label, "@top{0.[0]} %")]
        plot.add_tools(HoverTool(renderers=[drawn], tooltips=tips))
    finished(plot, colours, (0.5, count - 0.5), 118.0, form="")
    plot.xaxis.ticker = FixedTicker(ticks=list(range(1, count)))
    plot.xaxis.major_label_overrides = {i: BUCKETS[i] for i in range(1, count)}
    return plot
