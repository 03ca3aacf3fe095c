"""What was found, for programs that read it: JSON, and annotations of GitHub."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gpucore.device.profile import Access, Race
from gpucore.watching.watched import Watched, _race, _same


def as_json(watched: Watched) -> dict[str, Any]:
    """Return a report as plain dictionaries, lists, numbers and texts."""
    return {
        "ok": watched.ok,
        "name": watched.name,
        "findings": [
            {"kind": one.kind, "line": one.line, "text": one.text} for one in watched.findings
        ],
        "races": [_pair(race, _race(race)) for race in watched.races],
        "same_value": [_pair(race, _same(race)) for race in watched.same_value],
        "results": watched.results,
        "schedules": watched.schedules,
        "warnings": list(watched.warnings),
        "remarks": [
            {"line": one.line, "measure": one.measure, "text": one.text} for one in watched.remarks
        ],
        "output": watched.output,
    }


def github_lines(path: str, report: dict[str, Any]) -> Iterator[str]:
    """Yield the lines that GitHub shows beside the source.

    Parameters
    ----------
    path : str
        Of the source.
    report : dict
        Of a kernel by :func:`as_json`, or of a program, which has those of its kernels.

    Examples
    --------
    >>> found = {"kind": "outside", "line": 3, "text": "100% wrong"}
    >>> list(github_lines("a.cu", {"findings": [found]}))
    ['::error file=a.cu,line=3::100%25 wrong']
    """
    for finding in report["findings"]:
        yield _annotation("error", path, finding["line"], finding["text"])
    for level, key in (("error", "races"), ("warning", "same_value")):
        for race in report.get(key, ()):
            yield _annotation(level, path, race["first"]["line"], race["text"])
    for text in report.get("warnings", ()):
        yield _annotation("warning", path, 0, text)
    if report.get("ended"):
        yield _annotation("error", path, 0, report["ended"])
    for kernel in report.get("kernels", ()):
        yield from github_lines(path, kernel)


def _annotation(level: str, path: str, line: int, text: str) -> str:
    where = f"file={_escaped(path, ',:')}" + (f",line={line}" if line else "")
    return f"::{level} {where}::{_escaped(text)}"


def _escaped(text: str, more: str = "") -> str:
    return "".join(f"%{ord(each):02X}" if each in "%\r\n" + more else each for each in text)


def _pair(race: Race, text: str) -> dict[str, Any]:
    return {"first": _access(race.first), "second": _access(race.second), "text": text}


def _access(access: Access) -> dict[str, Any]:
    return {
        "line": access.line,
        "kind": access.kind,
        "block": access.block,
        "thread": access.thread,
    }
