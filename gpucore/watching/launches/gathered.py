"""What launches under several schedules show together; without NumPy, for the playground."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gpucore.counts import Race
from gpucore.watching.reports.findings import Finding, found_at


@dataclass
class Gathered:
    """Findings, races and results, each once."""

    launches: int = 0
    error: str = ""  # of the last launch
    findings: list[Finding] = field(default_factory=list)
    _races: dict[tuple[tuple[str, int, str], ...], Race] = field(default_factory=dict)
    _results: set[bytes] = field(default_factory=set)

    @property
    def races(self) -> list[Race]:
        """Each pair of lines once, whichever was first."""
        return list(self._races.values())

    @property
    def results(self) -> int:
        """How many different ones there were."""
        return len(self._results)

    def add_launch(self, found: Sequence[Finding], error: str, place: tuple[str, int]) -> None:
        """Add the findings of a launch, the error that ended it, and where it ended."""
        self.launches += 1
        self.error = error
        explained = any(one.kind in ("elsewhere", "outside", "endless") for one in found)
        if error and not explained:
            named = re.search(r"\b([\w-]+\.\w+):(\d+)", error)
            if not place[1] and named:
                place = named[1], int(named[2])
            found = [*found, found_at("error", place, error)]
        known = {(one.kind, one.file, one.line) for one in self.findings}
        for one in found:
            if (one.kind, one.file, one.line) not in known:
                known.add((one.kind, one.file, one.line))
                self.findings.append(one)

    def add_races(self, races: Iterable[Race]) -> None:
        """Add the races of a launch."""
        for race in races:
            sides = sorted((side.file, side.line, side.kind) for side in (race.first, race.second))
            known = self._races.setdefault(tuple(sides), race)
            if known.same_value and not race.same_value:
                self._races[tuple(sides)] = race

    def add_result(self, parts: Iterable[bytes]) -> bool:
        """Add the bytes of a result; returns whether it is a new one."""
        digest, before = hashlib.sha256(b"".join(parts)).digest(), self.results
        self._results.add(digest)
        return self.results > before

    def forget_results(self) -> int:
        """Begin with other inputs; returns how many results the last ones had."""
        results = self.results
        self._results.clear()
        return results
