"""The page processes: started in advance, given to visitors, ended with a reason.

Each open page is a process of about 100 MB, a kernel in Jupyter's words. On Linux it shares two
thirds of them with the others; see :mod:`.forks`. Some wait with their page drawn, so that a page
opens at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import math
import os
from asyncio import InvalidStateError
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any

from jupyter_client.kernelspec import NATIVE_KERNEL_NAME
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado import web
from voila.notebook_renderer import NotebookRenderer
from voila.utils import get_page_config

from .compiled import CompiledTemplates
from .forks import CAN_FORK, Forks
from .places import Place, Places

#: Seconds after a page was opened in which no process is started for the pool: the page's browser
#: and its first run need the processor.
SECONDS_WITHOUT_START = 4

#: Seconds without a part of the page after which a sign of life is sent instead; proxies end a
#: connection without any.
_SECONDS_OF_SILENCE = 10
_SIGN_OF_LIFE = "<script>window.voila_heartbeat()</script>\n"

#: Most seconds until what draws a page notices that its process has ended; two are usual.
_SECONDS_OF_DRAWING = 10

#: Number of ended processes whose reason is remembered.
_MOST_ENDINGS = 256


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


@dataclass(eq=False)
class Prepared:
    """A page process, and its page's HTML while it is made.

    Attributes
    ----------
    kernel_id : str
    html : asyncio.Queue of (str or None)
        Parts of the page; None is behind the last.
    drawing : asyncio.Task
        Draws the page.
    """

    kernel_id: str
    html: asyncio.Queue[str | None]
    drawing: asyncio.Task[None]


class PageKernelManager(AsyncMappingKernelManager):
    """Starts page processes, keeps some waiting, and remembers why each was ended.

    Attributes
    ----------
    places : Places
        The open pages; set by the server.
    forks : Forks or None
        Starts processes as copies of one; None where each is started by its command.
    """

    places: Places

    def __init__(self, **kwargs: Any) -> None:
        self._waiting: dict[str, deque[Prepared]] = {}
        #: Processes that are being started, by the place that they are for.
        self._starting: dict[Place, asyncio.Future[Prepared]] = {}
        #: What draws a page, by the identifier of its process.
        self._drawings: dict[str, asyncio.Task[None]] = {}
        self._opening = 0
        self._opened_at = -math.inf
        self._endings: OrderedDict[str, str] = OrderedDict()
        self._templates = CompiledTemplates()
        self.forks = Forks() if CAN_FORK else None
        super().__init__(**kwargs)

    # Starting

    async def prepare(self, name: str) -> Prepared:
        """Start a process for the page `name`, which draws its page from now on."""
        renderer = self._renderer(f"{name}.ipynb")
        await renderer.initialize()
        renderer.exporter.environment.bytecode_cache = self._templates
        kernel_id = await self.start_kernel(kernel_name=NATIVE_KERNEL_NAME, env=dict(os.environ))
        html: asyncio.Queue[str | None] = asyncio.Queue()
        drawing = asyncio.ensure_future(self._draw(renderer, kernel_id, html))
        self._drawings[kernel_id] = drawing
        return Prepared(kernel_id, html, drawing)

    async def _draw(
        self, renderer: NotebookRenderer, kernel_id: str, html: asyncio.Queue[str | None]
    ) -> None:
        """Put the parts of a page into a queue."""
        try:
            kernel = self.get_kernel(kernel_id)
            async for part, _ in renderer.generate_content_generator(kernel_id, kernel):
                html.put_nowait(part)
        except Exception:
            if kernel_id in self._endings:  # ended on purpose
                return
            self.log.exception("A page could not be drawn.")
            await self.end(kernel_id, "This page could not be drawn; the server's log says why.")
        finally:
            del self._drawings[kernel_id]
            html.put_nowait(None)

    def _renderer(self, path: str) -> NotebookRenderer:
        site: Any = self.parent
        common = {"base_url": site.base_url, "voila_configuration": site.voila_configuration}
        settings = site.app.settings
        return NotebookRenderer(
            **common,
            traitlet_config=site.config,
            notebook_path=path,
            template_paths=site.template_paths,
            config_manager=site.config_manager,
            contents_manager=site.contents_manager,
            kernel_spec_manager=self.kernel_spec_manager,
            page_config=get_page_config(**common, settings=settings, log=self.log),
            mathjax_config=settings.get("mathjax_config"),
            mathjax_url=settings.get("mathjax_url"),
        )

    # The pool

    async def keep_warm(self, sizes: Mapping[str, int]) -> None:
        """Keep processes with drawn pages waiting for visitors; never returns.

        They are started one after the other, and none while a page is being opened: a visitor's
        page needs the processor.

        Parameters
        ----------
        sizes : mapping of str to int
            Number of processes for each page, the most important first.
        """
        while True:
            await asyncio.sleep(0.2)
            short = [name for name, size in sizes.items() if len(self._pool(name)) < size]
            if not short or self._opening or monotonic() - self._opened_at < SECONDS_WITHOUT_START:
                continue
            try:
                prepared = await self.prepare(short[0])
                self._pool(short[0]).append(prepared)
                # Shielded: a visitor may have the process by now.
                await asyncio.shield(prepared.drawing)
            except Exception:
                self.log.exception("A page process for the pool could not be started.")
                await asyncio.sleep(10)

    def _pool(self, name: str) -> deque[Prepared]:
        return self._waiting.setdefault(name, deque())

    def waits(self, kernel_id: str) -> bool:
        """Return whether a process waits in the pool."""
        return any(p.kernel_id == kernel_id for pool in self._waiting.values() for p in pool)

    # Opening a page

    @contextmanager
    def _page_opens(self) -> Iterator[None]:
        self._opening += 1
        try:
            yield
        finally:
            self._opening -= 1
            self._opened_at = monotonic()

    async def open_page(self, place: Place, name: str) -> AsyncIterator[str]:
        """Give a place its process, and yield the HTML of the page."""
        with self._page_opens():
            prepared = await self._take(place, name)
            place.kernel_id = prepared.kernel_id
            while True:
                try:
                    part = await asyncio.wait_for(prepared.html.get(), _SECONDS_OF_SILENCE)
                except TimeoutError:
                    part = _SIGN_OF_LIFE
                if part is None:
                    break
                place.seen = self.places.clock()
                yield part
            place.served = True
            place.seen = place.last_use = self.places.clock()

    async def _take(self, place: Place, name: str) -> Prepared:
        """Return a waiting process, or a new one."""
        if self._pool(name):
            return self._pool(name).popleft()
        starting = self._starting[place] = asyncio.ensure_future(self.prepare(name))
        # Shielded: a process whose start was broken off could not be ended.
        prepared = await asyncio.shield(starting)
        del self._starting[place]
        return prepared

    async def leave(self, place: Place) -> None:
        """End the process of a place whose page was not sent, then free the place.

        The place stays taken until then: who leaves while processes start has no more of them than
        places.
        """
        starting = self._starting.pop(place, None)
        if starting is not None:
            with contextlib.suppress(Exception):  # a start that failed is in the log
                place.kernel_id = (await starting).kernel_id
        if place.kernel_id:
            await self.end(place.kernel_id, "The visitor left.")
        self.places.release(place)

    # Ending

    def stop_drawing(self) -> None:
        """Draw no further page: the server stops, and ends the processes that would answer."""
        for drawing in self._drawings.values():
            drawing.cancel()

    async def end(self, kernel_id: str, reason: str) -> None:
        """End a process and free its place.

        Parameters
        ----------
        kernel_id : str
        reason : str
            A sentence that the page shows.
        """
        self._endings[kernel_id] = reason
        if len(self._endings) > _MOST_ENDINGS:
            self._endings.popitem(last=False)
        place = self.places.of_process(kernel_id)
        if place is not None:
            for socket in place.sockets:
                socket.close(1001, "the page process was ended")
        for pool in self._waiting.values():
            for prepared in [p for p in pool if p.kernel_id == kernel_id]:
                pool.remove(prepared)
        try:
            # The process may be gone, or another call may be ending it.
            with contextlib.suppress(KeyError, RuntimeError, InvalidStateError, web.HTTPError):
                await self.shutdown_kernel(kernel_id, now=True)
            # What still draws the page has connections; they count as the place's until it ends.
            drawing = self._drawings.get(kernel_id)
            if drawing is not None and drawing is not asyncio.current_task():
                await asyncio.wait([drawing], timeout=_SECONDS_OF_DRAWING)
        finally:
            if place is not None:
                self.places.release(place)
        # Some MiB of drawing the page refer to each other. What was loaded before the first page is
        # frozen, so this takes milliseconds.
        gc.collect()

    def ending(self, kernel_id: str) -> str:
        """Return why a process was ended; empty if it was not."""
        return self._endings.get(kernel_id, "")

    def process_of(self, kernel_id: str) -> Any:
        """Return the process (:class:`subprocess.Popen`) of a page, or None."""
        kernel = self._kernels.get(kernel_id)
        return getattr(getattr(kernel, "provisioner", None), "process", None)

    # What the page asks

    def kernel_model(self, kernel_id: str) -> dict[str, Any]:
        """Return what the page shows of its process: Jupyter's model, silence, refusals.

        ``silent`` is the number of seconds for which a message has not been handled.
        """
        self._check_kernel_id(kernel_id)
        kernel = self._kernels[kernel_id]
        place = self.places.of_process(kernel_id)
        model: dict[str, Any] = {
            "id": kernel_id,
            "name": kernel.kernel_name,
            # Not set while the process starts.
            "execution_state": getattr(kernel, "execution_state", "starting"),
            "connections": len(place.sockets) if place else 0,
        }
        if place is not None:
            place.seen = self.places.clock()
            since = place.unanswered_since
            model["silent"] = 0 if since is None else round(monotonic() - since)
            model["refusal"] = place.refusal
        return model

    def _check_kernel_id(self, kernel_id: str) -> None:
        """Answer 404 with the reason why a process was ended."""
        if kernel_id not in self:
            raise web.HTTPError(404, self.ending(kernel_id) or "There is no such page process.")
