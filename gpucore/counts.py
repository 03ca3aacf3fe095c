"""What instrumented launches counted, by place in the source; without NumPy, for the playground.

The executor hands out rows; `Counts` adds them up, and puts places of one line together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

_KINDS = ("load", "store", "atomic", "block", "meeting")
_SPACES = ("", "global ", "shared ", "local ")

#: Counters of a place, in the order of ``simt::instrument::Site``.
COUNTERS = ("requests", "lanes", "sectors", "ideal_sectors", "bank_conflicts", "cas_failed")

#: Fields of the executor's rows with their types, as NumPy writes them.
SITE = [("pc", "u8"), ("kind", "u4"), ("space", "u4"), *((name, "u8") for name in COUNTERS)]
RACE = [
    *((name, "u4") for name in ("first", "second", "first_block", "first_thread")),
    *((name, "u4") for name in ("second_block", "second_thread")),
    ("count", "u8"),
    ("same", "u8"),
]
#: One instruction of a warp: the lanes that took part, and what each accessed.
REQUEST = [
    ("pc", "u8"),
    *((name, "u4") for name in ("kind", "space", "active", "size", "block", "warp")),
    ("address", "(32,)u8"),
]

#: Steps of a watched launch that a report has.
MOST_STEPS = 2000

#: Place of code outside of kernels' sources: the executor's headers, addresses without a line.
UNKNOWN = "", 0

_Place = tuple[int, int, int]  # address, kind, space
_Row = Mapping[str, Any]


@dataclass(frozen=True)
class Access:
    """One side of a race: the place in the source, and a thread.

    Attributes
    ----------
    kind : str
        As in :attr:`Profile.lines`.
    file, line
        Place in the kernel's source.
    block, thread : int
        Number of the block in the grid, and of the thread in the block.
    """

    kind: str
    file: str
    line: int
    block: int
    thread: int

    def __str__(self) -> str:
        return f"{self.kind} at {self.file}:{self.line} (block {self.block} thread {self.thread})"


@dataclass(frozen=True)
class Race:
    """Two places with unordered accesses to the same memory.

    Attributes
    ----------
    first, second : Access
        In the order of observation, with the threads of the first observed pair.
    count : int
        Pairs of accesses that raced.
    same_value : bool
        Whether all of them were stores of the value that was there already.
    """

    first: Access
    second: Access
    count: int
    same_value: bool = False

    def __str__(self) -> str:
        return f"{self.first} races with {self.second}, {self.count} times"


@dataclass
class Counts:
    """Counters and races of launches.

    Parameters
    ----------
    source : callable
        Gives file and line of a place in the code.
    """

    source: Callable[[int], tuple[str, int]]
    _counts: dict[_Place, list[int]] = field(default_factory=dict)
    _races: dict[tuple[_Place, _Place], dict[str, int]] = field(default_factory=dict)

    def add(self, sites: Sequence[_Row], races: Sequence[_Row]) -> None:
        """Add the rows of one launch."""
        places = [(int(s["pc"]), int(s["kind"]), int(s["space"])) for s in sites]
        for place, site in zip(places, sites, strict=True):
            known = self._counts.setdefault(place, [0] * len(COUNTERS))
            known[:] = [old + int(site[name]) for old, name in zip(known, COUNTERS, strict=True)]
        for race in races:
            row = {name: int(race[name]) for name, _ in RACE}
            pair = places[row["first"]], places[row["second"]]
            known_race = self._races.setdefault(pair, {**row, "count": 0, "same": 0})
            known_race["count"] += row["count"]
            known_race["same"] += row["same"]

    def lines(self) -> dict[tuple[str, int, str], list[int]]:
        """Return the counters by file, line and kind, in this order."""
        rows: dict[tuple[str, int, str], list[int]] = {}
        for place, counts in self._counts.items():
            file, line = self.source(place[0])
            if (file, line) == UNKNOWN or _KINDS[place[1]] == "meeting":
                continue
            known = rows.setdefault((file, line, _kind(place)), [0] * len(COUNTERS))
            known[:] = map(sum, zip(known, counts, strict=True))
        return dict(sorted(rows.items()))

    def races(self) -> list[Race]:
        """Return the races by the lines of their first sides."""
        found = []
        for (first, second), race in self._races.items():
            sides = [
                Access(
                    _kind(place),
                    *self.source(place[0]),
                    race[f"{side}_block"],
                    race[f"{side}_thread"],
                )
                for side, place in (("first", first), ("second", second))
            ]
            count, same = race["count"], race["same"]
            found.append(Race(sides[0], sides[1], count, same == count))
        return sorted(found, key=lambda race: (race.first.line, race.second.line))


@dataclass(frozen=True)
class Step:
    """One instruction of a warp, or the beginning of a piece of code ("block").

    Attributes
    ----------
    block, warp : int
        Number of the block in the grid, and of the warp in the block.
    file, line
        Place in the kernel's source.
    kind : str
        As in :attr:`Profile.lines`.
    lanes : int
        The lanes that took part, as bits.
    """

    block: int
    warp: int
    file: str
    line: int
    kind: str
    lanes: int


def steps_of(rows: Any, source: Callable[[int], tuple[str, int]]) -> list[Step]:
    """Return the steps of rows of the executor; `source` gives file and line of an address."""
    found = []
    for row in rows:
        place = source(row["pc"])
        if place == UNKNOWN or _KINDS[row["kind"]] == "meeting":
            continue
        kind = _kind((row["pc"], row["kind"], row["space"]))
        block, warp, lanes = (int(row[name]) for name in ("block", "warp", "active"))
        found.append(Step(block, warp, *place, kind, lanes))
    return found


def _kind(place: _Place) -> str:
    return _SPACES[place[2]] + _KINDS[place[1]]
