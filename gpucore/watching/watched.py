"""The report on a watched kernel."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np

from gpucore.device.profile import Profile, Race
from gpucore.watching.explain import Remark


@dataclass(frozen=True)
class Watched:
    """What a kernel did under all schedules.

    Attributes
    ----------
    source, name : str
        The kernel.
    arrays : tuple of ndarray
        Its array arguments after the first schedule; the given ones are unchanged.
    schedules : int
        Orders in which its threads ran.
    results : int
        How many different results they had; 1 for a deterministic kernel.
    races : tuple of Race
        Pairs of lines with unordered accesses to the same memory, over all schedules.
    profile : Profile
        Counters by line, of the first schedule.
    remarks : tuple of Remark
        What lines cost, as sentences.
    on_gpu : bool or None
        Whether a GPU gave one of the results; None if it did not run there.
    """

    source: str
    name: str
    arrays: tuple[np.ndarray, ...]
    schedules: int
    results: int
    races: tuple[Race, ...]
    profile: Profile
    remarks: tuple[Remark, ...]
    on_gpu: bool | None = None

    @property
    def ok(self) -> bool:
        """Whether there is no race, and one result."""
        return not self.races and self.results == 1 and self.on_gpu is not False

    def __str__(self) -> str:
        return "\n".join([self._verdict(), *(f"  {text}" for _, text in self._findings())])

    def _repr_html_(self) -> str:
        """Return the source with what was found beside its lines."""
        found: dict[int, list[str]] = {}
        for line, text in self._findings():
            found.setdefault(line, []).append(text.partition(": ")[2] if line else text)
        rows = "".join(
            f"<tr><td>{number}</td><td><pre style='margin:0'>{escape(code)}</pre></td>"
            f"<td>{'<br>'.join(map(escape, found.get(number, [])))}</td></tr>"
            for number, code in enumerate(self.source.splitlines(), 1)
        )
        whole = "".join(f"<p>{escape(text)}</p>" for text in found.get(0, []))
        return f"<p><b>{escape(self._verdict())}</b></p>{whole}<table>{rows}</table>"

    def _verdict(self) -> str:
        races = f"{len(self.races)} data race{'s' * (len(self.races) != 1)}" if self.races else (
            "no data race"
        )  # fmt: skip
        results = "one result" if self.results == 1 else f"{self.results} different results"
        gpu = {None: "", True: ", the GPU's among them", False: "; the GPU has another one"}
        return f"{self.name}: {races}, {results} in {self.schedules} schedules{gpu[self.on_gpu]}"

    def _findings(self) -> list[tuple[int, str]]:
        """Return all findings with their lines; 0 is the whole kernel."""
        found = [(race.first.line, f"line {race.first.line}: {_race(race)}") for race in self.races]
        return [*found, *((remark.line, str(remark)) for remark in self.remarks)]


def _race(race: Race) -> str:
    first, second = race.first, race.second
    return (
        f"the {first.kind} of block {first.block}, thread {first.thread} and the {second.kind} at "
        f"line {second.line} of block {second.block}, thread {second.thread} are unordered; put a "
        "barrier between them, or make both atomic."
    )
