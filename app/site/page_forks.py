"""The program that page processes are copies of: it imports what pages need once, then it forks.

Imports take most of the processor time of a new page. A copy has them, and shares their memory with
the other copies until it writes to it. The program never runs a page itself, starts no thread, and
does not initialise a GPU, since neither survives a fork. It knows its server by two pipes and ends
with it. See :mod:`.forks` for the server's side, and for the messages.

Started as ``python -P -m warplens.app.site.page_forks``.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import re
import signal
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from ..page.memory import return_freed_memory
from . import page_process

#: What pages of all families import; nothing here looks for a GPU.
_PAGES = f"{__package__.rpartition('.')[0]}"
MODULES = (
    "ipykernel.zmqshell",
    "ipykernel.ipkernel",
    f"{_PAGES}.page.opening",
    f"{_PAGES}.page.resync",
    f"{_PAGES}.dashboard.page",
    f"{_PAGES}.comparison.page",
    f"{_PAGES}.charts.section",
)


class Forking:
    """Makes a copy of this process for each request, and reports when one ends.

    Parameters
    ----------
    requests, reports : int
        Descriptors of the pipes from and to the server.
    """

    def __init__(self, requests: int, reports: int) -> None:
        self._requests = os.fdopen(requests, "rb")
        self._reports = reports

    def serve(self) -> dict[str, Any] | None:
        """Fork for each request until the server ends.

        Returns
        -------
        dict or None
            In a copy: its request. In the first process: None, once the server has ended.
        """
        signal.signal(signal.SIGCHLD, lambda *_: self._report_ended())
        while line := self._requests.readline():
            # A copy that ends at once is reported after its start.
            with _without(signal.SIGCHLD):
                pid = os.fork()
                if pid:
                    self._report("started", pid)
            if not pid:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                self._requests.close()
                os.close(self._reports)
                return json.loads(line)
        return None

    def _report_ended(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                self._report("ended", ended[0], os.waitstatus_to_exitcode(ended[1]))

    def _report(self, *words: object) -> None:
        with contextlib.suppress(BrokenPipeError):
            os.write(self._reports, f"{' '.join(map(str, words))}\n".encode())


@contextlib.contextmanager
def _without(number: signal.Signals) -> Iterator[None]:
    """Put a signal off."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [number])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])


def import_all() -> None:
    """Import what pages need; garbage collection, which would copy its memory, leaves it alone."""
    for name in MODULES:
        import_module(name)
    gc.collect()
    gc.freeze()


def become_page(request: dict[str, Any]) -> None:
    """Run the page process that a request describes; as after a start by its own command."""
    os.setsid()
    name_process(request["arguments"])
    os.environ.clear()
    os.environ.update(request["environment"])
    # Jupyter's kernel ends with its parent.
    os.environ["JPY_PARENT_PID"] = str(os.getppid())
    os.chdir(request["folder"])
    page_process.main(request["arguments"])


def name_process(arguments: list[str]) -> None:
    """Show in lists of processes that this is a page, with the start of its kernel's identifier."""
    found = re.search(r"kernel-([0-9a-f]{8})", arguments[-1])
    with contextlib.suppress(OSError):
        Path("/proc/self/comm").write_text(f"page {found[1] if found else ''}", encoding="ascii")


def own_pipes() -> tuple[int, int]:
    """Take the pipes away from standard input and output, which are the pages'."""
    pipes = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    return pipes


def main() -> None:
    """Import, then serve requests; in a copy, run its page."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return_freed_memory()
    page_process.no_more_threads()
    pipes = own_pipes()
    import_all()
    request = Forking(*pipes).serve()
    if request is not None:
        become_page(request)


if __name__ == "__main__":
    main()
