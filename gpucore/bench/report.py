"""The report of a benchmark: SVG plots, and one self-contained HTML page."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

from gpucore.bench.details import detail_head, detail_rows, rate_head, rate_words, speed_up_lines
from gpucore.bench.papers.svg import charts_svg
from gpucore.bench.plots.experiments import plots
from gpucore.bench.results import FIX
from gpucore.bench.suite import Data, Suite
from gpucore.bench.summary import Row, mean_speed_up, summarise, with_measured
from gpucore.bench.verdicts import verdicts
from gpucore.errors import RecordError
from gpucore.format import counted, human_time
from gpucore.saving import replacing

_PAGE_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem;
  padding: 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; display: block;
  overflow-x: auto; }
th, td { padding: .25rem .8rem; text-align: right; border-bottom: 1px solid #8884; }
td { white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
figure { margin: 1.5rem 0; overflow-x: auto; }
"""


def write_report(
    suite: Suite, data: Data, directory: Path, peers: Sequence[dict[str, Any]] = ()
) -> Path:
    """Write the plots and ``FAMILY.html`` into `directory`; return the page's path."""
    peers = with_measured(data, suite.quality, peers)
    found = plots(data, suite.quality, peers) | suite.plots(data) | own_charts(suite, data)
    # In the suite's order, not the order of measuring; experiments that it no longer has come last.
    order = dict.fromkeys([experiment.name for experiment in suite.experiments] + list(found))
    drawn = {name: found[name] for name in order if name in found and name in data["experiments"]}
    page = directory / f"{suite.family}.html"
    texts = {directory / f"{suite.family}-{name}.svg": plot for name, plot in drawn.items()}
    texts[page] = _page(suite, data, drawn, peers)
    for path, text in texts.items():
        with replacing(path, RecordError, FIX) as file:
            file.write(text.encode())
    return page


def own_charts(suite: Suite, data: Data) -> dict[str, str]:
    """Return the drawings of the charts that a family's experiments declare, by experiment."""
    drawn = {}
    for experiment in suite.experiments:
        title = experiment.title
        charts = experiment.charts(data) if experiment.name in data["experiments"] else []
        if len(charts) == 1:
            charts = [replace(charts[0], title=title)]
        if charts:
            drawn[experiment.name] = charts_svg(title, charts)
    return drawn


def _page(suite: Suite, data: Data, drawn: dict[str, str], peers: Sequence[dict[str, Any]]) -> str:
    rows = summarise(data, suite.contest, suite.quality, peers, rated=suite.rated)
    setup = data["setup"]
    device = setup["device"]
    facts = [
        ("Device", str(device.get("model") or device.get("name"))),
        ("Processor", f"{setup['processor']}, {counted(setup['cores'], 'core')}"),
        ("Versions", ", ".join(f"{name} {v}" for name, v in setup["versions"].items())),
        ("Commit", setup["commit"] or f"code {setup['code']}"),
        ("Date", setup["date"]),
        ("Protocol", f"median of {data['protocol']['repeat']} after a warm-up, recording off"),
        ("Copy bandwidth", f"{data['copy']['bandwidth'] / 1e9:.0f} GB/s, read and written"),
        ("Floor", f"{data['least_bytes_why']}, at that bandwidth"),
    ]
    facts.append(("Certified", str(verdicts(data))))
    if suite.before:
        words = "a run's time less that of this beginning; the whole time of a method without it"
        facts.append((f"Times {suite.before_why}", words))
    facts += _parallel_methods(data)
    listed = "".join(f"<li><b>{escape(k)}</b>: {escape(v)}</li>" for k, v in facts)
    figures = "".join(
        f"<figure>{plot}<figcaption>{escape(data['experiments'][name]['source'])}"
        "</figcaption></figure>"
        for name, plot in drawn.items()
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        f"<title>{escape(suite.title)}: benchmarks</title><style>{_PAGE_STYLE}</style>"
        f"<h1>{escape(suite.title)}: benchmarks</h1>{_table(suite, rows)}"
        f"{_details(suite, data, peers)}{_tables(suite, data)}"
        f"<h2>How it was measured</h2><ul>{listed}</ul><h2>Pictures</h2>{figures}</html>\n"
    )


