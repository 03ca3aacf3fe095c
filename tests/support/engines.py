"""The playground's engine in a browser, asked by a test: a page of its own, and a listener."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psutil

PAGE = """<!doctype html><link rel=icon href="data:,"><script type=module>
import { open } from "./engine.js";
window.engine = open("./");
</script>"""
#: Hosts that Firefox asks by itself.
_OWN = (
    "mozilla.com", "mozilla.org", "mozilla.net", "firefox.com", "mozgcp.net",
    "update.googleapis.com",
)  # fmt: skip


class Site:
    """A plain web server of a folder; with `cut` it answers nothing."""

    def __init__(self, folder: Path) -> None:
        site = self

        class Handler(SimpleHTTPRequestHandler):
            def do_GET(self) -> None:
                if site.cut:
                    self.close_connection = True
                else:
                    super().do_GET()

            def log_message(self, *words: Any) -> None:
                pass

        self.cut = False
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self._server.server_port}/"

    def close(self) -> None:
        """Stop the server."""
        self._server.shutdown()


class Listener:
    """A proxy that gets what a browser asks of other hosts, and refuses it."""

    def __init__(self) -> None:
        heard: list[str] = []
        self._heard = heard

        class Handler(BaseHTTPRequestHandler):
            def refuse(self) -> None:
                heard.append(self.path)
                self.send_error(403)

            do_GET = do_POST = do_CONNECT = refuse  # noqa: N815

            def log_message(self, *words: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.port = self._server.server_port

    def heard(self) -> list[str]:
        """Return what was asked of hosts that are none of the browser's makers."""
        hosts = [(path, path.split("://")[-1].split("/")[0].split(":")[0]) for path in self._heard]
        return [path for path, host in hosts if not host.endswith(_OWN)]

    def forget(self) -> None:
        """Begin again."""
        self._heard.clear()

    def close(self) -> None:
        """Stop the proxy."""
        self._server.shutdown()


class Engine:
    """The engine of a page.

    Attributes
    ----------
    name : str
        Of the browser.
    evaluate : callable
        Returns the value of an expression in the page; a promise is awaited.
    site, listener : Site, Listener
    """

    def __init__(
        self, name: str, evaluate: Callable[[str], Any], site: Site, listener: Listener
    ) -> None:
        self.name, self.evaluate, self.site, self.listener = name, evaluate, site, listener

    def run(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Return the report of a request, or the error with its kind, message and marks."""
        failed = "({kind, message, marks}) => ({kind, message, marks})"
        found: dict[str, Any] = self.evaluate(f"engine.run({json.dumps(asked)}).catch({failed})")
        return found


def resident_bytes() -> int:
    """Return the memory of all browsers that this process started."""
    total = 0
    for process in psutil.Process().children(recursive=True):
        try:
            total += process.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return total


def request(
    code: str,
    args: Any = (),
    *,
    kernel: str = "",
    grid: int = 1,
    block: int = 64,
    shared: int = 0,
    schedules: int = 5,
) -> dict[str, Any]:
    """Return a request to the engine."""
    return {
        "code": code, "kernel": kernel, "grid": [grid], "block": [block], "shared": shared,
        "args": list(args), "schedules": schedules, "seed": 0,
    }  # fmt: skip
