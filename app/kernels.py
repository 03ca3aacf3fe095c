"""The kernels behind the pages: how many there may be, and when one has to go.

Every open page is a process of about 100 MB. Voila starts as many as there are visitors and keeps
them for as long as it runs; a page that strangers may open needs limits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from time import monotonic
from typing import Any

from jupyter_client.kernelspec import NATIVE_KERNEL_NAME, KernelSpecManager
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from traitlets import Int

#: Seconds a kernel that was given to a page may wait for the browser to connect.
SECONDS_TO_CONNECT = 90


class OwnKernelSpecManager(KernelSpecManager):
    """Knows one kernel: the Python that runs the server.

    A kernel called ``python3`` in the user's own Jupyter directories usually belongs to another
    environment, where Warpscope is not installed.
    """

    def _kernel_dirs_default(self) -> list[str]:
        return []

    def find_kernel_specs(self) -> dict[str, str]:
        """Return the native kernel only."""
        from ipykernel.kernelspec import RESOURCES

        return {NATIVE_KERNEL_NAME: RESOURCES}


class PageKernelManager(AsyncMappingKernelManager):
    """Counts the open pages and shuts kernels down that nobody needs any more.

    Voila derives its pool of waiting kernels from this class; ``_pools`` is Voila's.
    """

    max_pages = Int(16, config=True, help="Largest number of pages open at the same time.")
    disconnected_timeout = Int(
        120, config=True, help="Seconds a kernel is kept after its page has disconnected."
    )
    connected_timeout = Int(
        7200, config=True, help="Seconds a page may be open without being used."
    )

    def __init__(self, **kwargs: Any) -> None:
        self._opening = 0
        self._given_at: dict[str, float] = {}
        self._was_connected: set[str] = set()
        super().__init__(**kwargs)
        self.cull_connected = True
        self.cull_idle_timeout = min(self.disconnected_timeout, self.connected_timeout)

    def pooled(self) -> set[str]:
        """Return the kernels that wait in Voila's pool for a page."""
        waiting = set()
        for pool in getattr(self, "_pools", {}).values():
            for task in pool:
                if task.done() and not task.cancelled() and task.exception() is None:
                    waiting.add(task.result()["kernel_id"])
        return waiting

    def starting(self) -> int:
        """Return how many kernels of the pool are not ready yet."""
        pools = getattr(self, "_pools", {}).values()
        return sum(not task.done() for pool in pools for task in pool)

    def open_pages(self) -> int:
        """Return how many pages hold a kernel or are about to get one."""
        kernels = len(set(self.list_kernel_ids()) - self.pooled())
        return max(0, kernels - self.starting()) + self._opening

    @contextmanager
    def opening(self) -> Iterator[bool]:
        """Reserve a place for a page while it is opened; False if there is none left.

        While it is open a page may be counted twice, by its reservation and by its kernel: the
        limit errs for a moment on the safe side.
        """
        admitted = self.open_pages() < self.max_pages
        self._opening += admitted
        try:
            yield admitted
        finally:
            self._opening -= admitted

    async def start_kernel(self, **kwargs: Any) -> str:  # type: ignore[override]
        """Start a kernel; one that dies later is not brought back empty, but given up.

        A restarted kernel would know nothing of the page that is still open in the browser.
        """
        kernel_id = await super().start_kernel(**kwargs)
        self.add_restart_callback(kernel_id, partial(self._give_up, kernel_id), "restart")
        return kernel_id

    def _give_up(self, kernel_id: str) -> None:
        self.log.warning("A kernel died; its page is told so.")
        task = asyncio.ensure_future(self.shutdown_kernel(kernel_id, now=True))
        task.add_done_callback(lambda done: done.cancelled() or done.exception())

    def notify_connect(self, kernel_id: str) -> None:
        """Remember that a browser has been connected."""
        self._was_connected.add(kernel_id)
        super().notify_connect(kernel_id)

    def remove_kernel(self, kernel_id: str) -> Any:
        """Forget a kernel."""
        self._given_at.pop(kernel_id, None)
        self._was_connected.discard(kernel_id)
        return super().remove_kernel(kernel_id)

    async def cull_kernel_if_idle(self, kernel_id: str) -> None:
        """Shut a page's kernel down if it was idle for too long (never called for pooled ones).

        A kernel may have waited in the pool for hours, so the clock of a page that never
        connected starts when the kernel is first seen outside the pool.
        """
        kernel = self._kernels[kernel_id]
        if not hasattr(kernel, "last_activity"):
            return
        given = self._given_at.setdefault(kernel_id, monotonic())
        connections = self.kernel_model(kernel_id)["connections"]
        if kernel_id not in self._was_connected:
            overdue = monotonic() - given > SECONDS_TO_CONNECT
        else:
            idle = (datetime.now(UTC) - kernel.last_activity).total_seconds()
            overdue = idle > (self.connected_timeout if connections else self.disconnected_timeout)
        if overdue and kernel.execution_state != "busy":
            self.log.info("Shutting an idle kernel down (%d connections).", connections)
            await self.shutdown_kernel(kernel_id)
