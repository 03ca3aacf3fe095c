"""Calls of native methods: cancelling, timing, recording, and errors."""

from __future__ import annotations

import ctypes as c
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from gpucore import native
from gpucore.cpu.common import cancel_flag, check_status
from gpucore.cpu.task import Struct
from gpucore.record.threads import BUDGET, ThreadRecorder

if TYPE_CHECKING:
    from gpucore.progress import Cancel
    from gpucore.record import RawRecord


class Called(NamedTuple):
    """Time and record of a call.

    Attributes
    ----------
    seconds : float
        Time of the native function alone.
    raw : RawRecord or None
        The recorded rows and events; None at level "off".
    """

    seconds: float
    raw: RawRecord | None


def call(
    name: str,
    task: Struct,
    problem: object,
    *,
    threads: int = 1,
    cancel: Cancel | None = None,
    record: str = "off",
    record_budget: int = BUDGET,
) -> Called:
    """Call the native function ``cpu_<name>``.

    Parameters
    ----------
    name : str
        Name of the method's runner.
    task : Struct
        The function's input. The fields ``threads``, ``cancel`` and ``recording``, where it has
        them, are set here.
    problem : object
        For messages.
    threads : int
        How many threads the function runs, the caller's included.
    cancel : Cancel, optional
        Checked while it runs.
    record, record_budget
        As for :func:`gpucore.run`.

    Raises
    ------
    ParameterError, Cancelled, DeviceError
    """

    def started(flag: c.c_int, recording: int | None) -> int:
        return int(getattr(native.load(), f"cpu_{name}")(*filled(task, threads, flag, recording)))

    return attend(
        name, started, problem, threads=threads, cancel=cancel, record=record, budget=record_budget
    )


def filled(
    task: Struct, threads: int, flag: c.c_int | None, recording: int | None = None
) -> list[object]:
    """Set the fields that are the same in every task, and return the function's arguments."""
    names = {name for name, *_ in task._fields_}
    shared = {
        "threads": threads,
        "cancel": None if flag is None else c.pointer(flag),
        "recording": recording,
    }
    for name in names & shared.keys():
        setattr(task, name, shared[name])
    return task.as_arguments()


def attend(
    name: str,
    function: Callable[[c.c_int, int | None], int],
    problem: object,
    *,
    threads: int,
    cancel: Cancel | None,
    record: str = "off",
    budget: int = BUDGET,
) -> Called:
    """Run ``function(flag, recording)``, which returns a status; see :func:`call`.

    `flag` is the int that native code polls, `recording` the address of the record's buffers.
    """
    recorder = ThreadRecorder(record, threads, budget)
    with cancel_flag(cancel) as flag:
        start = time.perf_counter()
        status = function(flag, recorder.pointer)
        seconds = time.perf_counter() - start
    check_status(name, problem, threads, status)
    return Called(seconds, None if recorder.level == "off" else recorder.collect())
