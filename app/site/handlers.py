"""The request handlers: landing page, dashboards, and pages with error messages."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from jupyter_server.base.handlers import JupyterHandler
from tornado import web
from voila.handler import BaseVoilaHandler
from voila.tornado.handler import TornadoVoilaHandler

from gpucore.format import human_bytes

from ..gallery import Entry, entries
from ..limits import PageLimits
from ..pages import Page

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
        "frame-ancestors 'self'",
        "form-action 'self'",
        "base-uri 'self'",
        "object-src 'none'",
    ]
)

_ERROR_TEXTS = {
    403: "This address needs the token that was printed when the server was started.",
    404: "There is no page at this address.",
    503: "All places are taken.",
}


class _MessageHandler(BaseVoilaHandler):
    """A handler that shows errors on a page of our own."""

    def message(self, status: int, title: str, text: str, *, retry: int = 0) -> None:
        """Answer with a page that shows a message."""
        self.set_status(status)
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        if retry:
            self.set_header("Retry-After", str(retry))
        self.write(
            self.render_template(
                "message.html", title=title, text=text, retry=retry, base_url=self.base_url
            )
        )

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """Answer with a message instead of Tornado's page or a traceback."""
        try:
            title = HTTPStatus(status_code).phrase
        except ValueError:
            title = "Error"
        text = _ERROR_TEXTS.get(status_code, "The server could not answer; its log says why.")
        self.message(status_code, title, text)
        if not self._finished:
            self.finish()


def gallery_of(pages: Mapping[str, Page]) -> list[tuple[Page, list[Entry]]]:
    """Return the dashboards that open recorded runs, each with its runs."""
    runs = {
        page: [run for run in entries().values() if run.family == page.family]
        for page in pages.values()
        if page.gallery
    }
    return [(page, found) for page, found in runs.items() if found]


class LandingHandler(_MessageHandler):
    """The landing page: all dashboards; it needs no page process."""

    def initialize(self, **kwargs: Any) -> None:
        """Take the pages and limits."""
        self.pages: dict[str, Page] = kwargs.pop("pages")
        self.limits: PageLimits = kwargs.pop("limits")
        super().initialize(**kwargs)

    @web.authenticated
    def get(self) -> None:
        """Show the dashboards."""
        manager = self.kernel_manager
        self.set_header("Cache-Control", "no-store")
        self.write(
            self.render_template(
                "home.html",
                pages=self.pages.values(),
                gallery=gallery_of(self.pages),
                base_url=self.base_url,
                used=manager.open_pages(),
                places=manager.max_pages,
                limits=self.limits,
                upload=human_bytes(self.limits.upload_bytes),
            )
        )


class PageHandler(_MessageHandler, TornadoVoilaHandler):
    """One dashboard, if the server has room for it."""

    def initialize(self, **kwargs: Any) -> None:
        """Take the pages, and Voila's own arguments."""
        self.pages: dict[str, Page] = kwargs.pop("pages")
        super().initialize(**kwargs)

    @web.authenticated
    async def get(self, path: str | None = None) -> None:
        """Serve the dashboard called `path`."""
        if path not in self.pages:
            raise web.HTTPError(404)
        with self.kernel_manager.opening() as admitted:
            if not admitted:
                self.message(
                    503,
                    "All places are taken",
                    "Each open page is a process on the server, and the server has room for "
                    f"{self.kernel_manager.max_pages}. This page tries again by itself.",
                    retry=15,
                )
                return
            # Reading the token sets its cookie. Without the cookie the message of a closing tab is
            # refused, and its page process stays.
            _ = self.xsrf_token
            await super().get(path=f"{path}.ipynb")


class NotFoundHandler(_MessageHandler):
    """Everything else."""

    async def prepare(self) -> None:
        """Answer 404 to every method, after the checks every request passes."""
        await JupyterHandler.prepare(self)
        raise web.HTTPError(404)