def _parallel_methods(data: Data) -> list[tuple[str, str]]:
    """Return how many methods ran on the processor at a time, where that was counted."""
    cases = [case for row in data["measurements"].values() for case in row.values()]
    most = max((case.get("beside", 0) for case in cases), default=0)
    words = f"in processes of their own, at most {most} at a time"
    return [("Methods on the processor", words)] if most else []


def _table(suite: Suite, rows: list[Row]) -> str:
    """Return the contest as a table; empty if only other experiments were measured."""
    if all(math.isnan(row.champion) and math.isnan(row.rival) for row in rows):
        return ""
    mean = mean_speed_up(rows)
    below = f"<p>Geometric mean of the speed-up: {mean:.2f}.</p>" if math.isfinite(mean) else ""
    cells = (table_cells(suite, row, rows) for row in rows)
    return _html_table(table_head(suite, rows), cells) + below


def _details(suite: Suite, data: Data, peers: Sequence[dict[str, Any]]) -> str:
    lines = "".join(f"<li>{escape(line)}</li>" for line in speed_up_lines(suite, data, peers))
    rows = list(detail_rows(suite, data, peers))
    if not rows:
        return ""
    return f"<ul>{lines}</ul><h2>Method by method</h2>{_html_table(detail_head(suite), rows)}"


def _tables(suite: Suite, data: Data) -> str:
    return "".join(
        f"<h2>{escape(table.title)}</h2>{_html_table(table.head, table.rows)}"
        f"<p>{escape(table.note)}</p>"
        for table in suite.tables(data)
    )


def _html_table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    names = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><tr>{names}</tr>{body}</table>"


def table_head(suite: Suite, rows: list[Row]) -> list[str]:
    """Return the columns of the summary; columns of other libraries only if there are times."""
    head = ["graph", "edges", "floor", "best rival", "which"]
    if suite.contest.agree == "nothing":
        head.append(f"its {suite.quality}")
    head += [suite.contest.champion, "its runs", "speed-up", rate_head(suite), "× floor"]
    head += [suite.quality, "solutions"]
    if any(row.peer_label for row in rows):
        head += ["fastest peer", "which", "speed-up", f"its {suite.quality}"]
    return head


def table_cells(suite: Suite, row: Row, rows: list[Row]) -> list[str]:
    """Return one graph's cells of the summary, as text."""
    verdict = _agreement(suite, row)
    quality = suite.quality_format.format
    # Where methods need not agree, each time stands beside the quality that it bought.
    own = [_or_dash(row.rival_quality, quality)] if suite.contest.agree == "nothing" else []
    cells = [
        row.graph,
        f"{row.edges:,}",
        human_time(row.floor),
        _or_dash(row.rival, human_time),
        row.rival_label,
        *own,
        _or_dash(row.champion, human_time),
        " to ".join(human_time(s) for s in row.spread if math.isfinite(s)) or "–",
        _or_dash(row.speed_up, "{:.2f}".format),
        _or_dash(row.rate / 1e6, rate_words),
        _or_dash(row.gap, "{:.1f}".format),
        _or_dash(row.quality, quality),
        verdict if row.certified else f"{verdict}, NOT certified",
    ]
    if any(other.peer_label for other in rows):
        cells += [_or_dash(row.peer, human_time), row.peer_label]
        cells += [_or_dash(row.peer_speed_up, "{:.1f}".format)]
        cells += [_or_dash(row.peer_quality, quality)]
    return cells


def _agreement(suite: Suite, row: Row) -> str:
    examined = f"{row.proved} of {row.solutions} certified"
    if suite.contest.agree == "nothing":
        return examined
    if suite.contest.agree == "quality":
        return f"{'agree' if row.same else 'DIFFER'}, {examined}"
    return f"{'identical' if row.same else 'differ'}, {examined}"


def _or_dash(value: float, words: Callable[[float], str]) -> str:
    return words(value) if math.isfinite(value) else "–"
