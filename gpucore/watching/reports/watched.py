"""The report on a watched kernel."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from gpucore.counts import Race, Step
from gpucore.format import counted
from gpucore.watching.reports.explain import Remark
from gpucore.watching.reports.findings import Finding
from gpucore.watching.source.messages import is_own, where

if TYPE_CHECKING:
    import numpy as np

    from gpucore.device.profile import Profile

#: Floating results of a GPU count as equal within this, relative and absolute: it contracts
#: products and sums, and adds in another order.
TOLERANCE = 1e-5


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
        How many different results they had; 1 for a deterministic kernel. More is no mistake by
        itself: work lists and sums of floating numbers have an order.
    races : tuple of Race
        Pairs of lines with unordered accesses to the same memory, over all schedules.
    same_value : tuple of Race
        Those in which all threads stored the same value: formally races, and harmless on every GPU
        that we know.
    findings : tuple of Finding
        Everything else that is wrong.
    remarks : tuple of Remark
        What lines cost, as sentences.
    warnings : tuple of str
        What to know of the arguments and the launch.
    profile : Profile
        Counters by line, of the first schedule.
    on_gpu : bool or None
        Whether a GPU gave one of the results, floating numbers within 1e-5; None if it did not run
        there.
    output : str
        What it printed in the first schedule, up to 64 KiB.
    steps : tuple of Step
        The first instructions of its warps in the first schedule.
    """

    source: str
    name: str
    arrays: tuple[np.ndarray, ...]
    schedules: int
    results: int
    races: tuple[Race, ...]
    same_value: tuple[Race, ...]
    findings: tuple[Finding, ...]
    remarks: tuple[Remark, ...]
    warnings: tuple[str, ...]
    profile: Profile
    on_gpu: bool | None = None
    output: str = ""
    steps: tuple[Step, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether there is no race, no finding, and no other result on a GPU."""
        return not self.races and not self.findings and self.on_gpu is not False

    def __str__(self) -> str:
        printed = [f"  | {line}" for line in self.output.splitlines()]
        return "\n".join([self._verdict(), *(f"  {text}" for _, text in self._lines()), *printed])

    def _repr_html_(self) -> str:
        """Return the source with what was found beside its lines."""
        found: dict[int, list[str]] = {}
        for line, text in self._lines():
            found.setdefault(line, []).append(text.partition(": ")[2] if line else text)
        rows = "".join(
            f"<tr><td>{number}</td><td><pre style='margin:0'>{escape(code)}</pre></td>"
            f"<td>{'<br>'.join(map(escape, found.get(number, [])))}</td></tr>"
            for number, code in enumerate(self.source.splitlines(), 1)
        )
        whole = "".join(f"<p>{escape(text)}</p>" for text in found.get(0, []))
        printed = f"<pre>{escape(self.output)}</pre>" if self.output else ""
        return f"<p><b>{escape(self._verdict())}</b></p>{whole}<table>{rows}</table>{printed}"

    def _verdict(self) -> str:
        races = _count(len(self.races), "data race")
        others = f", {_count(len(self.findings), 'other finding')}" if self.findings else ""
        results = {0: "no result", 1: "one result"}.get(
            self.results, f"{self.results} different results"
        )
        gpu = {None: "", True: ", the GPU's among them", False: "; the GPU has another one"}
        done = counted(self.schedules, "schedule")
        return f"{self.name}: {races}{others}, {results} in {done}{gpu[self.on_gpu]}"

    def _lines(self) -> list[tuple[int, str]]:
        """Return all that is to be said with its line; 0 is the whole kernel."""
        places = [(one.file, one.line, str(one)) for one in self.findings]
        for race, text in (
            *((race, race_words(race)) for race in self.races),
            *((race, same_words(race)) for race in self.same_value),
        ):
            file, line = race.first.file, race.first.line
            places.append((file, line, f"{where(file, line)}: {text}"))
        places += [(one.file, one.line, str(one)) for one in self.remarks]
        found = [(line if is_own(file) else 0, text) for file, line, text in places]
        return [*((0, text) for text in self.warnings), *found]


def _count(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'s' * (number > 1)}"


def race_words(race: Race) -> str:
    """Return a sentence about a race, and what would order its accesses."""
    first, second = race.first, race.second
    text = (
        f"the {first.kind} of block {first.block}, thread {first.thread} and the {second.kind} at "
        f"{where(second.file, second.line)} of block {second.block}, thread {second.thread} are "
        "unordered; "
    )
    if first.block == second.block:
        return text + "put a barrier between them, or make both atomic."
    return text + (
        "blocks are ordered by the end of a launch, or by a flag: __threadfence() before an atomic "
        "that writes it and after one that reads it."
    )


def same_words(race: Race) -> str:
    """Return a sentence about stores of the same value."""
    return (
        f"several threads store here and at {where(race.second.file, race.second.line)}, always "
        "the same value: "
        "formally a race, and harmless on every GPU that we know."
    )
