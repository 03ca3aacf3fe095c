"""Bokeh plots of a whole run of b-Suitor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from bokeh.models import ColumnDataSource, HoverTool

from ...charts.theme import HUES, Colours, blank_figure, finished

if TYPE_CHECKING:
    from gpucore.record import Record

TAKEN, REFUSED, FALLEN, ALLOWED = HUES[2], HUES[11], HUES[8], HUES[1]
#: More mates than this are drawn as "so many or more".
MOST_MATES = 24


def offers(record: Record, names: Sequence[str] | None, colours: Colours, tools: bool) -> Any:
    """Return the plot of the proposals of each iteration, and of the offers that fell out."""
    steps = record.steps
    count = len(steps["iteration"])
    if not steps["proposals"].sum():
        return "There was no proposal: no vertex has a neighbour and room."
    source = ColumnDataSource(
        {
            "x": np.arange(count),
            "taken": steps["accepted"],
            "refused": steps["proposals"] - steps["accepted"],
            "fallen": -steps["displaced"].astype(np.int64),
            "falls": steps["displaced"],
            "exhausted": steps["exhausted"],
        }
    )
    plot = blank_figure(colours, "round", "", tools)
    bars = plot.vbar_stack(
        ["taken", "refused"],
        x="x",
        width=0.78,
        source=source,
        color=[TAKEN, REFUSED],
        legend_label=["taken", "refused"],
    )
    down = plot.vbar(
        "x",
        top=0,
        bottom="fallen",
        width=0.78,
        source=source,
        fill_color=FALLEN,
        line_color=FALLEN,
        hatch_pattern="/",
        hatch_color=colours.line,
        hatch_alpha=0.7,
        legend_label="fallen out",
    )
    tips = [("round", "@x"), ("taken", "@taken{0,0}"), ("refused", "@refused{0,0}")]
    tips += [("fallen out", "@falls{0,0}"), ("without a candidate", "@exhausted{0,0}")]
    plot.add_tools(HoverTool(renderers=[bars[0], bars[1], down], tooltips=tips))
    highest = float(steps["proposals"].max())
    lowest = -1.1 * max(float(steps["displaced"].max()), 0.08 * highest)
    ends, ticks = (-0.6, count - 0.4), min(12, count + 1)
    return finished(plot, colours, ends, 1.25 * highest, bottom=lowest, ticks=ticks)


def mates(record: Record, names: Sequence[str] | None, colours: Colours, tools: bool) -> Any:
    """Return the plot of how many mates vertices have, and how many they may have."""
    n = int(record.header["graph"]["n"])
    if not n:
        return "The graph has no vertices."
    # What a vertex cannot reach is not allowed to it in earnest.
    room = np.minimum(record.initial["capacity"], np.diff(record.initial["indptr"]))
    has = np.bincount(record.final["holders"], minlength=n)
    most = int(min(MOST_MATES, room.max(initial=0)))
    counts, allowed = (
        np.bincount(np.minimum(values, most), minlength=most + 1) for values in (has, room)
    )
    source = ColumnDataSource({"x": np.arange(most + 1), "has": counts, "may": allowed})
    plot = blank_figure(colours, "mates", "vertices", tools)
    if most < room.max(initial=0):
        plot.xaxis.major_label_overrides = {most: f"{most}+"}
    plot.vbar("x", 0.72, "has", source=source, color=TAKEN, legend_label="have so many")
    drawn = plot.scatter(
        "x", "may", source=source, size=9, color=ALLOWED, legend_label="may have so many"
    )
    tips = [("mates", "@x"), ("have so many", "@has{0,0}"), ("may have so many", "@may{0,0}")]
    plot.add_tools(HoverTool(renderers=[drawn], mode="vline", tooltips=tips))
    top = 1.25 * float(max(counts.max(), allowed.max()))
    return finished(plot, colours, (-0.6, most + 0.6), top, ticks=min(12, most + 2))
