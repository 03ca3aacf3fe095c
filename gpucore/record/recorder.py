"""Buffers on the device into which kernels write records.

A kernel compiled with a record level takes one more argument: a table of eight 64-bit words
(``kernels/record.cuh`` holds the kernel's side of it).

====  ================================================================================
word  meaning
====  ================================================================================
0     address of the events, ``uint32[event_capacity][8]``
1     event capacity
2     address of the event counter (``uint64``); it counts on when the buffer is full
3     address of the rows, ``uint32[row_capacity][warps][8]``
4     row capacity: iterations kept for each warp; later ones are added into the last
5     address of ``uint32 iterations[warps]``, the iterations each warp has done
6     number of warps
7     address of ``uint64 times[event_capacity]``, when each event was written
====  ================================================================================

Times are those of ``simt_time()``: on a GPU nanoseconds (``%globaltimer``, which all
multiprocessors share; on an H100 it advances by 32 at a time), on the host the executor's steps.
They have 64 bits, so they never overflow.

Both buffers are bounded before they are allocated.  What does not fit is counted: events past
the capacity are dropped and reported as lost, rows past the capacity are merged into the last
one and reported as merged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from gpucore.errors import ParameterError

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.device.base import Kernel

#: Record levels of a run.
Level = Literal["off", "counters", "events"]

#: Words of one event and of one row; both are 32 bytes, one memory sector.
WORDS = 8
ROW_BYTES = 4 * WORDS
#: Bytes of an event's time, stored beside its words.
EVENT_BYTES = 4 * WORDS + 8
#: Bytes beside the two buffers: pointer table, event counter, the one event of an empty buffer.
FIXED_BYTES = 8 * WORDS + 8 + EVENT_BYTES


@dataclass(frozen=True)
class RawRecord:
    """Raw data that the kernels wrote into the buffers.

    Attributes
    ----------
    level : {"off", "counters", "events"}
        Record level.
    rows : ndarray of uint32, shape (kept iterations, warps, 8)
        One row for each iteration of each warp; all zeros where a warp did nothing.
    iterations : ndarray of int64, shape (warps,)
        Number of iterations of each warp, merged ones included.
    events : ndarray of uint32, shape (events, 8)
        Events in the order of their slots.
    lost_events : int
        Number of events that did not fit.
    merged_rows : int
        Number of rows that were added into the last kept row of their warp.
    times : ndarray of uint64, shape (events,)
        Time of each event, by a clock that all warps and launches of the run share.
    clock : {"ns", "steps"}
        Unit of that clock.
    event_rank : ndarray of int16, shape (events,)
        Number of the device that wrote each event; by default 0.
    warp_rank : ndarray of int16, shape (warps,)
        Number of the device that each warp runs on; by default 0.
    """

    level: Level
    rows: np.ndarray
    iterations: np.ndarray
    events: np.ndarray
    lost_events: int
    merged_rows: int
    times: np.ndarray
    clock: str
    event_rank: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int16))
    warp_rank: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int16))

    def __post_init__(self) -> None:
        for name, size in (("event_rank", len(self.events)), ("warp_rank", self.rows.shape[1])):
            if not len(getattr(self, name)):
                object.__setattr__(self, name, np.zeros(size, np.int16))


class Recorder:
    """Holds the buffers of one run.

    Parameters
    ----------
    device : Device
        Where the kernels run.
    level : {"off", "counters", "events"}
        "counters": rows only; "events": rows and events; "off": nothing.
    warps : int
        Number of warps of the launch; a warp's global number indexes its rows.
    budget : int
        Largest size of all buffers together, in bytes.
    event_share : float
        Part of the budget that goes to the events at level "events", in (0, 1).  Rows take the
        rest.
    idle_from : int
        Number of the first warp that may skip an iteration. Its rows and the rows of later warps
        are set to zero before the run. Earlier warps write all their rows completely; zeroing these
        too would only fill the cache.

    Raises
    ------
    ParameterError
        Unknown level, or a budget too small for one row per warp and one event per lane.
    DeviceError
        The device does not have that much free memory.
    """

    def __init__(
        self,
        device: Device,
        level: Level | str,
        *,
        warps: int,
        budget: int = 64 << 20,
        event_share: float = 0.75,
        idle_from: int = 0,
    ) -> None:
        self.level = check_level(level)
        self.device = device
        self.warps = int(warps)
        self.idle_from = int(idle_from)
        self.row_capacity = self.event_capacity = 0
        self._table: Any = None
        if self.level == "off":
            return
        self.row_capacity, self.event_capacity = capacities(
            self.level, self.warps, budget, event_share
        )
        self._allocate()

    @property
    def macro(self) -> int:
        """Value of the kernels' ``RECORD`` macro: 0, 1 or 2."""
        return macro_of(self.level)

    @property
    def nbytes(self) -> int:
        """Bytes that the buffers take on the device."""
        if self.level == "off":
            return 0
        rows = self.row_capacity * self.warps * ROW_BYTES
        return rows + self.event_capacity * EVENT_BYTES + 4 * self.warps + FIXED_BYTES

    def args(self) -> tuple[Any, ...]:
        """Return the kernels' last argument in a tuple, which is empty at level "off"."""
        return () if self._table is None else (self._table,)

    def kernel(self, source: str, name: str, **constants: int) -> Kernel:
        """Return a kernel with recording; other kernels come from the device itself."""
        return self.device.kernel(source, name, record=self.macro, **constants)

    def load(self, source: str, names: Sequence[str], **constants: int) -> None:
        """Load kernels with recording before the clock starts."""
        for name in names:
            self.kernel(source, name, **constants).load()

    def events_so_far(self) -> int:
        """Return the number of events stored so far; waits for the device."""
        return min(int(self.device.to_host(self._count)[0]), self.event_capacity)

    def _allocate(self) -> None:
        device, xp = self.device, self.device.xp
        device.require_memory(self.nbytes, "the record of the run")
        self._events = xp.empty((max(self.event_capacity, 1), WORDS), dtype=np.uint32)
        self._times = xp.empty(max(self.event_capacity, 1), dtype=np.uint64)
        self._count = xp.zeros(1, dtype=np.uint64)
        self._rows = xp.empty((self.row_capacity, self.warps, WORDS), dtype=np.uint32)
        self._rows[:, self.idle_from :] = 0
        self._rows[-1] = 0  # later iterations are added into it
        self._iterations = xp.zeros(self.warps, dtype=np.uint32)
        table = [
            device.address(self._events),
            self.event_capacity,
            device.address(self._count),
            device.address(self._rows),
            self.row_capacity,
            device.address(self._iterations),
            self.warps,
            device.address(self._times),
        ]
        self._table = device.asarray(np.array(table, dtype=np.uint64))

    def collect(self) -> RawRecord:
        """Copy the used parts of the buffers to the host.

        Returns
        -------
        RawRecord
            Rows and events, and the numbers of lost and merged ones.
        """
        if self.level == "off":
            nothing = np.empty((0, self.warps, WORDS), np.uint32)
            idle = np.zeros(self.warps, np.int64)
            none, never = np.empty((0, WORDS), np.uint32), np.empty(0, np.uint64)
            return RawRecord("off", nothing, idle, none, 0, 0, never, self.device.clock)
        self.device.synchronize()
        to_host = self.device.to_host
        iterations = np.array(to_host(self._iterations), dtype=np.int64)
        kept = int(min(iterations.max(initial=0), self.row_capacity))
        count = int(to_host(self._count)[0])
        stored = min(count, self.event_capacity)
        rows = np.array(to_host(self._rows[:kept]))
        rows[np.arange(kept)[:, None] >= iterations] = 0  # never written
        return RawRecord(
            level=self.level,
            rows=rows,
            iterations=iterations,
            events=np.array(to_host(self._events[:stored])),
            lost_events=count - stored,
            merged_rows=int(np.maximum(iterations - self.row_capacity, 0).sum()),
            times=np.array(to_host(self._times[:stored])),
            clock=self.device.clock,
        )


