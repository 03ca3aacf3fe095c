"""A browser that forges messages: it sends them to a page's gate as Jupyter's server would."""

from __future__ import annotations

import logging

from traitlets.log import get_logger

from warplens.app.page.gate import STATES, Gate
from warplens.app.page.registry import registry


class Comms:
    """Passes messages on to widgets, as the comm manager of a page process does."""

    def __init__(self):
        self.comms = {}
        self.passed = []

    def comm_open(self, stream, ident, message):
        self.comms[message["content"]["comm_id"]] = None
        self.passed.append(message)

    def comm_msg(self, stream, ident, message):
        self.passed.append(message)
        if widget := registry.get(message["content"]["comm_id"]):
            widget._handle_msg({"buffers": [], **message})

    def comm_close(self, stream, ident, message):
        self.comms.pop(message["content"]["comm_id"])


class _Kept(logging.Handler):
    """Collects the exceptions that ipywidgets logs instead of raising them."""

    def __init__(self, found):
        super().__init__()
        self._found = found

    def emit(self, record):
        if record.exc_info:
            self._found.append(record.exc_info[1])


class Forger:
    """Sends messages to the widgets of a page, and reads its errors.

    Parameters
    ----------
    page : Page
        A page.

    Attributes
    ----------
    errors : list of str
        What the page showed since the last message.
    failures : list of Exception
        What a widget raised; it should always be empty.
    """

    def __init__(self, page):
        self.page, self.errors, self.failures, self.comms = page, [], [], Comms()
        get_logger().addHandler(_Kept(self.failures))
        show = page.show_error

        def show_error(title, text):
            self.errors.append(f"{title}: {text}")
            show(title, text)

        page.show_error = show_error
        self.gate = Gate(page.reporter, self.comms)
        self.handlers = self.gate.handlers()

    def send(self, kind, content, **more):
        """Send a message; return the errors that it leads to."""
        self.errors.clear()
        self.handlers[kind](None, None, {"content": content, **more})
        return list(self.errors)

    def message(self, widget, data, **more):
        return self.send("comm_msg", {"comm_id": widget.model_id, "data": data}, **more)

    def set(self, widget, **state):
        return self.message(widget, {"method": "update", "state": state, "buffer_paths": []})

    def custom(self, widget, content, *buffers):
        data = {"method": "custom", "content": content}
        return self.message(widget, data, buffers=list(buffers))

    def ask_for_states(self, comm="states"):
        self.send("comm_open", {"comm_id": comm, "target_name": STATES, "data": {}})
        return self.send("comm_msg", {"comm_id": comm, "data": {"method": "request_states"}})


def widgets():
    """Return all widgets of this process."""
    return list(registry.values())
