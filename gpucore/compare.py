"""Run one problem on several runners and compare: devices, variants, CPU methods, peers."""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.errors import Cancelled, ParameterError, WarplensError
from gpucore.family import get_family, get_runner
from gpucore.params import check_flag, check_text, check_whole, check_word
from gpucore.problems.from_library import check_problem, from_library
from gpucore.progress import Cancel, Progress, check, check_hooks
from gpucore.record.recorder import check_level
from gpucore.record.threads import BUDGET
from gpucore.result import Result
from gpucore.run import make_params, run

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph

#: More repetitions are taken for a mistake.
MOST_REPETITIONS = 10_000


@dataclass(frozen=True)
class Contestant:
    """A runner with its variant, device and parameters.

    Attributes
    ----------
    name : str
        An algorithm or a CPU method.
    variant : str or None
        Its variant; None for the default.
    device : str
        Where its kernels run; "cpu" for a CPU method.
    params : mapping
        Further parameters.
    """

    name: str
    variant: str | None = None
    device: str = "auto"
    params: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_text("a runner's name", self.name)
        check_text("a runner's device", self.device)
        if self.variant is not None:
            check_text("a runner's variant", self.variant)
        _check_mapping(self.params)

    @classmethod
    def parse(cls, text: str, device: str = "auto") -> Contestant:
        """Read ``NAME[:VARIANT][@DEVICE]``; `device` is the default without an ``@``.

        >>> from gpucore.family import algorithms
        >>> name = next(iter(algorithms()))
        >>> Contestant.parse(f"{name}:fast@host") == Contestant(name, "fast", "host")
        True
        """
        rest, at, where = check_text("a runner", text).partition("@")
        name, colon, variant = rest.partition(":")
        if not name or (at and not where) or (colon and not variant):
            raise ParameterError(f"a runner is named NAME[:VARIANT][@DEVICE], not {text!r}")
        known = get_runner(name).devices
        found = cls(name, variant or None, where or (device if device in known else known[0]))
        found.check()
        return found

    def check(self) -> None:
        """Raise ParameterError if its variant, device or a parameter does not exist."""
        runner = get_runner(self.name)
        make_params(runner, self._settings())
        check_word(self.name, "device", self.device, runner.devices)

    def _settings(self) -> dict[str, Any]:
        return dict(self.params) | ({} if self.variant is None else {"variant": self.variant})

    @property
    def family(self) -> str:
        """The family of the problem that it solves."""
        return get_runner(self.name).family

    @property
    def label(self) -> str:
        """The text that :meth:`parse` reads."""
        variant = f":{self.variant}" if self.variant else ""
        return f"{self.name}{variant}" + ("" if self.device == "cpu" else f"@{self.device}")


