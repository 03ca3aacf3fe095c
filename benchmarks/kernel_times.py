"""Seconds of every kernel of a run, by CUDA events around its launches.

Only a measurement that asks for it pays for the events: while it is watched, every launch that is
prepared is wrapped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from gpucore.device import Device, Kernel

#: Name of a kernel, and what was noted before and after its launch.
Mark = tuple[str, Any, Any]


class KernelTimes:
    """The launches of a device's kernels, in order."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self._marks: list[Mark] = []

    def _now(self) -> Any:
        if self.device.name != "cuda":
            return time.perf_counter()
        event = self.device.xp.cuda.Event()
        event.record()
        return event

    def _between(self, begin: Any, end: Any) -> float:
        if self.device.name != "cuda":
            return float(end - begin)
        return float(self.device.xp.cuda.get_elapsed_time(begin, end)) / 1e3

    @contextmanager
    def watch(self) -> Iterator[KernelTimes]:
        """Note the launches that are prepared and made in the block."""
        prepare = Kernel.prepare
        times = self

        def prepare_watched(kernel: Kernel, *given: Any, **named: Any) -> Callable[[], None]:
            launch = prepare(kernel, *given, **named)

            def watched() -> None:
                begin = times._now()
                launch()
                times._marks.append((kernel.name, begin, times._now()))

            return watched

        self._marks.clear()
        Kernel.prepare = prepare_watched  # type: ignore[method-assign, assignment]
        try:
            yield self
        finally:
            Kernel.prepare = prepare  # type: ignore[method-assign]

    def rows(self) -> list[dict[str, Any]]:
        """Return the launches: name, seconds since the first one's begin, and seconds it took."""
        self.device.synchronize()
        return [
            {
                "kernel": name,
                "begin": self._between(self._marks[0][1], begin),
                "seconds": self._between(begin, end),
            }
            for name, begin, end in self._marks
        ]
