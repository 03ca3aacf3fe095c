"""What a watched launch did wrong, besides races, in words with lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gpucore.counts import UNKNOWN
from gpucore.watching.source.messages import SOURCE_NAME, where

#: As ``simt::instrument::Fault``, by number: kinds of findings, and the label of each.
FAULTS = {
    "outside": "bounds",
    "elsewhere": "bounds",
    "uninitialised": "uninitialised",
    "barrier left": "barrier",
    "barrier apart": "barrier",
    "barrier kinds": "barrier",
    "absent lanes": "barrier",
    "own mask": "barrier",
    "shuffle source": "barrier",
    "shuffle width": "barrier",
    "endless": "endless",
}
KINDS = tuple(FAULTS)
#: Fields of the executor's rows with their types, as NumPy writes them.
FINDING = [
    *((name, "u4") for name in ("fault", "site", "block", "thread", "region", "space")),
    *((name, "u4") for name in ("lanes", "line", "other_line")),
    ("_padding", "u4"),
    ("offset", "i8"),
    *((name, "u8") for name in ("bytes", "size", "count")),
    ("name", "S48"),
    ("file", "S48"),
]
_NONE = 0xFFFFFFFF
_SHARED, _LOCAL = 2, 3
_VERBS = {0: "reads", 1: "writes", 2: "updates"}


#: A row of the executor, by the names of its fields.
Row = Mapping[str, Any]
Source = Callable[[int], tuple[str, int]]


class Named(Protocol):
    """Memory that a kernel may touch, by name."""

    def words(self, offset: int, size: int) -> str:
        """Return an element in words."""


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
    file : str
        Of the line, if it is another one than the source: a header that it includes.
    """

    kind: str
    line: int
    text: str
    file: str = ""

    def __str__(self) -> str:
        return f"{where(self.file, self.line)}: {self.text}" if self.line else self.text


def findings_of(
    rows: Sequence[Row], sites: Sequence[Row], place_of: Source, held: Sequence[Named]
) -> list[Finding]:
    """Return the findings of a launch.

    Parameters
    ----------
    rows, sites : sequence of mapping
        The executor's, as `FINDING` and :data:`gpucore.counts.SITE` say.
    place_of : callable
        Gives file and line of a place in the code.
    held : sequence
        The memory that the kernel may touch.
    """
    found: list[Finding] = []
    endless: dict[tuple[str, int], int] = {}
    bound = 0
    for row in rows:
        kind = KINDS[int(row["fault"])]
        site = None if row["site"] == _NONE else sites[int(row["site"])]
        place = row["file"].decode(), int(row["line"])
        if site is not None:
            place = place_of(int(site["pc"]))
        if kind == "endless":
            endless[place] = endless.get(place, 0) + int(row["count"])
            bound = int(row["bytes"])
        else:
            found.append(found_at(kind, place, _words(kind, row, site, held)))
    return [*found, *_endless(endless, bound)]


def uninitialised(said: str) -> list[Finding]:
    """Return the local variables that are read before they are written, as a compiler said it."""
    pattern = r"^([^\s:/]+):(\d+):\d+: warning: (.*) \[-Wuninitialized\]"
    return [
        found_at("uninitialised", (file, int(line)), f"{text}: it has no value yet.")
        for file, line, text in sorted(set(re.findall(pattern, said, re.MULTILINE)))
    ]


def found_at(kind: str, place: tuple[str, int], text: str) -> Finding:
    """Return a finding at a file and a line."""
    return Finding(kind, place[1], text, "" if place[0] == SOURCE_NAME else place[0])


def _endless(places: dict[tuple[str, int], int], bound: int) -> Iterator[Finding]:
    if len(places) > 1:
        places.pop(UNKNOWN, None)  # threads that have not begun
    if places:
        threads = ", ".join(
            f"{count:,} thread{'s are' if count > 1 else ' is'} at {where(*place)}"
            for place, count in sorted(places.items())
        )
        text = f"the launch does not end: {threads}. What they wait for does not change."
        if bound:
            text = (
                f"the launch has not ended after {bound:,} steps (accesses and basic blocks): "
                f"{threads}. If it needs more, set steps."
            )
        yield found_at("endless", max(places, key=lambda place: places[place]), text)


def _words(kind: str, row: Row, site: Row | None, held: Sequence[Named]) -> str:
    who = f"block {row['block']}, thread {row['thread']}"
    verb = "" if site is None else _VERBS[int(site["kind"])]
    call = row["name"].decode()
    lanes, mask = int(row["lanes"]), f"{int(row['bytes']):#010x}"
    match kind:
        case "outside":
            return f"{who} {verb} {_outside(row, held)}."
        case "elsewhere":
            if row["space"] == _LOCAL and row["bytes"]:
                return f"{who} {verb} {_element(row, held)} of another thread."
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


def _outside(row: Row, held: Sequence[Named]) -> str:
    offset, nbytes, size = int(row["offset"]), int(row["bytes"]), int(row["size"])
    distance = -offset if offset < 0 else offset + size - nbytes
    side = "before its beginning" if offset < 0 else "past its end"
    remedy = ""
    if row["space"] == _SHARED and row["region"] == _NONE:
        remedy = "; pass its size as shared_mem"
    return f"{_element(row, held)}, {distance} byte{'s' * (distance != 1)} {side}{remedy}"


def _element(row: Row, held: Sequence[Named]) -> str:
    """Return what an access touches: an element of an argument, or of a shared variable."""
    offset, nbytes = int(row["offset"]), int(row["bytes"])
    region = int(row["region"])
    if row["space"] == _LOCAL:
        size = int(row["size"])
        name, length = row["name"].decode(), nbytes // size
        return f"{name}[{offset // size}], of a local array of {length} elements"
    if row["space"] == _SHARED:
        size = int(row["size"])
        if region == _NONE:
            return f"byte {offset} of the dynamic shared memory of {nbytes} bytes"
        return f"{row['name'].decode()}[{offset // size}], of shared memory of {nbytes} bytes"
    return held[region].words(offset, int(row["size"]))
