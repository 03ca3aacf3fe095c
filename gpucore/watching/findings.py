"""What a watched launch did wrong, besides races, in words with lines."""

from __future__ import annotations

import ctypes as c
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gpucore.device.lines import UNKNOWN, line_table
from gpucore.device.profile import _SITE as SITE
from gpucore.native import Library
from gpucore.watching.arena import Memory
from gpucore.watching.compiler import said_of
from gpucore.watching.messages import SOURCE_NAME

#: As ``simt::instrument::Fault``, by number.
FAULTS = (
    "outside",
    "elsewhere",
    "uninitialised",
    "barrier left",
    "barrier apart",
    "barrier kinds",
    "absent lanes",
    "own mask",
    "shuffle source",
    "shuffle width",
    "endless",
)
_FINDING = np.dtype(
    [
        *((name, "u4") for name in ("fault", "site", "block", "thread", "region", "space")),
        *((name, "u4") for name in ("lanes", "line", "other_line")),
        ("_padding", "u4"),
        ("offset", "i8"),
        *((name, "u8") for name in ("bytes", "size", "count")),
        ("name", "S48"),
    ]
)
_NONE = 0xFFFFFFFF
_SHARED = 2
_VERBS = {0: "reads", 1: "writes", 2: "updates"}


@dataclass(frozen=True)
class Finding:
    """Something that a kernel did wrong.

    Attributes
    ----------
    kind : str
        "outside" (of an array, or of shared memory), "elsewhere" (memory that is not the kernel's),
        "uninitialised", "barrier left", "barrier apart", "barrier kinds", "absent lanes", "own
        mask", "shuffle source", "shuffle width", "endless" or "error".
    line : int
        In the source, from 1; 0 if it is of the whole kernel.
    text : str
        A sentence: who did what where, and the rule that it breaks.
    """

    kind: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}" if self.line else self.text


def read_findings(library: Library, held: Sequence[Memory]) -> list[Finding]:
    """Return the findings of this OS thread's last watched launch."""
    rows = raw_findings(library)
    if not len(rows):
        return []
    sites = _fetch(library, "simt_sites", SITE)
    found: list[Finding] = []
    endless: dict[int, int] = {}
    for row in rows:
        kind = FAULTS[int(row["fault"])]
        site = None if row["site"] == _NONE else sites[int(row["site"])]
        line = int(row["line"]) if site is None else _line(library, site)
        if kind == "endless":
            endless[line] = endless.get(line, 0) + int(row["count"])
        else:
            found.append(Finding(kind, line, _words(kind, row, site, held)))
    return [*found, *_endless(endless)]


def uninitialised(library: Path) -> list[Finding]:
    """Return the local variables that are read before they are written, as the compiler saw it."""
    pattern = rf"{re.escape(SOURCE_NAME)}:(\d+):\d+: warning: (.*) \[-Wuninitialized\]"
    return [
        Finding("uninitialised", int(line), f"{text}: it has no value yet.")
        for line, text in sorted(set(re.findall(pattern, said_of(library))))
    ]


def stopped_line(library: Library) -> int:
    """Return the line at which a signal ended this OS thread's last launch, or 0."""
    function = library.cdll.simt_stopped_at
    function.argtypes, function.restype = [], c.c_uint64
    address = int(function())
    return line_table(library.path).lookup(address)[1] if address else 0


def raw_findings(library: Library) -> np.ndarray:
    """Return the findings of this OS thread's last watched launch as records of the executor."""
    return _fetch(library, "simt_findings", _FINDING)


def _fetch(library: Library, name: str, dtype: np.dtype[Any]) -> np.ndarray:
    function = getattr(library.cdll, name)
    function.argtypes, function.restype = [c.c_void_p, c.c_uint64], c.c_uint64
    rows = np.zeros(function(None, 0), dtype)
    function(rows.ctypes.data, rows.size)
    return rows


def _line(library: Library, site: np.void) -> int:
    place = line_table(library.path).lookup(int(site["pc"]) - 1)
    return 0 if place == UNKNOWN else place[1]


