"""What suites of several families share: cases by threads, cases with a record, digests."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from gpucore.bench.suite import Case, Experiment

#: Levels of a record.
LEVELS = ("counters", "events")


def thread_counts(cores: int) -> list[int]:
    """Return 1, 2, 4, ... threads, and one for each core.

    >>> thread_counts(6), thread_counts(4)
    ([1, 2, 4, 6], [1, 2, 4])
    """
    powers = [1 << i for i in range(cores.bit_length())]
    return list(dict.fromkeys([*powers, cores]))


def on_threads(label: str, runner: str, count: int, **params: Any) -> Case:
    """Return a method on the processor on a number of threads, which its label has."""
    label = f"{label}, {count} thread{'s' * (count > 1)}"
    return Case(label, runner, {"threads": count, **params}, "cpu")


def recorded(case: Case, level: str, **options: Any) -> Case:
    """Return a case that keeps a record of a level, "off" for none."""
    params = case.params if level == "off" else {**case.params, "record": level}
    return replace(case, label=f"{case.label}, {level}", params=params, **options)


def with_records(case: Case) -> list[Case]:
    """Return a case without a record, and with one of each level; the latter run a few times.

    Collecting a record takes longer than making it.
    """
    return [case, *(recorded(case, level, study=True, runs=3) for level in LEVELS)]


def recording(cases: Callable[[int], list[Case]], *, of: str = "", within: str = "") -> Experiment:
    """Return the experiment that shows what records cost; `of` ends its title."""
    return Experiment(
        "recording",
        f"What recording costs: off, counters, events{of}",
        "ours; events are bounded by a buffer of 64 MiB, what does not fit is counted",
        cases,
        plot="bars",
        within=within,
    )


def digest_of(*arrays: np.ndarray) -> str:
    """Return a short digest of arrays of integers, the same on all machines."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes())
    return digest.hexdigest()[:16]
