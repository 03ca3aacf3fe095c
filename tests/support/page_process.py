"""A real page process without server and browser: Jupyter's kernel, driven by messages."""

from __future__ import annotations

import sys
from queue import Empty

from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager

from support.shown_page import ShownPage
from support.waiting import PATIENCE
from warplens.app.page.gate import STATES

#: The program that the server starts for a page.
PROGRAM = [sys.executable, "-P", "-m", "warplens.app.site.page_process", "-f", "{connection_file}"]


class PageProcess(ShownPage):
    """A page process that shows one page.

    Parameters
    ----------
    name : str
        Name of the page.

    Attributes
    ----------
    heard : list of dict
        All messages that a browser gets.
    """

    def __init__(self, name):
        super().__init__()
        self.manager = KernelManager()
        self.manager._kernel_spec = KernelSpec(argv=PROGRAM, language="python")
        self.manager.start_kernel()
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=PATIENCE)
        self.heard = []
        opening = "from warplens.app.page.opening import open_page"
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
        self.heard.append(message)
        self.note(message["msg_type"], message["content"])

    def send(self, kind, content, metadata=None, buffers=None):
        message = self.client.session.msg(kind, content, metadata=metadata)
        self.client.session.send(self.client.shell_channel.socket, message, buffers=buffers)

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
