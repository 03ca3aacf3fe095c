"""Ranks as threads of one process, each with a device of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from gpucore.errors import Cancelled, WarplensError
from gpucore.progress import Cancel
from gpucore.ranks.comm import Comm

T = TypeVar("T")

#: Largest number of threads that can be ranks.
MAX_THREADS = 64


class RankStopped(Cancelled):
    """Raised in a rank that ends because another one has failed."""


class _Meeting:
    """What the ranks of one run share."""

    def __init__(self, size: int) -> None:
        self.barrier = threading.Barrier(size)
        self.slots: list[Any] = [None] * size

    def wait(self) -> None:
        try:
            self.barrier.wait()
        except threading.BrokenBarrierError:
            raise RankStopped("another rank has failed") from None


class ThreadComm(Comm):
    """One rank among threads; see :func:`run_threads`."""

    kind = "threads"

    def __init__(self, rank: int, meeting: _Meeting) -> None:
        self.rank = rank
        self.size = len(meeting.slots)
        self._meeting = meeting

    def barrier(self) -> None:
        """Wait for all ranks."""
        self._meeting.wait()

    def _exchange(self, value: Any, take: Callable[[list[Any]], T]) -> T:
        """Show a value to all ranks; all of them take what they need before any goes on."""
        meeting = self._meeting
        meeting.slots[self.rank] = value
        meeting.wait()
        found = take(meeting.slots)
        meeting.wait()
        return found

    def allgather(self, value: Any) -> list[Any]:
        """Return the objects of all ranks: the objects themselves, no copies."""
        return self._exchange(value, list)

    def gather(self, value: Any) -> list[Any] | None:
        """Return the objects of all ranks on rank 0, None elsewhere."""
        return self._exchange(value, lambda slots: list(slots) if self.rank == 0 else None)

    def alltoallv(self, parts: Sequence[np.ndarray], sizes: Sequence[int]) -> list[np.ndarray]:
        """Return copies of what each rank sent to this one."""
        return self._exchange(parts, lambda slots: [sent[self.rank].copy() for sent in slots])

    def host_name(self) -> str:
        """All threads run on one host."""
        return "here"


class Stop:
    """A cancel flag for the devices of all ranks: set by the caller, or when a rank fails."""

    def __init__(self, cancel: Cancel | None) -> None:
        self._cancel = cancel
        self._failed = threading.Event()

    def is_set(self) -> bool:
        """Return whether the ranks have to stop."""
        return self._failed.is_set() or (self._cancel is not None and self._cancel.is_set())

    def fail(self) -> None:
        """Let all ranks stop."""
        self._failed.set()


def run_threads(
    ranks: int, body: Callable[[Comm, Cancel], T], *, cancel: Cancel | None = None
) -> T:
    """Run ``body(comm, cancel)`` in `ranks` threads and return the result of rank 0.

    Parameters
    ----------
    ranks : int
        Number of threads.
    body : callable
        What every rank does; it passes `cancel` to its device.
    cancel : Cancel, optional
        The caller's own.

    Raises
    ------
    WarplensError
        What the first failing rank raised, of the same class; the text names the rank.
    """
    meeting, stop = _Meeting(ranks), Stop(cancel)
    results: list[Any] = [None] * ranks
    failures: list[tuple[int, BaseException]] = []

    def work(rank: int) -> None:
        try:
            results[rank] = body(ThreadComm(rank, meeting), stop)
        except BaseException as error:
            failures.append((rank, error))  # before the others see a broken barrier
            stop.fail()
            meeting.barrier.abort()

    threads = [
        threading.Thread(target=work, args=(rank,), name=f"warplens-rank-{rank}", daemon=True)
        for rank in range(1, ranks)
    ]
    for thread in threads:
        thread.start()
    work(0)
    for thread in threads:
        thread.join()
    if failures:
        raise _named(failures, cancel)
    return results[0]


def _named(failures: list[tuple[int, BaseException]], cancel: Cancel | None) -> BaseException:
    """Return the error of the rank that failed first; its text names the rank."""
    causes = [(rank, error) for rank, error in failures if not isinstance(error, RankStopped)]
    rank, error = (causes or failures)[0]
    if isinstance(error, Cancelled) or not isinstance(error, WarplensError | MemoryError):
        return error
    if getattr(error, "names_ranks", False):
        return error
    named: BaseException
    if isinstance(error, MemoryError):
        from gpucore.errors import DeviceError

        named = DeviceError(f"rank {rank}: the host is out of memory")
    else:
        named = type(error)(f"rank {rank}: {error}")
    named.__cause__ = error
    return named
