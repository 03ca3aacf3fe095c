"""Host devices for tests: little memory, random schedules, a race detector."""

from __future__ import annotations

from gpucore import native
from gpucore.device import get_device
from gpucore.device.host import HostDevice
from gpucore.errors import DeviceError


class SmallDevice(HostDevice):
    """A host device on which almost no memory is free."""

    left = 200_000

    def free_memory(self):
        return self.left


def race_detector(seed=5):
    """Return a device that detects races; lanes may yield at every access."""
    return HostDevice(
        instrumented=True,
        observe="races",
        policy="random",
        seed=seed,
        resident=4,
        yield_access=0.02,
        yield_atomic=0.1,
        strict=True,
        poison=True,
    )


def random_schedule(seed):
    """Return a device on which lanes, warps and blocks take turns at random."""
    return get_device(
        "host",
        policy="random",
        seed=seed,
        resident=1 + seed % 4,
        yield_atomic=0.5,
        strict=True,
        poison=True,
    )


def observed_schedule(seed):
    """Return a device whose lanes may give way before every access, or None without a library.

    On the plain library lanes part only at atomics, racy accesses and meetings.
    """
    try:
        native.library(instrumented=True)
    except DeviceError:
        return None
    return HostDevice(
        instrumented=True,
        observe="nothing",
        policy="random",
        seed=seed,
        resident=1 + seed % 4,
        yield_access=(0.05, 0.3)[seed % 2],
        yield_atomic=0.5,
        strict=True,
        poison=True,
    )