def merge_ranks(parts: Sequence[RawRecord], starts: Sequence[int] | None = None) -> RawRecord:
    """Merge the raw records of several devices of one run.

    Warps are renumbered: those of rank 1 follow those of rank 0, and so on. Events stay in the
    order of their slots, rank after rank.

    Parameters
    ----------
    parts : sequence of RawRecord
        One raw record per rank, all with the same level and clock unit.
    starts : sequence of int, optional
        Start of each rank's clock, in the clocks' unit; by default all start at the same time.

    Returns
    -------
    RawRecord
        With :attr:`~RawRecord.event_rank` and :attr:`~RawRecord.warp_rank`.

    Raises
    ------
    ParameterError
        `parts` is empty, or levels or clock units differ.

    Examples
    --------
    >>> rows, events = np.ones((1, 2, 8), np.uint32), np.zeros((3, 8), np.uint32)
    >>> one = RawRecord("events", rows, np.ones(2, int), events, 0, 0, np.arange(3), "steps")
    >>> both = merge_ranks([one, one])
    >>> both.events[:, 1].tolist(), both.event_rank.tolist(), both.warp_rank.tolist()
    ([0, 0, 0, 2, 2, 2], [0, 0, 0, 1, 1, 1], [0, 0, 1, 1])
    """
    if not parts or len({(part.level, part.clock) for part in parts}) != 1:
        raise ParameterError("the records of the ranks have to be of one level and one clock")
    warps = np.array([part.rows.shape[1] for part in parts])
    first = np.cumsum(warps) - warps
    kept = max(part.rows.shape[0] for part in parts)
    events = [part.events.copy() for part in parts]
    for own, begin in zip(events, first, strict=True):
        own[:, 1] += np.uint32(begin)
    ranks = np.arange(len(parts), dtype=np.int16)
    return RawRecord(
        level=parts[0].level,
        rows=np.concatenate(
            [np.pad(p.rows, ((0, kept - len(p.rows)), (0, 0), (0, 0))) for p in parts], axis=1
        ),
        iterations=np.concatenate([part.iterations for part in parts]),
        events=np.concatenate(events),
        lost_events=sum(part.lost_events for part in parts),
        merged_rows=sum(part.merged_rows for part in parts),
        times=np.concatenate(
            [p.times + np.uint64(s) for p, s in zip(parts, starts or [0] * len(parts), strict=True)]
        ),
        clock=parts[0].clock,
        event_rank=np.repeat(ranks, [len(part.events) for part in parts]),
        warp_rank=np.repeat(ranks, warps),
    )


