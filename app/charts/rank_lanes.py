"""Bokeh plots of a run on several ranks: a lane a rank, and the bytes of each round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, HoverTool

from gpucore.format import human_bytes, human_time
from gpucore.record import Record
from gpucore.record.ranks import ranks_of, table_of

from .theme import HUES, Colours, blank_figure, finished, quiet_legend

#: Colour and hatch of what a rank does.
LOOKS = {
    "compute": (HUES[2], None),
    "wait": (HUES[11], "/"),
    "communication": (HUES[1], "."),
}


def lanes(record: Record, names: Sequence[str] | None, colours: Colours, tools: bool) -> Any:
    """Return the plot with a lane for each rank: compute, wait and communication of each round."""
    ranks, table = ranks_of(record), table_of(record)
    rounds = len(table["compute"])
    if not rounds:
        return "There was no round."
    spans = timetable(table)
    last = float(spans["communication"][1].max()) or 1.0
    unit, factor = ("ms", 1e3) if last >= 1e-3 else ("µs", 1e6)
    plot = blank_figure(colours, f"time, {unit}", "rank", tools)
    plot.ygrid.grid_line_color = None
    rank, number = np.indices((ranks, rounds)).reshape(2, -1)
    for name, (hue, hatch) in LOOKS.items():
        begin, end = (times.T.ravel() for times in spans[name])
        source = ColumnDataSource(
            {
                "y": rank,
                "left": factor * begin,
                "right": factor * end,
                "round": number,
                "spent": [human_time(s) for s in (end - begin).tolist()],
                "sent": [human_bytes(int(s)) for s in table["bytes"].T.ravel().tolist()],
                "messages": table["messages"].T.ravel(),
            }
        )
        bars = plot.hbar(
            "y",
            height=0.62,
            left="left",
            right="right",
            source=source,
            fill_color=hue,
            line_color=colours.line,
            line_width=0.5,
            hatch_pattern=hatch,
            hatch_color=colours.line,
            hatch_scale=8,
            legend_label=name,
        )
        tips = [("rank", "@y"), ("round", "@round"), (name, "@spent")]
        tips += [("sent", "@sent"), ("messages", "@messages{0,0}")]
        plot.add_tools(HoverTool(renderers=[bars], tooltips=tips))
    plot.x_range.start, plot.x_range.end = 0, factor * last * 1.02
    plot.y_range.start, plot.y_range.end = ranks - 0.5, -0.95  # rank 0 on top, the legend above
    plot.yaxis.ticker = list(range(ranks))
    quiet_legend(plot, colours)
    return plot


def timetable(table: Mapping[str, np.ndarray]) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return when each rank begins and ends each part of each round, in seconds.

    All ranks end their wait together. Ranks do not start at the same time; the time before the
    last of them has started is left out.

    Parameters
    ----------
    table : mapping of str to ndarray
        See :func:`gpucore.record.ranks.table_of`.

    Returns
    -------
    dict of str to (ndarray, ndarray)
        Begin and end of "compute", "wait" and "communication", shape (rounds, ranks).

    Examples
    --------
    >>> table = {"compute": [[1, 3]], "wait": [[9, 0]], "communication": [[1, 2]]}
    >>> spans = timetable({name: np.array(rows, float) for name, rows in table.items()})
    >>> spans["wait"][0].tolist(), spans["wait"][1].tolist()
    ([[1.0, 3.0]], [[3.0, 3.0]])
    """
    compute, wait, communication = (table[name] for name in LOOKS)
    wait = wait.copy()
    wait[0] = np.minimum(wait[0], compute[0].max() - compute[0])
    before = np.zeros(compute.shape[1])
    met = np.zeros(len(compute))
    for number in range(len(compute)):
        met[number] = (before + compute[number] + wait[number]).max()
        before = met[number] + communication[number]
    together = np.broadcast_to(met[:, None], compute.shape)
    worked = together - wait
    return {
        "compute": (worked - compute, worked),
        "wait": (worked, together),
        "communication": (together, together + communication),
    }


def traffic(record: Record, names: Sequence[str] | None, colours: Colours, tools: bool) -> Any:
    """Return the plot of the bytes that each rank sends in each round."""
    ranks, sent = ranks_of(record), table_of(record)["bytes"]
    if not sent.sum():
        return "No rank sent anything to another one."
    rounds = len(sent)
    columns = [f"rank {k}" for k in range(ranks)]
    source = ColumnDataSource({"x": np.arange(rounds), **dict(zip(columns, sent.T, strict=True))})
    plot = blank_figure(colours, "round", "bytes sent", tools)
    bars = plot.vbar_stack(
        columns,
        x="x",
        width=0.72,
        source=source,
        color=[HUES[k % len(HUES)] for k in range(ranks)],
        legend_label=columns,
    )
    tips = [("round", "@x"), *((name, f"@{{{name}}}{{0,0}}") for name in columns)]
    plot.add_tools(HoverTool(renderers=bars, tooltips=tips))
    top = 1.25 * float(sent.sum(axis=1).max())
    return finished(plot, colours, (-0.6, rounds - 0.4), top, ticks=min(12, rounds + 1))
