"""The directive ``reports``: a page of plots and tables for each session of ``benchmarks/results``.

Only the measurements are in the repository; the pages are made from them, beside the documentation.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

import tables
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from gpucore.bench.report import write_report
from gpucore.bench.results import read_peers, read_results
from gpucore.bench.suite import get_suite
from gpucore.family import families, get_family

#: Folder of the reports, below the documentation.
FOLDER = "benchmarks"


def sessions() -> list[Path]:
    """Return the measurements of all families that ``warplens bench`` left."""
    return sorted(path for name in families() for path in tables.RESULTS.glob(f"*/{name}.json"))


class Reports(SphinxDirective):
    """List of links to the reports."""

    def run(self) -> list[nodes.Node]:
        """Return the list."""
        above = "../" * self.env.docname.count("/")
        items = [
            f'<li><a href="{above}{FOLDER}/{path.parent.name}/{path.stem}.html">'
            f"{escape(get_family(path.stem).title)}</a>, <code>{path.parent.name}</code></li>"
            for path in sessions()
        ]
        return [nodes.raw("", f"<ul>{''.join(items)}</ul>", format="html")]


def write_reports(folder: Path) -> None:
    """Write the report of every session; peers stand in it as in ``benchmarks/README.md``."""
    beside = tables.peers()
    for path in sessions():
        named = beside.get(path.relative_to(tables.RESULTS).as_posix())
        peers = read_peers(tables.RESULTS / named) if named else []
        target = folder / path.parent.name
        target.mkdir(parents=True, exist_ok=True)
        write_report(get_suite(path.stem), read_results(path), target, peers)


def _write(app: Sphinx, error: Exception | None) -> None:
    if not error and app.builder.format == "html":
        write_reports(Path(app.outdir) / FOLDER)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("reports", Reports)
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True}
