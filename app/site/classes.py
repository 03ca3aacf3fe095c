"""Requests of a live class: begin one, join it, follow it.

A class has two addresses for students. ``class/CODE`` is our own page; it shows ``class/CODE/run``,
the run, in a frame without rights: what a lecturer's browser has sent is never a page of this site.
"""

from __future__ import annotations

import hmac
import json
import re
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

from tornado import web, websocket
from tornado.httputil import HTTPServerRequest

from ..classroom.rooms import MOST_PAGE_BYTES, ClassError, Room, Rooms, check_page
from .rates import Buckets

_FOLDER = Path(__file__).parents[1] / "classroom"
#: Messages of one connection: so many a second, after so many at once.
_MESSAGES = (40, 200)
_MOST_MESSAGE_BYTES = 16 << 10
#: Seconds for a run to arrive.
_BODY_SECONDS = 60
#: New classes, and wrong codes, of one address.
_STARTS, _WRONG_CODES = (0.1, 10), (1, 60)
#: The run's frame has no rights but to run its scripts; all that it needs is in the file.
_RUN_POLICY = (
    "sandbox allow-scripts; default-src 'none'; "
    "script-src 'unsafe-inline' 'unsafe-eval' blob: data:; "
    "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; worker-src blob:; "
    "connect-src data: blob:; frame-ancestors 'self'"
)
_STUDENT = re.compile(r"[\w-]{8,64}")


def is_for_students(request: HTTPServerRequest, rooms: Rooms, base_url: str) -> bool:
    """Return whether a request is for a class that exists: its code lets students in."""
    found = re.fullmatch(re.escape(base_url) + r"class/(\w+)(/run|/live)?", request.path)
    return found is not None and rooms.find(found[1]) is not None


class _ClassHandler(web.RequestHandler):
    def initialize(self, rooms: Rooms, limits: dict[str, Buckets], access: Any) -> None:
        self.rooms, self.limits, self.access = rooms, limits, access

    def prepare(self) -> None:
        """Refuse changes that another site's page may have sent: it cannot send this header."""
        if self.request.method != "GET" and "X-Warplens" not in self.request.headers:
            raise web.HTTPError(403)

    def check_xsrf_cookie(self) -> None:
        """Check nothing more than the header."""

    def allow(self, name: str) -> None:
        """Raise an error if an address asks too often."""
        bucket = self.limits[name][self.access.address_of(self.request)]
        if bucket.wait() > 0:
            raise web.HTTPError(429)
        bucket.take()

    def room(self, code: str) -> Room:
        """Return a class; a wrong code is slow to try again."""
        found = self.rooms.find(code)
        if found is None:
            self.allow("codes")
            raise web.HTTPError(404)
        return found

    def led(self, code: str) -> Room:
        """Return a class if the request comes from its lecturer."""
        room = self.room(code)
        given = self.request.headers.get("X-Warplens", "")
        if not hmac.compare_digest(given.encode(), room.secret.encode()):
            raise web.HTTPError(403)
        return room

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """Answer with one sentence."""
        texts = {404: "There is no such class; it may be over.", 429: "Please wait a minute."}
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(texts.get(status_code, "This cannot be done here."))

    def set_default_headers(self) -> None:
        """No copy of a class stays in the browser."""
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Content-Type-Options", "nosniff")


class _BodyHandler(_ClassHandler):
    """Takes a run as the body, which is larger than that of any other request."""

    def prepare(self) -> None:
        """Allow the body."""
        super().prepare()
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

    def prepare(self) -> None:
        """Look at the rate before the body."""
        self.allow("starts")
        super().prepare()

    def post(self) -> None:
        """Answer with code and secret."""
        try:
            room = self.rooms.open(bytes(self.body))
        except ClassError as error:
            self.set_status(409)
            self.finish(str(error))
            return
        self.finish({"code": room.code, "secret": room.secret})


@web.stream_request_body
class ClassHandler(_BodyHandler):
    """The student's page; the lecturer replaces the run here, and ends the class."""

    def prepare(self) -> None:
        """Take a body from the lecturer only."""
        if self.request.method != "GET":
            self.led(self.path_kwargs.get("code", "") or self.path_args[0])
        super().prepare()

    def get(self, code: str) -> None:
        """Answer with the page."""
        self.room(code)
        self.set_header("Content-Security-Policy", _page_policy())
        self.finish(_page(code.lower()))

    def put(self, code: str) -> None:
        """Show another run."""
        room = self.led(code)
        try:
            check_page(bytes(self.body))
        except ClassError as error:
            self.set_status(409)
            self.finish(str(error))
            return
        room.show(bytes(self.body))

    def delete(self, code: str) -> None:
        """End the class."""
        self.rooms.close(self.led(code))


class RunHandler(_ClassHandler):
    """The run of a class, for the frame."""

    def get(self, code: str) -> None:
        """Answer with the static page that the lecturer's browser sent."""
        room = self.room(code)
        self.set_header("Content-Security-Policy", _RUN_POLICY)
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(room.page)


class LiveHandler(websocket.WebSocketHandler):
    """The connection of a student, or of the lecturer."""

    room: Room | None = None
    leads = False

    def initialize(self, rooms: Rooms, limits: dict[str, Buckets], access: Any) -> None:
        """Take the classes."""
        self.rooms = rooms
        self._rate = Buckets(*_MESSAGES)[""]

    def send(self, message: dict[str, Any]) -> None:
        """Send a message; a closed connection is forgotten when it says so."""
        try:
            self.write_message(json.dumps(message))
        except websocket.WebSocketClosedError:
            self.on_close()

    def open(self, code: str) -> None:
        """Let a student join, or the lecturer lead."""
        room = self.rooms.find(code)
        if room is None:
            self.close(4404, "there is no such class")
            return
        secret, student = self.get_argument("secret", ""), self.get_argument("student", "")
        self.leads = hmac.compare_digest(secret.encode(), room.secret.encode())
        try:
            if self.leads:
                room.lead(self)
            elif not secret and _STUDENT.fullmatch(student):
                room.join(self, student)
            else:
                raise ClassError("who is this?")
            self.room = room
        except ClassError as error:
            self.close(4403, str(error))

    def on_message(self, message: str | bytes) -> None:
        """Pass a message on."""
        if self.room is None:
            return
        if self._rate.take() > 5:
            self.close(4429, "too many messages")
            return
        try:
            content = json.loads(message) if len(message) <= _MOST_MESSAGE_BYTES else None
            if not isinstance(content, dict):
                raise ClassError("a message that is none")
            if self.leads:
                self.room.command(content)
            else:
                self.room.answer(self, content)
        except (ClassError, ValueError) as error:
            self.close(4400, str(error)[:100])

    def on_close(self) -> None:
        """Forget the connection."""
        room, self.room = self.room, None
        if room is not None:
            room.leave(self)


def routes(rooms: Rooms, access: Any) -> list[tuple[Any, ...]]:
    """Return the routes of live classes."""
    limits = {"starts": Buckets(*_STARTS), "codes": Buckets(*_WRONG_CODES)}
    given = {"rooms": rooms, "limits": limits, "access": access}
    return [
        (r"class", StartHandler, given),
        (r"class/(\w+)", ClassHandler, given),
        (r"class/(\w+)/run", RunHandler, given),
        (r"class/(\w+)/live", LiveHandler, given),
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
