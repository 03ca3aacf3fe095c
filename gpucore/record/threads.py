"""Records of methods on the processor: the buffers that native code writes to.

The buffers are those of kernels (:mod:`gpucore.record.recorder`), with a thread in the place of a
warp: ``gpucore/cpu/record.h`` is the native side. Every event takes its place from one counter of
all threads, where the method decides the order of its steps, so events come in an order in which
they happened. Times are nanoseconds of the processor's steady clock.
"""

from __future__ import annotations

import dataclasses

from gpucore.device.host import HostDevice
from gpucore.record.recorder import Level, RawRecord, Recorder

#: Bytes that a record may take if the caller does not say.
BUDGET = 64 << 20


class ThreadRecorder(Recorder):
    """Holds the buffers of one run of a method.

    Parameters
    ----------
    level : {"off", "counters", "events"}
        As for :class:`~gpucore.record.recorder.Recorder`.
    threads : int
        Number of threads of the run.
    budget : int
        Largest size of all buffers together, in bytes.

    Raises
    ------
    ParameterError
        Unknown level, or a budget too small for one row of every thread.
    DeviceError
        There is not that much free memory.

    Examples
    --------
    >>> ThreadRecorder("off", 4).pointer is None
    True
    >>> ThreadRecorder("events", 4).collect().clock
    'ns'
    """

    def __init__(self, level: Level | str, threads: int, budget: int = BUDGET) -> None:
        super().__init__(HostDevice(), level, warps=threads, budget=budget)

    @property
    def pointer(self) -> int | None:
        """Address of the table of buffers, for native code; None at level "off"."""
        return None if self._table is None else int(self._table.ctypes.data)

    def collect(self) -> RawRecord:
        """Return rows and events as arrays, and the numbers of lost and merged ones."""
        return dataclasses.replace(super().collect(), clock="ns")
