"""What keeps a run from going its way: little memory, somebody who cancels, watched lanes."""

from __future__ import annotations

from gpucore.device.host import HostDevice


class SmallDevice(HostDevice):
    """A host on which others have taken nearly all memory."""

    left = 200_000

    def free_memory(self):
        return self.left


class Later:
    """Asks for an end after having been asked a number of times."""

    def __init__(self, patience):
        self.patience = patience

    def is_set(self):
        self.patience -= 1
        return self.patience < 0


def race_detector(seed=5):
    """Return a device that finds races, and lets lanes give way anywhere."""
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
