"""Answers that hold no page: headers of all, refusals at the door, messages in place of pages."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Any

from tornado import web
from voila.handler import BaseVoilaHandler
from voila.utils import create_include_assets_functions

from ..gallery import Entry
from .assets import TEMPLATE
from .replays import PART

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


class MessageHandler(BaseVoilaHandler):
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
