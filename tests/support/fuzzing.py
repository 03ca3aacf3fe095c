"""Random cases for some seconds, each from its own seed, with bounded time and memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, count
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

MEBIBYTE = 1 << 20

#: A case that takes longer than this many seconds hangs, also on a busy computer.
MOST_SECONDS = 30.0


class Fuzz:
    """Runs random cases until the time is over, at least one.

    Parameters
    ----------
    seconds : float
        Time for all cases together.
    seed : int
        Seed of the first case; the next case has the next seed.
    """

    def __init__(self, seconds: float, seed: int) -> None:
        self.seconds, self.seed = seconds, seed

    def run(
        self,
        make: Callable[[Random], Any],
        check: Callable[[Any], object],
        most_bytes: int = 256 * MEBIBYTE,
        kept: Sequence[int] = (),
    ) -> int:
        """Check cases, and return their number.

        Parameters
        ----------
        make : callable
            ``make(random)`` returns a case.
        check : callable
            ``check(case)`` fails for a bad one.
        most_bytes : int
            Memory that one check may take at its peak.
        kept : sequence of int
            Seeds of cases that once failed; they are checked first, whatever the time.
        """
        end = monotonic() + self.seconds
        for number, seed in enumerate(chain(kept, count(self.seed))):
            if number > len(kept) and monotonic() > end:
                return number
            case = make(Random(seed))
            before, start = reset_peak(), monotonic()
            try:
                check(case)
                assert monotonic() - start < MOST_SECONDS
                taken = peak() - before
                assert taken < most_bytes, f"the case takes {taken / MEBIBYTE:.0f} MiB"
            except BaseException as error:
                error.add_note(f"repeat this case with --fuzz-seed {seed} --fuzz-seconds 0")
                raise
        raise AssertionError  # never


def reset_peak() -> int:
    """Measure the process' peak of memory from now on; return what it holds now, 0 if unknown."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return 0
    return peak()


def peak() -> int:
    """Return the peak of the process' memory in bytes; 0 if the system does not know it."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM")), 0)
