"""A page of a paper's figures as one HTML file with Bokeh, for ``warplens figures``."""

from __future__ import annotations

from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gpucore.bench.papers.charts import chart_of
from gpucore.errors import RecordError
from gpucore.saving import replacing

from . import words

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem;
  color: #18202c; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; }
.ws-table { overflow-x: auto; }
th, td { padding: .3rem .7rem; text-align: left; border-bottom: 1px solid #e3e7ed;
  font-weight: 400; vertical-align: top; }
th small { display: block; color: #5b6675; }
.ws-note { margin: .3rem 0; font-size: 12.5px; color: #5b6675; }
.ws-verdict { padding: 1px 9px; border-radius: 99px; background: #eef0f4; }
.ws-verdict.good { background: #dff5ee; color: #0b7a66; }
.ws-verdict.bad { background: #fde8e8; color: #b3261e; }
.ws-facts { display: flex; gap: 2rem; } .ws-facts dd { margin: 0; font-size: 20px; }
.ws-facts dt { font-size: 12px; color: #5b6675; }
"""


def write(evaluated: dict[str, Any], folder: Path) -> list[Path]:
    """Write ``PAPER.html`` into a folder, where Bokeh is installed; it asks no network.

    Parameters
    ----------
    evaluated : dict
        See :func:`gpucore.bench.papers.evaluate.evaluate`.
    """
    if find_spec("bokeh") is None:
        return []
    from bokeh.embed import components
    from bokeh.resources import INLINE

    from ..charts.theme import LIGHT
    from .charts import draw

    plots = {
        f"{number}-{place}": draw(chart_of(chart), LIGHT, tools=True)
        for number, figure in enumerate(evaluated["figures"])
        for place, chart in enumerate(figure["charts"])
    }
    script, places = components(plots) if plots else ("", {})
    parts = []
    for number, figure in enumerate(evaluated["figures"]):
        drawn = "".join(
            words.chart_title(chart) + places[f"{number}-{place}"]
            for place, chart in enumerate(figure["charts"])
        )
        parts.append(
            f"<section>{words.heading(figure)}{words.beside(figure)}{drawn}"
            f"{words.tables(figure)}{words.measured_on(figure)}</section>"
        )
    resources = INLINE.render() if plots else ""
    text = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>'
        f"{escape(evaluated['title'])}</title><style>{_STYLE}</style>{resources}"
        f"{words.overview(evaluated)}{''.join(parts)}{script}</html>\n"
    )
    path = folder / f"{evaluated['paper']}.html"
    with replacing(path, RecordError, "free space there, or name another --output") as file:
        file.write(text.encode())
    return [path]
