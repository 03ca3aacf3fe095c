"""The solution of a run to take home: links that save it as a file, without a server."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from html import escape
from typing import Any

from gpucore.family import get_family
from gpucore.result import Result
from gpucore.solutions.write import solution_text

from . import note

#: Endings of the files, their types, and what is said of them.
_FORMS = {
    ".csv": ("text/csv", "a table"),
    ".json": ("application/json", "with parameters and measures"),
}
#: Most bytes of a file: the page holds them all, and so does the connection to it.
MOST_BYTES = 1 << 20
#: Most rows that are made into text to see how many bytes they take.
_MOST_ROWS = 100_000


def solution_card(
    problem: Any, results: Sequence[tuple[str, Result]], family: str, name: str
) -> str:
    """Return links to the solutions of runs.

    Parameters
    ----------
    problem
        The problem that was solved.
    results : sequence of (str, Result)
        Names of the runs, empty for the only one, and their results.
    family : str
        Name of the family.
    name : str
        Name of the files, without their endings.
    """
    if not get_family(family).solution or not results:
        return ""
    lines = [_links(problem, *one, family, name) for one in results]
    about = (
        "With the names and numbers of the graph. <code>warplens check</code> reads these files."
    )
    return f"<h3>Take the result home</h3>{''.join(lines)}" + f'<p class="ws-note">{about}</p>'


def _links(problem: Any, label: str, result: Result, family: str, name: str) -> str:
    lead = f"<b>{escape(label)}</b> " if label else ""
    if problem.num_vertices > _MOST_ROWS:
        return note(f"{label} The solution is too large for a page: {_command(result)}.".strip())
    found = []
    for ending, (media, about) in _FORMS.items():
        content = "".join(solution_text(problem, result, family, ending)).encode()
        if len(content) > MOST_BYTES:
            continue
        data = base64.b64encode(content).decode()
        file = re.sub(r"[^\w.-]+", "-", f"{name}-{result.algorithm}", flags=re.ASCII) + ending
        found.append(
            f'<a class="ws-take" download="{file}" href="data:{media};base64,{data}">'
            f"{ending[1:].upper()}, {about}</a>"
        )
    if not found:
        return note(f"{label} The solution is too large for a page: {_command(result)}.".strip())
    return f"<p>{lead}{' · '.join(found)}</p>"


def _command(result: Result) -> str:
    return f"on a command line, warplens run {result.algorithm} GRAPH --output FILE writes it"
