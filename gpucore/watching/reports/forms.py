"""What was found, for programs that read it: JSON, and annotations of GitHub."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gpucore.counts import COUNTERS, Access, Race
from gpucore.watching.reports.watched import Watched, race_words, same_words
from gpucore.watching.source.messages import is_own

#: Elements of an array that a report in JSON has.
MOST_ELEMENTS = 1024
#: Integers that JavaScript and others read exactly.
_EXACT = 1 << 53


def as_json(watched: Watched) -> dict[str, Any]:
    """Return a report as plain dictionaries, lists, numbers and texts."""
    return {
        "ok": watched.ok,
        "name": watched.name,
        "findings": [
            {"kind": one.kind, "file": one.file, "line": one.line, "text": one.text}
            for one in watched.findings
        ],
        "races": [_pair(race, race_words(race)) for race in watched.races],
        "same_value": [_pair(race, same_words(race)) for race in watched.same_value],
        "results": watched.results,
        "schedules": watched.schedules,
        "warnings": list(watched.warnings),
        "remarks": [
            {"file": one.file, "line": one.line, "measure": one.measure, "text": one.text}
            for one in watched.remarks
        ],
        "output": watched.output,
    }


def details(watched: Watched) -> dict[str, Any]:
    """Return what a report on one kernel has besides :func:`as_json`.

    Returns
    -------
    dict
        ``lines``: counters of each line of the source that accesses memory, and of each piece of
        code ("block"), as :attr:`gpucore.device.profile.Profile.lines`. ``steps``: the first
        instructions of warps, with their lanes as bits. ``arrays``: type, length and first
        elements of each array after the first schedule.
    """
    arrays = [
        array_form(str(one.dtype), one.size, one.reshape(-1)[:MOST_ELEMENTS].tolist())
        for one in watched.arrays
    ]
    steps = [
        {**asdict(step), "file": "" if is_own(step.file) else step.file} for step in watched.steps
    ]
    return {"lines": list(_lines(watched.profile.lines)), "steps": steps, "arrays": arrays}


def _lines(table: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the counters by line."""
    for at in range(len(table["line"])):
        file = str(table["file"][at])
        row = {"file": "" if is_own(file) else file, "line": int(table["line"][at])}
        row["kind"] = str(table["kind"][at])
        yield row | {name: int(table[name][at]) for name in COUNTERS}


def array_form(dtype: str, length: int, numbers: Sequence[Any]) -> dict[str, Any]:
    """Return an array by its first elements; those that JSON has no exact number for are texts."""
    values = [
        value if isinstance(value, bool | int | float) and abs(value) < _EXACT else str(value)
        for value in numbers[:MOST_ELEMENTS]
    ]
    return {"type": dtype, "length": length, "values": values}


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
        yield _annotation("error", path, finding, finding["text"])
    for level, key in (("error", "races"), ("warning", "same_value")):
        for race in report.get(key, ()):
            yield _annotation(level, path, race["first"], race["text"])
    for text in report.get("warnings", ()):
        yield _annotation("warning", path, {}, text)
    if report.get("ended"):
        yield _annotation("error", path, {}, report["ended"])
    for kernel in report.get("kernels", ()):
        yield from github_lines(path, kernel)


def _annotation(level: str, path: str, place: dict[str, Any], text: str) -> str:
    if header := place.get("file"):
        path = str(Path(path).with_name(header))
    at = f"file={_escaped(path, ',:')}" + (f",line={place['line']}" if place.get("line") else "")
    return f"::{level} {at}::{_escaped(text)}"


def _escaped(text: str, more: str = "") -> str:
    return "".join(f"%{ord(each):02X}" if each in "%\r\n" + more else each for each in text)


def _pair(race: Race, text: str) -> dict[str, Any]:
    return {"first": _access(race.first), "second": _access(race.second), "text": text}


def _access(access: Access) -> dict[str, Any]:
    return {
        "file": "" if is_own(access.file) else access.file,
        "line": access.line,
        "kind": access.kind,
        "block": access.block,
        "thread": access.thread,
    }
