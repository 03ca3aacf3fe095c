"""Kernels with mistakes may write anywhere, so their tests run in copies of the process."""

from __future__ import annotations

import contextlib
import faulthandler
import functools
import os
import signal
import traceback
import warnings
from collections.abc import Callable
from typing import Any, NoReturn

#: How a process ends whose memory was written over.
DEATHS = {signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGFPE, signal.SIGILL}


def in_a_copy(test: Callable[..., None]) -> Callable[..., None]:
    """Run a test of a planted mistake in a copy of this process, whose memory it cannot harm.

    A copy that dies of what it wrote shows the mistake, as an error of its kernel would. A failed
    assertion fails the test, with the text from the copy.
    """
    if not hasattr(os, "fork"):
        return test

    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        reading, writing = os.pipe()
        with warnings.catch_warnings():  # other threads are those of pytest's workers
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
        if pid == 0:
            _run_and_end(functools.partial(test, *args, **kwargs), writing)
        os.close(writing)
        ended = False
        try:
            with os.fdopen(reading, encoding="utf-8") as pipe:
                text = pipe.read()
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            ended = True
        finally:
            if not ended:  # it took too long
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
        assert code == 0 or -code in DEATHS, text or f"the copy ended with code {code}"

    return run


def _run_and_end(test: Callable[[], None], writing: int) -> NoReturn:
    faulthandler.disable()
    text = ""
    try:
        test()
    except BaseException:
        text = traceback.format_exc()
    with contextlib.suppress(OSError), os.fdopen(writing, "w", encoding="utf-8") as pipe:
        pipe.write(text)
    os._exit(1 if text else 0)
