"""The program of a page process: limits of the operating system first, then Jupyter's kernel.

What the limits of a form miss is caught here. Memory beyond the limit is refused to this process
alone, as MemoryError, and its page says so. Too much processor time ends it. A page process also
has a lower priority than the server, which must answer other visitors while pages compute.

Started as ``python -P -m warplens.app.site.page_process -f CONNECTION_FILE``.
"""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import Any

from ..limits import PageLimits
from ..page.memory import return_freed_memory
from .priority import PAGE, set_priority

#: Threads and processes that the user may start after this one. The system counts them for each
#: user, not for each process, so the bound is wide: it stops only an endless number.
_MORE_TASKS = 4096

#: Files that show that the machine has a GPU.
_GPU_FILES = ("/dev/nvidiactl", "/dev/dxg")


def apply_limits(limits: PageLimits) -> None:
    """Limit this process and all that it starts; does nothing where there is no such system call.

    Parameters
    ----------
    limits : PageLimits
        ``process_bytes`` and ``process_seconds`` are used.
    """
    set_priority(os.getpid(), PAGE)
    try:
        import resource
    except ImportError:  # Windows
        return

    def limit(what: int, most: int, grace: int = 0) -> None:
        """Lower a limit; one that is lower already stays."""
        _, hard = resource.getrlimit(what)
        last = most + grace if hard == resource.RLIM_INFINITY else min(most + grace, hard)
        resource.setrlimit(what, (min(most, last), last))

    limit(resource.RLIMIT_CORE, 0)
    # At the first limit comes a signal that names the reason, at the second one that kills.
    limit(resource.RLIMIT_CPU, limits.process_seconds, grace=5)
    limit(resource.RLIMIT_FSIZE, limits.process_bytes)
    # A GPU's driver reserves addresses for all memory of machine and card, without using it. There
    # the server alone watches the memory that is used.
    if not has_gpu():
        limit(resource.RLIMIT_AS, limits.process_bytes)
    if hasattr(resource, "RLIMIT_NPROC"):
        limit(resource.RLIMIT_NPROC, _tasks_of_user() + _MORE_TASKS)


def has_gpu() -> bool:
    """Return whether the machine has a GPU that page processes may use."""
    return any(Path(file).exists() for file in _GPU_FILES)


def _tasks_of_user() -> int:
    """Return how many threads the user runs."""
    import psutil

    user, count = os.getuid(), 0
    for process in psutil.process_iter(["uids", "num_threads"]):
        uids = process.info["uids"]
        if uids is not None and uids.real == user:
            count += process.info["num_threads"] or 1
    return count


def no_more_threads() -> None:
    """Turn off threads of libraries that pages do not use; each would reserve addresses."""
    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")


def main(arguments: list[str] | None = None) -> None:
    """Limit this process and run Jupyter's kernel in it.

    Parameters
    ----------
    arguments : list of str, optional
        Of the kernel; by default those of the command.
    """
    return_freed_memory()
    apply_limits(PageLimits.from_environment())
    no_more_threads()
    # A page is not debugged. Without this module Jupyter's kernel leaves its debugger out, whose
    # import takes a tenth of a new page's processor time, and 7 MiB.
    sys.modules.setdefault("debugpy", None)  # type: ignore[arg-type]
    _program().launch_instance(arguments)


def _program() -> Any:
    """Return Jupyter's program with a bounded log: messages of strangers cause lines of it."""
    import ipywidgets
    from ipykernel.kernelapp import IPKernelApp

    from .log import PAGE, DropFalse, bound, bound_stderr

    class PageProcess(IPKernelApp):
        name = "page"

        def initialize(self, argv: Any = None) -> None:
            bound_stderr(*PAGE)
            # What libraries in C write is for the server's log, not for the page.
            self.capture_fd_output = False
            # The history of the operator's own shell is not a page's.
            self.config.HistoryManager.enabled = False
            # No signatures are kept: a message that comes twice is handled twice, without a
            # traceback in the log. Only the server has the key.
            self.config.Session.digest_history_size = 0
            super().initialize(argv)
            names = ("", "asyncio", "tornado.application", "tornado.general", "traitlets")
            bound(self.log, *map(logging.getLogger, names))
            # ipykernel looks for a widget before it is opened, and again after it was closed.
            logging.getLogger("Comm").addFilter(DropFalse("No such comm"))
            # At its import it found no kernel, if that was before a fork.
            ipywidgets.load_ipython_extension(self.shell)

    return PageProcess


if __name__ == "__main__":
    main()
