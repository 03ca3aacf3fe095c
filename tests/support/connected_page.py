"""A page of a running server, without a browser: its messages go through the websocket."""

from __future__ import annotations

from support.shown_page import ShownPage
from support.visitor import ask_for_states, message, unpack

#: A page, a link to a run of several seconds on it, and how the names of its kernels begin.
LONG = "communities", "?graph=rmat:scale=14,edge_factor=16,seed=1&algorithm=louvain&device=host"
KERNELS = "Louvain_"


class ConnectedPage(ShownPage):
    """An open page.

    Parameters
    ----------
    visitor : support.visitor.Visitor
        Who opens it.
    name : str
        Name of the page.
    """

    def __init__(self, visitor, name="matching"):
        super().__init__()
        self.visitor = visitor
        self.kernel = visitor.open(name)
        self.socket = visitor.connect(self.kernel)
        ask_for_states(self.socket)
        self.wait_for(lambda: self.find(description="Run", disabled=False))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.visitor.close(self.kernel)

    def read(self):
        """Take one message of the page process."""
        _, header, _, content = unpack(self.socket.recv())
        self.note(header["msg_type"], content)

    def send(self, kind, content):
        self.socket.send_binary(message(kind, content))

    @classmethod
    def in_long_run(cls, visitor):
        """Open a page and start a long run; returns when its kernels run."""
        name, link = LONG
        page = cls(visitor, name)
        page.set(page.find(search=""), search=link)
        page.wait_for(lambda: any(KERNELS in str(m.get("value")) for m in page.models.values()))
        return page

    def run(self):
        """Press Run, and wait until the run is over."""
        self.click(self.find(description="Run", disabled=False))
        self.wait_for(lambda: self.runs)
        self.wait_for(lambda: self.find(description="Run", disabled=False))
        assert not self.error, self.error

    @property
    def runs(self):
        """Whether there is a run that can be cancelled."""
        return self.find(description="Cancel", disabled=False) is not None
