"""Process that watches the ranks of an MPI run, so that none of them waits for a dead one.

Rank 0 starts it in a session of its own: it outlives every rank, also one that is killed, and the
launcher's clean-up. Every rank keeps a connection to it (:mod:`gpucore.ranks.sentry`). When a rank
reports an error, loses its connection or stays silent, the watchman writes one sentence to stderr
and lets all ranks end.

It is run as a file and imports the standard library only, so that it starts in a few milliseconds.
Messages are lines of JSON. Its settings come as one line on stdin, its port goes to stdout.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import os
import platform
import selectors
import signal
import socket
import sys
import time
from dataclasses import dataclass, field
from typing import Any, NoReturn

#: Exit codes of the command line: trouble with a device or process; cancelled.
TROUBLE, CANCELLED = 4, 130
#: Seconds in which other ranks may report the same error, and in which all have to end.
GRACE, LAST = 0.3, 2.0
#: Seconds in which all ranks have to connect.
CONNECT = 60.0


@dataclass
class Rank:
    """A connection."""

    socket: socket.socket
    number: int = -1  # not known yet
    pid: int = 0
    host: str = ""
    heard: float = field(default_factory=time.monotonic)
    waiting: bytes = b""
    done: bool = False

    @property
    def words(self) -> str:
        """Name of the rank and of its process."""
        return f"rank {self.number} (process {self.pid} on {self.host})"


class Watchman:
    """Accepts the connections of all ranks, and watches them."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.size, self.token = int(settings["size"]), str(settings["token"])
        self.timeout = float(settings["timeout"])
        self.server = socket.create_server((settings["host"], 0), backlog=self.size)
        self.selector = selectors.DefaultSelector()  # on Linux epoll: sockets in order of events
        self.selector.register(self.server, selectors.EVENT_READ, None)
        self.ranks: dict[int, Rank] = {}
        self.failures: dict[int, dict[str, Any]] = {}
        self.began = time.monotonic()

    def run(self) -> NoReturn:
        """Watch until all ranks are done, or one has failed."""
        while True:
            for key, _ in self.selector.select(timeout=0.2):
                if key.data is None:
                    self._accept()
                else:
                    self._hear(key.data)
            if len(self.ranks) == self.size and all(r.done for r in self.ranks.values()):
                self._send({"bye": True})
                sys.exit(0)
            self._check_times()

    def _accept(self) -> None:
        connection, _ = self.server.accept()
        self.selector.register(connection, selectors.EVENT_READ, Rank(connection))

    def _hear(self, rank: Rank) -> None:
        """Read what a rank sent; an end of the stream is its death."""
        try:
            data = rank.socket.recv(1 << 16)
        except OSError:
            data = b""
        if not data:
            self._forget(rank)
            if rank.number >= 0:
                self._died(rank)
            return
        rank.heard = time.monotonic()
        *lines, rank.waiting = (rank.waiting + data).split(b"\n")
        for line in lines:
            self._take(rank, line)

    def _take(self, rank: Rank, line: bytes) -> None:
        try:
            message = json.loads(line) if line else {}
            if rank.number < 0:
                if not hmac.compare_digest(str(message["token"]), self.token):
                    raise ValueError
                rank.number, rank.pid = int(message["rank"]), int(message["pid"])
                rank.host = str(message["host"])
                self.ranks[rank.number] = rank
        except (ValueError, KeyError, TypeError):
            self._forget(rank)  # not one of ours
            return
        if message.get("done"):
            rank.done = True
        if "failed" in message:
            self.failures[rank.number] = message
            self._failed(rank)

    def _forget(self, rank: Rank) -> None:
        self.selector.unregister(rank.socket)
        rank.socket.close()

    def _check_times(self) -> None:
        now = time.monotonic()
        if len(self.ranks) < self.size:
            if now - self.began > CONNECT:
                missing = sorted(set(range(self.size)) - self.ranks.keys())
                self._end(f"rank {missing[0]} did not start within {CONNECT:.0f} seconds", TROUBLE)
            return
        silent = [r for r in self.ranks.values() if now - r.heard > self.timeout]
        if not silent or len(silent) == self.size:
            return  # all silent: the whole run is suspended
        self._end(
            f"{silent[0].words} has not answered for {self.timeout:g} seconds: it is stopped, or "
            "its host cannot be reached; all ranks were ended, and there is no result",
            TROUBLE,
        )

    def _died(self, rank: Rank) -> None:
        self._end(
            f"{rank.words} died: it was killed, crashed, or ran out of memory; all ranks were "
            "ended, and there is no result",
            TROUBLE,
        )

    def _failed(self, rank: Rank) -> None:
        """Wait for other ranks with the same error, then end the run."""
        end = time.monotonic() + GRACE
        while len(self.failures) < self.size and (left := end - time.monotonic()) > 0:
            for key, _ in self.selector.select(timeout=left):
                if key.data is not None:
                    self._collect(key.data)
        message = self.failures[rank.number]
        text, code = str(message["failed"]), int(message["code"])
        same = {str(other["failed"]) for other in self.failures.values()} == {text}
        everywhere = same and len(self.failures) == self.size > 1
        plain = everywhere or message.get("plain") or code == CANCELLED
        order = "leave" if len(self.failures) == self.size else "end"
        self._end(text if plain else f"rank {rank.number}: {text}", code, order)

    def _collect(self, rank: Rank) -> None:
        """Read a failure that comes after the first one."""
        try:
            data = rank.socket.recv(1 << 16)
        except OSError:
            data = b""
        if not data:
            self._forget(rank)
            return
        *lines, rank.waiting = (rank.waiting + data).split(b"\n")
        for line in lines:
            with contextlib.suppress(ValueError):
                message = json.loads(line) if line else {}
                if "failed" in message and rank.number >= 0:
                    self.failures[rank.number] = message

    def _send(self, message: dict[str, Any]) -> None:
        line = json.dumps(message).encode() + b"\n"
        for rank in self.ranks.values():
            with contextlib.suppress(OSError):
                rank.socket.sendall(line)

    def _end(self, text: str, code: int, order: str = "end") -> NoReturn:
        """Write the sentence, let all ranks end, and kill those of this host that do not.

        The order is "end", at once; or "leave", by a regular exit, where all ranks have reported
        an error and so none waits for another.
        """
        shown = "".join(c if c.isprintable() or c in "\n\t" else repr(c)[1:-1] for c in text)
        with contextlib.suppress(OSError):
            os.write(2, f"warplens: {shown}\n".encode(errors="backslashreplace"))
        self._send({order: code})
        end = time.monotonic() + LAST
        left = {r.number: r for r in self.ranks.values() if r.socket.fileno() >= 0}
        while left and time.monotonic() < end:
            for number, rank in list(left.items()):
                if not _is_open(rank.socket):
                    del left[number]
            time.sleep(0.02)
        for rank in left.values():
            if rank.host == platform.node():
                with contextlib.suppress(OSError):
                    os.kill(rank.pid, signal.SIGKILL)
        sys.exit(code)


def _is_open(connection: socket.socket) -> bool:
    """Return whether the other end still has its connection; drop what it sent."""
    connection.setblocking(False)
    try:
        return bool(connection.recv(1 << 16))
    except BlockingIOError:
        return True
    except OSError:
        return False


def main() -> None:
    """Read the settings, say the port, watch."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the ranks report that they were interrupted
    watchman = Watchman(json.loads(sys.stdin.readline()))
    sys.stdout.write(f"{watchman.server.getsockname()[1]}\n")
    sys.stdout.flush()
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)  # a launcher waits until all output is closed
    watchman.run()


if __name__ == "__main__":
    main()
