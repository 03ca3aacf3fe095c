"""What a benchmark leaves to look at: SVG pictures, one HTML page without outside parts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from gpucore.bench.plots import duration, profile_plot, time_plot
from gpucore.bench.suite import Suite
from gpucore.bench.summary import (
    Data,
    Row,
    case_times,
    experiment_profiles,
    mean_speed_up,
    summarise,
)

_PAGE_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem;
  padding: 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .8rem; text-align: right; border-bottom: 1px solid #8884; }
th:first-child, td:first-child { text-align: left; }
figure { margin: 1.5rem 0; overflow-x: auto; }
"""


def pictures(data: Data, peers: Sequence[dict[str, Any]] = ()) -> dict[str, str]:
    """Return an SVG for every experiment that has results, by experiment.

    Parameters
    ----------
    peers : sequence of dict
        Other libraries' published times, added to the pictures of times.
    """
    drawn = {}
    for name, experiment in data["experiments"].items():
        times = case_times(data, name)
        if not times:
            continue
        if experiment["plot"] == "profile":
            order = [case["label"] for case in experiment["cases"]]
            drawn[name] = profile_plot(experiment["title"], experiment_profiles(data, name), order)
        else:
            where = {case["key"].rpartition("@")[2] for case in experiment["cases"]}
            beside = [peer for peer in peers if peer.get("where", "device") in where]
            drawn[name] = time_plot(experiment["title"], times | _peer_times(data, beside))
    return drawn


def _peer_times(data: Data, peers: Sequence[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Return the peers' times on the graphs that were measured here."""
    times: dict[str, dict[str, float]] = {}
    for peer in peers:
        if peer["graph"] in data["measurements"]:
            times.setdefault(peer["method"], {})[peer["graph"]] = peer["seconds"]
    return times


def write_report(
    suite: Suite, data: Data, directory: Path, peers: Sequence[dict[str, Any]] = ()
) -> Path:
    """Write the pictures and ``FAMILY.html`` into `directory`; return the page's path."""
    drawn = pictures(data, peers)
    for name, picture in drawn.items():
        (directory / f"{suite.family}-{name}.svg").write_text(picture)
    page = directory / f"{suite.family}.html"
    page.write_text(_page(suite, data, drawn, peers))
    return page


def _page(suite: Suite, data: Data, drawn: dict[str, str], peers: Sequence[dict[str, Any]]) -> str:
    rows = summarise(data, suite.contest, suite.quality, peers)
    setup = data["setup"]
    device = setup["device"]
    facts = [
        ("Device", str(device.get("model") or device.get("name"))),
        ("Processor", f"{setup['processor']}, {setup['cores']} cores"),
        ("Versions", ", ".join(f"{name} {v}" for name, v in setup["versions"].items())),
        ("Commit", setup["commit"] or f"code {setup['code']}"),
        ("Date", setup["date"]),
        ("Protocol", f"median of {data['protocol']['repeat']} after a warm-up, recording off"),
        ("Copy bandwidth", f"{data['copy']['bandwidth'] / 1e9:.0f} GB/s, read and written"),
        ("Floor", f"{data['least_bytes_why']}, at that bandwidth"),
    ]
    listed = "".join(f"<li><b>{escape(k)}</b>: {escape(v)}</li>" for k, v in facts)
    figures = "".join(
        f"<figure>{picture}<figcaption>{escape(data['experiments'][name]['source'])}"
        "</figcaption></figure>"
        for name, picture in drawn.items()
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        f"<title>{escape(suite.title)}: benchmarks</title><style>{_PAGE_STYLE}</style>"
        f"<h1>{escape(suite.title)}: benchmarks</h1>{_table(suite, rows)}"
        f"<h2>How it was measured</h2><ul>{listed}</ul><h2>Pictures</h2>{figures}</html>\n"
    )


def _table(suite: Suite, rows: list[Row]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table_head(suite, rows))
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in table_cells(row, rows)) + "</tr>"
        for row in rows
    )
    mean = mean_speed_up(rows)
    below = f"<p>Geometric mean of the speed-up: {mean:.2f}.</p>" if math.isfinite(mean) else ""
    return f"<table><tr>{head}</tr>{body}</table>{below}"


def table_head(suite: Suite, rows: list[Row]) -> list[str]:
    """Return the columns of the summary; those of other libraries only if there are times."""
    head = ["graph", "edges", "floor", "best rival", "which", suite.contest.champion]
    head += ["speed-up", "× floor", suite.quality, "solutions"]
    if any(row.peer_label for row in rows):
        head += ["fastest peer", "which", "speed-up", f"its {suite.quality}"]
    return head


def table_cells(row: Row, rows: list[Row]) -> list[str]:
    """Return one graph's cells of the summary, as text."""
    verdict = "identical" if row.same else "differ"
    cells = [
        row.graph,
        f"{row.edges:,}",
        duration(row.floor),
        _known(row.rival, duration),
        row.rival_label,
        _known(row.champion, duration),
        _known(row.speed_up, "{:.2f}".format),
        _known(row.gap, "{:.1f}".format),
        _known(row.quality, "{:.2f}".format),
        verdict if row.certified else f"{verdict}, NOT certified",
    ]
    if any(other.peer_label for other in rows):
        cells += [_known(row.peer, duration), row.peer_label]
        cells += [_known(row.peer_speed_up, "{:.1f}".format)]
        cells += [_known(row.peer_quality, "{:.2f}".format)]
    return cells


def _known(value: float, words: Callable[[float], str]) -> str:
    return words(value) if math.isfinite(value) else "–"