def _endless(lines: dict[int, int]) -> Iterator[Finding]:
    if len(lines) > 1:
        lines.pop(0, None)  # threads that have not begun
    if lines:
        where = ", ".join(
            f"{count:,} thread{'s are' if count > 1 else ' is'} at line {line}"
            for line, count in sorted(lines.items())
        )
        text = f"the launch does not end: {where}. What they wait for does not change."
        yield Finding("endless", max(lines, key=lambda line: lines[line]), text)


def _words(kind: str, row: np.void, site: np.void | None, held: Sequence[Memory]) -> str:
    who = f"block {row['block']}, thread {row['thread']}"
    verb = "" if site is None else _VERBS[int(site["kind"])]
    call = row["name"].decode()
    lanes, mask = int(row["lanes"]), f"{int(row['bytes']):#010x}"
    match kind:
        case "outside":
            return f"{who} {verb} {_outside(row, held)}."
        case "elsewhere":
            address = int(row["offset"]) % (1 << 64)
            null = ", a null pointer with an index" if address < 1 << 16 else ""
            return f"{who} {verb} address {address:#x}{null}: it is no memory of the kernel."
        case "uninitialised":
            return f"{who} {verb} {_element(row, held)}, which has not been written."
        case "barrier left":
            return (
                f"{lanes} threads of block {row['block']} come to {call}, and thread "
                f"{row['thread']} returned without it: all threads of a block must come to it, "
                "equally often."
            )
        case "barrier apart":
            return (
                f"threads of block {row['block']} wait in {call} at line {row['line']} and at line "
                f"{row['other_line']} at the same time: all threads of a block must come to the "
                "same one."
            )
        case "barrier kinds":
            return f"threads of block {row['block']} are in different kinds of {call} at once."
        case "absent lanes":
            return (
                f"{call} of {who} has the mask {mask}, of which {_lanes(lanes)} "
                "return without coming: a mask names the lanes that come, and what is read from "
                "others is undefined."
            )
        case "own mask":
            return f"{call} of {who} has the mask {lanes:#010x}, which does not name the own lane."
        case "shuffle source":
            return (
                f"{call} of {who} reads from {_lanes(lanes)}, which the mask {mask} does not name."
            )
        case _:
            return f"a shuffle of {who} has width {lanes}; it must be 1, 2, 4, 8, 16 or 32."


def _lanes(mask: int) -> str:
    """Return lanes in words: lane 3, lanes 20 to 31."""
    numbers = [lane for lane in range(32) if mask >> lane & 1]
    parts = []
    while numbers:
        first = last = numbers.pop(0)
        while numbers and numbers[0] == last + 1:
            last = numbers.pop(0)
        parts.append(str(first) if first == last else f"{first} to {last}")
    return f"lane{'s' if len(parts) > 1 or 'to' in parts[0] else ''} {', '.join(parts)}"


def _outside(row: np.void, held: Sequence[Memory]) -> str:
    offset, nbytes, size = int(row["offset"]), int(row["bytes"]), int(row["size"])
    distance = -offset if offset < 0 else offset + size - nbytes
    side = "before its beginning" if offset < 0 else "past its end"
    remedy = ""
    if row["space"] == _SHARED and row["region"] == _NONE:
        remedy = "; pass its size as shared_mem"
    return f"{_element(row, held)}, {distance} byte{'s' * (distance != 1)} {side}{remedy}"


def _element(row: np.void, held: Sequence[Memory]) -> str:
    """Return what an access touches: an element of an argument, or of a shared variable."""
    offset, nbytes = int(row["offset"]), int(row["bytes"])
    region = int(row["region"])
    if row["space"] == _SHARED:
        size = int(row["size"])
        if region == _NONE:
            return f"byte {offset} of the dynamic shared memory of {nbytes} bytes"
        return f"index {offset // size} of {row['name'].decode()}, shared memory of {nbytes} bytes"
    return held[region].words(offset, int(row["size"]))
