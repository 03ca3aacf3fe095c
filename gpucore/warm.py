"""Compile kernels before they are needed: every variant runs once on a small problem.

A run compiles all that the variant uses, the array library's own kernels included, and leaves it in
the cache on disk (:mod:`gpucore.device.cuda_compile`). Later processes load it from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import monotonic
from typing import Any, NamedTuple

from gpucore.device import Device
from gpucore.errors import ParameterError
from gpucore.family import Family, algorithms, get_family, get_runner
from gpucore.loading import load
from gpucore.problem import get_kind
from gpucore.progress import Cancel, Progress, check
from gpucore.run import run

#: Runs without a record and runs that a page plays have kernels of their own.
LEVELS = ("off", "events")


class Warmed(NamedTuple):
    """A variant that has run, and how long it took in seconds."""

    algorithm: str
    variant: str
    record: str
    seconds: float


def variants(names: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Return algorithms and variants of these families, or of all; the default variants first.

    Raises
    ------
    ParameterError
        There is no such family.
    """
    for name in names:
        get_family(name)
    found = []
    for name, runner in algorithms().items():
        if not names or runner.family in names:
            found += [(place, name, text) for place, text in enumerate(runner.variant_names)]
    return [(name, variant) for _, name, variant in sorted(found, key=lambda entry: entry[0])]


def warm(
    names: Sequence[str] = (),
    *,
    device: Device,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Iterator[Warmed]:
    """Run every variant of these families, or of all, and yield each when it has run.

    Parameters
    ----------
    names : sequence of str
        Families.
    device : Device
        Where to run.
    progress, cancel
        See :mod:`gpucore.progress`; `progress` counts the runs.

    Raises
    ------
    ParameterError, DeviceError, KernelCompileError, Cancelled
    """
    cases = [(*case, level) for case in variants(names) for level in LEVELS]
    problems: dict[tuple[str, bool], Any] = {}
    for done, (name, variant, level) in enumerate(cases):
        check(cancel)
        if progress is not None:
            progress(f"compiling {name} {variant}", done, len(cases))
        family = get_family(get_runner(name).family)
        key = family.name, level != "off"
        if key not in problems:
            problems[key] = small_problem(family, recorded=level != "off")
        start = monotonic()
        run(
            name, problems[key], device=device, record=level, certify=False, cancel=cancel,
            variant=variant,
        )  # fmt: skip
        yield Warmed(name, variant, level, monotonic() - start)


def small_problem(family: Family, *, recorded: bool) -> Any:
    """Return the small problem of a family, as its runs take it."""
    kind = get_kind(family.problem)
    if not kind.small:
        raise ParameterError(f"the problem kind {kind.name} declares no small problem")
    problem = kind.prepared_for_run(load(kind.small, kind.name), recorded=recorded)
    return family.prepared(problem)
