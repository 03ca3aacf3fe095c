"""The server's log is bounded: what repeats is counted, not repeated.

Strangers cause lines in the log, for example by requests that are refused. Without a bound they
could fill the disk.
"""

from __future__ import annotations

import logging

from tornado.web import RequestHandler

from .rates import Buckets

#: Lines of one kind: some at once, then one in ten seconds.
_RATE, _BURST = 0.1, 10


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


class DropPingWarning(logging.Filter):
    """Drops a false warning: Tornado reads Jupyter's milliseconds as seconds."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is written."""
        return "websocket_ping_timeout" not in str(record.msg)


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


__all__ = ["DropPingWarning", "DropRepeats", "bound", "log_request"]
