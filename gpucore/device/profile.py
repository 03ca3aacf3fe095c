"""Profiles of kernels by source line: memory requests, conflicts, divergence, data races.

The instrumented host executor counts; :class:`Profiler` reads its counters after every launch and
adds them up; :class:`Profile` has them by source line. ``gpucore/simt/instrument/`` defines the
counters: ``lockstep.h`` (which lanes execute together), ``memory_model.h`` (sectors and banks),
``race.h`` (data races).
"""

from __future__ import annotations

import ctypes as c
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from gpucore.device.lines import UNKNOWN, line_table
from gpucore.native import Library

_KINDS = ("load", "store", "atomic", "block", "meeting")
_SPACES = ("", "global ", "shared ")

#: Counters of a place, in the order of ``simt::instrument::Site``.
COUNTERS = ("requests", "lanes", "sectors", "ideal_sectors", "bank_conflicts", "cas_failed")

_SITE = np.dtype(
    [("pc", "u8"), ("kind", "u4"), ("space", "u4"), *((name, "u8") for name in COUNTERS)]
)
_RACE = np.dtype(
    [
        ("first", "u4"),
        ("second", "u4"),
        ("first_block", "u4"),
        ("first_thread", "u4"),
        ("second_block", "u4"),
        ("second_thread", "u4"),
        ("count", "u8"),
        ("same", "u8"),
    ]
)

_Place = tuple[int, int, int]  # address, kind, space


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


@dataclass(frozen=True)
class Profile:
    """Counters and races of the launches of an instrumented device.

    Attributes
    ----------
    lines : dict of str to ndarray
        One row for every place and kind, columns of equal length, ordered by file and line:
        ``file`` (str), ``line`` (int), ``kind`` (str: "global load", "global store",
        "global atomic", "shared load", "shared store", "shared atomic", "block"), and uint64
        counters: ``requests`` (warp instructions; for a basic block, times a warp entered it),
        ``lanes`` (active lanes, summed over the requests), ``sectors`` (32-byte pieces of global
        memory touched), ``ideal_sectors`` (that the same bytes would fill if they lay together),
        ``bank_conflicts`` (further passes over shared memory's banks), ``cas_failed``.
    races : tuple of Race
        Data races.
    launches : int
        Number of counted launches.
    """

    lines: dict[str, np.ndarray]
    races: tuple[Race, ...] = ()
    launches: int = 0

    def select(
        self, kind: str, *, file: str | None = None, line: int | None = None
    ) -> dict[str, int]:
        """Return the counters summed over the rows of a kind, and of a file and line if given."""
        chosen = self.lines["kind"] == kind
        if file is not None:
            chosen &= self.lines["file"] == file
        if line is not None:
            chosen &= self.lines["line"] == line
        return {name: int(self.lines[name][chosen].sum()) for name in COUNTERS}

    @cached_property
    def simt_efficiency(self) -> float:
        """Share of active lanes over all basic blocks that warps entered."""
        blocks = self.select("block")
        return blocks["lanes"] / (32 * blocks["requests"]) if blocks["requests"] else 1.0

    @cached_property
    def coalescing(self) -> float:
        """Ideal number of sectors over the number touched, for global loads."""
        loads = self.select("global load")
        return loads["ideal_sectors"] / loads["sectors"] if loads["sectors"] else 1.0

    def to_json(self) -> dict[str, Any]:
        """Return the profile as JSON-able data: columns as lists, races as objects."""
        return {
            "launches": self.launches,
            "lines": {name: column.tolist() for name, column in self.lines.items()},
            "races": [asdict(race) for race in self.races],
        }


def joined(profiles: Sequence[Profile]) -> Profile:
    """Return several profiles, at least one, as one."""
    if len(profiles) == 1:
        return profiles[0]
    columns = {
        name: np.concatenate([profile.lines[name] for profile in profiles])
        for name in profiles[0].lines
    }
    order = np.lexsort((columns["kind"], columns["line"], columns["file"]))
    lines = {name: column[order] for name, column in columns.items()}
    races = tuple(race for profile in profiles for race in profile.races)
    return Profile(lines, races, sum(profile.launches for profile in profiles))


@dataclass
class Profiler:
    """Adds up the counters and races of one device's launches."""

    library: Library
    launches: int = 0
    _counts: dict[_Place, np.ndarray] = field(default_factory=dict)
    _races: dict[tuple[_Place, _Place], np.void] = field(default_factory=dict)

    def choose(self, observe: str) -> None:
        """Set what the next launch of this OS thread observes; see HostDevice."""
        self.library.cdll.simt_instrument(
            int(observe in ("all", "races")), int(observe in ("all", "lines"))
        )

    def collect(self) -> None:
        """Add the counters and races of this OS thread's last launch."""
        self.launches += 1
        sites = self._fetch("simt_sites", _SITE)
        places = [(int(s["pc"]), int(s["kind"]), int(s["space"])) for s in sites]
        for place, site in zip(places, sites, strict=True):
            counts = np.array([site[name] for name in COUNTERS], np.uint64)
            known = self._counts.get(place)
            self._counts[place] = counts if known is None else known + counts
        for race in self._fetch("simt_races", _RACE):
            pair = places[race["first"]], places[race["second"]]
            if pair in self._races:
                self._races[pair]["count"] += race["count"]
                self._races[pair]["same"] += race["same"]
            else:
                self._races[pair] = race.copy()

    def _fetch(self, name: str, dtype: np.dtype[Any]) -> np.ndarray:
        function = getattr(self.library.cdll, name)
        function.argtypes, function.restype = [c.c_void_p, c.c_uint64], c.c_uint64
        found = np.zeros(function(None, 0), dtype)
        function(found.ctypes.data, found.size)
        return found

    def profile(self) -> Profile:
        """Return counters and races so far, by source line."""
        rows: dict[tuple[str, int, str], np.ndarray] = {}
        for place, counts in self._counts.items():
            file, line = self._source(place)
            if (file, line) == UNKNOWN or _KINDS[place[1]] == "meeting":
                continue
            key = file, line, _kind(place)
            rows[key] = rows[key] + counts if key in rows else counts
        keys = sorted(rows)
        table = np.array([rows[key] for key in keys], np.uint64).reshape(len(keys), len(COUNTERS))
        lines = {
            "file": np.array([key[0] for key in keys], np.str_),
            "line": np.array([key[1] for key in keys], np.int64),
            "kind": np.array([key[2] for key in keys], np.str_),
        }
        lines |= {name: table[:, i] for i, name in enumerate(COUNTERS)}
        return Profile(lines, tuple(self._races_by_line()), self.launches)

    def _source(self, place: _Place) -> tuple[str, int]:
        # A return address is behind its call, which may be the last instruction of its line.
        return line_table(self.library.path).lookup(place[0] - 1)

    def _races_by_line(self) -> list[Race]:
        races = []
        for (first, second), race in self._races.items():
            sides = [
                Access(
                    _kind(place),
                    *self._source(place),
                    int(race[f"{side}_block"]),
                    int(race[f"{side}_thread"]),
                )
                for side, place in (("first", first), ("second", second))
            ]
            count, same = int(race["count"]), int(race["same"])
            races.append(Race(sides[0], sides[1], count, same == count))
        return sorted(races, key=lambda race: (race.first.line, race.second.line))


def _kind(place: _Place) -> str:
    return _SPACES[place[2]] + _KINDS[place[1]]
