"""Errors on the page: no exception in a callback is lost, and none shows a traceback.

ipywidgets swallows what a callback raises: the page stays silent and the server's log too. Every
callback is therefore wrapped by :meth:`Reporter.guard`.
"""

from __future__ import annotations

import errno
import functools
import logging
import re
import sys
from collections.abc import Callable
from typing import Any, Protocol

from gpucore.errors import Cancelled, WarplensError

log = logging.getLogger("warplens.app")

#: Longest text of an error on a page.
MOST_CHARACTERS = 2000

#: Wraps a callback so that what it raises is reported; see :meth:`Reporter.guard`.
Guard = Callable[[Callable[..., Any]], Callable[..., Any]]


def log_to_server() -> None:
    """Send the log of this page process to the terminal of the server.

    In a page process ``sys.stderr`` leads to the page, where Voila drops most of it. The stream
    that the process began with leads to the server's terminal.
    """
    if log.handlers:
        return
    handler = logging.StreamHandler(sys.__stderr__)
    handler.setFormatter(logging.Formatter("[page] %(levelname)s %(message)s"))
    log.addHandler(handler)
    log.propagate = False


class ErrorSink(Protocol):
    """Where a message is shown to the user."""

    def show_error(self, title: str, text: str) -> None:
        """Show one error."""
        ...


def describe(error: BaseException) -> tuple[str, str]:
    """Return a title and a sentence for an error.

    Our own errors carry a sentence for the user. Of any other error the page shows only the type:
    its text may hold paths and values of the server.
    """
    if isinstance(error, WarplensError):
        title = "Stopped" if isinstance(error, Cancelled) else "This did not work"
        return _TITLES.get(type(error).__name__, title), _sentence(plain(str(error)))
    if isinstance(error, MemoryError):
        return "Out of memory", "There is not enough memory for this; take a smaller graph."
    if isinstance(error, OSError) and error.errno in _FULL:
        return "The server's disk is full", "Nothing can be written now; try again later."
    return (
        "Something went wrong inside Warplens",
        f"An unexpected {type(error).__name__} stopped the work; its details are in the "
        "server's log. Nothing is shown that was not computed.",
    )


def is_expected(error: BaseException) -> bool:
    """Return whether :func:`describe` has a sentence for an error, which then needs no traceback.

    Examples
    --------
    >>> is_expected(MemoryError()), is_expected(ValueError())
    (True, False)
    """
    full = isinstance(error, OSError) and error.errno in _FULL
    return full or isinstance(error, WarplensError | MemoryError)


_TITLES = {
    "GraphError": "The graph cannot be used",
    "ParameterError": "A parameter does not fit",
    "RecordError": "The record cannot be used",
    "DeviceError": "The device cannot do this",
    "KernelError": "The kernel failed",
    "KernelCompileError": "The kernel did not compile",
    "MissingDependency": "A package is missing",
}


#: Errors of a disk or a share of it that is full.
_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
#: A path of the server: from the root, or with a drive; its last part is kept.
_PATH = re.compile(r"(?<![\w./:])(?:[A-Za-z]:)?[\\/](?:[^\s\\/:'\"]+[\\/])+")
#: What only callers of the Python API and of the command line can do; see CONTRIBUTING.md.
_IN_CODE = re.compile(r" \((?:in Python|on the command line): [^()]*(?:\([^()]*\)[^()]*)*\)")
#: Characters that change how a text is shown: control characters and directions of writing.
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+")


def plain(text: str) -> str:
    """Return the text of an error as a page shows it.

    Folders of the server are left out, and what only callers of the Python API can do.

    Examples
    --------
    >>> plain("5 vertices are too many; take fewer (in Python: pass larger Limits())")
    '5 vertices are too many; take fewer'
    >>> plain("cannot read /data/runs/a.npz; 3/4 read")
    'cannot read a.npz; 3/4 read'
    """
    return _PATH.sub("", _IN_CODE.sub("", _UNSEEN.sub(" ", text[:MOST_CHARACTERS])))


def _sentence(text: str) -> str:
    """Return a message with a capital, unless it begins with a name, and with a full stop."""
    text = text.strip()
    if not text:
        return ""
    if text.split()[0].isalpha():
        text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?" else text + "."


class Reporter:
    """Reports exceptions on the page and in the server's log.

    Parameters
    ----------
    sink : ErrorSink
        The part of the page that shows errors.
    """

    def __init__(self, sink: ErrorSink) -> None:
        self._sink = sink

    def report(self, error: BaseException, more: str = "") -> None:
        """Show an error on the page and log it, with its traceback if it was not expected.

        Parameters
        ----------
        error : BaseException
        more : str
            A sentence that the page shows after that of the error.
        """
        title, text = describe(error)
        if is_expected(error):
            log.warning("%s: %s", title, text)
        else:
            log.error("%s", title, exc_info=error)
        self._sink.show_error(title, f"{text} {more}".strip())

    def guard(self, callback: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a widget's callback so that what it raises is reported."""

        @functools.wraps(callback)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            try:
                return callback(*args, **kwargs)
            except Exception as error:
                self.report(error)
                return None

        return guarded
