"""A page without a browser: the states of its widgets, and what a visitor does to them."""

from __future__ import annotations

from time import monotonic

from support.waiting import PATIENCE


class ShownPage:
    """The widgets of a page, as a browser has them.

    A subclass has `read()`, which takes one message of the page process and gives it to
    :meth:`note`, and `send(kind, content)`.

    Attributes
    ----------
    models : dict of str to dict
        State of every widget.
    """

    def __init__(self):
        self.models = {}

    def note(self, kind, content):
        """Take a message that changes widgets."""
        if kind == "comm_open":
            self.models[content["comm_id"]] = dict(content["data"]["state"])
        elif kind == "comm_msg" and content["data"].get("method") == "update":
            self.models.setdefault(content["comm_id"], {}).update(content["data"]["state"])
        elif kind == "comm_msg" and content["data"].get("method") == "update_states":
            for comm, model in content["data"]["states"].items():
                self.models.setdefault(comm, {}).update(model["state"])

    def wait_for(self, found):
        """Read messages until `found` returns what is true, and return it."""
        end = monotonic() + PATIENCE
        while not (value := found()):
            assert monotonic() < end, "the page process does not answer"
            self.read()
        return value

    def find(self, **state):
        """Return the id of a widget with these values, or None."""
        for comm, model in self.models.items():
            if all(model.get(name) == value for name, value in state.items()):
                return comm
        return None

    @property
    def error(self):
        """The error on the page."""
        texts = (str(model.get("value")) for model in self.models.values())
        return next((text for text in texts if "ws-error" in text), "")

    def set(self, comm, **state):
        data = {"method": "update", "state": state, "buffer_paths": []}
        self.send("comm_msg", {"comm_id": comm, "data": data})

    def click(self, comm):
        data = {"method": "custom", "content": {"event": "click"}}
        self.send("comm_msg", {"comm_id": comm, "data": data})
