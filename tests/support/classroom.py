"""A live class without browsers: a lecturer and students as websocket clients."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from contextlib import contextmanager

import websocket

QUESTION = {"kind": "ask", "number": 1, "ask": "Which?", "choices": ["a", "b"]}
VOTE = {"kind": "answer", "question": 1, "choice": 1}


def request(server, path, *, method="GET", body=None, headers=None, cookie=""):
    """Return status, the cookie that the answer gives, and the text."""
    base = server.url.partition("?")[0]
    given = {**(headers or {}), **({"Cookie": cookie} if cookie else {})}
    asked = urllib.request.Request(base + path, body, given, method=method)
    try:
        with urllib.request.urlopen(asked, timeout=30) as answer:
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
            timeout=10,
        )

    def lead(self):
        """Return a connection of the lecturer."""
        return self.connect(query=f"?secret={self.secret}")


def closed_with(connection):
    """Return the code and the reason with which a connection was closed."""
    while True:
        kind, data = connection.recv_data()
        if kind == websocket.ABNF.OPCODE_CLOSE:
            return int.from_bytes(data[:2], "big"), data[2:].decode()


def heard(connection, wanted, seconds=10):
    """Return the first message that is wanted."""
    until = time.monotonic() + seconds
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
