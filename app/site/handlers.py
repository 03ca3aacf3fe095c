"""The request handlers: landing page, dashboards, the state of a page process."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from jupyter_server.base.handlers import APIHandler, JupyterHandler
from jupyter_server.services.kernels.handlers import KernelHandler
from tornado import web
from tornado.iostream import StreamClosedError

from gpucore.format import human_bytes

from ..gallery import Entry, entries
from ..glossary import terms
from ..limits import PageLimits
from ..pages import Page
from ..play.policy import PAGE
from ..stories.library import Shipped, first_story, stories
from .access import Access
from .answers import MessageHandler
from .first_run import ADDRESS, FirstRun
from .places import NoPlace, Place, Visitor
from .playground import Playground
from .replays import StaticReplays
from .turns import InTurn
from .watch import LEFT

#: Seconds after which a waiting page asks again.
_RETRY = 5

#: What the first visitor of the playground reads.
_PREPARED = (
    "Its compiler is fetched and packed, once, which takes a minute or two the first time that "
    "this computer does it. This page opens the playground by itself."
)

#: Title and text for each reason of :class:`~.places.NoPlace`; ``{total}`` is the number of places.
_NO_PLACES = {
    "visitor": (
        "You have enough pages open",
        "One visitor may not open more. Close one of your pages; then this one opens by itself.",
    ),
    "address": (
        "Your network has enough pages open",
        "One network may not open more. When one of its pages is closed, this one opens by itself.",
    ),
    "queue": (
        "All places are taken",
        "Many visitors wait already. Please come back later; this page asks again by itself.",
    ),
    "full": (
        "All places are taken",
        "Each open page is a process on the server, which has room for {total} of them. This page "
        "opens by itself when it is your turn.",
    ),
}


class SiteHandler(InTurn, MessageHandler):
    """A handler of pages: it gives a visitor the cookie, and slows who asks too often."""

    def initialize(self, **kwargs: Any) -> None:
        """Take the rules of access and the shares."""
        self.access: Access = kwargs.pop("access")
        self.initialize_turns(kwargs.pop("shares"), self.access)
        super().initialize(**kwargs)

    async def prepare(self) -> None:
        """Wait if the visitor asks too often; remove a token from the address."""
        await self.turn()
        await JupyterHandler.prepare(self)
        # Reading the token sets its cookie. Without the cookie the message of a closing tab is
        # refused, and its page process stays.
        _ = self.xsrf_token
        self.access.admit(self)


def gallery_of(pages: Mapping[str, Page]) -> list[tuple[Page, list[Entry]]]:
    """Return the dashboards that open recorded runs, each with its runs."""
    runs = {
        page: [run for run in entries().values() if run.family == page.family]
        for page in pages.values()
        if page.gallery
    }
    return [(page, found) for page, found in runs.items() if found]


def stories_of(pages: Mapping[str, Page]) -> list[tuple[Page, list[Shipped]]]:
    """Return the dashboards with stories, each with its stories."""
    found = {
        page: [one for one in stories().values() if one.family == page.family]
        for page in pages.values()
        if page.gallery
    }
    return [(page, shown) for page, shown in found.items() if shown]


class LandingHandler(SiteHandler):
    """The landing page: all dashboards; it needs no page process."""

    def initialize(self, **kwargs: Any) -> None:
        """Take the pages and limits."""
        self.pages: dict[str, Page] = kwargs.pop("pages")
        self.limits: PageLimits = kwargs.pop("limits")
        super().initialize(**kwargs)

    @web.authenticated
    def get(self) -> None:
        """Show the dashboards."""
        places = self.kernel_manager.places
        self.set_header("Cache-Control", "no-store")
        self.write(
            self.render_template(
                "home.html",
                pages=self.pages.values(),
                gallery=gallery_of(self.pages),
                stories=stories_of(self.pages),
                first_story=first_story(),
                first_run=ADDRESS,
                used=places.used,
                places=places.total,
                limits=self.limits,
                upload=human_bytes(self.limits.upload_bytes),
            )
        )


class FirstRunHandler(SiteHandler):
    """The run that plays on the landing page."""

    def initialize(self, **kwargs: Any) -> None:
        """Take the run."""
        self.first_run: FirstRun = kwargs.pop("first_run")
        super().initialize(**kwargs)

    @web.authenticated
    async def get(self) -> None:
        """Send the page."""
        page = await self.first_run.page()
        if not page:
            raise web.HTTPError(503)
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Cache-Control", "max-age=600")
        self.write(page)


class GlossaryHandler(SiteHandler):
    """The glossary; it needs no page process."""

    @web.authenticated
    def get(self) -> None:
        """Show all terms."""
        self.write(self.render_template("glossary.html", terms=terms()))


class PageHandler(SiteHandler):
    """One dashboard, if the site has a place for the visitor."""

    _opening: asyncio.Task[None] | None = None

    def initialize(self, **kwargs: Any) -> None:
        """Take the dashboards and the static pages."""
        self.pages: dict[str, Page] = kwargs.pop("pages")
        self.replays: StaticReplays = kwargs.pop("replays")
        super().initialize(**kwargs)

    @web.authenticated
    async def get(self, path: str) -> None:
        """Serve the dashboard called `path`."""
        if path not in self.pages:
            raise web.HTTPError(404)
        visitor = self.access.visitor_of(self.request)
        try:
            place = await self._place_of(visitor)
        except NoPlace as none:
            self._wait(none)
            return
        self._opening = asyncio.ensure_future(self._serve(place, path))
        try:
            await self._opening
        except (asyncio.CancelledError, StreamClosedError):
            self.log.info("A visitor left before the page was sent.")
        finally:
            if not place.served:
                await self.kernel_manager.leave(place)

    async def _place_of(self, visitor: Visitor) -> Place:
        """Give a visitor a place; its page that lost its browser gives way where a share is full.

        A browser that reloads does not always say that it closes the old page.
        """
        manager: Any = self.kernel_manager
        try:
            return manager.places.take(visitor)
        except NoPlace as none:
            lost = manager.places.lost_of(visitor)
            if lost is None or none.reason not in ("visitor", "address"):
                raise
        await manager.end(lost.kernel_id, LEFT)
        return manager.places.take(visitor)

    async def _serve(self, place: Any, name: str) -> None:
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        async for part in self.kernel_manager.open_page(place, name):
            self.write(part)
            await self.flush()

    def on_connection_close(self) -> None:
        """Stop opening a page whose visitor has left."""
        super().on_connection_close()
        if self._opening is not None:
            self._opening.cancel()

    def _wait(self, none: NoPlace) -> None:
        """Show why there is no place, and the position in the queue."""
        title, text = _NO_PLACES[none.reason]
        text = text.format(total=self.kernel_manager.places.total)
        self.replays.start()
        ready = self.replays.ready()
        self.message(503, title, text, retry=_RETRY, position=none.position, replays=ready)


class PlayHandler(SiteHandler):
    """The playground, which needs no page process."""

    def initialize(self, **kwargs: Any) -> None:
        """Take the playground."""
        self.playground: Playground = kwargs.pop("playground")
        super().initialize(**kwargs)

    @web.authenticated
    def get(self) -> None:
        """Send the page, or say that it is being written."""
        if not self.playground.ready:
            self.playground.start()
            self.message(503, "The playground is being prepared", _PREPARED, retry=_RETRY)
            return
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        self.write((self.playground.folder / PAGE).read_bytes())


class StateHandler(KernelHandler):
    """The state of a page process, for its page: alive, silent, or ended and why."""

    SUPPORTED_METHODS = ("GET",)


class FarewellHandler(APIHandler):
    """What a tab sends when it is closed."""

    SUPPORTED_METHODS = ("POST",)

    @web.authenticated
    async def post(self, kernel_id: str) -> None:
        """End the page's process."""
        manager: Any = self.kernel_manager
        if manager.places.of_process(kernel_id) is None:
            raise web.HTTPError(404)
        await manager.end(kernel_id, "This page was closed.")
        self.set_status(204)
        self.finish()


class NotFoundHandler(SiteHandler):
    """Everything else."""

    async def prepare(self) -> None:
        """Answer 404 to every method, after the checks every request passes."""
        await super().prepare()
        raise web.HTTPError(404)
