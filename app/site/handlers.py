"""The request handlers: landing page, dashboards, the state of a page process, refusals."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from jupyter_server.base.handlers import APIHandler, JupyterHandler
from jupyter_server.services.kernels.handlers import KernelHandler
from tornado import web
from tornado.iostream import StreamClosedError
from voila.handler import BaseVoilaHandler
from voila.utils import create_include_assets_functions

from gpucore.format import human_bytes

from ..gallery import Entry, entries
from ..glossary import terms
from ..limits import PageLimits
from ..pages import Page
from ..stories.library import Shipped, first_story, stories
from .access import Access
from .assets import TEMPLATE
from .places import NoPlace, Place, Visitor
from .replays import PART, StaticReplays
from .turns import InTurn
from .watch import LEFT

#: Lets the browser load from this server only. Widgets are loaded through blob addresses, and
#: Bokeh compiles the code of its callbacks.
CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "worker-src 'self' blob:",
        "connect-src 'self' data: blob:",
        "form-action 'self'",
        "base-uri 'self'",
        "object-src 'none'",
    ]
)


def headers_for(embedders: Iterable[str] = ()) -> dict[str, str]:
    """Return the headers of every answer.

    Parameters
    ----------
    embedders : iterable of str
        Origins whose pages may show these pages in a frame, besides this server.
    """
    ancestors = " ".join(["frame-ancestors 'self'", *embedders])
    return {
        "Content-Security-Policy": f"{CONTENT_SECURITY_POLICY}; {ancestors}",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
    }


#: Seconds after which a waiting page asks again.
_RETRY = 5

_ERROR_TEXTS = {
    404: "There is no page at this address.",
    405: "This address does not take such requests.",
}

#: Title and text for each reason of :class:`~.access.Refused`.
_REFUSALS = {
    "host": (
        "Another host name is needed",
        "This server does not answer to this host name. If a reverse proxy passes requests on, "
        "name its host with --allow-host.",
    ),
    "missing": (
        "A token is needed",
        "This site needs a token, and a cookie in your browser that remembers it. The token "
        "is part of the address that was printed when the server was started.",
    ),
    "wrong": (
        "The token is wrong",
        "This is not the token of this site. The token is part of the address that was "
        "printed when the server was started; it changes with every start unless one was chosen.",
    ),
    "often": (
        "Please wait a minute",
        "Too many wrong tokens came from your address, so that even the right one is not taken "
        "now. Open this page again in a minute.",
    ),
}

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


def _title(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Error"


class RefusalHandler(web.RequestHandler):
    """Answers a request that may not come in; needs nothing that a visitor has to load."""

    def initialize(self, status: int, reason: str, environment: Any) -> None:
        """Take the answer, and the templates."""
        self._refusal, self._environment = (status, reason), environment

    def prepare(self) -> None:
        """Answer at once, whatever the method."""
        status, reason = self._refusal
        self.set_status(status)
        for header, value in self.settings["headers"].items():
            self.set_header(header, value)
        self.set_header("Cache-Control", "no-store")
        title, text = _REFUSALS[reason]
        asks = reason in ("missing", "wrong")
        template = self._environment.get_template("refused.html")
        self.finish(template.render(title=title, text=text, asks=asks))

    def check_xsrf_cookie(self) -> None:
        """Check nothing: nothing is done for the request."""


@functools.cache
def _addresses_of_files(base_url: str) -> dict[str, Any]:
    """Return Voila's template functions for files, which remember what they returned.

    Without that each of them reads the file for every visitor, most of the time of a page.
    """
    functions = create_include_assets_functions(TEMPLATE, base_url)
    return {name: functools.cache(function) for name, function in functions.items()}


class _MessageHandler(BaseVoilaHandler):
    """A handler that shows errors on a page of our own."""

    def render_template(self, name: str, **values: Any) -> str:
        """Return a page made from one of our templates."""
        values |= _addresses_of_files(self.base_url)
        return str(self.get_template(name).render(**values, base_url=self.base_url))

    def message(
        self,
        status: int,
        title: str,
        text: str,
        *,
        retry: int = 0,
        position: int = 0,
        replays: Sequence[Entry] = (),
    ) -> None:
        """Answer with a page that shows a message.

        Parameters
        ----------
        status : int
        title, text : str
        retry : int
            Seconds after which the page asks again by itself; 0 for never.
        position : int
            The visitor's position in the queue; 0 outside of it.
        replays : sequence of Entry
            Recorded runs that are offered as static pages.
        """
        self.set_status(status)
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        if retry:
            self.set_header("Retry-After", str(retry))
        values = {"title": title, "text": text, "retry": retry, "position": position}
        values |= {"replays": replays, "part": PART}
        self.write(self.render_template("message.html", **values))

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """Answer with a message instead of Tornado's page or a traceback."""
        text = _ERROR_TEXTS.get(status_code, "The server could not answer; its log says why.")
        self.message(status_code, _title(status_code), text)
        if not self._finished:
            self.finish()


class SiteHandler(InTurn, _MessageHandler):
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
                used=places.used,
                places=places.total,
                limits=self.limits,
                upload=human_bytes(self.limits.upload_bytes),
            )
        )


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
