"""The MPI session of this process: its comm and its sentry, made once."""

from __future__ import annotations

import atexit
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from gpucore.errors import Cancelled, MissingDependency, WarplensError
from gpucore.interrupts import CANCELLED, heard
from gpucore.ranks import mpi
from gpucore.ranks.sentry import TROUBLE, Sentry


class Session:
    """All ranks of this run, and the watch over them.

    Attributes
    ----------
    code_of : callable
        Exit code of an error of ours; the command line sets its own.
    """

    def __init__(self) -> None:
        self.comm = mpi.MpiComm()
        self.sentry = Sentry(self.comm)
        self.code_of: Callable[[WarplensError], int] = lambda error: TROUBLE
        self._left = False
        atexit.register(self.leave)
        self._hook = sys.excepthook
        sys.excepthook = self._uncaught

    def leave(self) -> None:
        """Wait until all ranks have come to their end without an error."""
        if not self._left:
            self._left = True
            self.sentry.done()

    def fail(self, error: BaseException) -> NoReturn:
        """End all ranks because of an error of this one."""
        plain, code = bool(getattr(error, "names_ranks", False)), TROUBLE
        if isinstance(error, MemoryError):
            text = "the host is out of memory"
        elif isinstance(error, WarplensError):
            text, code = str(error), self.code_of(error)
        else:
            traceback.print_exception(error)
            text = f"{type(error).__name__}: {error}"
        if isinstance(error, Cancelled):
            code = CANCELLED
        self._left = True
        self.sentry.fail(text, code, plain=plain)

    def _uncaught(self, kind: Any, error: BaseException, trace: Any) -> None:
        """End all ranks where a script's error would end only this one."""
        if isinstance(error, KeyboardInterrupt):
            error = Cancelled()
        self.fail(error)


_session: Session | None = None


def session() -> Session:
    """Return the session of this process; the first call is made by all ranks."""
    global _session
    if _session is None:
        _session = Session()
    return _session


def under_mpi() -> bool:
    """Return whether a launcher started this process as one of several."""
    place = mpi.launched()
    return place is not None and place[1] > 1


@contextmanager
def guarded(code_of: Callable[[WarplensError], int]) -> Iterator[bool]:
    """Guard a command that all ranks run: an error on one of them ends all, with one sentence.

    Parameters
    ----------
    code_of : callable
        Exit code of an error of ours.

    Yields
    ------
    bool
        Whether this process prints the output: rank 0, or a process without a launcher.
    """
    if not under_mpi():
        yield True
        return
    try:
        own = session()
    except MissingDependency:
        place = mpi.launched()
        if place is not None and place[0] > 0:
            raise SystemExit(TROUBLE) from None  # rank 0 says it
        raise
    own.code_of = code_of
    with _interrupts(own):
        try:
            yield own.comm.rank == 0
        except Exception as error:
            own.fail(error)
        own.leave()


@contextmanager
def _interrupts(own: Session) -> Iterator[None]:
    """Report SIGINT and SIGTERM as a cancelled run, where nothing else handles them."""

    def stop(_number: int, _frame: object) -> None:
        own.fail(Cancelled())

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, stop) for number in heard()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
