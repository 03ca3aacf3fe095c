"""Ends launches whose lanes loop without a step that the executor sees, such as ``for (;;) {}``."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from gpucore.device.host import HostDevice

#: Seconds of processor time without a sign of life: the executor gives one every 50 ms.
_PATIENCE = 0.3
_INTERVAL = 0.05


class Silence:
    """Whether a launch was ended for its silence."""

    def __init__(self) -> None:
        self.ended = False
        self._signs = 0

    def heard(self, *_: object) -> None:
        """Take a sign of life."""
        self._signs += 1

    def watch(self, host: HostDevice, clock: int, over: threading.Event) -> None:
        """Tear the lanes off when the launching thread works on and gives no sign."""
        signs, since = self._signs, time.clock_gettime(clock)
        while not over.wait(_INTERVAL):
            now = time.clock_gettime(clock)
            if self._signs != signs:
                signs, since = self._signs, now
            elif now - since > _PATIENCE:
                self.ended = True
                host._interrupt()


@contextmanager
def ended_in_silence(host: HostDevice) -> Iterator[Silence]:
    """Watch the launches of this OS thread on a device; Ctrl-C then works in any loop."""
    silence, over = Silence(), threading.Event()
    clock = time.pthread_getcpuclockid(threading.get_ident())
    watcher = threading.Thread(
        target=silence.watch, args=(host, clock, over), name="warplens-silence", daemon=True
    )
    watcher.start()
    try:
        with host.cancel_with(None, silence.heard):
            yield silence
    finally:
        over.set()
        watcher.join()
