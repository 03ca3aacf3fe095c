"""What the launches of a kernel show under one schedule after another."""

from __future__ import annotations

import ctypes as c
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from gpucore.counts import Step
from gpucore.device.host import HostDevice
from gpucore.device.profile import Profile
from gpucore.errors import Cancelled, KernelError
from gpucore.watching.launches.gathered import Gathered
from gpucore.watching.launches.output import read_output
from gpucore.watching.launches.silence import ended_in_silence
from gpucore.watching.memory.arena import REGION, Memory
from gpucore.watching.reports.fetched import keep_steps, read_findings, read_steps, stopped_place
from gpucore.watching.reports.findings import found_at
from gpucore.watching.reports.watched import TOLERANCE

#: Bytes of different results that are kept, to be compared with a GPU's.
_KEPT_BYTES = 1 << 28


def scheduled(library: Path, number: int, seed: int) -> HostDevice:
    """Return a device with a schedule; the first one is the executor's usual order."""
    options: dict[str, Any] = {"library": library, "instrumented": True, "strict": True}
    if number > 0:
        options |= {"policy": "random", "seed": seed + number, "resident": 4, "yield_access": 0.3}
        options["observe"] = "races"
    return HostDevice(**options)


class Launch(Protocol):
    """What every schedule launches."""

    @property
    def memory(self) -> Sequence[Memory]:
        """All that the kernel may touch."""

    @property
    def arrays(self) -> Sequence[np.ndarray]:
        """What of it is the result."""

    @property
    def steps(self) -> int:
        """Bound of the launch."""

    def run(self, host: HostDevice) -> None:
        """Launch once on a device."""


@dataclass
class Seen(Gathered):
    """What the launches so far have shown."""

    first: tuple[np.ndarray, ...] = ()
    profile: Profile | None = None
    output: str = ""  # of the usual order
    steps: tuple[Step, ...] = ()
    _kept: list[tuple[np.ndarray, ...]] = field(default_factory=list)
    _kept_bytes: int = 0

    def launch(self, host: HostDevice, launch: Launch) -> bool:
        """Launch once, and add what it shows; returns whether another schedule is worth while."""
        memory, arrays = launch.memory, launch.arrays
        for each in memory:
            each.begin()
        error = ""
        keep_steps(host.library, host.observe == "all")
        with _regions(host, memory, launch.steps), ended_in_silence(host) as silence:
            try:
                launch.run(host)
            except KernelError as raised:
                if not host.profile().launches:  # it did not begin: the arguments do not match
                    raise
                error = str(raised)
            except Cancelled:
                if not silence.ended:
                    raise
                error = "the launch does not end"
            found = read_findings(host.library, memory)
        place = stopped_place(host.library)
        if silence.ended:
            text = "the launch does not end: a loop does nothing that could end it."
            found.append(found_at("endless", place, text))
        self.add_launch(found, error, place)
        observed = host.profile()
        if self.profile is None or host.observe == "all":
            self.profile = observed
            self.output = read_output(host.library)
            self.steps = read_steps(host.library)
        self.add_races(observed.races)
        if not error:
            self._keep(tuple(arrays))
        elif not self.first:
            self.first = tuple(array.copy() for array in arrays)
        return not any(finding.kind == "endless" for finding in found)

    def forget_results(self) -> int:
        """Begin with other inputs; returns how many results the last ones had."""
        self._kept.clear()
        self._kept_bytes = 0
        return super().forget_results()

    def _keep(self, arrays: tuple[np.ndarray, ...]) -> None:
        if not self.add_result(array.tobytes() for array in arrays):
            return
        size = sum(array.nbytes for array in arrays)
        copies = (
            tuple(array.copy() for array in arrays)
            if self._kept_bytes + size <= _KEPT_BYTES
            else ()
        )
        self._kept.append(copies)
        self._kept_bytes += size
        if self.results == 1:
            self.first = copies or tuple(array.copy() for array in arrays)

    def has(self, arrays: Sequence[np.ndarray]) -> bool:
        """Whether a result is one of those seen, floating numbers within the tolerance."""
        return any(
            all(_equal(a, b) for a, b in zip(kept, arrays, strict=True))
            for kept in self._kept
            if kept or not arrays
        )


def _equal(a: np.ndarray, b: np.ndarray) -> bool:
    if a.dtype.kind in "fc":
        return bool(np.allclose(a, b, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True))
    return a.tobytes() == b.tobytes()


@contextmanager
def _regions(host: HostDevice, memory: Sequence[Memory], steps: int) -> Iterator[None]:
    """Name the memory that the launches of this OS thread may touch."""
    # Without any, a place that nothing is close to: null is close to the first pages.
    rows = [one.region for one in memory] or [(1 << 62, 0, 0, 0)]
    regions = np.array(rows, REGION)
    watch = host.library.cdll.simt_watch
    watch.argtypes, watch.restype = [c.c_void_p, c.c_uint64, c.c_uint64], None
    watch(regions.ctypes.data, len(regions), steps)
    try:
        yield
    finally:
        watch(None, 0, 0)