@dataclass(frozen=True)
class Entry:
    """One contestant's outcome.

    Attributes
    ----------
    contestant : Contestant
        The runner.
    result : Result or None
        Its result; None if it failed.
    error : str
        The error message, if it failed.
    differs : int or None
        Number of vertices at which its solution differs from the first solution found.
    times : tuple of float
        Seconds of every repetition; the result has their median.
    """

    contestant: Contestant
    result: Result | None
    error: str = ""
    differs: int | None = None
    times: tuple[float, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """All contestants on one graph.

    Attributes
    ----------
    graph : Graph
        The problem.
    family : str
        The family that the contestants share.
    objective : str
        The figure that compares solutions.
    entries : tuple of Entry
        One per contestant, in the order of the call.
    """

    graph: Graph
    family: str
    objective: str
    entries: tuple[Entry, ...]

    @property
    def fastest(self) -> Entry | None:
        """The entry with the shortest time, or None if all failed."""
        done = [entry for entry in self.entries if entry.result is not None]
        return min(done, key=lambda entry: entry.result.seconds, default=None)  # type: ignore[union-attr]

    @property
    def certified(self) -> bool:
        """Whether at least one contestant finished and every certificate holds."""
        done = [entry.result for entry in self.entries if entry.result is not None]
        return bool(done) and all(r.certificate is None or r.certificate.ok for r in done)

    def as_rows(self) -> list[dict[str, Any]]:
        """Return one flat JSON-able object per contestant, in order.

        A row has ``runner`` and, if it failed, ``error``; otherwise the result's summary,
        ``repetitions``, ``differs`` and ``speedup``, the first finisher's time over its own.

        Examples
        --------
        >>> import gpucore
        >>> rows = compare(gpucore.load("karate"), ["greedy", "ld_serial"]).as_rows()
        >>> [(row["runner"], row["certified"], row["differs"]) for row in rows]
        [('greedy', True, None), ('ld_serial', True, 0)]
        """
        first = next((e.result.seconds for e in self.entries if e.result is not None), 0.0)
        return [_row(entry, first) for entry in self.entries]


def compare(
    graph: Graph,
    contestants: Sequence[Contestant | str],
    *,
    repeat: int = 1,
    record: str = "off",
    certify: bool = True,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Comparison:
    """Run several contestants on one graph.

    A contestant that fails (no GPU, a package missing, a graph too large for an exact method)
    gets its entry with the reason; the others still run.

    Parameters
    ----------
    graph : Graph
        The problem, already prepared for the family; or what :func:`gpucore.run` takes of NetworkX
        and SciPy.
    contestants : sequence of Contestant or str
        All of one family; :meth:`Contestant.parse` reads a text.
    repeat : int
        Repetitions of each; the median time is reported. Every repetition is certified, since one
        schedule with a wrong result is enough to show that a method is wrong.
    record : {"off", "counters", "events"}
        How much is recorded; methods that keep no record run without one.
    certify, progress, cancel
        As for :func:`gpucore.run`.

    Raises
    ------
    ParameterError
        If the contestants are of different families, if there are none, if one has a parameter,
        variant or device that does not exist, or if `repeat` is not from 1 to 10000.
    GraphError
        If `graph` is not a problem, or is of another kind.
    Cancelled
        If `cancel` was set.
    """
    check_whole("repeat", repeat, 1, MOST_REPETITIONS)
    check_flag("certify", certify)
    check_level(record)
    check_hooks(progress, cancel)
    parsed = _parsed(contestants)
    families = {contestant.family for contestant in parsed}
    if len(families) != 1:
        raise ParameterError(
            "name at least one runner to compare"
            if not families
            else f"only runners of one family can be compared, not of {', '.join(sorted(families))}"
        )
    family = get_family(families.pop())
    graph = from_library(graph, family)
    check_problem(graph, family.problem, parsed[0].name)
    for contestant in parsed:
        contestant.check()
    entries: list[Entry] = []
    for done, contestant in enumerate(parsed):
        check(cancel)
        if progress is not None:
            progress(f"running {contestant.label}", done, len(parsed))

        def once(contestant: Contestant = contestant) -> Result:
            return run_contestant(graph, contestant, record=record, certify=certify, cancel=cancel)

        entries.append(_enter(contestant, once, repeat, entries))
    return Comparison(graph, family.name, family.objective[0], tuple(entries))


def _parsed(contestants: Sequence[Contestant | str]) -> list[Contestant]:
    if isinstance(contestants, str) or not isinstance(contestants, Iterable):
        raise ParameterError(f"name the runners in a list, not as {contestants!r}")
    return [c if isinstance(c, Contestant) else Contestant.parse(c) for c in contestants]


def _check_mapping(params: object) -> None:
    if not isinstance(params, Mapping) or not all(isinstance(key, str) for key in params):
        raise ParameterError(f"parameters must be a mapping of names to values, not {params!r}")


def _enter(
    contestant: Contestant, once: Callable[[], Result], repeat: int, before: Sequence[Entry]
) -> Entry:
    try:
        results = [once() for _ in range(repeat)]
    except Cancelled:
        raise
    except WarplensError as error:
        return Entry(contestant, None, str(error))
    # A repetition with a wrong result is the one to show.
    wrong = (r for r in results if r.certificate is not None and not r.certificate.ok)
    times = tuple(result.seconds for result in results)
    result = dataclasses.replace(next(wrong, results[0]), seconds=statistics.median(times))
    first = next((entry.result for entry in before if entry.result is not None), None)
    differs = None if first is None else differences(first, result)
    return Entry(contestant, result, "", differs, times)


def _row(entry: Entry, first_seconds: float) -> dict[str, Any]:
    if entry.result is None:
        return {"runner": entry.contestant.label, "error": entry.error}
    seconds = entry.result.seconds
    return {
        "runner": entry.contestant.label,
        **entry.result.summary(),
        "repetitions": len(entry.times),
        "differs": entry.differs,
        "speedup": first_seconds / seconds if seconds > 0 else None,
    }


def run_contestant(
    graph: Graph,
    contestant: Contestant,
    *,
    record: str = "off",
    record_budget: int = BUDGET,
    certify: bool = True,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Result:
    """Run one contestant and certify its result; one that keeps no record runs without."""
    return run(
        contestant.name,
        graph,
        device=contestant.device,
        record=record if get_runner(contestant.name).records else "off",
        record_budget=record_budget,
        certify=certify,
        progress=progress,
        cancel=cancel,
        **contestant._settings(),
    )


def differences(first: Result, second: Result) -> int:
    """Count the vertices at which two solutions differ; labels of parts do not matter."""
    ours, theirs = first.by_vertex(), second.like(first).by_vertex()
    return sum(int(np.count_nonzero(array != theirs[name])) for name, array in ours.items())
