"""Measure how long others wait for a page while one visitor floods the server.

    PYTHONPATH=tests python benchmarks/flood.py --output benchmarks/results/flood.json

Needs the extras "app" and "test". A freshly started ``warplens serve`` on loopback is flooded from
this process, while another process asks for ``/`` ten times a second. The seconds are those of that
process; what the server does for a page needs the same two processors.
"""

from __future__ import annotations

import argparse
import datetime
import http.client
import json
import platform
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil  # type: ignore[import-untyped]
import websocket
from machine import commit, hardware

from support.serving import Server  # type: ignore[import-not-found]
from support.visitor import Visitor, message  # type: ignore[import-not-found]

SECONDS = 10
PAGES = 4
SENDERS = 16
HALF_OPEN = 400

#: Another visitor, in a process of its own: asks ten times a second and prints the seconds.
ASKER = """
import http.client, sys, time
(host, port), seconds = sys.argv[1].split(":"), float(sys.argv[2])
begin = time.monotonic()
while (start := time.monotonic()) < begin + seconds:
    # From another address of this computer: each address has a rate of its own.
    visitor = http.client.HTTPConnection(host, int(port), 60, source_address=("127.0.0.3", 0))
    visitor.request("GET", "/")
    assert visitor.getresponse().read()
    visitor.close()
    print(time.monotonic() - start)
    time.sleep(max(0, 0.1 - (time.monotonic() - start)))
"""


def seconds_of_others(url: str) -> list[float]:
    """Return how long another visitor waited for each answer."""
    ran = subprocess.run(
        [sys.executable, "-c", ASKER, urlsplit(url).netloc, str(SECONDS)],
        capture_output=True,
        text=True,
        check=True,
    )
    return [float(line) for line in ran.stdout.split()]


@contextmanager
def threads(work: Callable[[threading.Event], None], count: int) -> Iterator[None]:
    """Do some work in threads until the block ends."""
    stop = threading.Event()
    running = [threading.Thread(target=work, args=(stop,)) for _ in range(count)]
    for thread in running:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in running:
            thread.join()


@contextmanager
def nothing(server: Any) -> Iterator[None]:
    """Flood with nothing, for comparison."""
    yield


@contextmanager
def messages(server: Any) -> Iterator[None]:
    """Flood the websockets of some pages with legal messages."""
    with ExitStack() as stack:
        visitor = Visitor(server)
        for _ in range(PAGES):
            page = visitor.connect(visitor.open())
            stack.callback(page.close)
            page.settimeout(0.5)

            def send(stop: threading.Event, page: Any = page) -> None:
                while not stop.is_set():
                    try:
                        page.send_binary(message("kernel_info_request"))
                    except websocket.WebSocketTimeoutException:  # the server takes no more now
                        continue

            stack.enter_context(threads(send, 1))
        yield


@contextmanager
def requests(server: Any, path: str) -> Iterator[None]:
    """Request one address on many connections, as fast as it is answered."""
    address = urlsplit(server.url).netloc

    def ask(stop: threading.Event) -> None:
        connection = http.client.HTTPConnection(address, timeout=60)
        while not stop.is_set():
            try:
                connection.request("GET", path)
                connection.getresponse().read()
            except (OSError, http.client.HTTPException):
                connection.close()

    with threads(ask, SENDERS):
        yield


def landing(server: Any) -> Any:
    """Flood the landing page."""
    return requests(server, "/")


def files(server: Any) -> Any:
    """Flood the largest file, of 1.3 MB."""
    return requests(server, "/voila/templates/warplens/static/bokeh.min.js")


@contextmanager
def half_open(server: Any) -> Iterator[None]:
    """Hold connections with half a request, from another address of this computer."""
    address = urlsplit(server.url)
    with ExitStack() as stack:
        for _ in range(HALF_OPEN):
            held = socket.create_connection(
                (address.hostname, address.port), 10, source_address=("127.0.0.2", 0)
            )
            stack.callback(held.close)
            try:
                held.sendall(b"GET / HTTP/1.1\r\nHost: localh")
            except OSError:  # closed by the server: the address has its share
                continue
        yield


FLOODS = {
    "nothing": nothing,
    f"messages of {PAGES} pages": messages,
    f"{SENDERS} connections that request /": landing,
    f"{SENDERS} connections that request a file of 1.3 MB": files,
    f"{HALF_OPEN} half-open requests": half_open,
}


def measure(flood: Callable[[Any], Any]) -> dict[str, Any]:
    """Return what others waited during one flood, and the server's memory."""
    with tempfile.TemporaryDirectory(prefix="flood-") as folder:
        server = Server(Path(folder), "--pool", "0")
        process = psutil.Process(server.process.pid)
        try:
            with flood(server):
                before = process.memory_info().rss
                waited = sorted(seconds_of_others(server.url))
                after = process.memory_info().rss
        finally:
            server.stop()
    return {
        "answers": len(waited),
        "seconds_median": round(statistics.median(waited), 4),
        "seconds_of_the_slowest": round(waited[-1], 4),
        "megabytes_more": round((after - before) / 1e6, 1),
    }


def main() -> None:
    """Measure all floods and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True, help="the JSON file to write")
    output = parser.parse_args().output
    found = {name: measure(flood) for name, flood in FLOODS.items()}
    report = {
        "what": "seconds until / is answered to another visitor during a flood",
        "commit": commit(),
        "measured_at": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "hardware": hardware(),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in ("tornado", "jupyter-server", "voila")},
        "seconds_each": SECONDS,
        "floods": found,
    }
    output.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    for name, result in found.items():
        print(f"{name}: {result}")


if __name__ == "__main__":
    main()
