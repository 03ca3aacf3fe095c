"""The Bokeh plot of a race: errors of all runners, by sweep or by second."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from bokeh.models import ColumnDataSource, HoverTool

from ...charts.theme import HUES, Colours, blank_figure
from .race import Track

#: Meanings of the horizontal axis.
AXES = {"sweep": "sweep", "second": "seconds"}


def plot_race(tracks: Sequence[Track], axis: str, colours: Colours) -> Any:
    """Return the plot of a race, or a sentence that says why there is none.

    Parameters
    ----------
    tracks : sequence of Track
    axis : {"sweep", "second"}
    colours : Colours
    """
    shown = [track for track in tracks if not track.failure]
    if not shown:
        return "All runs diverge; take a smaller learning rate, and run again."
    logarithmic = axis == "second" and _spread(shown) > 30
    scale: Literal["linear", "log"] = "log" if logarithmic else "linear"
    plot = blank_figure(colours, AXES[axis], "RMSE", x_axis=scale)
    plot.height = 330
    drawn = []
    for track, hue in zip(shown, HUES, strict=False):
        begin = 1 if logarithmic else 0  # a logarithmic axis has no 0
        x = np.arange(len(track.rmse)) if axis == "sweep" else track.seconds
        for name, values, style in (
            ("training", track.rmse, {"line_dash": [3, 3], "line_width": 1.4}),
            ("test", track.test_rmse, {"line_width": 2.4}),
        ):
            if not len(values):
                continue
            source = ColumnDataSource(
                {
                    "x": x[begin:],
                    "y": values[begin:],
                    "sweep": np.arange(len(values))[begin:],
                    "seconds": track.seconds[begin:],
                    "who": [f"{track.name}, {name}"] * (len(values) - begin),
                }
            )
            label = (
                {"legend_label": track.name} if name == "test" or not len(track.test_rmse) else {}
            )
            line = plot.line("x", "y", source=source, color=hue, **style, **label)
            drawn.append(line)
    tips = [("", "@who"), ("RMSE", "@y{0.0000}"), ("after sweep", "@sweep")]
    tips.append(("second", "@seconds{0.000}"))
    plot.add_tools(HoverTool(renderers=drawn, tooltips=tips))
    _ranges(plot, shown, axis, logarithmic)
    legend = plot.legend[0]
    legend.background_fill_alpha = legend.border_line_alpha = 0.0
    legend.label_text_color = colours.text
    legend.label_text_font_size = "12px"
    legend.spacing, legend.padding = 0, 4
    plot.add_layout(legend, "right" if len(shown) > 1 else "above")
    return plot


def _spread(tracks: Sequence[Track]) -> float:
    """Return how many times the slowest runner needs the time of the fastest one."""
    ends = [float(track.seconds[-1]) for track in tracks]
    return max(ends) / max(min(ends), 1e-12)


def _ranges(plot: Any, tracks: Sequence[Track], axis: str, logarithmic: bool) -> None:
    every = np.concatenate([np.concatenate((t.rmse, t.test_rmse)) for t in tracks])
    room = 0.06 * float(np.ptp(every)) or 0.1
    plot.y_range.start, plot.y_range.end = float(every.min()) - room, float(every.max()) + room
    if axis == "sweep":
        plot.x_range.start, plot.x_range.end = 0, max(len(t.rmse) - 1 for t in tracks)
        return
    most = max(float(t.seconds[-1]) for t in tracks)
    plot.x_range.end = 1.05 * most or 1.0
    plot.x_range.start = 0.8 * min(float(t.seconds[1]) for t in tracks) if logarithmic else 0.0