def check_level(level: str) -> Level:
    """Return `level` if it is one of the three, else raise ParameterError."""
    for known in get_args(Level):
        if isinstance(level, str) and level == known:
            return known
    raise ParameterError(
        f"there is no record level {level!r}; use 'off', 'counters' (rows per warp) or 'events'"
    )


def macro_of(level: str) -> int:
    """Return the kernels' ``RECORD`` macro for a record level, or raise ParameterError."""
    return get_args(Level).index(check_level(level))


def capacities(level: Level, warps: int, budget: int, event_share: float) -> tuple[int, int]:
    """Divide a budget of bytes into iterations kept per warp and events kept.

    Parameters
    ----------
    level : {"counters", "events"}
        Record level.
    warps : int
        Warps of the launch, at least 1.
    budget : int
        Bytes for all buffers.
    event_share : float
        Part of the budget for events at level "events".

    Returns
    -------
    row_capacity, event_capacity : int
        At least one row a warp; no event at level "counters".

    Raises
    ------
    ParameterError
        The numbers make no sense or the budget is too small.
    """
    if warps < 1:
        raise ParameterError(f"a record needs at least one warp, not {warps}")
    if not 0.0 < event_share < 1.0:
        raise ParameterError(f"event_share must lie between 0 and 1, not be {event_share}")
    events = int(budget * event_share) // EVENT_BYTES if level == "events" else 0
    left = budget - events * EVENT_BYTES - FIXED_BYTES - 4 * warps
    rows = left // (warps * ROW_BYTES)
    if rows < 1 or (level == "events" and events < 32):
        part = 1.0 if level == "counters" else min(1.0 - event_share, event_share)
        needed = int((warps * (ROW_BYTES + 4) + FIXED_BYTES + 32 * EVENT_BYTES) / part) + 1
        raise ParameterError(
            f"a record of {warps:,} warps at level {level!r} does not fit in {budget:,} bytes; "
            f"give it a budget of at least {needed:,} bytes"
        )
    return int(rows), int(events)
