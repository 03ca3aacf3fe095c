"""Watches page processes: ends those that are dead, too large, left by visitors, or not used.

The operating system's limits (:mod:`.page_process`) stop a single allocation that is too large.
This loop measures what a process with all its children really uses, also on machines with a GPU,
and charges its visitor for the processor time.
"""

from __future__ import annotations

import asyncio
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psutil

from gpucore.format import human_bytes

from ..limits import PageLimits
from .places import Place
from .priority import ProcessorShares

if TYPE_CHECKING:
    from .kernel_pool import PageKernelManager

#: Seconds between two rounds.
_PERIOD = 1.0

#: Seconds without a sign of life of a page whose browser has not connected. The page asks after its
#: process every three seconds from its first script on.
SECONDS_TO_CONNECT = 12

#: The same, for a page that asks after its process and never connects.
LONGEST_TO_CONNECT = 90

#: Processes and threads of one page.
_MOST_TASKS = 1024

_CAN_BE_READ = " The content of the page can still be read and played."
LEFT = "The browser left this page, so its process was ended."
UNUSED = "This page was not used for a while, so its process was ended." + _CAN_BE_READ
DIED = "The process behind this page has died." + _CAN_BE_READ


@dataclass
class Use:
    """What a page process uses with all its children.

    Attributes
    ----------
    size : int
        Bytes of memory.
    tasks : int
        Processes and threads.
    seconds : float
        Processor time since the start, that of ended children included.
    """

    size: int = 0
    tasks: int = 0
    seconds: float = 0.0

    @classmethod
    def of(cls, pid: int) -> Use | None:
        """Measure a process; None if it has ended at this moment."""
        use = cls()
        try:
            first = psutil.Process(pid)
            for process in [first, *first.children(recursive=True)]:
                with process.oneshot():
                    use.size += process.memory_info().rss
                    use.tasks += process.num_threads()
                    times = process.cpu_times()
                use.seconds += times.user + times.system
                use.seconds += times.children_user + times.children_system
        except psutil.Error:
            return None
        return use


@dataclass
class Watch:
    """The loop.

    Parameters
    ----------
    manager : PageKernelManager
    limits : PageLimits
        ``process_bytes`` and ``process_seconds`` are used.
    disconnected_timeout : float
        Seconds a process is kept after its page has disconnected.
    connected_timeout : float
        Seconds a page may be open without being used.
    shares : ProcessorShares
        Processor time of the visitors.
    """

    manager: PageKernelManager
    limits: PageLimits
    disconnected_timeout: float
    connected_timeout: float
    shares: ProcessorShares

    async def run(self) -> None:
        """Watch the processes; never returns."""
        while True:
            await asyncio.sleep(_PERIOD)
            for kernel_id in self.manager.list_kernel_ids():
                try:
                    reason = self.look_at(kernel_id)
                    if reason:
                        await self.manager.end(kernel_id, reason)
                except Exception:  # the others must be watched all the same
                    self.manager.log.exception("A page process could not be watched.")

    def look_at(self, kernel_id: str) -> str:
        """Charge the visitor of a process for what it used.

        Returns
        -------
        str
            Why the process is to be ended, as a sentence for its page; empty if it is not.
        """
        process = self.manager.process_of(kernel_id)
        if process is None:  # still starting
            return ""
        code = process.poll()
        if code is not None:
            reason = self.manager.ending(kernel_id)
            if reason:  # it was ended on purpose, and is still being cleared away
                return reason
            reason = self._why_it_died(code)
            self.manager.log.warning("A page process ended with code %d: %s", code, reason)
            return reason
        use = Use.of(process.pid)
        if use is None:
            return ""
        reason = self._too_large(use)
        if reason:
            self.manager.log.warning("A page process was ended: %s", reason)
            return reason
        place = self.manager.places.of_process(kernel_id)
        if place is None:  # it waits for a visitor
            return ""
        self.shares.charge(place, process.pid, use.seconds)
        return self.not_used(place)

    def _why_it_died(self, code: int) -> str:
        if code == -getattr(signal, "SIGXCPU", 0):
            minutes = max(1, round(self.limits.process_seconds / 60))
            return (
                f"This page has used all the processor time that a page may use ({minutes} "
                "minutes), so its process was ended." + _CAN_BE_READ
            )
        if code in (-signal.SIGABRT, -getattr(signal, "SIGKILL", 0)):
            return (
                "The process behind this page has died, perhaps because it ran out of memory."
                + _CAN_BE_READ
            )
        return DIED

    def _too_large(self, use: Use) -> str:
        """Return a sentence if a process with its children uses more than it may."""
        if use.size > self.limits.process_bytes:
            most = human_bytes(self.limits.process_bytes)
            return (
                f"This page used more memory than a page may ({most}), so its process was ended."
                + _CAN_BE_READ
            )
        if use.tasks > _MOST_TASKS:
            return (
                "This page started more threads than a page may, so its process was ended."
                + _CAN_BE_READ
            )
        return ""

    def not_used(self, place: Place) -> str:
        """Return a sentence if the visitor of a place has left, or does not use it."""
        now = self.manager.places.clock()
        silent, unused = now - place.seen, now - place.last_use
        if place.sockets or not place.served:
            return UNUSED if unused > self.connected_timeout else ""
        if place.was_connected:
            left = silent > self.disconnected_timeout or unused > self.connected_timeout
        else:
            left = silent > SECONDS_TO_CONNECT or unused > LONGEST_TO_CONNECT
        return LEFT if left else ""


__all__ = ["DIED", "LEFT", "UNUSED", "Use", "Watch"]
