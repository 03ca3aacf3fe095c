"""Bokeh plots of a whole factorisation: time steps, passes, locks and errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from bokeh.models import BasicTicker, ColumnDataSource, HoverTool

from gpucore.record import Record
from gpucore.record.words import vertex_label

from ...charts.theme import HUES, Colours, blank_figure, finished
from .charts import in_steps, lock_operations

#: The player's colours: green for updates, yellow and red for deferrals.
DONE, USER_LOCKED, ITEM_LOCKED = HUES[2], HUES[1], HUES[8]
#: Bars of the plot of locks.
MOST_LOCKS = 24
#: Columns of a plot by launch; more are summed.
MOST_COLUMNS = 400
_NO_EVENTS = "This run was recorded as counters; run fewer ratings to see it."


def occupancy(record: Record, names: Sequence[str] | None, colours: Colours, tools: bool) -> Any:
    """Return the plot of updates and deferrals in each time step of the first sweep."""
    updates, deferrals = in_steps(record)
    if not len(updates):
        return _NO_EVENTS
    plot = _stacked(
        {"updates": updates, "deferrals": deferrals},
        {"updates": DONE, "deferrals": USER_LOCKED},
        "time step",
        colours,
        tools,
        first=1,
    )
    threads = int(record.header["params"].get("threads", 0))
    if threads:
        plot.hspan(y=threads, line_color=colours.text, line_dash="dashed", line_width=1.5)
        plot.y_range.end = max(plot.y_range.end, 1.3 * threads)
    return plot


def passes(record: Record, names: Sequence[str] | None, colours: Colours, tools: bool) -> Any:
    """Return the plot of updates and deferrals of each launch."""
    steps = record.steps
    parts = {
        "updates": np.asarray(steps["updates"]),
        "user locked": np.asarray(steps["user_busy"]),
        "item locked": np.asarray(steps["item_busy"]),
    }
    if not record.num_steps:
        return "There was no launch."
    hues = {"updates": DONE, "user locked": USER_LOCKED, "item locked": ITEM_LOCKED}
    return _stacked(parts, hues, "launch", colours, tools)


def _stacked(
    parts: dict[str, np.ndarray],
    hues: dict[str, str],
    axis: str,
    colours: Colours,
    tools: bool,
    first: int = 0,
) -> Any:
    """Return stacked bars; neighbouring columns are joined where there are many."""
    count = len(next(iter(parts.values())))
    each = -(-count // MOST_COLUMNS)
    starts = np.arange(0, count, each)
    joined = {name: np.add.reduceat(values, starts) / each for name, values in parts.items()}
    shown = {name: values for name, values in joined.items() if values.any()} or joined
    plot = blank_figure(colours, axis, "", tools)
    source = ColumnDataSource({"x": starts + first, **joined})
    drawn = plot.vbar_stack(
        list(shown),
        x="x",
        width=0.82 * each,
        source=source,
        color=[hues[name] for name in shown],
        legend_label=list(shown),
    )
    tips = [(axis, "@x"), *((name, f"@{{{name}}}{{0,0.[0]}}") for name in shown)]
    plot.add_tools(HoverTool(renderers=drawn, tooltips=tips))
    total = np.sum(list(joined.values()), axis=0)
    plot.yaxis.ticker = BasicTicker(min_interval=1, desired_num_ticks=6)
    ends, top = (first - 0.7, count + first - 0.3), 1.3 * max(1.0, float(total.max()))
    return finished(plot, colours, ends, top, ticks=6)


def hot_locks(record: Record, names: Sequence[str] | None, colours: Colours, tools: bool) -> Any:
    """Return the plot of the busiest locks."""
    if not record.num_events:
        return _NO_EVENTS
    counts = lock_operations(record)
    busiest = np.argsort(-counts, kind="stable")[:MOST_LOCKS]
    busiest = busiest[counts[busiest] > 0]
    if not len(busiest):
        return "This schedule has no atomic operation: barriers, or nothing, keep threads apart."
    labels = [vertex_label(record, int(v), names) or str(v) for v in busiest]
    users = int(record.header["parts"][0]["size"]) if record.header.get("parts") else 0
    plot = blank_figure(colours, "", "atomic operations", tools)
    most = float(counts[busiest[0]])
    for title, mine, hue in (
        ("users", busiest < users, HUES[0]),
        ("items", busiest >= users, HUES[5]),
    ):
        if not mine.any():
            continue
        source = ColumnDataSource(
            {
                "x": np.flatnonzero(mine),
                "top": counts[busiest[mine]],
                "name": [label for label, own in zip(labels, mine, strict=True) if own],
            }
        )
        bars = plot.vbar("x", top="top", width=0.78, source=source, color=hue, legend_label=title)
        plot.add_tools(
            HoverTool(renderers=[bars], tooltips=[("", "@name"), ("operations", "@top{0,0}")])
        )
    finished(plot, colours, (-0.6, max(len(busiest), 6) - 0.4), 1.3 * most)
    plot.xaxis.ticker = list(range(len(busiest)))
    plot.xaxis.major_label_overrides = {
        i: name if len(name) < 12 else f"{name[:10]}…" for i, name in enumerate(labels)
    }
    plot.xaxis.major_label_orientation = 0.9 if max(map(len, labels)) > 3 else "horizontal"
    plot.yaxis.ticker = BasicTicker(min_interval=1, desired_num_ticks=5)
    return plot


def errors(record: Record, names: Sequence[str] | None, colours: Colours, tools: bool) -> Any:
    """Return the plot of the errors before the first and after each sweep."""
    lines = {"training": record.header["rmse"], "test": record.header["test_rmse"]}
    plot = blank_figure(colours, "sweep", "RMSE", tools)
    drawn = []
    for (name, values), hue in zip(lines.items(), (HUES[0], HUES[5]), strict=True):
        if not values:
            continue
        source = ColumnDataSource({"x": np.arange(len(values)), "y": values})
        plot.line("x", "y", source=source, color=hue, line_width=2, legend_label=name)
        drawn.append(plot.scatter("x", "y", source=source, size=6, color=hue, name=name))
    plot.add_tools(
        HoverTool(
            renderers=drawn, tooltips=[("", "$name"), ("sweep", "@x"), ("RMSE", "@y{0.0000}")]
        )
    )
    every = np.concatenate([np.asarray(values, float) for values in lines.values()])
    room = 0.1 * float(np.ptp(every)) or 0.1 * float(np.abs(every).max()) or 0.1
    ends = (-0.2, max(max(map(len, lines.values())) - 0.8, 1.0))
    low, high = float(every.min()) - room, float(every.max()) + 3 * room
    return finished(plot, colours, ends, high, bottom=low, form="")
