"""A real page process without server and browser: Jupyter's kernel, driven by messages."""

from __future__ import annotations

import sys
from queue import Empty
from time import monotonic

from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager

from warpscope.app.page.gate import STATES

#: The program that the server starts for a page.
PROGRAM = [sys.executable, "-P", "-m", "warpscope.app.site.page_process", "-f", "{connection_file}"]

#: Seconds to wait for an answer.
PATIENCE = 120.0


class PageProcess:
    """A page process that shows one page.

    Parameters
    ----------
    name : str
        Name of the page.

    Attributes
    ----------
    models : dict of str to dict
        State of every widget, as the browser has it.
    heard : list of dict
        All messages that a browser gets.
    """

    def __init__(self, name):
        self.manager = KernelManager()
        self.manager._kernel_spec = KernelSpec(argv=PROGRAM, language="python")
        self.manager.start_kernel()
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=PATIENCE)
        self.models, self.heard = {}, []
        opening = "from warpscope.app.page.opening import open_page"
        self.client.execute(f"{opening}\nopen_page({name!r})")
        self.wait_for(lambda: self.find(description="Run", disabled=False))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)

    @property
    def pid(self):
        return self.manager.provisioner.pid

    def read(self, seconds=0.1):
        """Take one message of the page process."""
        try:
            message = self.client.get_iopub_msg(timeout=seconds)
        except Empty:
            return
        content = message["content"]
        self.heard.append(message)
        if message["msg_type"] == "comm_open":
            self.models[content["comm_id"]] = dict(content["data"]["state"])
        elif message["msg_type"] == "comm_msg" and content["data"].get("method") == "update":
            self.models[content["comm_id"]].update(content["data"]["state"])

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

    def send(self, kind, content, metadata=None, buffers=None):
        message = self.client.session.msg(kind, content, metadata=metadata)
        self.client.session.send(self.client.shell_channel.socket, message, buffers=buffers)

    def set(self, comm, **state):
        data = {"method": "update", "state": state, "buffer_paths": []}
        self.send("comm_msg", {"comm_id": comm, "data": data})

    def click(self, comm):
        data = {"method": "custom", "content": {"event": "click"}}
        self.send("comm_msg", {"comm_id": comm, "data": data})

    def run(self):
        """Click on Run and wait for the end."""
        button = self.find(description="Run", disabled=False)
        self.click(button)
        self.wait_for(lambda: self.models[button]["disabled"])
        self.wait_for(lambda: not self.models[button]["disabled"])

    def settle(self):
        """Wait for the cards that are computed after a run."""
        texts = ("value", "placeholder")
        self.wait_for(
            lambda: (
                not any("Computing " in str(m.get(t)) for m in self.models.values() for t in texts)
            )
        )

    def ask_for_states(self):
        opened = {"comm_id": "states", "target_name": STATES, "data": {}}
        self.send("comm_open", opened, metadata={"version": "1.0.0"})
        self.send("comm_msg", {"comm_id": "states", "data": {"method": "request_states"}})
