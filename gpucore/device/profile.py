"""Profiles of kernels by source line: memory requests, conflicts, divergence, data races.

The instrumented host executor counts; :class:`Profiler` reads its counters after every launch and
adds them up; :class:`Profile` has them by source line. ``gpucore/simt/instrument/`` defines the
counters: ``lockstep.h`` (which lanes execute together), ``memory_model.h`` (sectors and banks),
``race.h`` (data races).
"""

from __future__ import annotations

import ctypes as c
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gpucore.counts import COUNTERS, RACE, SITE, Access, Counts, Race
from gpucore.device.lines import line_table
from gpucore.native import Library

__all__ = ["COUNTERS", "Access", "Profile", "Profiler", "Race", "joined"]

_SITE, _RACE = np.dtype(SITE), np.dtype(RACE)


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


class Profiler:
    """Adds up the counters and races of one device's launches."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.launches = 0
        # A return address is behind its call, which may be the last instruction of its line.
        self._counts = Counts(lambda pc: line_table(library.path).lookup(pc - 1))

    def choose(self, observe: str) -> None:
        """Set what the next launch of this OS thread observes; see HostDevice."""
        self.library.cdll.simt_instrument(
            int(observe in ("all", "races")), int(observe in ("all", "lines"))
        )

    def collect(self) -> None:
        """Add the counters and races of this OS thread's last launch."""
        self.launches += 1
        sites = fetch_rows(self.library, "simt_sites", _SITE)
        self._counts.add(sites, fetch_rows(self.library, "simt_races", _RACE))

    def profile(self) -> Profile:
        """Return counters and races so far, by source line."""
        rows = self._counts.lines()
        table = np.array([*rows.values()], np.uint64).reshape(len(rows), len(COUNTERS))
        lines = {
            "file": np.array([key[0] for key in rows], np.str_),
            "line": np.array([key[1] for key in rows], np.int64),
            "kind": np.array([key[2] for key in rows], np.str_),
        }
        lines |= {name: table[:, i] for i, name in enumerate(COUNTERS)}
        return Profile(lines, tuple(self._counts.races()), self.launches)


def fetch_rows(library: Library, name: str, dtype: np.dtype[Any]) -> Any:
    """Return the rows of one of the executor's tables about this OS thread's last launch."""
    function = getattr(library.cdll, name)
    function.argtypes, function.restype = [c.c_void_p, c.c_uint64], c.c_uint64
    rows = np.zeros(function(None, 0), dtype)
    function(rows.ctypes.data, rows.size)
    return rows
