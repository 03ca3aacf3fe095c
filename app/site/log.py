"""The server's log is bounded: what repeats is counted, not repeated.

Strangers cause lines in the log, for example by requests that are refused. Without a bound they
could fill the disk.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any

from tornado.web import RequestHandler

from .rates import Bucket, Buckets

#: Lines of one kind: some at once, then one in ten seconds.
_RATE, _BURST = 0.1, 10
#: Characters of the log, a second and at once: of the server with all its pages, of all pages, and
#: of what Python writes in one page process.
SERVER, PAGES, PAGE = (2048, 4 << 20), (1024, 2 << 20), (128, 64 << 10)


class DropRepeats(logging.Filter):
    """Drops a line if many of its kind were written lately; the next one has their number.

    The kind of a line is the text before its values are inserted, and where it was written.
    """

    def __init__(self) -> None:
        super().__init__()
        self._buckets = Buckets(_RATE, _BURST, most=512)
        self._dropped: dict[object, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is written."""
        kind = (record.name, record.pathname, record.lineno)
        bucket = self._buckets[kind]
        if bucket.wait() > 0:
            if len(self._dropped) < 4096:
                self._dropped[kind] = self._dropped.get(kind, 0) + 1
            return False
        bucket.take()
        dropped = self._dropped.pop(kind, 0)
        if dropped:
            record.msg = f"{record.getMessage()} ({dropped} more of these were not written)"
            record.args = ()
        return True


class BoundedStream:
    """A stream for a log that takes so many characters; what exceeds them is counted.

    It stands for ``sys.stderr``, so nothing that Python writes gets around it: neither tracebacks
    that no logger sees, nor lines of loggers that a library makes later.

    Parameters
    ----------
    stream : text stream
        Where the log goes.
    rate, burst : float
        Characters a second, and at once.
    clock : callable
        Returns seconds.
    """

    def __init__(
        self, stream: Any, rate: float, burst: float, *, clock: Callable[[], float] = monotonic
    ) -> None:
        self._stream, self._bucket = stream, Bucket(rate, burst, clock)
        self._left_out = 0

    def write(self, text: str) -> int:
        """Write a text, or count it."""
        gap = f"({self._left_out} characters of the log were left out)\n" if self._left_out else ""
        if not self._bucket.can_pay(len(text) + len(gap)):
            self._left_out += len(text)
            return len(text)
        self._left_out = 0
        self._bucket.take(len(text) + len(gap))
        self._stream.write(gap + text)
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def bound_stderr(rate: float, burst: float) -> None:
    """Bound all that this process writes to its standard error from now on."""
    plain = {sys.stderr, sys.__stderr__}
    bounded = BoundedStream(sys.stderr, rate, burst)
    sys.stderr = sys.__stderr__ = bounded  # type: ignore[assignment, misc]
    # Handlers that exist hold the stream itself.
    for reference in tuple(logging._handlerList):  # type: ignore[attr-defined]
        handler = reference()
        if isinstance(handler, logging.StreamHandler) and handler.stream in plain:
            handler.setStream(bounded)


class DropFalse(logging.Filter):
    """Drops a library's false warning.

    Parameters
    ----------
    words : str
        Part of the warning before its values are inserted.
    """

    def __init__(self, words: str) -> None:
        super().__init__()
        self._words = words

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is written."""
        return self._words not in str(record.msg)


def log_request(handler: RequestHandler) -> None:
    """Log an answered request without the query of its address, which may hold a token."""
    status, request = handler.get_status(), handler.request
    level = logging.INFO if status < 400 else logging.WARNING if status < 500 else logging.ERROR
    spent = 1000 * request.request_time()
    what = (status, request.method, request.path, request.remote_ip, spent)
    logging.getLogger("tornado.access").log(level, "%d %s %s (%s) %.0f ms", *what)


def bound(*loggers: logging.Logger) -> None:
    """Drop repeated lines of loggers and of all that they pass lines on to."""
    repeats = DropRepeats()
    if logging.lastResort is not None:  # what loggers without a handler of their own use
        logging.lastResort.addFilter(repeats)
    for logger in loggers:
        logger.addFilter(repeats)
        for handler in logger.handlers:
            handler.addFilter(repeats)


__all__ = [
    "PAGE",
    "PAGES",
    "SERVER",
    "BoundedStream",
    "DropFalse",
    "DropRepeats",
    "bound",
    "bound_stderr",
    "log_request",
]
