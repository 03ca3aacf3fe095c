"""Requests of a live class: begin one, join it, follow it.

A class has two addresses for students. ``class/CODE`` is our own page; it shows ``class/CODE/run``,
the run, in a frame without rights: what a lecturer's browser has sent is never a page of this site.
"""

from __future__ import annotations

import asyncio
import hmac
import re
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

from tornado import web
from tornado.httputil import HTTPServerRequest

from ..classroom.messages import ClassError
from ..classroom.rooms import MOST_PAGE_BYTES, Room, Rooms, check_page
from .class_guard import ClassGuard
from .class_live import LiveHandler
from .rates import Buckets

_FOLDER = Path(__file__).parents[1] / "classroom"
_NO_CLASS = "There is no such class; it may be over."
#: Seconds for a run to arrive.
_BODY_SECONDS = 60
#: New classes of one address: so many a second, after so many at once.
_STARTS = (0.1, 10)
#: The run's frame has no rights but to run its scripts; all that it needs is in the file.
_RUN_POLICY = (
    "sandbox allow-scripts; default-src 'none'; "
    "script-src 'unsafe-inline' 'unsafe-eval' blob: data:; "
    "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; worker-src blob:; "
    "connect-src data: blob:; frame-ancestors 'self'"
)


def is_for_students(request: HTTPServerRequest, base_url: str) -> bool:
    """Return whether a request is for a class: its code lets students in, without a token.

    A class that does not exist answers itself, slowly, so that codes cannot be guessed.
    """
    pattern = re.escape(base_url) + r"class/\w+(/run|/live)?"
    return re.fullmatch(pattern, request.path) is not None


class _ClassHandler(web.RequestHandler):
    def initialize(self, rooms: Rooms, starts: Buckets, guard: ClassGuard) -> None:
        self.rooms, self.starts, self.guard = rooms, starts, guard
        self._gone = asyncio.Event()

    async def prepare(self) -> None:
        """Refuse changes that another site's page may have sent: it cannot send this header."""
        if self.request.method != "GET" and "X-Warplens" not in self.request.headers:
            raise web.HTTPError(403)

    def on_connection_close(self) -> None:
        """Wait no longer for who has gone."""
        self._gone.set()

    def check_xsrf_cookie(self) -> None:
        """Check nothing more than the header."""

    async def room(self, code: str) -> Room:
        """Return a class; a wrong code is slow to try again."""
        found = await self.guard.find(self.request, code, self._gone)
        if found is None:
            raise web.HTTPError(404 if self.guard.is_inside(self.request) else 403)
        return found

    async def led(self, code: str) -> Room:
        """Return a class if the request comes from its lecturer."""
        given = self.request.headers.get("X-Warplens", "").encode()
        room = self.rooms.find(code)
        if room is None or not hmac.compare_digest(given, room.secret.encode()):
            await self.room(code)
            raise web.HTTPError(403)
        return room

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """Answer with one sentence."""
        texts = {404: _NO_CLASS, 429: "Please wait a minute."}
        if status_code == 403 and self.request.method == "GET":
            texts[403] = _NO_CLASS
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(texts.get(status_code, "This cannot be done here."))

    def set_default_headers(self) -> None:
        """No copy of a class stays in the browser."""
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Content-Type-Options", "nosniff")


class _BodyHandler(_ClassHandler):
    """Takes a run as the body, which is larger than that of any other request."""

    async def prepare(self) -> None:
        """Allow the body."""
        await super().prepare()
        self.body = bytearray()
        if self.request.method in ("POST", "PUT"):
            connection: Any = self.request.connection
            connection.set_max_body_size(MOST_PAGE_BYTES)
            connection.set_body_timeout(_BODY_SECONDS)

    def data_received(self, chunk: bytes) -> None:
        """Keep a part of the body."""
        self.body += chunk


@web.stream_request_body
class StartHandler(_BodyHandler):
    """Begins a class with the run in the body."""

    async def prepare(self) -> None:
        """Look at the rate before the body."""
        bucket = self.starts[self.guard.address_of(self.request)]
        if bucket.wait() > 0:
            raise web.HTTPError(429)
        bucket.take()
        await super().prepare()

    def post(self) -> None:
        """Answer with code and secret."""
        visitor = self.guard.access.visitor_of(self.request)
        try:
            room = self.rooms.open(bytes(self.body), (visitor.name, visitor.address))
        except ClassError as error:
            self.set_status(409)
            self.finish(str(error))
            return
        self.finish({"code": room.code, "secret": room.secret})


@web.stream_request_body
class ClassHandler(_BodyHandler):
    """The student's page; the lecturer replaces the run here, and ends the class."""

    async def prepare(self) -> None:
        """Take a body from the lecturer only."""
        if self.request.method != "GET":
            await self.led(self.path_kwargs.get("code", "") or self.path_args[0])
        await super().prepare()

    async def get(self, code: str) -> None:
        """Answer with the page, and give a seat."""
        await self.room(code)
        self.guard.give_seat(self)
        self.set_header("Content-Security-Policy", _page_policy())
        self.finish(_page(code.lower()))

    async def put(self, code: str) -> None:
        """Show another run."""
        room = await self.led(code)
        try:
            check_page(bytes(self.body))
        except ClassError as error:
            self.set_status(409)
            self.finish(str(error))
            return
        room.show(bytes(self.body))

    async def delete(self, code: str) -> None:
        """End the class."""
        self.rooms.close(await self.led(code))


class RunHandler(_ClassHandler):
    """The run of a class, for the frame."""

    async def get(self, code: str) -> None:
        """Answer with the static page that the lecturer's browser sent."""
        room = await self.room(code)
        self.set_header("Content-Security-Policy", _RUN_POLICY)
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(room.page)


def routes(rooms: Rooms, guard: ClassGuard) -> list[tuple[Any, ...]]:
    """Return the routes of live classes."""
    given = {"rooms": rooms, "starts": Buckets(*_STARTS), "guard": guard}
    return [
        (r"class", StartHandler, given),
        (r"class/(\w+)", ClassHandler, given),
        (r"class/(\w+)/run", RunHandler, given),
        (r"class/(\w+)/live", LiveHandler, {"guard": guard}),
    ]


@cache
def _template() -> Template:
    parts = {name: (_FOLDER / name).read_text("utf-8") for name in ("student.css", "student.js")}
    text = (_FOLDER / "student.html").read_text("utf-8")
    known = Template(text).safe_substitute(style=parts["student.css"], script=parts["student.js"])
    return Template(known)


def _page(code: str) -> str:
    return _template().safe_substitute(code=code)


def _page_policy() -> str:
    return (
        "default-src 'self'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
        "img-src data:; connect-src 'self' ws: wss:; frame-ancestors 'self'"
    )


__all__ = ["is_for_students", "routes"]
