"""Processor time of each visitor, over all their pages: who has used a share gives way to others.

Page processes have a lower priority than the server. Once all pages of a visitor together have used
the visitor's share of processor time, their priority is lowered further. Nothing is stopped: alone
on the machine such pages are as fast as before, among others they get what these leave. The share
comes back with time.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic

from .places import Place
from .rates import Bucket, Buckets

#: Added to the niceness of the server for every page process; and further, where the visitor, or
#: all visitors of the network address, have used their share.
PAGE, OVER_VISITOR, OVER_ADDRESS = 5, 10, 4

#: The lowest priority that systems know.
_LOWEST = 19

#: Shares of one network address, in shares of a visitor: new cookies do not make an endless share.
_VISITORS_OF_ADDRESS = 4

_HOUR = 3600


class ProcessorShares:
    """Charges visitors for processor time, and sets the priorities of their pages.

    Parameters
    ----------
    seconds : float
        Processor time that all pages of one visitor may use in an hour before they give way.
    clock : callable
        Returns the time in seconds.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        def buckets(share: float) -> Buckets:
            return Buckets(share / _HOUR, share, debt=share, clock=clock)

        self._visitors = buckets(seconds)
        self._addresses = buckets(seconds * _VISITORS_OF_ADDRESS)

    def charge(self, place: Place, pid: int, used: float) -> None:
        """Charge a visitor for what a page has used since the last call, and set its priority.

        Parameters
        ----------
        place : Place
        pid : int
            Its page process.
        used : float
            Processor time in seconds that the process has used since its start. What it used before
            the first call is not charged: it was waiting for a visitor.
        """
        new = used - (used if place.processor_seconds is None else place.processor_seconds)
        place.processor_seconds = used
        more = PAGE
        more += OVER_VISITOR if _is_used_up(self._visitors[place.visitor.name], new) else 0
        more += OVER_ADDRESS if _is_used_up(self._addresses[place.visitor.address], new) else 0
        if more != place.niceness:
            place.niceness = more
            set_priority(pid, more)


def _is_used_up(share: Bucket, seconds: float) -> bool:
    """Take processor time from a share, and return whether nothing is left of it."""
    return share.take(max(0.0, seconds)) > 0


def set_priority(pid: int, more: int) -> None:
    """Set the priority of a page process with all its threads and children.

    Parameters
    ----------
    pid : int
        The page process, which leads its process group and session. It may have ended.
    more : int
        Added to the niceness of this process. A smaller number than before needs rights that a
        server may not have; without them the priority stays.
    """
    if not hasattr(os, "setpriority"):  # Windows
        return
    niceness = min(_LOWEST, os.getpriority(os.PRIO_PROCESS, 0) + more)
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PGRP, pid, niceness)
        # Where Linux groups processes by sessions, that counts within the session only, and the
        # session has a niceness of its own.
        if os.getsid(pid) == pid:
            Path(f"/proc/{pid}/autogroup").write_text(str(niceness))


__all__ = ["PAGE", "ProcessorShares", "set_priority"]
