"""A live class without browsers: a lecturer and students as websocket clients."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from contextlib import contextmanager

import websocket

from support.connected_page import ConnectedPage
from support.visitor import Visitor
from support.waiting import PATIENCE

QUESTION = {"kind": "ask", "number": 1, "ask": "Which?", "choices": ["a", "b"]}
VOTE = {"kind": "answer", "question": 1, "choice": 1}


def request(server, path, *, method="GET", body=None, headers=None, cookie=""):
    """Return status, the cookie that the answer gives, and the text."""
    base = server.url.partition("?")[0]
    given = {**(headers or {}), **({"Cookie": cookie} if cookie else {})}
    asked = urllib.request.Request(base + path, body, given, method=method)
    try:
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            cookie = (answer.headers["Set-Cookie"] or "").partition(";")[0]
            return answer.status, cookie, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, "", error.read().decode()


class Class:
    """A class on a server, and whoever connects to it.

    Parameters
    ----------
    server : support.serving.Server
    token : str
    address : str
        The lecturer's, as a reverse proxy names it.
    """

    def __init__(self, server, token="", address=""):
        self.server = server
        headers = {"X-Warplens": "1", "Authorization": f"token {token}"}
        if address:
            headers["X-Forwarded-For"] = address
        status, _, text = request(
            server, "class", method="POST", body=b"<b>run</b>", headers=headers
        )
        assert status == 200, text
        self.code, self.secret = (json.loads(text)[name] for name in ("code", "secret"))

    def seat(self, address=""):
        """Return the cookie of a new seat."""
        headers = {"X-Forwarded-For": address} if address else {}
        status, cookie, _ = request(self.server, f"class/{self.code}", headers=headers)
        assert status == 200
        return cookie

    def connect(self, cookie="", *, query="", address="", code=None):
        """Return an open websocket."""
        base = self.server.url.partition("?")[0].replace("http", "ws", 1)
        headers = [f"X-Forwarded-For: {address}"] if address else []
        return websocket.create_connection(
            f"{base}class/{code or self.code}/live{query}",
            header=headers,
            cookie=cookie or None,
            timeout=PATIENCE,
        )

    def lead(self):
        """Return a connection of the lecturer."""
        return self.connect(query=f"?secret={self.secret}")


class Student:
    """One student of a class: a page with a run, and a phone that has answered.

    Parameters
    ----------
    found : Class
    """

    def __init__(self, found):
        self.found, self.visitor, self.seat = found, Visitor(found.server), found.seat()
        self.come()
        self.phone.send(json.dumps(VOTE))
        self.page.run()

    def come(self):
        """Open the page, and follow the class."""
        self.page = ConnectedPage(self.visitor)
        self.phone = self.found.connect(self.seat)
        heard(self.phone, lambda message: message["kind"] == "state")

    def reload(self):
        """Reload both as a browser does: it says first what it closes."""
        self.leave()
        path = f"class/{self.found.code}"
        status, self.seat, _ = request(self.found.server, path, cookie=self.seat)
        assert status == 200
        self.come()

    def leave(self):
        """Close both."""
        self.phone.close()
        self.page.socket.close()
        assert self.visitor.close(self.page.kernel) == 204


def closed_with(connection):
    """Return the code and the reason with which a connection was closed."""
    while True:
        kind, data = connection.recv_data()
        if kind == websocket.ABNF.OPCODE_CLOSE:
            return int.from_bytes(data[:2], "big"), data[2:].decode()


def heard(connection, wanted):
    """Return the first message that is wanted."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        message = json.loads(connection.recv())
        if wanted(message):
            return message
    raise AssertionError("the message did not come")


@contextmanager
def closing(connections):
    """Close connections at the end."""
    try:
        yield connections
    finally:
        for connection in connections:
            connection.close()
