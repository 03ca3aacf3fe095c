"""What Ctrl-C and SIGTERM do to a process of ours: it ends at once, without a traceback.

Imports little, so that the command line can install the handler first.
"""

from __future__ import annotations

import atexit
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from gpucore.errors import Cancelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

#: Exit code of a cancelled command.
CANCELLED = 130
_SHOW_CURSOR = b"\x1b[?25h"
#: What a process does before it ends at once: it removes its temporary files.
before_end: list[Callable[[], object]] = []


def leave_at_interrupt() -> None:
    """Let SIGINT and SIGTERM end this process; not if they are ignored, as in a background job.

    Only the main thread may call it.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) in (signal.default_int_handler, signal.SIG_DFL):
            signal.signal(number, leave)
            # Once all threads have ended there is nothing to stop, only the exit code to spoil.
            atexit.register(signal.signal, number, signal.SIG_IGN)


def heard() -> list[signal.Signals]:
    """Return SIGINT and SIGTERM, without what is ignored, as in a background job."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    return [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]


def leave(_number: int = 0, _frame: object = None) -> NoReturn:
    """End this process at once, and say that it was cancelled."""
    with suppress(OSError):
        if os.isatty(2):
            os.write(2, _SHOW_CURSOR)  # a progress bar hides it
        os.write(2, f"warplens: {Cancelled()}\n".encode())
    end_at_once(CANCELLED)


def end_at_once(code: int) -> NoReturn:
    """End this process without unwinding, and leave no temporary file."""
    for act in before_end:
        with suppress(OSError):
            act()
    os._exit(code)


def _end(_number: int = 0, _frame: object = None) -> NoReturn:
    end_at_once(CANCELLED)


@contextmanager
def held_back() -> Iterator[None]:
    """Hold SIGINT back from this thread, and from the processes that it starts in the block."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def leave_silently() -> None:
    """Let SIGINT end a helper process without a word; the process that started it reports."""
    signal.signal(signal.SIGINT, _end)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
