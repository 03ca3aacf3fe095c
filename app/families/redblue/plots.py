"""Bokeh plots of a whole run of red/blue matching, round by round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from bokeh.models import ColumnDataSource, HoverTool

from gpucore.families.redblue.colours import first_round_fraction

from ...charts.theme import HUES, Colours, blank_figure, finished

if TYPE_CHECKING:
    from gpucore.record import Record

_NOTHING = "There was no round: the graph has no vertices."
#: The player's colours: blue for what is live, green for pairs, grey for the dead.
LIVE, MATCHED, DEAD = HUES[0], HUES[2], HUES[11]


def fractions(record: Record, names: Sequence[str] | None, colours: Colours, tools: bool) -> Any:
    """Return the plot of the share of matched vertices after each round: figure 2 of the paper."""
    rounds = _rounds(record)
    if rounds is None:
        return _NOTHING
    live, matched, dead = rounds
    n = max(1, int(live[0]))
    plot = blank_figure(colours, "round", "", tools)
    source = ColumnDataSource(
        {
            "x": np.arange(len(live) + 1),
            "matched": np.append(0, np.cumsum(matched)) / n,
            "settled": np.append(0, np.cumsum(matched + dead)) / n,
        }
    )
    plot.varea("x", "matched", "settled", source=source, fill_color=DEAD, fill_alpha=0.18)
    lines = (
        ("settled", "matched or dead", DEAD, "dashed"),
        ("matched", "matched", MATCHED, "solid"),
    )
    for column, label, colour, dash in lines:
        style = {"line_width": 2, "line_dash": dash, "legend_label": label}
        plot.line("x", column, source=source, color=colour, **style)
        drawn = plot.scatter("x", column, source=source, size=6, color=colour)
    tips = [("after round", "@x"), ("matched", "@matched{0.0%}"), ("or dead", "@settled{0.0%}")]
    plot.add_tools(HoverTool(renderers=[drawn], mode="vline", tooltips=tips))
    if "p" in record.header["params"]:  # algorithms 1 and 2 have no colours
        _expect(plot, float(record.header["params"]["p"]), colours)
    plot.yaxis.ticker = [0, 0.25, 0.5, 0.75, 1]
    ends, ticks = (-0.15, len(live) + 0.3), min(10, len(live) + 1)
    return finished(plot, colours, ends, 1.24, ticks=ticks, form="0%")


def _expect(plot: Any, p: float, colours: Colours) -> None:
    """Add what equation (2) expects of the first round."""
    theory = ColumnDataSource({"x": [1], "y": [first_round_fraction(p)], "p": [p]})
    diamond = plot.scatter(
        "x",
        "y",
        source=theory,
        marker="diamond",
        size=15,
        fill_color=None,
        line_color=colours.cursor,
        line_width=2.2,
        legend_label="theory, first round",
    )
    tips = [("equation (2)", "@y{0.0%}"), ("p", "@p")]
    plot.add_tools(HoverTool(renderers=[diamond], tooltips=tips))


def fates(record: Record, names: Sequence[str] | None, colours: Colours, tools: bool) -> Any:
    """Return the plot of live vertices that each round matches, leaves dead, and leaves live."""
    rounds = _rounds(record)
    if rounds is None:
        return _NOTHING
    live, matched, dead = rounds
    parts = {"matched": matched, "dead": dead, "still live": live - matched - dead}
    plot = blank_figure(colours, "round", "", tools)
    source = ColumnDataSource({"x": np.arange(1, len(live) + 1), "live": live, **parts})
    bars = plot.vbar_stack(
        list(parts),
        x="x",
        width=0.72,
        source=source,
        color=[MATCHED, DEAD, LIVE],
        alpha=[1.0, 1.0, 0.45],
        legend_label=list(parts),
    )
    tips = [("round", "@x"), ("live before", "@live{0,0}")]
    tips += [(name, f"@{{{name}}}{{0,0}}") for name in parts]
    plot.add_tools(HoverTool(renderers=bars, tooltips=tips))
    top, ticks = 1.22 * float(max(live.max(), 1)), min(10, len(live) + 1)
    return finished(plot, colours, (0.4, len(live) + 0.6), top, ticks=ticks)


def funnel(record: Record, names: Sequence[str] | None, colours: Colours, tools: bool) -> Any:
    """Return the plot of vertices that were live, proposed and got a response in each round."""
    rounds = _rounds(record)
    if rounds is None:
        return _NOTHING
    count = len(rounds[0])
    counted = {
        name: np.bincount(record.steps["round"], weights=record.steps[name])[:count]
        for name in ("proposals", "responses")
    }
    columns = {"live": rounds[0], **counted}
    plot = blank_figure(colours, "round", "", tools, "log")
    source = ColumnDataSource(
        {
            "x": np.arange(1, count + 1),
            # A logarithmic axis has no 0; half stands for it, at the bottom.
            **{f"shown_{name}": np.maximum(values, 0.5) for name, values in columns.items()},
            **columns,
        }
    )
    hues = {"live": LIVE, "proposals": HUES[1], "responses": HUES[5]}
    for name, hue in hues.items():
        plot.line("x", f"shown_{name}", source=source, color=hue, line_width=2, legend_label=name)
        drawn = plot.scatter("x", f"shown_{name}", source=source, size=6, color=hue)
    tips = [("round", "@x"), *((name, f"@{name}{{0,0}}") for name in hues)]
    plot.add_tools(HoverTool(renderers=[drawn], mode="vline", tooltips=tips))
    top, ticks = 5.0 * float(max(rounds[0].max(), 2)), min(10, count + 1)
    ends = (0.7, count + 0.3)
    return finished(plot, colours, ends, top, bottom=0.5, ticks=ticks, form="0a")


def _rounds(record: Record) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Return live (before), matched and dead (in it) vertices of each round; None without any."""
    rounds = record.header["rounds"]
    if not rounds:
        return None
    live, matched, dead = (
        np.array([int(one[name]) for one in rounds]) for name in ("live", "matched", "dead")
    )
    return live, matched, dead
