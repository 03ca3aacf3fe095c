"""Bokeh plots of a whole run of bipartite matching: levels, pairs won, and the frontier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from bokeh.models import BasicTicker, ColumnDataSource, HoverTool

from gpucore.families.bipartite.record import STEP_KINDS
from gpucore.record import Record

from ...charts.theme import HUES, Colours, blank_figure, finished

#: Display labels of what a step did; in the order of ``STEP_KINDS``.
_DID = {
    "initial": "initial matching",
    "begin": "beginning of a phase",
    "top_down": "level of a search",
    "bottom_up": "level of a search, rows look for it",
    "alternate": "alternating",
    "fix": "fixing",
    "free": "letting trees go",
    "graft": "grafting",
}


def levels(record: Record, names: Sequence[str] | None, colours: Colours, tools: bool) -> Any:
    """Return the plot of the levels that each phase searched: figure 2 of the paper."""
    return _by_phase(record, "levels", colours, tools)


def paths(record: Record, names: Sequence[str] | None, colours: Colours, tools: bool) -> Any:
    """Return the plot of the pairs that each phase added."""
    return _by_phase(record, "paths", colours, tools)


def _by_phase(record: Record, what: str, colours: Colours, tools: bool) -> Any:
    phases = record.header["phases"]
    if not phases:
        return "There was no phase: the matrix has no entries."
    plot = blank_figure(colours, "phase", "", tools)
    values = np.array([int(phase[what]) for phase in phases])
    grafted = np.array([bool(phase.get("grafted")) for phase in phases])
    data = {
        "x": np.arange(1, len(phases) + 1),
        "top": values,
        "levels": [int(phase["levels"]) for phase in phases],
        "paths": [int(phase["paths"]) for phase in phases],
        "pairs": [int(phase["cardinality"]) for phase in phases],
    }
    kinds = [("restarted", ~grafted, colours.accent), ("grafted", grafted, HUES[1])]
    bars = []
    for label, mine, colour in kinds if grafted.any() else kinds[:1]:
        source = ColumnDataSource({name: np.asarray(v)[mine] for name, v in data.items()})
        more = {"legend_label": label} if grafted.any() else {}
        bars.append(plot.vbar("x", top="top", width=0.72, source=source, color=colour, **more))
    tips = [
        ("phase", "@x"), ("levels", "@levels{0,0}"), ("pairs won", "@paths{0,0}"),
        ("pairs then", "@pairs{0,0}"),
    ]  # fmt: skip
    plot.add_tools(HoverTool(renderers=bars, tooltips=tips))
    plot.yaxis.ticker = BasicTicker(min_interval=1, desired_num_ticks=6)
    top = (1.3 if grafted.any() else 1.12) * float(max(values.max(), 1))
    ends, named = (0.4, len(phases) + 0.6), bool(grafted.any())
    return finished(plot, colours, ends, top, ticks=6, form="0a", legend=named)


def frontier(record: Record, names: Sequence[str] | None, colours: Colours, tools: bool) -> Any:
    """Return the plot of the columns or rows that each launch looked at and expanded."""
    if not record.num_steps:
        return "There was no launch: the matrix has no entries."
    steps, warps = record.steps, record.warps
    count = record.num_steps
    looked, expanded = (
        np.bincount(warps["iteration"], weights=warps[name], minlength=count)[:count]
        for name in ("looked", "frontier")
    )
    # A flip looks at no column: count at least the expanded ones as looked at.
    looked = np.maximum(looked, expanded)
    plot = blank_figure(colours, "launch", "", tools, "log")
    source = ColumnDataSource(
        {
            "x": np.arange(count),
            # A logarithmic axis has no 0; half stands for it, at the bottom.
            "looked": np.maximum(looked, 0.5),
            "expanded": np.maximum(expanded, 0.5),
            "was_looked": looked,
            "was_expanded": expanded,
            "did": [_DID[STEP_KINDS[int(kind)]] for kind in steps["kind"]],
            "phase": steps["phase"],
        }
    )
    plot.varea("x", "expanded", "looked", source=source, fill_color=HUES[1], fill_alpha=0.16)
    lines = (("looked", "looked at", HUES[1]), ("expanded", "expanded", colours.accent))
    drawn = []
    for column, label, colour in lines:
        plot.line("x", column, source=source, line_color=colour, line_width=2, legend_label=label)
        drawn.append(plot.scatter("x", column, source=source, size=5, color=colour))
    tips = [
        ("launch", "@x"), ("phase", "@phase"), ("was", "@did"),
        ("looked at", "@was_looked{0,0}"), ("expanded", "@was_expanded{0,0}"),
    ]  # fmt: skip
    plot.add_tools(HoverTool(renderers=drawn[:1], mode="vline", tooltips=tips))
    top = 4.0 * float(max(looked.max(), 2.0))
    return finished(plot, colours, (-0.5, count - 0.5), top, bottom=0.5, form="0a")
