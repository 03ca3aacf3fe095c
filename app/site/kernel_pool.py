"""The page processes: how many there may be, and when one is ended.

Each open page is a process of about 100 MB, a kernel in Jupyter's words. Voila starts one for each
visitor and keeps it until the server ends; a public server needs limits.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from time import monotonic
from typing import Any

from jupyter_client.kernelspec import NATIVE_KERNEL_NAME, KernelSpecManager
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from traitlets import Int

#: Seconds that the process of a new page waits for the browser to connect.
SECONDS_TO_CONNECT = 90

#: Seconds after a page was opened in which no process is started for the pool: the page's browser
#: and its first run need the processor.
SECONDS_WITHOUT_START = 4


def shares(names: Iterable[str], total: int) -> dict[str, int]:
    """Distribute `total` waiting processes over dashboards: one each, then another round.

    Examples
    --------
    >>> shares(["first", "second"], 3)
    {'first': 2, 'second': 1}
    >>> shares(["first", "second"], 1)
    {'first': 1, 'second': 0}
    """
    order = list(names)
    rounds, rest = divmod(total, len(order)) if order else (0, 0)
    return {name: rounds + (place < rest) for place, name in enumerate(order)}


#: Configuration of an empty pool; :meth:`PageKernelManager.keep_warm` fills Voila's pool itself.
NO_POOL = {"default": {"pool_size": 0}}


class OwnKernelSpecManager(KernelSpecManager):
    """Knows one kernel specification: the Python that runs the server.

    A specification called ``python3`` in the user's own Jupyter directories usually belongs to
    another environment, where Warpscope is not installed.
    """

    def _kernel_dirs_default(self) -> list[str]:
        return []

    def find_kernel_specs(self) -> dict[str, str]:
        """Return the native specification only."""
        from ipykernel.kernelspec import RESOURCES

        return {NATIVE_KERNEL_NAME: RESOURCES}


class PageKernelManager(AsyncMappingKernelManager):
    """Counts the open pages and ends page processes that are no longer used.

    Voila derives its pool of waiting processes from this class.
    """

    # Defined by Voila's subclass, which has the pool.
    _pools: dict[str, list[asyncio.Task[Any]]]
    get_pool_size: Callable[[str], int]
    fill_if_needed: Callable[..., None]

    max_pages = Int(16, config=True, help="Largest number of pages open at the same time.")
    disconnected_timeout = Int(
        120, config=True, help="Seconds a page process is kept after its page has disconnected."
    )
    connected_timeout = Int(
        7200, config=True, help="Seconds a page may be open without being used."
    )

    def __init__(self, **kwargs: Any) -> None:
        self._opening = 0
        self._opened_at = -math.inf
        self._given_at: dict[str, float] = {}
        self._was_connected: set[str] = set()
        super().__init__(**kwargs)
        self.cull_connected = True
        self.cull_idle_timeout = min(self.disconnected_timeout, self.connected_timeout)

    def pooled(self) -> set[str]:
        """Return the processes that wait in Voila's pool for a page."""
        waiting = set()
        for pool in getattr(self, "_pools", {}).values():
            for task in pool:
                if task.done() and not task.cancelled() and task.exception() is None:
                    waiting.add(task.result()["kernel_id"])
        return waiting

    def starting(self) -> int:
        """Return how many processes of the pool are not ready yet."""
        pools = getattr(self, "_pools", {}).values()
        return sum(not task.done() for pool in pools for task in pool)

    def open_pages(self) -> int:
        """Return how many pages have a process or are about to get one."""
        kernels = len(set(self.list_kernel_ids()) - self.pooled())
        return max(0, kernels - self.starting()) + self._opening

    @contextmanager
    def opening(self) -> Iterator[bool]:
        """Reserve a place for a page while it is opened; False if there is none left.

        While it is open a page may be counted twice, by its reservation and by its process, so the
        limit may admit one page too few for a moment.
        """
        admitted = self.open_pages() < self.max_pages
        self._opening += admitted
        try:
            yield admitted
        finally:
            self._opening -= admitted
            self._opened_at = monotonic()

    async def keep_warm(self, sizes: Mapping[str, int]) -> None:
        """Keep processes with executed notebooks waiting for visitors; never returns.

        Voila's own pool starts all its processes at once, and the next one while a visitor's page
        loads, which slows that page down. This method starts them one after the other, and none
        while a page is being opened.

        Parameters
        ----------
        sizes : mapping of str to int
            Number of processes for each notebook, the most important first.
        """
        while True:
            await asyncio.sleep(0.2)
            short = [name for name, size in sizes.items() if self.get_pool_size(name) < size]
            if not short or self._opening or monotonic() - self._opened_at < SECONDS_WITHOUT_START:
                continue
            try:
                await self._start_one(short[0])
            except Exception:
                self.log.exception("A page process for the pool could not be started.")
                await asyncio.sleep(10)

    async def _start_one(self, name: str) -> None:
        """Add one process to the pool of a notebook and wait until it has executed the notebook."""
        self.kernel_pools_config = {name: {"pool_size": self.get_pool_size(name) + 1}}
        self.fill_if_needed(delay=0, notebook_name=name)
        self.kernel_pools_config = NO_POOL
        # Shielded: a cancelled wait must not end the process, which may belong to a visitor by now.
        content = await asyncio.shield(self._pools[name][-1])
        drawn: asyncio.Task[Any] = content["task"]
        # When the server ends, no caller reads the result; without this asyncio logs an error.
        drawn.add_done_callback(lambda done: done.cancelled() or done.exception())
        await asyncio.shield(drawn)

    async def start_kernel(self, **kwargs: Any) -> str:  # type: ignore[override]
        """Start a page process; if it dies later, it is not restarted.

        A restarted process would not have the state of the page that is open in the browser.
        """
        kernel_id = await super().start_kernel(**kwargs)
        self.add_restart_callback(kernel_id, partial(self._give_up, kernel_id), "restart")
        return kernel_id

    def _give_up(self, kernel_id: str) -> None:
        self.log.warning("A page process died; its page shows that.")
        task = asyncio.ensure_future(self.shutdown_kernel(kernel_id, now=True))
        task.add_done_callback(lambda done: done.cancelled() or done.exception())

    def notify_connect(self, kernel_id: str) -> None:
        """Remember that a browser has connected."""
        self._was_connected.add(kernel_id)
        super().notify_connect(kernel_id)

    def remove_kernel(self, kernel_id: str) -> Any:
        """Forget a page process."""
        self._given_at.pop(kernel_id, None)
        self._was_connected.discard(kernel_id)
        return super().remove_kernel(kernel_id)

    async def cull_kernel_if_idle(self, kernel_id: str) -> None:
        """End a page process that was idle for too long (never called for those of the pool).

        A process may have waited in the pool for hours, so the time of a page that never connected
        starts when its process is first seen outside the pool.
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
            self.log.info("Ending an idle page process (%d connections).", connections)
            await self.shutdown_kernel(kernel_id)
