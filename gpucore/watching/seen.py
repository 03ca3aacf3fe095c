"""What the launches of a kernel show under one schedule after another."""

from __future__ import annotations

import ctypes as c
import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from gpucore.device.host import HostDevice
from gpucore.device.profile import Profile, Race
from gpucore.errors import Cancelled, KernelError
from gpucore.watching.arena import REGION, Memory
from gpucore.watching.findings import Finding, read_findings, stopped_line
from gpucore.watching.messages import SOURCE_NAME
from gpucore.watching.output import read_output
from gpucore.watching.silence import ended_in_silence
from gpucore.watching.watched import TOLERANCE

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
class Seen:
    """What the launches so far have shown."""

    launches: int = 0
    results: int = 0
    error: str = ""  # of the last launch
    first: tuple[np.ndarray, ...] = ()
    findings: list[Finding] = field(default_factory=list)
    profile: Profile | None = None
    output: str = ""  # of the usual order
    _races: dict[tuple[tuple[int, str], ...], Race] = field(default_factory=dict)
    _kept: dict[bytes, tuple[np.ndarray, ...]] = field(default_factory=dict)
    _kept_bytes: int = 0

    @property
    def races(self) -> list[Race]:
        """Each pair of lines once, whichever was first."""
        return list(self._races.values())

    def launch(self, host: HostDevice, launch: Launch) -> bool:
        """Launch once, and add what it shows; returns whether another schedule is worth while."""
        memory, arrays = launch.memory, launch.arrays
        for each in memory:
            each.begin()
        error = ""
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
        line = stopped_line(host.library)
        if silence.ended:
            text = "the launch does not end: a loop does nothing that could end it."
            found.append(Finding("endless", line, text))
        self.launches += 1
        self.error = error
        self._add(found, error, line)
        observed = host.profile()
        if self.profile is None or host.observe == "all":
            self.profile = observed
            self.output = read_output(host.library)
        for race in observed.races:
            sides = sorted((side.line, side.kind) for side in (race.first, race.second))
            known = self._races.setdefault(tuple(sides), race)
            if known.same_value and not race.same_value:
                self._races[tuple(sides)] = race
        if not error:
            self._keep(tuple(arrays))
        elif not self.first:
            self.first = tuple(array.copy() for array in arrays)
        return not any(finding.kind == "endless" for finding in found)

    def forget_results(self) -> int:
        """Begin with other inputs; returns how many results the last ones had."""
        results, self.results = self.results, 0
        self._kept.clear()
        self._kept_bytes = 0
        return results

    def _add(self, found: Sequence[Finding], error: str, line: int) -> None:
        explained = any(one.kind in ("elsewhere", "outside", "endless") for one in found)
        if error and not explained:
            place = re.search(rf"{re.escape(SOURCE_NAME)}:(\d+)", error)
            found = [*found, Finding("error", line or (int(place[1]) if place else 0), error)]
        known = {(one.kind, one.line) for one in self.findings}
        for one in found:
            if (one.kind, one.line) not in known:
                known.add((one.kind, one.line))
                self.findings.append(one)

    def _keep(self, arrays: tuple[np.ndarray, ...]) -> None:
        digest = hashlib.sha256(b"".join(array.tobytes() for array in arrays)).digest()
        if digest in self._kept:
            return
        self.results += 1
        size = sum(array.nbytes for array in arrays)
        copies = (
            tuple(array.copy() for array in arrays)
            if self._kept_bytes + size <= _KEPT_BYTES
            else ()
        )
        self._kept[digest] = copies
        self._kept_bytes += size
        if self.results == 1:
            self.first = copies or tuple(array.copy() for array in arrays)

    def has(self, arrays: Sequence[np.ndarray]) -> bool:
        """Whether a result is one of those seen, floating numbers within the tolerance."""
        return any(
            all(_equal(a, b) for a, b in zip(kept, arrays, strict=True))
            for kept in self._kept.values()
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
