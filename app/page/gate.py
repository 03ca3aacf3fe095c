"""The gate of a page process: which messages of a browser are taken, and what is sent back.

A browser only sends what the widgets' own scripts send, but a visitor can forge any message. The
gate refuses every other one with an error on the page, before a widget sees it. No code runs on
request once the page is made. Tracebacks and printed text go to the server's log, never to a
browser: they hold paths of the server.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

from ipywidgets.widgets.widget import Widget

from gpucore.errors import ParameterError

from ..errors import Reporter
from ..widgets.incoming import incoming_of, shown
from .registry import registry

log = logging.getLogger("warplens.app")

#: Requests that a page process answers once its page is made; ``comm_*`` go through the gate.
SHELL = ("kernel_info_request", "comm_info_request")
CONTROL = ("kernel_info_request", "shutdown_request")
#: Where a browser asks for the state of all widgets when it opens the page.
STATES = "jupyter.widget.control"
#: What IPython sends of printed text and tracebacks.
PRIVATE = ("stream", "error")

Handler = Callable[[Any, Any, dict[str, Any]], Any]


class Allowance:
    """Limits how much a browser asks for: a store of tokens that fills up again with time.

    An empty store gives tokens again when it is half full.

    Parameters
    ----------
    most : float
        Tokens in the full store.
    rate : float
        Tokens that come back in a second.
    """

    def __init__(self, most: float = 1000.0, rate: float = 200.0) -> None:
        self._most, self._rate = most, rate
        self._left, self._seen = most, monotonic()
        #: Whether the store was empty and is not half full yet.
        self.closed = False

    def take(self, tokens: float) -> bool:
        """Take tokens; return False if there are none left. The last ones pay for any request."""
        now = monotonic()
        self._left = min(self._most, self._left + self._rate * (now - self._seen))
        self._seen = now
        if self.closed and self._left < self._most / 2:
            return False
        self._left -= tokens
        self.closed = self._left <= 0
        return True


class Gate:
    """Checks every message of a browser.

    Parameters
    ----------
    reporter : Reporter
        Shows on the page what is refused.
    manager : comm manager
        Of the page process; it has the widgets' comms.
    """

    #: Tokens for a refused message: it writes a line to the log.
    REFUSED = 20
    #: Bytes that one token pays for, where a browser asks for a widget's state.
    BYTES = 1 << 17

    def __init__(self, reporter: Reporter, manager: Any) -> None:
        self._reporter, self._manager = reporter, manager
        self._allowance = Allowance()
        #: The comm on which the browser asks for the state of all widgets.
        self._states = ""

    def handlers(self) -> dict[str, Handler]:
        """Return the handlers of a browser's messages by type."""
        return {
            "comm_open": self._guarded(self._opened),
            "comm_msg": self._guarded(self._came),
            "comm_close": self._guarded(self._closed),
        }

    def _guarded(self, handle: Handler) -> Handler:
        """Return a handler that reports what it refuses."""

        def guarded(stream: Any, ident: Any, message: dict[str, Any]) -> None:
            try:
                if self._pay(1):
                    handle(stream, ident, message)
            except Exception as error:
                self._pay(self.REFUSED)
                self._reporter.report(error)

        return guarded

    def _pay(self, tokens: float) -> bool:
        """Return whether there are tokens; report it when the last ones are taken."""
        paid = self._allowance.take(tokens)
        if paid and self._allowance.closed:
            self._reporter.report(
                ParameterError(
                    "the browser sends more messages than a page takes, so some are dropped; "
                    "reload the page"
                )
            )
        return paid

    def _opened(self, stream: Any, ident: Any, message: dict[str, Any]) -> None:
        target, comm = (_content(message).get(name) for name in ("target_name", "comm_id"))
        if target != STATES:
            raise ParameterError(f"the browser cannot make a widget ({shown(target)})")
        if not isinstance(comm, str) or comm in self._manager.comms or comm in registry:
            raise ParameterError("the browser cannot replace a widget")
        self._manager.comms.pop(self._states, None)  # a browser keeps one of them
        self._states = comm
        self._manager.comm_open(stream, ident, message)

    def _closed(self, stream: Any, ident: Any, message: dict[str, Any]) -> None:
        """Close the comm of all states; the widgets live as long as the page."""
        if self._states and _content(message).get("comm_id") == self._states:
            self._states = ""
            self._manager.comm_close(stream, ident, message)

    def _came(self, stream: Any, ident: Any, message: dict[str, Any]) -> None:
        content = _content(message)
        comm, given = content.get("comm_id"), content.get("data")
        data: dict[str, Any] = given if isinstance(given, dict) else {}
        method = data.get("method")
        widget = registry.get(comm) if isinstance(comm, str) else None
        if comm == self._states and method == "request_states":
            passes = self._pay(sum(map(self._weight, registry.values())))
        elif widget is None:
            return  # of a page that was opened before
        elif method == "request_state":
            passes = self._pay(self._weight(widget))
        elif method == "update":
            passes = self._check_values(widget, data)
        elif method == "custom":
            buffers = message.get("buffers") or []
            passes = incoming_of(widget).check_message(widget, data.get("content"), buffers)
            passes = passes and not getattr(widget, "disabled", False)
        else:
            raise ParameterError(f"the browser sent an unknown request ({shown(method)})")
        if passes:
            self._manager.comm_msg(stream, ident, message)

    def _check_values(self, widget: Widget, data: Mapping[str, Any]) -> bool:
        """Return whether values are to be set; if one is refused, send the browser the true ones.

        A field may have been disabled while the message was under way.
        """
        known, state = incoming_of(widget), data.get("state")
        try:
            if data.get("buffer_paths", []) != []:
                raise ParameterError("the browser sent binary values, which no field takes")
            known.check_values(widget, state)
        except ParameterError:
            widget.send_state(list(known.values))
            raise
        return not getattr(widget, "disabled", False)

    def _weight(self, widget: Widget) -> float:
        """Return the tokens for a widget's state: more for the bytes of a replay."""
        values = (getattr(widget, name) for name in widget.keys)
        return 1 + sum(len(value) for value in values if isinstance(value, bytes)) / self.BYTES


def close_in(kernel: Any, reporter: Reporter) -> None:
    """Put a page process behind the gate: it takes checked messages of widgets, nothing else."""
    gate = Gate(reporter, kernel.comm_manager)
    asked = {name: kernel.shell_handlers[name] for name in SHELL}
    kernel.shell_handlers = {**asked, **gate.handlers()}
    kernel.control_handlers = {name: kernel.control_handlers[name] for name in CONTROL}
    kernel.shell.showtraceback = lambda *_, **__: _report_current(reporter)


def keep_output_private(session: Any) -> None:
    """Write what a page process prints to the server's log, and send none of it to a browser."""
    send = session.send

    def filtered(stream: Any, message: Any, *parts: Any, **named: Any) -> Any:
        kind = message["header"]["msg_type"] if isinstance(message, dict) else message
        if kind not in PRIVATE:
            return send(stream, message, *parts, **named)
        if log.handlers:  # else it would be printed, and come back
            given = {"content": parts[0]} if parts else named
            text = _content(message if isinstance(message, dict) else given)
            lines = text.get("traceback") or [text.get("text", "")]
            log.warning("%s", "\n".join(lines).strip())
        return None

    session.send = filtered


def _content(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the content of a message; empty if it has no names."""
    content = message.get("content")
    return content if isinstance(content, dict) else {}


def _report_current(reporter: Reporter) -> None:
    """Report the exception that IPython would print."""
    error = sys.exc_info()[1]
    if error is not None:
        reporter.report(error)
