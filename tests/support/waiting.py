"""Waiting for what follows a moment later, which is long on a busy machine."""

from __future__ import annotations

from time import monotonic, sleep

#: Seconds to wait for anything.
PATIENCE = 120.0


def wait_until(holds, seconds=PATIENCE):
    """Wait until a condition holds, and return what it returned."""
    end = monotonic() + seconds
    while not (held := holds()):
        assert monotonic() < end, "what was waited for did not come"
        sleep(0.1)
    return held
