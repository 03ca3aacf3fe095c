"""Tables of results as Markdown, for README files: the summary of a results file, and its means."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from gpucore.bench.details import speed_up_lines
from gpucore.bench.report import table_cells, table_head
from gpucore.bench.suite import Data, Suite
from gpucore.bench.summary import mean_speed_up, summarise, with_measured
from gpucore.bench.verdicts import verdicts
from gpucore.format import counted

#: Columns whose cells are words.
_WORDS = ("graph", "which", "solutions")


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    r"""Return a table; columns of numbers are aligned to the right.

    >>> print(markdown_table(["graph", "time"], [["grid", "1 s"]]))
    | graph | time |
    | --- | ---: |
    | grid | 1 s |
    """
    rules = ["---" if name in _WORDS else "---:" for name in head]
    cells = [[cell.replace("|", "\\|") for cell in row] for row in (head, rules, *rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def summary_of(suite: Suite, data: Data, peers: Sequence[dict[str, Any]] = ()) -> str:
    """Return the summary of a results file: its table, the means below, and where it was measured.

    Parameters
    ----------
    data : dict
        Content of a results file.
    peers : sequence of dict
        Published times of other libraries; see :func:`gpucore.bench.results.read_peers`.
    """
    peers = with_measured(data, suite.quality, peers)
    rows = summarise(data, suite.contest, suite.quality, peers, rated=suite.rated)
    # A graph that only studies use has no row.
    rows = [row for row in rows if math.isfinite(row.champion)]
    table = markdown_table(table_head(suite, rows), (table_cells(suite, row, rows) for row in rows))
    setup = data["setup"]
    where = setup["device"].get("model") or setup["device"].get("name")
    lines = [
        f"{where}, {setup['processor']} ({counted(setup['cores'], 'core')}), {setup['date'][:10]}, "
        f"commit {(setup['commit'] or setup['code'])[:7]}; median of at most "
        f"{data['protocol']['repeat']} runs, with the least and the largest.",
        f"Certified: {verdicts(data)}.",
    ]
    if math.isfinite(mean := mean_speed_up(rows)):
        lines.append(f"{suite.contest.champion}: {mean:.2f} times as fast as the best rival in the")
        lines[-1] += " geometric mean."
    ours = (
        line
        for line in speed_up_lines(suite, data, peers)
        if line.startswith(suite.contest.champion)
    )
    lines += [f"{line}." for line in ours]
    return table + "\n\n" + "\n".join(f"- {line}" for line in lines)
